#include "reference/dirac/spin_taste.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace reference
{

namespace
{

  /// Each gamma of the bits gives the sign of the sum of the coordinates of the other directions.
  int spin_sign(int gamma, const Coords &x)
  {
    int n = 0;
    for (int mu = 0; mu < 4; mu++)
      for (int d = 0; d < 4; d++)
        if (gamma >> mu & 1 && d != mu) n += x[d];
    return n % 2 ? -1 : 1;
  }

  SpinVectors<1> with_spin_sign(const Lattice &lattice, int gamma, SpinVectors<1> psi)
  {
    for (std::size_t slot = 0; slot < psi.size(); slot++) psi[slot] *= spin_sign(gamma, lattice.coords(slot));
    return psi;
  }

  /// Spin sign of gamma_d times the mean of what comes from both sides.
  SpinVectors<1> symmetric_shift(const GaugeField &gauge, const SpinVectors<1> &psi, int d)
  {
    const auto mean = combined<1>(0.5, carried<1>(gauge, psi, d, 1), 0.5, carried<1>(gauge, psi, d, -1));
    return with_spin_sign(gauge.lattice, 1 << d, mean);
  }

} // namespace

SpinVectors<1> spin_taste(const GaugeField &gauge, const SpinVectors<1> &psi, int spin, int taste)
{
  const SpinVectors<1> source = with_spin_sign(gauge.lattice, spin, psi);
  const int offset = spin ^ taste;
  // the order of shifts, first to last, that counts +
  std::vector<int> directions;
  for (int d = 0; d < 4; d++)
    if (offset >> d & 1) directions.push_back(d);
  if (directions.size() == 2 && offset != 5) std::swap(directions[0], directions[1]);
  std::vector<int> order(directions.size());
  std::iota(order.begin(), order.end(), 0);
  SpinVectors<1> sum(psi.size(), SpinVector<1>::Zero());
  double orders = 0;
  do {
    int inversions = 0;
    for (std::size_t i = 0; i < order.size(); i++)
      for (std::size_t j = i + 1; j < order.size(); j++) inversions += order[i] > order[j];
    SpinVectors<1> shifted = source;
    for (const int i : order) shifted = symmetric_shift(gauge, shifted, directions[i]);
    sum = combined<1>(1, sum, inversions % 2 ? -1 : 1, shifted);
    orders++;
  } while (std::next_permutation(order.begin(), order.end()));
  for (auto &site : sum) site /= orders;
  return with_spin_sign(gauge.lattice, 15, sum);
}

} // namespace reference
