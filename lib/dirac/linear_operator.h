#pragma once
/// Linear operators on quark fields, as solvers see them: no discretisation, layout, precision type or target is
/// named here. A solver asks for a product together with the linear algebra that follows it. Some operators do
/// both in one pass; the others do the product first and the linear algebra after it, with the same result.
///
/// Fields     : native, of the operator's shape; any number of right-hand sides, the same in all fields of a call. A
///              range of right-hand sides is a field (ColorSpinorField::columns).
/// Operators  : refer to the objects they are made from, which must outlive them. One caller at a time uses operators
///              that share such an object. Work fields are made at the first call of a size and kept: later calls
///              allocate nothing.
/// Collective : all applications, over the lattice's communicator.
/// Errors     : internal for fields of another shape or precision, or aliases that are not allowed.

#include <memory>
#include <vector>

#include "ops/dirac/epilogue.h"

namespace quda
{

/// out_j = a_j x_j + b_j (A in)_j + c_j y_j for each right-hand side j, and sums over out.
struct Apply {
  ColorSpinorField &out;
  const ColorSpinorField &in; // shares nothing with out
  bool dagger = false;        // A^dag for A
  Epilogue end {};            // x may be out, y may be in
};

enum class Symmetry { general, hermitian, positive };

class LinearOperator;

/// The form A = R^dag R + sigma, for which <p, A p> = |R p|^2 + sigma |p|^2 is known before the second half of A and
/// positive in any precision. No R: A is not of this form.
struct Factor {
  const LinearOperator *R = nullptr;
  blas::Coefficients sigma = 0.0; // may be a list, one per right-hand side
  bool shifted() const { return sigma.listed() || sigma[0] != 0; }
};

/// Work fields of an operator.
class Scratch
{
public:
  /// A field of this shape: the same memory each time for a number (0 and up) and a parity, until a call asks for more
  /// right-hand sides.
  ColorSpinorField operator()(int number, const ColorSpinorParam &shape) const;

private:
  mutable std::vector<std::unique_ptr<ColorSpinorField>> fields_;
};

class LinearOperator
{
public:
  virtual ~LinearOperator() = default;
  LinearOperator(const LinearOperator &) = delete;
  LinearOperator &operator=(const LinearOperator &) = delete;

  /// Shape of the operator's fields with `rhs` right-hand sides; work fields are made from it.
  virtual ColorSpinorParam shape(int rhs) const = 0;
  virtual Symmetry symmetry() const { return Symmetry::general; }
  virtual Factor factor() const { return {}; }
  Precision precision() const { return shape(1).precision; }

  /// Sums go to `sums`, which may be null if none are asked for.
  void apply(const Apply &, Sums *sums = nullptr) const;
  /// The same for operators made from this one; their own apply() has checked the fields.
  void apply_checked(const Apply &, Sums *sums = nullptr) const;
  /// out = A in, or A^dag in.
  void operator()(ColorSpinorField &out, const ColorSpinorField &in, bool dagger = false) const;

  /// Flops of one product A in on this rank, by QUDA's convention.
  virtual double flops(int rhs) const = 0;
  /// Bytes that one product reads and writes on this rank, each number once.
  virtual double bytes(int rhs) const = 0;
  /// Flops of all applications so far, without linear algebra around them.
  double flops_done() const { return flops_done_; }

protected:
  LinearOperator() = default;

  /// out = A in, or A^dag in. apply() has checked the arguments.
  virtual void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const = 0;
  /// The whole call in fewer passes; false, with nothing done, if the operator has no such way for this call.
  virtual bool fused(const Apply &, Sums *) const { return false; }

  /// Number 0 belongs to apply().
  ColorSpinorField scratch(int number, int rhs) const { return scratch_(number, shape(rhs)); }

private:
  void check(const Apply &, const Sums *) const;
  void unfused(const Apply &, Sums *) const;

  Scratch scratch_;
  mutable double flops_done_ = 0;
};

// ---- operators made of operators ----

/// A^dag A.
class Normal : public LinearOperator
{
public:
  explicit Normal(const LinearOperator &A)
      : A_(A)
  {
  }
  ColorSpinorParam shape(int rhs) const override { return A_.shape(rhs); }
  Symmetry symmetry() const override { return Symmetry::positive; }
  Factor factor() const override { return {&A_}; }
  double flops(int rhs) const override { return 2 * A_.flops(rhs); }
  double bytes(int rhs) const override { return 2 * A_.bytes(rhs); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;
  bool fused(const Apply &, Sums *) const override;

private:
  const LinearOperator &A_;
};

/// A^dag.
class Adjoint : public LinearOperator
{
public:
  explicit Adjoint(const LinearOperator &A)
      : A_(A)
  {
  }
  ColorSpinorParam shape(int rhs) const override { return A_.shape(rhs); }
  Symmetry symmetry() const override { return A_.symmetry(); }
  Factor factor() const override { return A_.factor(); }
  double flops(int rhs) const override { return A_.flops(rhs); }
  double bytes(int rhs) const override { return A_.bytes(rhs); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;
  bool fused(const Apply &, Sums *) const override;

private:
  const LinearOperator &A_;
};

/// A A^dag.
class NormalError : public LinearOperator
{
public:
  explicit NormalError(const LinearOperator &A)
      : adjoint_(A)
      , normal_(adjoint_)
  {
  }
  ColorSpinorParam shape(int rhs) const override { return normal_.shape(rhs); }
  Symmetry symmetry() const override { return Symmetry::positive; }
  Factor factor() const override { return normal_.factor(); }
  double flops(int rhs) const override { return normal_.flops(rhs); }
  double bytes(int rhs) const override { return normal_.bytes(rhs); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;
  bool fused(const Apply &, Sums *) const override;

private:
  Adjoint adjoint_;
  Normal normal_;
};

/// A + sigma, sigma real.
class Shifted : public LinearOperator
{
public:
  Shifted(const LinearOperator &A, double sigma)
      : A_(A)
      , sigma_(sigma)
  {
  }
  /// each: at every call the shift of each right-hand side; must outlive this.
  Shifted(std::unique_ptr<LinearOperator> A, const std::vector<double> &each)
      : own_(std::move(A))
      , A_(*own_)
      , each_(&each)
  {
  }
  ColorSpinorParam shape(int rhs) const override { return A_.shape(rhs); }
  Symmetry symmetry() const override;
  Factor factor() const override;
  double flops(int rhs) const override;
  double bytes(int rhs) const override { return A_.bytes(rhs); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;
  bool fused(const Apply &, Sums *) const override;

private:
  blas::Coefficients sigma() const { return each_ ? blas::Coefficients(*each_) : sigma_; }
  bool nothing() const;

  std::unique_ptr<LinearOperator> own_;
  const LinearOperator &A_;
  double sigma_ = 0;
  const std::vector<double> *each_ = nullptr;
  mutable std::vector<double> shift_, sum_;
};

} // namespace quda
