#include "solvers/stopping.h"

#include <algorithm>
#include <cmath>

#include "core/built.h"
#include "solvers/krylov_method.h"

namespace quda
{

namespace
{

  constexpr int most_breakdowns = 10;    // in a row
  constexpr double progress = 0.5;       // fall of the residual that counts in the outer precision
  constexpr int patience = 2;            // cycles in a row without it, or, in a lower precision, with less than the
                                         // square root of what the recursion promised
  constexpr double runaway = 100;        // times the best residual so far
  constexpr double tighter = 0.5;        // aim after a residual that was not small enough
  constexpr double tightest = 1e-3;      // its least value
  constexpr double near_the_limit = 1e3; // units of rounding of b and A x that a residual may consist of
  constexpr double soon = 2;             // times the announced residual, which then counts as reached
  constexpr double relaxed = 10;         // units of a product's rounding within the accuracy that a recursion needs
  constexpr double meaningless = 1e-2;   // part of b's rounding

} // namespace

double meaningless_residual(Precision outer, double source) { return meaningless * unit_roundoff(outer) * source; }

double rounding_limit(Precision precision, double source, double solution)
{
  return near_the_limit * unit_roundoff(precision) * (source + solution);
}

void Progress::corrected(const DeflateAgain &again)
{
  pause = again.fall(corrections++) * residual;
  best = residual; // in another norm it is smaller than before
  idle = 0;
}

bool Progress::due() const { return residual < soon * pause; }

void Progress::set_aim(double norm, bool of_normal, Precision outer)
{
  begin = norm;
  const double reach = std::max(target, meaningless_residual(outer, source));
  const auto seen = [&](double of_residual) {
    return of_normal ? norm * std::min(of_residual / residual, 1.0) : of_residual;
  };
  aim = tight * seen(reach);
  back_at = std::max(aim, seen(pause));
}

std::optional<Outcome> Progress::judge(Outcome outcome, double iterated, int steps, bool outermost)
{
  if (outcome == Outcome::indefinite && outermost) return Outcome::indefinite;
  breakdowns = outcome == Outcome::breakdown ? breakdowns + 1 : 0;
  const double promised = iterated / begin, came = residual / before;
  const bool endless = steps >= most_cycle_steps;
  const bool kept = outermost ? residual < progress * best : came < (endless ? progress : std::sqrt(promised));
  if (kept)
    idle = 0;
  else if (promised < (outermost ? progress : 1) || (endless && !outermost))
    idle++;
  if (!outermost && residual > runaway * best) idle = patience;
  best = std::min(best, residual);
  if (iterated < aim) tight = std::max(tight * tighter, tightest);
  if (outermost && breakdowns >= most_breakdowns) return Outcome::breakdown;
  if (outermost && idle >= patience) return Outcome::stagnated;
  return {};
}

bool Progress::stuck(Outcome outcome) const
{
  return idle >= patience || breakdowns >= most_breakdowns || outcome == Outcome::indefinite;
}

double Relaxation::allowed_from(Precision precision) const
{
  return precision == outer ? std::numeric_limits<double>::infinity() : part / (relaxed * unit_roundoff(precision));
}

Precision Relaxation::level(double residual) const
{
  Precision lowest = first;
  while (allowed_from(lowest) < residual) lowest = next_better(lowest);
  return lowest;
}

double Relaxation::fall(Precision now, double residual) const
{
  if (part == 0 || now == first) return 0;
  Precision below = first;
  while (next_better(below) != now) below = next_better(below);
  return std::min(1.0, allowed_from(below) / residual);
}

} // namespace quda
