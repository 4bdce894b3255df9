#pragma once
/// An operator that does not connect time slices, as an operator on slices: the slices of a field are right-hand sides
/// (ops/copy/slices.h), always all of them, each with its own matrix.

#include "dirac/linear_operator.h"

namespace quda
{

class Sliced : public LinearOperator
{
public:
  /// A: on full fields of one right-hand side, must outlive this. Collective.
  explicit Sliced(const LinearOperator &A);
  /// The same with the lattice of another such operator.
  Sliced(const LinearOperator &A, std::shared_ptr<const Lattice> slices)
      : A_(A)
      , slices_(std::move(slices))
  {
  }
  const std::shared_ptr<const Lattice> &lattice() const { return slices_; }
  /// Shape of fields with one right-hand side per time slice of the rank.
  ColorSpinorParam shape(int rhs) const override;
  Symmetry symmetry() const override { return A_.symmetry(); }
  double flops(int) const override { return A_.flops(1); }
  double bytes(int) const override { return A_.bytes(1); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;

private:
  const LinearOperator &A_;
  std::shared_ptr<const Lattice> slices_;
  Scratch whole_;
};

} // namespace quda
