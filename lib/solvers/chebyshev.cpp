#include "solvers/chebyshev.h"

#include "core/error.h"

namespace quda
{

Chebyshev::Chebyshev(const LinearOperator &A, int degree, const SpectralWindow &window)
    : A_(A)
    , degree_(degree)
    , window_(window)
{
  if (degree < 1) fail(ErrorKind::bad_argument, text("Chebyshev: degree %d; allowed: 1 or more", degree));
  if (!(window.least < window.most))
    fail(ErrorKind::bad_argument,
         text("Chebyshev: a window from %g to %g; the second must be the larger", window.least, window.most));
}

std::vector<Chebyshev::Step> Chebyshev::steps() const
{
  const double center = (window_.least + window_.most) / 2, half = (window_.most - window_.least) / 2;
  const double sign = window_.above ? 1 : -1, x0 = -sign * center / half;
  const bool scaled = x0 > 1;
  std::vector<Step> all;
  double s = 1;
  for (int k = 1; k <= degree_; k++) {
    const double last = s;
    if (scaled) s = k == 1 ? 1 / x0 : 1 / (2 * x0 - last);
    const double twice = k == 1 ? s : 2 * s;
    all.push_back({sign * twice / half, -sign * twice * center / half, k == 1 ? 0 : -s * last});
  }
  return all;
}

double Chebyshev::at(double t) const
{
  double before = 0, now = 1;
  for (const Step &step : steps()) {
    const double next = (step.product * t + step.same) * now + step.before * before;
    before = now;
    now = next;
  }
  return now;
}

void Chebyshev::plain(ColorSpinorField &out, const ColorSpinorField &in, bool) const
{
  ColorSpinorField between = scratch(1, in.rhs());
  const std::vector<Step> all = steps();
  const ColorSpinorField *before = nullptr, *now = &in;
  for (int k = 1; k <= degree_; k++) {
    const Step &step = all[static_cast<std::size_t>(k - 1)];
    ColorSpinorField &next = (degree_ - k) % 2 == 0 ? out : between;
    A_.apply_checked(
        {.out = next, .in = *now, .end = {.x = before, .y = now, .a = step.before, .b = step.product, .c = step.same}});
    before = now;
    now = &next;
  }
}

} // namespace quda
