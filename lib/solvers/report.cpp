#include "solvers/report.h"

#include "ops/blas/block.h"

#include <cmath>

namespace quda
{

NotFinite::NotFinite(const char *by, bool guess, int rhs)
    : FoundTogether(ErrorKind::bad_argument,
                    guess ? text("%s: the initial guess of right-hand side %d, or the operator applied to it, is not "
                                 "finite",
                                 by, rhs)
                          : text("%s: right-hand side %d is not finite", by, rhs))
    , by(by)
    , guess(guess)
    , rhs(rhs)
{
}

std::vector<double> finite_amax(const char *by, const ColorSpinorField &field, bool guess)
{
  std::vector<double> largest = blas::block::amax(field);
  for (std::size_t j = 0; j < largest.size(); j++)
    if (!std::isfinite(largest[j])) throw NotFinite(by, guess, static_cast<int>(j));
  return largest;
}

const char *outcome_text(Outcome outcome)
{
  switch (outcome) {
  case Outcome::running:
    return "still running";
  case Outcome::converged:
    return "converged";
  case Outcome::precision_limit:
    return "the tolerance is below what this precision can reach";
  case Outcome::iterations:
    return "the limit of iterations was reached";
  case Outcome::stagnated:
    return "the residual no longer falls";
  case Outcome::breakdown:
    return "the recursion broke down";
  case Outcome::indefinite:
    return "the operator is not positive";
  case Outcome::not_finite:
    return "NaN or infinity in the iteration";
  }
  return "unknown";
}

} // namespace quda
