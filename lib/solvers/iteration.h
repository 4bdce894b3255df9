#pragma once
/// One Krylov method in one precision: what a new method writes. It knows no tolerance, guess, scale or other
/// precision, and cannot say "converged"; KrylovSolver does what all methods share.
///
/// It works on the residual r of A d = r for all right-hand sides at once and gathers the correction d. Right-hand
/// sides do not influence each other's numbers. Work fields are made at the first start and used again.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dirac/linear_operator.h"
#include "solvers/report.h"

namespace quda
{

/// When to come back. norms and targets are of this iteration's residual, one a right-hand side.
struct Goal {
  std::vector<double> norm; // come back when a right-hand side is below its own
  double delta = 0;         // or below delta times the largest since start() or replace()
  int steps = 0;            // or after so many steps
  /// Told of each step: how many there were, and |r|^2 of each right-hand side.
  std::function<void(int, std::span<const double>)> progress;
};

struct Cycle {
  int steps = 0;
  std::vector<double> norm;     // |r| as the recursion has it; not finite: the correction is worthless
  std::vector<Outcome> outcome; // running, breakdown or indefinite
};

class Iteration
{
public:
  virtual ~Iteration() = default;
  virtual const char *name() const = 0;
  /// Begins anew from this residual, of the operator's precision; the correction is 0.
  virtual void start(const ColorSpinorField &r) = 0;
  virtual Cycle run(const Goal &goal) = 0;
  /// x += the correction gathered, which becomes 0; x of this precision or a better one.
  virtual void take(ColorSpinorField &x) = 0;
  /// Goes on with this residual in place of the one it has; directions are kept where the method can.
  virtual void replace(const ColorSpinorField &r) = 0;
  /// Right-hand side i is done: it changes places with the last one, which is then left out.
  virtual void drop(int i) = 0;
  /// Applications of the operator in a step.
  virtual int applications() const { return 1; }
  /// Whether the operator must be hermitian and positive.
  virtual bool positive_only() const { return false; }
};

/// A method's constructor, for the operator of one precision, which must outlive the iteration.
using MakeIteration = std::function<std::unique_ptr<Iteration>(const LinearOperator &)>;

/// z = K r, K near to the inverse: a preconditioner of flexible methods. Fixed effort; says nothing of convergence.
class Preconditioner
{
public:
  virtual ~Preconditioner() = default;
  virtual void apply(ColorSpinorField &z, const ColorSpinorField &r) = 0;
};

/// Work fields of one shape whose right-hand sides leave one by one: the first `count` columns are in use.
class Columns
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

} // namespace quda
