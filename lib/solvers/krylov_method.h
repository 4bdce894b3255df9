#pragma once
/// One Krylov method in one precision: what a new method writes. It knows no tolerance, guess, scale or other
/// precision, and cannot say "converged"; KrylovSolver does what all methods share.
///
/// It works on the residual r of A d = r for all right-hand sides at once and gathers the correction d. Right-hand
/// sides do not influence each other's numbers. Its fields and numbers are members that register themselves (Kept,
/// PerRhs): fields are made at the first start and used again, and each loses a column when a right-hand side is done.

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "dirac/linear_operator.h"
#include "ops/blas/vector_set.h"
#include "solvers/report.h"

namespace quda
{

/// Element i changes places with the last one, which leaves.
template <class T> void drop_from(std::vector<T> &list, int i)
{
  std::swap(list[static_cast<std::size_t>(i)], list.back());
  list.pop_back();
}

/// When to come back. norms and targets are of this iteration's residual, one a right-hand side.
struct CycleTarget {
  std::vector<double> norm; // come back when a right-hand side is below its own
  double delta = 0;         // or below delta times the largest since start() or replace()
  int steps = 0;            // or after so many steps
  bool all = false;         // not before all right-hand sides are as far
  bool blind = false;       // nobody asks for the residual after the last step: a method may leave it as it was before
  /// Told of each step: how many there were, and |r|^2 of each right-hand side.
  std::function<void(int, std::span<const double>)> progress;
};

struct CycleResult {
  int steps = 0;
  std::vector<double> norm;     // |r| as the recursion has it; not finite: the correction is worthless
  std::vector<Outcome> outcome; // running, breakdown or indefinite
};

class KrylovMethod
{
public:
  virtual ~KrylovMethod() = default;
  const char *name() const { return name_; }
  /// Whether the operator must be hermitian and positive.
  bool needs_positive() const { return positive_; }
  /// Begins anew from this residual, of the operator's precision; the correction is 0.
  void start(const ColorSpinorField &r)
  {
    prepare(r.rhs());
    begin(r);
  }
  virtual CycleResult run(const CycleTarget &goal) = 0;
  /// x += the correction gathered, which becomes 0; x of this precision or a better one.
  virtual void add_correction_to(ColorSpinorField &x) = 0;
  /// Goes on with this residual in place of the one it has; directions are kept where the method can.
  virtual void replace(const ColorSpinorField &r) = 0;
  /// Between run() and replace(): the directions that the next ones are made from, of a recursion of two terms; null: of
  /// another.
  virtual ColorSpinorField *direction() { return nullptr; }
  /// Instead of start(), before replace(): takes the directions of the same method in another precision. False: not so.
  virtual bool adopt_directions(KrylovMethod &) { return false; }
  /// Right-hand side i is done: it changes places with the last one, which is then left out. A residual follows.
  void drop(int i)
  {
    for (Part *part : parts_) part->drop(i);
  }
  /// Applications of the operator in a step.
  virtual int applications() const { return 1; }

protected:
  /// A must outlive the method, and name too.
  KrylovMethod(const LinearOperator &A, const char *name, bool positive = false)
      : A_(A)
      , name_(name)
      , positive_(positive)
  {
  }

  /// What a method has for each right-hand side: a member that its owner prepares and drops columns of.
  class Part
  {
  public:
    explicit Part(KrylovMethod *owner) { owner->parts_.push_back(this); }
    Part(const Part &) = delete;
    Part &operator=(const Part &) = delete;
    virtual ~Part() = default;

  private:
    friend class KrylovMethod;
    virtual void prepare(const ColorSpinorParam &) {}
    virtual void drop(int i) = 0;
  };

  /// A T, with T's prepare(), if it has one, and drop().
  template <class T> class Kept : public T, public Part
  {
  public:
    template <class... Args> explicit Kept(KrylovMethod *owner, Args &&...args)
        : T(std::forward<Args>(args)...)
        , Part(owner)
    {
    }

  private:
    void prepare(const ColorSpinorParam &shape) override
    {
      if constexpr (requires(T & of) { of.prepare(shape); }) T::prepare(shape);
    }
    void drop(int i) override { T::drop(i); }
  };

  /// A list with an element for each right-hand side, which begin() fills.
  template <class T> class PerRhs : public std::vector<T>, public Part
  {
  public:
    explicit PerRhs(KrylovMethod *owner)
        : Part(owner)
    {
    }
    PerRhs &operator=(const PerRhs &other) { return *this = static_cast<const std::vector<T> &>(other); }
    PerRhs &operator=(std::vector<T> other)
    {
      std::vector<T>::operator=(std::move(other));
      return *this;
    }

  private:
    void drop(int i) override
    {
      if (!this->empty()) drop_from(*this, i);
    }
  };

  /// Makes the fields for `rhs` right-hand sides; their contents are undefined.
  void prepare(int rhs)
  {
    const ColorSpinorParam shape = A_.shape(rhs);
    for (Part *part : parts_) part->prepare(shape);
  }

  const LinearOperator &A_;

private:
  /// start(), when the fields are there.
  virtual void begin(const ColorSpinorField &r) = 0;

  const char *const name_;
  const bool positive_;
  std::vector<Part *> parts_;
};

/// A method's constructor, for the operator of one precision, which must outlive the iteration.
using MakeMethod = std::function<std::unique_ptr<KrylovMethod>(const LinearOperator &)>;

/// z = K r, K near to the inverse: a preconditioner of flexible methods. Fixed effort; says nothing of convergence.
/// Fields of any precision.
class Preconditioner
{
public:
  virtual ~Preconditioner() = default;
  virtual void apply(ColorSpinorField &z, const ColorSpinorField &r) = 0;
  /// Operations so far, of this rank.
  virtual double flops_done() const { return 0; }
};

/// Work fields of one shape whose right-hand sides leave one by one: the first `count` columns are in use.
class ActiveColumns
{
public:
  /// As many right-hand sides as the shape says; contents undefined. Memory of before serves again, unless most of it
  /// would lie idle.
  void prepare(const ColorSpinorParam &shape);
  ColorSpinorField &operator*() { return *now_; }
  ColorSpinorField *operator->() { return now_; }
  /// Column i changes places with the last one, which leaves.
  void drop(int i);
  bool empty() const { return !now_; }

private:
  std::unique_ptr<ColorSpinorField> whole_, part_;
  ColorSpinorField *now_ = nullptr;
};

/// The solution that a method gathers: of the operator's precision, of the next better one that the build holds where
/// that is fixed point, which would round away what single steps add.
class Correction
{
public:
  void prepare(ColorSpinorParam shape);
  ColorSpinorField &operator*() { return *x_; }
  /// Whether it is of the precision of the method's fields, so that it can be an operand beside them.
  bool same_precision() const { return same_; }
  void add(const blas::Coefficients &a, const ColorSpinorField &p);
  void add(const blas::ComplexCoefficients &a, const ColorSpinorField &p);
  /// Column j gets sum_k a(k, j) of p_k's.
  void add(const blas::Matrix &a, blas::FieldList p);
  /// x += it, and 0 is left.
  void move_to(ColorSpinorField &x);
  void drop(int i) { x_.drop(i); }

private:
  ActiveColumns x_;
  bool same_ = true;
};

/// |r| of each right-hand side as a recursion has it, and when it is time to come back.
class Residuals
{
public:
  /// Called by begin() and replace().
  void begin(std::vector<double> norm2);
  std::size_t count() const { return norm2_.size(); }
  /// |r_j|^2.
  double operator[](std::size_t j) const { return norm2_[j]; }
  const std::vector<double> &norm2() const { return norm2_; }
  /// A cycle of no steps yet.
  CycleResult cycle() const;
  /// Records `steps` steps; whether the target lets the method go on. NaN comes back, too.
  bool step(std::vector<double> norm2, const CycleTarget &goal, CycleResult &cycle, int steps = 1);
  void drop(int i);

private:
  std::vector<double> norm2_, largest_; // |r|^2; |r| since begin()
};

/// Relative, of a stored number.
inline double unit_roundoff(Precision precision)
{
  return precision == Precision::double_  ? 0x1p-53
         : precision == Precision::single ? 0x1p-24
         : precision == Precision::half   ? 0x1p-15
                                          : 0x1p-7;
}

/// Relative size below which a scalar product is rounding alone: the square root of the unit of rounding.
inline double negligible(Precision precision) { return precision == Precision::double_ ? 1e-8 : 1e-5; }

} // namespace quda
