/// Rational functions near powers of x, the best there are: of all of one degree those whose largest relative error on
/// an interval is least.
#pragma once

#include <vector>

namespace reference
{

/// r(x) = scale prod_i (x + zero_i) / (x + pole_i) = scale + sum_i residue_i / (x + pole_i); zeros and poles are positive,
/// rise and alternate.
struct Rational {
  double scale = 1;
  std::vector<double> zeros, poles, residues;
  double error = 0; // largest of |ln(r / x^power)| on the interval

  double operator()(double x) const;
};

/// Of x^power on [low, high], 0 < low < high, 0 < |power| < 1, by Remez's exchange: in the logarithms of x, scale, zeros
/// and poles, where Newton's method needs no more digits than there are. Throws std::runtime_error where it does not
/// come to an end, as it may not for an error below rounding.
Rational best_power(double power, double low, double high, int degree);

/// The same of the least degree whose error is no more than `error`, at most 32.
Rational best_power_within(double power, double low, double high, double error);

} // namespace reference
