#pragma once
/// One Krylov method in one precision: what a new method writes. It knows no tolerance, guess, scale or other
/// precision, and cannot say "converged"; KrylovSolver does what all methods share.
///
/// It works on the residual r of A d = r for all right-hand sides at once and gathers the correction d. Right-hand
/// sides do not influence each other's numbers. Its fields and numbers are members that register themselves (Kept,
/// PerRhs): fields are made at the first start and used again. Columns can change places, and a call is about a range of
/// them, as if there were no others: so some wait, without work, while others go on.

#include <algorithm>
#include <functional>
#include <iterator>
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

/// A list with an element for each right-hand side, of which it shows a run.
template <class T> class ColumnList : public std::vector<T>
{
public:
  void prepare(const ColorSpinorParam &shape)
  {
    this->clear();
    all_.clear();
    first_ = 0;
    count_ = static_cast<std::size_t>(shape.rhs);
  }
  void view(int first, int count)
  {
    put_back();
    first_ = static_cast<std::size_t>(first);
    count_ = static_cast<std::size_t>(count);
    take();
  }
  void exchange(int i, int j)
  {
    put_back();
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    if (std::max(a, b) < all_.size()) std::swap(all_[a], all_[b]);
    take();
  }

private:
  /// One that nobody has filled is left as it is.
  void put_back()
  {
    if (this->size() != count_) return;
    if (all_.size() < first_ + count_) all_.resize(first_ + count_);
    std::move(this->begin(), this->end(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
  }
  void take()
  {
    this->clear();
    if (all_.size() < first_ + count_) return;
    const auto from = all_.begin() + static_cast<std::ptrdiff_t>(first_);
    std::move(from, from + static_cast<std::ptrdiff_t>(count_), std::back_inserter(*this));
  }

  std::vector<T> all_; // those in view are moved from
  std::size_t first_ = 0, count_ = 0;
};

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
  std::vector<char> back;       // whether it is as far as the target says, or begins anew
};

/// What becomes of the other right-hand sides when one comes back.
enum class Together {
  all,  ///< they come back too
  turn, ///< they go on, it waits for them, and all get new residuals at once
  none  ///< they go on, and it gets a new residual whenever there is time
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
  /// Called again without replace(), for right-hand sides that did not come back, it does what it would have done had no
  /// other come back.
  virtual CycleResult run(const CycleTarget &goal) = 0;
  virtual Together together() const { return Together::all; }
  /// Right-hand sides in view go on, after a run that others come back from: what that has left undone.
  virtual void go_on() {}
  /// Right-hand sides in view have come back from the last run and wait.
  virtual void wait() {}
  /// x += the correction gathered, which becomes 0; x of this precision or a better one.
  virtual void add_correction_to(ColorSpinorField &x) = 0;
  /// Goes on with this residual in place of the one it has; directions are kept where the method can.
  virtual void replace(const ColorSpinorField &r) = 0;
  /// Between run() and replace(): the directions that the next ones are made from, of a recursion of two terms; null: of
  /// another.
  virtual ColorSpinorField *direction() { return nullptr; }
  /// Instead of start(), before replace(): takes the directions of the same method in another precision. False: not so.
  virtual bool adopt_directions(KrylovMethod &) { return false; }
  /// Begins anew with right-hand sides in view.
  void restart(const ColorSpinorField &r) { begin(r); }
  /// The calls that follow are about `count` right-hand sides from number `first` on.
  void view(int first, int count)
  {
    if (first == first_ && count == count_) return;
    first_ = first;
    count_ = count;
    for (Part *part : parts_) part->view(first, count);
  }
  /// Right-hand sides i and j, in view or not, change places.
  void exchange(int i, int j)
  {
    if (i == j) return;
    for (Part *part : parts_) part->exchange(i, j);
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

  /// What a method has for each right-hand side: a member whose columns its owner makes, shows and moves.
  class Part
  {
  public:
    explicit Part(KrylovMethod *owner) { owner->parts_.push_back(this); }
    Part(const Part &) = delete;
    Part &operator=(const Part &) = delete;
    virtual ~Part() = default;

  private:
    friend class KrylovMethod;
    virtual void prepare(const ColorSpinorParam &) = 0;
    virtual void view(int first, int count) = 0;
    virtual void exchange(int i, int j) = 0;
  };

  /// A T, with T's prepare(), view() and exchange().
  template <class T> class Kept : public T, public Part
  {
  public:
    template <class... Args> explicit Kept(KrylovMethod *owner, Args &&...args)
        : T(std::forward<Args>(args)...)
        , Part(owner)
    {
    }

  private:
    void prepare(const ColorSpinorParam &shape) override { T::prepare(shape); }
    void view(int first, int count) override { T::view(first, count); }
    void exchange(int i, int j) override { T::exchange(i, j); }
  };

  /// A list with an element for each right-hand side in view, which begin() fills.
  template <class T> class PerRhs : public Kept<ColumnList<T>>
  {
  public:
    explicit PerRhs(KrylovMethod *owner)
        : Kept<ColumnList<T>>(owner)
    {
    }
    PerRhs &operator=(const PerRhs &other) { return *this = static_cast<const std::vector<T> &>(other); }
    PerRhs &operator=(std::vector<T> other)
    {
      std::vector<T>::operator=(std::move(other));
      return *this;
    }
  };

  /// Makes the fields for `rhs` right-hand sides; their contents are undefined.
  void prepare(int rhs)
  {
    const ColorSpinorParam shape = A_.shape(rhs);
    first_ = 0;
    count_ = rhs;
    for (Part *part : parts_) part->prepare(shape);
  }

  const LinearOperator &A_;

private:
  /// start(), when the fields are there.
  virtual void begin(const ColorSpinorField &r) = 0;

  const char *const name_;
  const bool positive_;
  std::vector<Part *> parts_;
  int first_ = 0, count_ = 0; // in view
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

/// A work field of one shape, of whose right-hand sides a run is in use.
class ActiveColumns
{
public:
  /// As many right-hand sides as the shape says; contents undefined. Memory of before serves again, unless most of it
  /// would lie idle.
  void prepare(const ColorSpinorParam &shape);
  ColorSpinorField &operator*() { return *now_; }
  ColorSpinorField *operator->() { return now_; }
  /// Columns from number `first` on are in use.
  void view(int first, int count);
  /// Columns i and j of all change places.
  void exchange(int i, int j);
  /// Of columns that are in use from the first on, column i changes places with the last one, which leaves.
  void drop(int i);
  bool empty() const { return !now_; }

private:
  std::unique_ptr<ColorSpinorField> whole_, part_;
  ColorSpinorField *now_ = nullptr;
};

/// The same for what a step makes and nothing later reads: what belongs to a column does not move with it.
class ScratchColumns : public ActiveColumns
{
public:
  void exchange(int, int) {}
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
  void view(int first, int count) { x_.view(first, count); }
  void exchange(int i, int j) { x_.exchange(i, j); }
  void drop(int i) { x_.drop(i); }

private:
  ActiveColumns x_;
  bool same_ = true;
};

/// |r| of each right-hand side as a recursion has it, and when it is time to come back.
class Residuals
{
public:
  void prepare(const ColorSpinorParam &shape)
  {
    norm2_.prepare(shape);
    largest_.prepare(shape);
  }
  void view(int first, int count)
  {
    norm2_.view(first, count);
    largest_.view(first, count);
  }
  void exchange(int i, int j)
  {
    norm2_.exchange(i, j);
    largest_.exchange(i, j);
  }
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

private:
  ColumnList<double> norm2_, largest_; // |r|^2; |r| since begin()
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
