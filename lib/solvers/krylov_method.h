#pragma once
/// Base of the Krylov methods, each in one precision: the part that a new method writes. It knows no tolerance, guess,
/// scale or other precision, and cannot say "converged"; KrylovSolver does the rest for all methods.
///
/// It works on the residual r of A d = r for all right-hand sides at once and accumulates the correction d. Right-hand
/// sides do not influence each other's numbers. Its fields and numbers are members that register themselves (Kept,
/// PerRhs): fields are made at the first start and used again. Columns can change places, and a call acts on a range of
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

/// Swaps element i with the last one and removes it.
template <class T> void drop_from(std::vector<T> &list, int i)
{
  std::swap(list[static_cast<std::size_t>(i)], list.back());
  list.pop_back();
}

/// A list with an element for each right-hand side; it shows a range of them.
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
  /// A list that nobody has filled is left as it is.
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

/// Condition for coming back. norms and targets are those of this method's residual, one per right-hand side.
struct CycleTarget {
  std::vector<double> norm; // come back when a right-hand side is below its norm
  double delta = 0;         // or below delta times the largest since start() or replace()
  int steps = 0;            // or after this number of steps
  bool all = false;         // only when all right-hand sides are there
  bool blind = false;       // the residual after the last step is not needed: a method may leave the earlier one
  /// Called after each step with its number, and |r|^2 of each right-hand side.
  std::function<void(int, std::span<const double>)> progress;
};

struct CycleResult {
  int steps = 0;
  std::vector<double> norm;     // |r| as the recursion has it; not finite: the correction is worthless
  std::vector<Outcome> outcome; // running, breakdown or indefinite
  std::vector<char> back;       // whether it has reached the target, or begins anew
};

/// Behaviour of the other right-hand sides when one comes back.
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
  /// Runs until the target is reached. Called again without replace() for right-hand sides that did not come back, it
  /// continues as if no other had come back.
  virtual CycleResult run(const CycleTarget &goal) = 0;
  virtual Together together() const { return Together::all; }
  /// Completes the last run for the right-hand sides in view, which go on although others came back.
  virtual void go_on() {}
  /// Completes the last run for the right-hand sides in view, which came back and wait.
  virtual void wait() {}
  /// x += the accumulated correction, which becomes 0; x in this precision or a better one.
  virtual void add_correction_to(ColorSpinorField &x) = 0;
  /// Replaces the residual by r and goes on; keeps its directions if the method can.
  virtual void replace(const ColorSpinorField &r) = 0;
  /// Between run() and replace(): the directions from which the next ones are made in a two-term recursion; null for
  /// other recursions.
  virtual ColorSpinorField *direction() { return nullptr; }
  /// Instead of start(), before replace(): takes the directions of the same method in another precision, if it can.
  virtual bool adopt_directions(KrylovMethod &) { return false; }
  /// Begins anew for the right-hand sides in view.
  void restart(const ColorSpinorField &r) { begin(r); }
  /// Restricts the next calls to `count` right-hand sides from number `first` on.
  void view(int first, int count)
  {
    if (first == first_ && count == count_) return;
    first_ = first;
    count_ = count;
    for (Part *part : parts_) part->view(first, count);
  }
  /// Swaps right-hand sides i and j, in view or not.
  void exchange(int i, int j)
  {
    if (i == j) return;
    for (Part *part : parts_) part->exchange(i, j);
  }
  /// Applications of the operator per step.
  virtual int applications() const { return 1; }

protected:
  /// A and name must outlive the method.
  KrylovMethod(const LinearOperator &A, const char *name, bool positive = false)
      : A_(A)
      , name_(name)
      , positive_(positive)
  {
  }

  /// Data of a method with a column per right-hand side, which KrylovMethod prepares, shows and moves.
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

  /// A member of type T that registers itself, with T's prepare(), view() and exchange().
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
  /// start(), after the fields are made.
  virtual void begin(const ColorSpinorField &r) = 0;

  const char *const name_;
  const bool positive_;
  std::vector<Part *> parts_;
  int first_ = 0, count_ = 0; // in view
};

/// Constructor of a method for the operator in one precision, which must outlive the method.
using MakeMethod = std::function<std::unique_ptr<KrylovMethod>(const LinearOperator &)>;

/// Preconditioner of flexible methods: z = K r, K near the inverse. Its effort is fixed; it does not judge convergence.
/// Fields of any precision.
class Preconditioner
{
public:
  virtual ~Preconditioner() = default;
  virtual void apply(ColorSpinorField &z, const ColorSpinorField &r) = 0;
  /// Flops so far, on this rank.
  virtual double flops_done() const { return 0; }
};

/// A work field of which a range of right-hand sides is in use.
class ActiveColumns
{
public:
  /// Makes the right-hand sides of the shape; contents undefined. Earlier memory is used again, unless most of it would
  /// be idle.
  void prepare(const ColorSpinorParam &shape);
  ColorSpinorField &operator*() { return *now_; }
  ColorSpinorField *operator->() { return now_; }
  /// Uses columns from number `first` on.
  void view(int first, int count);
  /// Swaps columns i and j, in use or not.
  void exchange(int i, int j);
  /// Swaps column i with the last one in use and removes it, if columns are in use from the first on.
  void drop(int i);
  bool empty() const { return !now_; }

private:
  std::unique_ptr<ColorSpinorField> whole_, part_;
  ColorSpinorField *now_ = nullptr;
};

/// The same for data that a step makes and no later step reads: a column's data does not move with it.
class ScratchColumns : public ActiveColumns
{
public:
  void exchange(int, int) {}
};

/// Accumulated solution of a method, in the operator's precision. For fixed point, which would round single steps away,
/// it is in the next better precision that is built.
class Correction
{
public:
  void prepare(ColorSpinorParam shape);
  ColorSpinorField &operator*() { return *x_; }
  /// Whether it has the precision of the method's fields, so that it can be an operand together with them.
  bool same_precision() const { return same_; }
  void add(const blas::Coefficients &a, const ColorSpinorField &p);
  void add(const blas::ComplexCoefficients &a, const ColorSpinorField &p);
  /// Adds sum_k a(k, j) p_k to column j.
  void add(const blas::Matrix &a, blas::FieldList p);
  /// x += the correction, which becomes 0.
  void move_to(ColorSpinorField &x);
  void view(int first, int count) { x_.view(first, count); }
  void exchange(int i, int j) { x_.exchange(i, j); }
  void drop(int i) { x_.drop(i); }

private:
  ActiveColumns x_;
  bool same_ = true;
};

/// |r| of each right-hand side as a recursion has it, and the decision when to come back.
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
  /// Starts from |r|^2; called by begin() and replace().
  void begin(std::vector<double> norm2);
  std::size_t count() const { return norm2_.size(); }
  /// |r_j|^2.
  double operator[](std::size_t j) const { return norm2_[j]; }
  const std::vector<double> &norm2() const { return norm2_; }
  /// A cycle without steps.
  CycleResult cycle() const;
  /// Records `steps` steps; returns whether the target lets the method go on. NaN comes back, too.
  bool step(std::vector<double> norm2, const CycleTarget &goal, CycleResult &cycle, int steps = 1);

private:
  ColumnList<double> norm2_, largest_; // |r|^2; |r| since begin()
};

/// Relative rounding error of a stored number.
inline double unit_roundoff(Precision precision)
{
  return precision == Precision::double_  ? 0x1p-53
         : precision == Precision::single ? 0x1p-24
         : precision == Precision::half   ? 0x1p-15
                                          : 0x1p-7;
}

/// Relative size below which a scalar product is only rounding: the square root of the unit roundoff.
inline double negligible(Precision precision) { return precision == Precision::double_ ? 1e-8 : 1e-5; }

} // namespace quda
