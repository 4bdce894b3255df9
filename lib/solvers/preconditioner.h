#pragma once
/// Preconditioners made of a method: K r is where some steps of it lead from zero for A z = r, A of any precision. The
/// number of steps ends it, so that it never depends on other right-hand sides or on other domains, or before that a
/// tolerance, when the residuals of all right-hand sides have fallen by it. Each right-hand side is brought to the size of
/// 1 before. The outer method finds a result that is of no use.
///
/// Schwarz: over colours of domains (multiplicative Schwarz), one colour after the other with the residual of all that
/// is done so far, or over all of them at once (additive); or, with one colour and no domains, the method some times.
///   z = 0;  z += inner(P_c (r - A z))  for each colour c, `cycles` times
/// P_c leaves the domains of a colour, the others are zero there and in the inner solution. Fields inside of domains
/// share their memory with those outside (dirac/dirichlet.h).

#include <optional>

#include "ops/dirac/site_factor.h"
#include "solvers/krylov_solver.h"

namespace quda
{

class InnerIteration final : public Preconditioner
{
public:
  /// A must outlive it, and what `make` refers to, which is kept. system: what the method sees of A z = r. Errors:
  /// bad_argument where the method needs a positive operator and has none.
  InnerIteration(const LinearOperator &A, const MakeMethod &make, System system, int steps, double tolerance = 0);
  /// What of a system lies in low modes is solved for first, exactly, and the method goes on from there, where it is by A
  /// itself without them (solvers/deflation.h); the tolerance stays one of r. Modes of A^dag A, or, of_error, of A A^dag;
  /// the space, which must outlive this, has their images. Null: none.
  void deflate(DeflationSpace *space, bool of_error);
  void apply(ColorSpinorField &z, const ColorSpinorField &r) override;
  double flops_done() const override { return flops_; }
  long long steps_done() const { return steps_done_; }

private:
  /// r becomes what is left of it without the low modes, whose part of the solution is added to x.
  void take_low_modes(ColorSpinorField &x, ColorSpinorField &r);

  const LinearOperator &A_;
  const MakeMethod make_;
  const System system_;
  const int steps_;
  const double tolerance_;
  std::unique_ptr<LinearOperator> normal_, without_; // what the method sees, where it is not A
  std::unique_ptr<KrylovMethod> iteration_;
  DeflationSpace *low_modes_ = nullptr;
  bool of_error_ = false; // whose low modes they are
  ActiveColumns r_, system_r_, z_, low_, change_;
  double flops_ = 0;
  long long steps_done_ = 0;
};

class Schwarz final : public Preconditioner
{
public:
  /// A field of A's lattice as the inner preconditioner knows it.
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
  // whole fields of as many right-hand sides as there are: parts of larger ones lie otherwise in memory
  std::unique_ptr<ColorSpinorField> r_, z_, rest_, change_;
  double flops_ = 0;
};

} // namespace quda
