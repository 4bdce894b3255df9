#include "ops/dirac/spin_taste.h"

#include <array>
#include <bit>
#include <memory>

#include "core/error.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/dirac/site_factor.h"

namespace quda
{

namespace
{

  constexpr const char *function = "spin_taste";
  constexpr int all_directions = 15;

  int bits(int set) { return std::popcount(static_cast<unsigned>(set)); }
  int sign(int n) { return n & 1 ? -1 : 1; }

  /// The directions whose coordinates are in sigma(gamma).
  int odd_coordinates(int gamma)
  {
    int odd = 0;
    for (int d = 0; d < 4; d++)
      if (gamma >> d & 1) odd ^= all_directions ^ 1 << d;
    return odd;
  }

  /// sum over orders of `directions`, + for even ones, of the means of both neighbours, the last direction acting last:
  /// from the sums for the subsets, each computed once.
  void sum_orders(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, int directions)
  {
    std::array<std::unique_ptr<ColorSpinorField>, all_directions + 1> sums;
    const int n = bits(directions);
    for (int size = 1; size <= n; size++) {
      for (int set = 1; set <= directions; set++) {
        if ((set & directions) != set || bits(set) != size) continue;
        if (size < n) sums[set] = std::make_unique<ColorSpinorField>(in.param());
        ColorSpinorField &sum = size < n ? *sums[set] : out;
        const ColorSpinorField *before = nullptr;
        for (int d = 0; d < 4; d++) {
          if (!(set >> d & 1)) continue;
          const int rest = set ^ 1 << d;
          covariant_sum(sum, rest ? *sums[rest] : in, links, leg_ahead(d) | leg_behind(d),
                        {.y = before, .b = 0.5 * sign(bits(rest >> d))});
          before = &sum;
        }
      }
      for (int set = 1; set < directions; set++)
        if (bits(set) == size - 1) sums[set].reset();
    }
  }

} // namespace

void spin_taste(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField *links, int spin, int taste)
{
  check_same_spinors(function, out, in);
  const int directions = spin ^ taste, n = bits(directions);
  if (!in.native() || !out.native() || in.spins() != 1 || in.colors() != 3 || in.parities() != 2 ||
      out.precision() != in.precision() || ((spin | taste) & ~all_directions) || (n > 0 && !links))
    fail(ErrorKind::internal, text("%s: native full fields of 1 spin, 3 colors and one precision, gammas of 4 bits and "
                                   "links for what is not local, please",
                                   function));
  // Signs of coordinates move through the means: each mean changes those that count its direction. So all signs come
  // last and at once.
  const int turned = n * (n - 1) / 2 + bits(directions & odd_coordinates(spin));
  const bool reversed = n == 2 && directions != 5; // z x is cyclic
  const double orders[] = {1, 1, 2, 6, 24};
  if (n > 0) sum_orders(out, in, *links, directions);
  const int odd = all_directions ^ odd_coordinates(spin) ^ odd_coordinates(directions);
  const double factor = sign(turned + reversed) / orders[n];
  const SiteFactor signs([=](int d, long long x) { return (d == 0 ? factor : 1) * (odd >> d & x & 1 ? -1 : 1); });
  signs.apply(out, n > 0 ? out : in);
}

double spin_taste_flops(const ColorSpinorField &in, int spin, int taste)
{
  const int n = bits(spin ^ taste), means = n > 0 ? n << (n - 1) : 0;
  return (156.0 * means + 6) * static_cast<double>(in.sites() * in.inner());
}

} // namespace quda
