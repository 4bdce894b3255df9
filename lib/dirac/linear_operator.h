#pragma once
/// Linear operators on quark fields, as solvers see them: no discretisation, layout, precision type or target has a
/// name here. A solver asks an operator for a product together with what it would do with it next; an operator that can
/// does both in one pass, every other one product first and linear algebra after it, with the same result.
///
/// Fields     : native, of the operator's shape; any number of right-hand sides, all of one call the same. A range of
///              right-hand sides is a field (ColorSpinorField::columns).
/// Operators  : refer to what they are made of, which must outlive them; one caller at a time of all that stand on the
///              same. The fields that they need in between are kept, made at the first call of a size: later calls
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

/// A = R^dag R + sigma, so that <p, A p> = |R p|^2 + sigma |p|^2: known before the second half of A, and positive in
/// any precision. No R: not of this form.
struct Factor {
  const LinearOperator *R = nullptr;
  blas::Coefficients sigma = 0.0; // may be one a right-hand side
  bool shifted() const { return sigma.listed() || sigma[0] != 0; }
};

/// Fields for what is needed in between.
class Scratch
{
public:
  /// A field of this shape; the same memory each time for a number, 0 and up, and a parity, until more right-hand sides
  /// are asked for.
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

  /// Sums go to `sums`, which may be null where none are asked for.
  void apply(const Apply &, Sums *sums = nullptr) const;
  /// The same for operators made of this one, whose own apply() has checked the fields.
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

  /// out = A in, or A^dag in. What apply() checks has been checked.
  virtual void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const = 0;
  /// The whole of it in fewer passes; false, with nothing done, where that is not known for this call.
  virtual bool fused(const Apply &, Sums *) const { return false; }

  /// Number 0 is apply()'s own.
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
  /// each: at every call that of each of its right-hand sides; must outlive this.
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
