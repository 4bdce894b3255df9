/// Gauge fixing on several ranks: the bits of one process in double precision, whatever the grid.

#include <gtest/gtest.h>

#include <cstring>

#include "comms/line_exchange.h"
#include "ops/fix/fourier.h"
#include "ops/fix/gauge_fix.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

support::Results fixed(const support::Place &place, const reference::GaugeField &gauge, const support::LinkForm &form,
                       int directions, bool by_fourier)
{
  const GaugeField links = support::native_links(place, gauge, form);
  GaugeRotation rotation(links, directions);
  const GaugeFixing what {directions, 3, 0, true};
  const GaugeFixingReport quiet = [](unsigned, const GaugeQuality &, double) {};
  const GaugeQuality quality =
      by_fourier ? descend_gauge(rotation, what, 0.08, true, quiet) : relax_gauge(rotation, what, 1.7, quiet);
  GaugeField out(links.param());
  rotation.rotate(out);
  return support::Results(out, quality.functional, quality.theta);
}

/// Whether the library was built with FFTW.
bool has_fourier()
{
  try {
    check_fourier("tests");
    return true;
  } catch (const Error &) {
    return false;
  }
}

} // namespace

TEST(GaugeFixOnRanks, GivesTheBitsOfOneProcess)
{
  const reference::Lattice global({4, 8, 4, 8});
  const reference::GaugeField gauge = reference::random_gauge(global, 61);
  for (const bool by_fourier : {false, true})
    for (const int directions : {3, 4}) {
      if (by_fourier && !has_fourier()) continue;
      for (const support::LinkForm &form :
           {support::LinkForm {}, support::LinkForm {Precision::single, Reconstruct::r12, 1, 1}})
        support::expect_bits_on_targets(
            global, [&](const support::Place &place) { return fixed(place, gauge, form, directions, by_fourier); },
            form.precision == Precision::double_);
    }
}

TEST(LineExchange, BringsEachBlockToItsRank)
{
  support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &) {
    for (int d = 0; d < 4; d++) {
      const int n = comm->extent(d), mine = comm->coordinate(d);
      std::vector<int> out(3 * n), in(3 * n, -1);
      for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) out[3 * k + i] = 100 * mine + 10 * k + i;
      exchange_line(*comm, d, out.data(), in.data(), 3 * sizeof(int));
      for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) EXPECT_EQ(in[3 * k + i], 100 * k + 10 * mine + i);
    }
  });
}
