#pragma once
/// Solutions of (A + s_k) x_k = b, s_k >= 0, along with A x = b and from its Krylov space (Jegerlehner,
/// hep-lat/9612014). Begun with x_k = 0 all residuals are parallel, r_k = zeta_k r, so that the steps of conjugate
/// gradients determine those of the others without further products:
///   rho = 1 / (1 + s_k a + (1 - rho') a b' / a'),  a_k = rho a,  zeta_k = rho zeta_k',  b_k = rho^2 b
///   x_k += a_k p_k,  p_k = zeta_k r + b_k p_k                                  primes: of the step before
/// This holds as long as r is the residual of one recursion. If r was computed anew, x_k reaches the accuracy of the
/// sloppy precision and no better; if the recursion begins anew, x_k stays as it is. A system whose residual is a
/// little smaller than requested stops; those with larger residuals keep the recursion going after A x = b itself has
/// converged (hosts request most of the largest shifts).
/// Each right-hand side has its own coefficients and does not influence the bits of others.
/// Fields  : p_k in the operator's precision, x_k as in Correction; both for as many right-hand sides as A's.

#include <span>
#include <vector>

#include "solvers/companion.h"
#include "solvers/krylov_method.h"

namespace quda
{

class ShiftedSystems final : public Companion
{
public:
  struct System {
    double shift = 0;              // s_k
    double relative = 0;           // relative to |b|, and
    double absolute = 0;           // unscaled: bounds of the residual, either suffices; none: no end
    ColorSpinorField *x = nullptr; // all right-hand sides, in the outer precision; zero at first; gets the solution
  };
  /// scale: factor of each right-hand side by which b differs from the source of the scaled system.
  ShiftedSystems(std::vector<System> systems, std::vector<double> scale);

  void select_rhs(std::span<const int> numbers) override;
  void drop(int i) override;
  /// Whether a column has a system whose residual is still too large.
  bool wants_more(std::size_t column) const override;

  // called by conjugate gradients
  void start(const ColorSpinorField &r, std::span<const double> norm2);
  /// A step and |r|^2 after it: updates the other residuals.
  void residuals(const std::vector<double> &alpha, std::span<const double> norm2);
  /// Updates the solutions after it, and the directions.
  void step(const ColorSpinorField &r, const std::vector<double> &beta);
  /// The same if the directions follow later.
  void step();
  void reorthogonalise(const ColorSpinorField &r, const std::vector<double> &beta);
  /// Prepares for directions in this precision.
  void adopt_directions(const ColorSpinorParam &shape);

  /// Adds the accumulated corrections to the solutions.
  void finish();
  /// |r_k| / |b| of a right-hand side in the recursion.
  double iterated(std::size_t k, std::size_t number) const { return iterated_[k][number]; }
  /// Whether it is as small as requested; always true for a zero source.
  bool reached(std::size_t k, std::size_t number) const { return reached_[k][number]; }

private:
  struct Column {
    double rho = 1, zeta = 1;
    bool moves = true;
  };
  struct Work {
    ActiveColumns p;
    Correction x;
    std::vector<Column> columns;
    std::vector<double> a, b, c; // x += a p; p = b r + c p
    bool moves;                  // whether any column moved when the step began
  };
  enum class State { waiting, running, ended };

  void directions(const std::vector<double> &beta);
  /// Adds the accumulated correction of a column to its solution.
  void hand_over(std::size_t k, std::size_t column);

  std::vector<System> systems_;
  std::vector<double> scale_;
  std::vector<std::vector<double>> iterated_; // [k][number]
  std::vector<std::vector<bool>> reached_;
  State state_ = State::waiting;
  std::vector<Work> work_;
  std::vector<int> numbers_;         // the caller's numbers of the columns
  std::vector<double> source_;       // |b|
  std::vector<double> left_;         // |r| / |b| of A x = b
  std::vector<double> alpha_, beta_; // of the last step
};

} // namespace quda
