#pragma once
/// An operator that leads from no time slice to another, as one on its slices: their fields are right-hand sides
/// (ops/copy/slices.h), always all of them, each with a matrix of its own.

#include "dirac/linear_operator.h"

namespace quda
{

class Sliced : public LinearOperator
{
public:
  /// A, of full fields of one right-hand side, must outlive it. Collective.
  explicit Sliced(const LinearOperator &A);
  /// The same with the lattice of another one.
  Sliced(const LinearOperator &A, std::shared_ptr<const Lattice> slices)
      : A_(A)
      , slices_(std::move(slices))
  {
  }
  const std::shared_ptr<const Lattice> &lattice() const { return slices_; }
  /// Shape of fields with a right-hand side for each slice of the rank.
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
