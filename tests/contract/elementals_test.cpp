/// Products of colour vectors with plane waves between them, summed over time slices: against the plain reference, and
/// the same bits in whatever lanes, by whatever threads and beside whatever other vectors and waves.

#include "slices.h"

#include <gtest/gtest.h>

#include "core/environment_support.h"
#include "ops/contract/elementals.h"
#include "reference/contract/distillation.h"

using namespace quda;
using contractions::deviation;
using contractions::native;
using contractions::Numbers;

namespace
{

using Modes = std::vector<std::array<int, 3>>;
constexpr int corner[4] = {};

/// exp(-i p x)
std::vector<PlaneWave> waves_of(const Modes &modes)
{
  std::vector<PlaneWave> waves;
  for (const auto &m : modes)
    waves.push_back(
        {{-m[0], -m[1], -m[2], 0}, {Wave::exponential, Wave::exponential, Wave::exponential, Wave::exponential}});
  return waves;
}

Modes some_modes(int n)
{
  Modes modes;
  for (int i = 0; i < n; i++) modes.push_back({i % 3, -i, 2 - i % 5});
  return modes;
}

std::vector<reference::SpinVectors<1>> spin_zero(const reference::Propagator &fields)
{
  std::vector<reference::SpinVectors<1>> all;
  for (const auto &psi : fields) all.push_back(reference::spins_of<1>(psi));
  return all;
}

struct Fields {
  reference::Lattice lattice;
  reference::Propagator left, right;

  Fields(const reference::Coords &extents, int n_left, int n_right)
      : lattice(extents)
      , left(contractions::random_propagator(lattice, 1, n_left, 13))
      , right(contractions::random_propagator(lattice, 1, n_right, 213))
  {
  }

  support::Place place(bool sliced) const
  {
    support::Place place(lattice, make_single_communicator());
    if (sliced) place.lattice = Lattice::sliced(lattice.X.data(), make_single_communicator(), 3);
    return place;
  }
  Numbers products(Precision precision, bool sliced, const Modes &modes) const
  {
    const support::Place here = place(sliced);
    return elementals(native(here, left, precision, 1), native(here, right, precision, 1), waves_of(modes), corner);
  }
  Numbers expected(const Modes &modes) const
  {
    return reference::elementals(spin_zero(left), spin_zero(right), modes, lattice);
  }
};

} // namespace

TEST(Elementals, AgreeWithTheReference)
{
  const struct {
    reference::Coords extents;
    int left, right, modes;
  } cases[] = {{{2, 4, 6, 8}, 3, 2, 5}, {{6, 2, 4, 4}, 1, 1, 1}, {{4, 4, 8, 2}, 2, 7, 3}, {{8, 4, 4, 6}, 2, 3, 18}};
  for (const auto &one : cases) {
    const Fields fields(one.extents, one.left, one.right);
    const Modes modes = some_modes(one.modes);
    const Numbers right = fields.expected(modes);
    support::on_targets([&] {
      for (const bool sliced : {false, true}) {
        EXPECT_LE(deviation(fields.products(Precision::double_, sliced, modes), right), 1e-14) << sliced;
        EXPECT_LE(deviation(fields.products(Precision::single, sliced, modes), right), 2e-6) << sliced;
      }
    });
  }
}

TEST(Elementals, TheSameBitsHowever)
{
  const Fields fields({2, 4, 6, 8}, 3, 5);
  const Modes modes = some_modes(3);
  for (const Precision precision : {Precision::double_, Precision::single}) {
    Numbers first;
    support::on_targets([&] {
      for (const bool sliced : {false, true}) {
        const Numbers here = fields.products(precision, sliced, modes);
        if (first.empty()) first = here;
        EXPECT_EQ(here, first) << sliced;
      }
      for (const char *force : {"threads=1,tile=1", "threads=2,tile=2,schedule=1"}) {
        const Variable forced("QUDA_TUNE_FORCE", force);
        EXPECT_EQ(fields.products(precision, true, modes), first) << force;
      }
      // one vector and one wave alone
      Fields one({2, 4, 6, 8}, 0, 0);
      one.left = {fields.left[1]};
      one.right = {fields.right[4]};
      const Numbers alone = one.products(precision, true, {modes[2]});
      for (std::size_t t = 0; t < 8; t++) EXPECT_EQ(alone[t], first[((2 * 8 + t) * 3 + 1) * 5 + 4]) << t;
    });
  }
}

TEST(Elementals, OtherFieldsAreRefused)
{
  const Fields fields({2, 2, 2, 4}, 2, 2);
  const support::Place here = fields.place(true);
  const ColorSpinorField v = native(here, fields.left, Precision::double_, 1),
                         psi = native(here, fields.right, Precision::double_, 4),
                         rough = native(here, fields.right, Precision::single, 1);
  const auto waves = waves_of({{0, 0, 0}});
  for (const auto &call : std::vector<std::function<void()>> {[&] { elementals(v, psi, waves, corner); },
                                                              [&] { elementals(psi, v, waves, corner); },
                                                              [&] { elementals(v, rough, waves, corner); }})
    EXPECT_THROW(call(), Error);
}
