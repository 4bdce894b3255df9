#include "solvers/report.h"

namespace quda
{

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
