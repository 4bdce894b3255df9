#pragma once
/// Solutions of (A + s_k) x_k = b, s_k >= 0, beside that of A x = b and from its Krylov space (Jegerlehner,
/// hep-lat/9612014). Begun with x_k = 0 all residuals are parallel, r_k = zeta_k r, so that the steps of conjugate
/// gradients give those of the others, and no product is needed:
///   rho = 1 / (1 + s_k a + (1 - rho') a b' / a'),  a_k = rho a,  zeta_k = rho zeta_k',  b_k = rho^2 b
///   x_k += a_k p_k,  p_k = zeta_k r + b_k p_k                                  primes: of the step before
/// That holds for as long as r is the one residual of the recursion. Where it was computed anew, x_k gets as good as
/// the sloppy precision is, and not better; where the recursion begins anew, x_k stays as it is. A system whose
/// residual is a little smaller than asked stands still; those whose residual is not yet as asked keep the recursion
/// going when A x = b itself is done with it (hosts ask most of the largest shifts).
/// Right-hand sides have numbers of their own and do not influence each other's bits.
/// Fields  : p_k of the operator's precision, x_k as in Correction; both for as many right-hand sides as A's.

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
    double relative = 0;           // of |b|, and
    double absolute = 0;           // the residual, unscaled, that is asked for: either; none: no end, as far as it goes
    ColorSpinorField *x = nullptr; // of all right-hand sides, in the outer precision; zero; gets the solution
  };
  /// scale: b is that times what is solved for, of each right-hand side.
  ShiftedSystems(std::vector<System> systems, std::vector<double> scale);

  void select_rhs(std::span<const int> numbers) override;
  void drop(int i) override;
  /// Whether a column has a system whose residual is still too large.
  bool wants_more(std::size_t column) const override;

  // what conjugate gradients tell
  void start(const ColorSpinorField &r, std::span<const double> norm2);
  /// A step and |r|^2 after it: what it makes of the other residuals.
  void residuals(const std::vector<double> &alpha, std::span<const double> norm2);
  /// The solutions after it, and the directions that follow.
  void step(const ColorSpinorField &r, const std::vector<double> &beta);
  /// The same where directions are to come later.
  void step();
  void reorthogonalise(const ColorSpinorField &r, const std::vector<double> &beta);
  /// Directions to come are of this precision.
  void adopt_directions(const ColorSpinorParam &shape);

  /// What was gathered goes to the solutions.
  void finish();
  /// |r_k| / |b| of a right-hand side, as the recursion had it.
  double iterated(std::size_t k, std::size_t number) const { return iterated_[k][number]; }
  /// Whether that is as asked; of a source that is zero it always is.
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
    bool moves;                  // any of the columns, when the step began
  };
  enum class State { waiting, running, ended };

  void directions(const std::vector<double> &beta);
  /// What a column has gathered since the last time goes to its solution.
  void hand_over(std::size_t k, std::size_t column);

  std::vector<System> systems_;
  std::vector<double> scale_;
  std::vector<std::vector<double>> iterated_; // [k][number]
  std::vector<std::vector<bool>> reached_;
  State state_ = State::waiting;
  std::vector<Work> work_;
  std::vector<int> numbers_;         // of the columns
  std::vector<double> source_;       // |b|
  std::vector<double> left_;         // |r| / |b| of A x = b
  std::vector<double> alpha_, beta_; // of the last step
};

} // namespace quda
