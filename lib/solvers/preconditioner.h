#pragma once
/// Preconditioners made from a Krylov method: K r is the result of some of its steps from zero for A z = r, A in any
/// precision. The number of steps ends it, so that it never depends on other right-hand sides or other domains, or
/// earlier a tolerance, when the residuals of all right-hand sides have fallen by it. Each right-hand side is scaled to
/// size 1 first. The outer method detects a result that is of no use.
///
/// Schwarz: a sum over colours of domains, one colour after the other with the updated residual (multiplicative), or
/// all colours at once (additive); with one colour and no domains it repeats the method.
///   z = 0;  z += inner(P_c (r - A z))  for each colour c, `cycles` times
/// P_c keeps the domains of a colour; the others are zero there and in the inner solution. Fields inside domains share
/// their memory with those outside (dirac/dirichlet.h).

#include <optional>

#include "ops/dirac/site_factor.h"
#include "solvers/krylov_solver.h"

namespace quda
{

class InnerIteration final : public Preconditioner
{
public:
  /// A, and the objects that `make` refers to, must outlive it; `make` is kept. system: the system of the method for A
  /// z = r. Errors: bad_argument if the method needs a positive operator and has none.
  InnerIteration(const LinearOperator &A, const MakeMethod &make, System system, int steps, double tolerance = 0);
  /// Solves the part of a system in low modes exactly first. A method that works on A itself goes on without them
  /// (solvers/deflation.h); the tolerance stays relative to r. Modes of A^dag A or, with of_error, of A A^dag; the
  /// space must have their images and outlive this. Null: none.
  void deflate(DeflationSpace *space, bool of_error);
  void apply(ColorSpinorField &z, const ColorSpinorField &r) override;
  double flops_done() const override { return flops_; }
  long long steps_done() const { return steps_done_; }

private:
  /// Removes the low modes from r and adds their part of the solution to x.
  void take_low_modes(ColorSpinorField &x, ColorSpinorField &r);

  const LinearOperator &A_;
  const MakeMethod make_;
  const System system_;
  const int steps_;
  const double tolerance_;
  std::unique_ptr<LinearOperator> normal_, without_; // the method's system, if not A
  std::unique_ptr<KrylovMethod> iteration_;
  DeflationSpace *low_modes_ = nullptr;
  bool of_error_ = false; // kind of the low modes
  ActiveColumns r_, system_r_, z_, low_, change_;
  double flops_ = 0;
  long long steps_done_ = 0;
};

class Schwarz final : public Preconditioner
{
public:
  /// Converts a field on A's lattice to one of the inner preconditioner.
  using Inside = std::function<ColorSpinorField(const ColorSpinorField &)>;
  /// A, inner: must outlive it. colours: 1, or -1 on the domains of the other colour; none: one colour.
  Schwarz(const LinearOperator &A, Preconditioner &inner, Inside inside, std::optional<SiteFactor> colours, int cycles)
      : A_(A)
      , inner_(inner)
      , inside_(std::move(inside))
      , colours_(std::move(colours))
      , cycles_(cycles)
  {
  }
  void apply(ColorSpinorField &z, const ColorSpinorField &r) override;
  double flops_done() const override { return inner_.flops_done() + flops_; }

private:
  const LinearOperator &A_;
  Preconditioner &inner_;
  const Inside inside_;
  const std::optional<SiteFactor> colours_;
  const int cycles_;
  // whole fields with exactly these right-hand sides: parts of larger fields have another layout
  std::unique_ptr<ColorSpinorField> r_, z_, rest_, change_;
  double flops_ = 0;
};

} // namespace quda
