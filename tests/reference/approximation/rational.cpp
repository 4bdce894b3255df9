#include "reference/approximation/rational.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <Eigen/Dense>

namespace reference
{

namespace
{

  using Real = long double;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  using MatrixX = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

  /// ln r - power ln x as a function of u = ln x, by the logarithms of scale, zeros and poles.
  struct Fit {
    int degree;
    Real power, from, to; // of u
    Vector parameters;    // scale, zeros, poles

    Real zero(int i) const { return parameters[1 + i]; }
    Real pole(int i) const { return parameters[1 + degree + i]; }

    Real error(Real u) const
    {
      Real sum = parameters[0] - power * u;
      for (int i = 0; i < degree; i++)
        sum += std::log1p(std::exp(zero(i) - u)) - std::log1p(std::exp(pole(i) - u)); // the u cancel
      return sum;
    }
    /// Its derivatives by the parameters.
    Vector slope(Real u) const
    {
      Vector by = Vector::Ones(1 + 2 * degree);
      for (int i = 0; i < degree; i++) {
        by[1 + i] = 1 / (1 + std::exp(u - zero(i)));
        by[1 + degree + i] = -1 / (1 + std::exp(u - pole(i)));
      }
      return by;
    }
  };

  /// sn(m K / n)^2 of modulus sqrt(1 - complement), by the descending Landen transformation.
  Real sn_squared(int m, int n, Real complement)
  {
    std::vector<Real> a {1}, c {std::sqrt(1 - complement)};
    Real b = std::sqrt(complement);
    while (std::abs(c.back()) > 1e-20L && a.size() < 40) {
      const Real mean = (a.back() + b) / 2;
      c.push_back((a.back() - b) / 2);
      b = std::sqrt(a.back() * b);
      a.push_back(mean);
    }
    // K = pi / (2 a); amplitude from the last to the first
    Real phi = std::ldexp(std::acos(Real(-1)) / 2 * m / n, static_cast<int>(a.size()) - 1);
    for (std::size_t i = a.size() - 1; i > 0; i--) phi = (phi + std::asin(c[i] / a[i] * std::sin(phi))) / 2;
    return std::sin(phi) * std::sin(phi);
  }

  /// Zolotarev's best approximation to 1/sqrt(x) but for its scale.
  Fit first_fit(double low, double high, int degree)
  {
    Fit fit {degree, -0.5L, std::log(Real(low)), std::log(Real(high)), Vector::Zero(1 + 2 * degree)};
    const Real range = Real(low) / Real(high);
    for (int r = 1; r <= 2 * degree; r++) {
      const Real sn2 = sn_squared(r, 2 * degree + 1, range), place = std::log(Real(high) * (1 - sn2) / sn2);
      fit.parameters[1 + (r % 2 ? r / 2 : degree + r / 2 - 1)] = place;
    }
    return fit;
  }

  /// Chooses the scale so that errors are as large above as below.
  void centre(Fit &fit)
  {
    Real most = fit.error(fit.from), least = most;
    const int points = 200 * fit.degree;
    for (int j = 1; j <= points; j++) {
      const Real e = fit.error(fit.from + (fit.to - fit.from) * j / points);
      most = std::max(most, e);
      least = std::min(least, e);
    }
    fit.parameters[0] -= (most + least) / 2;
  }

  struct Extremum {
    Real u, error;
  };

  /// Where the error is largest, between its zeros.
  std::vector<Extremum> extrema(const Fit &fit)
  {
    const int points = 60 * (fit.degree + 1);
    const Real width = (fit.to - fit.from) / points;
    std::vector<Extremum> found;
    const auto take = [&](Real u) {
      const Extremum here {u, fit.error(u)};
      if (found.empty() || (here.error > 0) != (found.back().error > 0))
        found.push_back(here);
      else if (std::abs(here.error) > std::abs(found.back().error))
        found.back() = here;
    };
    for (int j = 0; j <= points; j++) take(fit.from + j * width);
    for (Extremum &one : found) { // golden sections
      Real left = std::max(fit.from, one.u - width), right = std::min(fit.to, one.u + width);
      const Real golden = (std::sqrt(Real(5)) - 1) / 2;
      for (int k = 0; k < 60; k++) {
        const Real a = right - golden * (right - left), b = left + golden * (right - left);
        if (std::abs(fit.error(a)) > std::abs(fit.error(b)))
          right = b;
        else
          left = a;
      }
      const Real u = (left + right) / 2;
      for (const Real candidate : {u, fit.from, fit.to})
        if (std::abs(candidate - one.u) <= width && std::abs(fit.error(candidate)) > std::abs(one.error))
          one = {candidate, fit.error(candidate)};
    }
    return found;
  }

  /// The fit whose error has one size and alternating signs at 2 degree + 2 points. False: none was found.
  bool level(Fit &fit, const std::vector<Extremum> &points)
  {
    const int n = 2 * fit.degree + 2;
    Real size = 0;
    for (const Extremum &one : points) size += std::abs(one.error) / n;
    const Real sign = points[0].error > 0 ? 1 : -1;
    for (int step = 0; step < 60; step++) {
      MatrixX matrix(n, n);
      Vector right(n);
      for (int j = 0; j < n; j++) {
        const Real s = j % 2 ? -sign : sign, u = points[static_cast<std::size_t>(j)].u;
        matrix.row(j).head(n - 1) = fit.slope(u).transpose();
        matrix(j, n - 1) = -s;
        right[j] = s * size - fit.error(u);
      }
      const Vector change = matrix.fullPivLu().solve(right);
      const Real largest = change.head(n - 1).cwiseAbs().maxCoeff();
      if (!(largest < 1e6L)) return false;
      const Real damped = largest > 0.3L ? 0.3L / largest : 1;
      fit.parameters += damped * change.head(n - 1);
      size += damped * change[n - 1];
      if (damped == 1 && largest < 1e-15L) return size > 0;
      if (damped == 1 && std::abs(change[n - 1]) < 1e-7L * std::abs(size) && largest < 1e-9L) return size > 0;
    }
    return size > 0;
  }

  Rational rational_of(const Fit &fit, Real error)
  {
    Rational r;
    std::vector<Real> zeros, poles;
    for (int i = 0; i < fit.degree; i++) {
      zeros.push_back(std::exp(fit.zero(i)));
      poles.push_back(std::exp(fit.pole(i)));
    }
    std::sort(zeros.begin(), zeros.end());
    std::sort(poles.begin(), poles.end());
    const Real scale = std::exp(fit.parameters[0]);
    r.scale = static_cast<double>(scale);
    r.error = static_cast<double>(error);
    const std::size_t n = zeros.size();
    for (std::size_t i = 0; i < n; i++) {
      Real residue = scale * (zeros[i] - poles[i]);
      for (std::size_t j = 0; j < n; j++)
        if (j != i) residue *= (zeros[j] - poles[i]) / (poles[j] - poles[i]);
      r.zeros.push_back(static_cast<double>(zeros[i]));
      r.poles.push_back(static_cast<double>(poles[i]));
      r.residues.push_back(static_cast<double>(residue));
    }
    return r;
  }

} // namespace

double Rational::operator()(double x) const
{
  double sum = scale;
  for (std::size_t i = 0; i < poles.size(); i++) sum += residues[i] / (x + poles[i]);
  return sum;
}

namespace
{

  struct Best {
    Real error;                  // negative: none was found
    std::vector<Extremum> where; // it is so large
  };

  /// The best fit of its power near this one.
  Best exchange(Fit &fit)
  {
    const auto wanted = static_cast<std::size_t>(2 * fit.degree + 2);
    for (int step = 0; step < 60; step++) {
      std::vector<Extremum> points = extrema(fit);
      while (points.size() > wanted) // the smaller end
        points.erase(std::abs(points.front().error) < std::abs(points.back().error) ? points.begin()
                                                                                    : points.end() - 1);
      if (points.size() < wanted) break;
      Real least = std::abs(points[0].error), most = 0;
      for (const Extremum &one : points) {
        least = std::min(least, std::abs(one.error));
        most = std::max(most, std::abs(one.error));
      }
      if (most - least < 1e-5L * most) return {most, points};
      if (!level(fit, points)) break;
    }
    return {-1, {}};
  }

} // namespace

Rational best_power(double power, double low, double high, int degree)
{
  if (!(low > 0) || !(high > low) || !(std::abs(power) > 0 && std::abs(power) < 1) || degree < 1)
    throw std::runtime_error("best_power: 0 < |power| < 1, 0 < low < high, a degree of 1 or more, please");
  Fit fit = first_fit(low, high, degree);
  centre(fit);
  Best best = exchange(fit);
  // to other powers in small steps, first with the points of the power before
  const Real wanted = -std::abs(Real(power));
  Real step = 0.1L;
  while (best.error > 0 && fit.power != wanted && step > 1e-4L) {
    Fit next = fit;
    const Real away = wanted - fit.power;
    next.power = std::abs(away) <= step ? wanted : fit.power + (away > 0 ? step : -step);
    const Best found = level(next, best.where) ? exchange(next) : Best {-1, {}};
    if (found.error > 0) {
      fit = next;
      best = found;
    } else {
      step /= 2;
    }
  }
  if (!(best.error > 0) || fit.power != wanted)
    throw std::runtime_error("best_power: no best approximation of degree " + std::to_string(degree) + " to x^" +
                             std::to_string(power) + " on [" + std::to_string(low) + ", " + std::to_string(high) +
                             "] was found");
  if (power > 0) { // one over it has the same error
    fit.parameters[0] = -fit.parameters[0];
    const Vector zeros = fit.parameters.segment(1, degree);
    fit.parameters.segment(1, degree) = fit.parameters.segment(1 + degree, degree);
    fit.parameters.segment(1 + degree, degree) = zeros;
  }
  return rational_of(fit, best.error);
}

Rational best_power_within(double power, double low, double high, double error)
{
  for (int degree = 1; degree <= 32; degree++) {
    Rational r = best_power(power, low, high, degree);
    if (r.error <= error) return r;
  }
  throw std::runtime_error("best_power_within: no degree up to 32 is good enough");
}

} // namespace reference
