/// Gauge fixing on several ranks: the bits of one process in double precision, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include <cstring>

#include "comms/line_exchange.h"
#include "ops/fix/fourier.h"
#include "ops/fix/gauge_fix.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/host_links.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

struct Fixed {
  reference::QdpLinks<double> links;
  GaugeQuality quality;
};

Fixed fixed(const support::Place &place, const reference::GaugeField &gauge, const support::LinkForm &form,
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
  return {support::host_links(out), quality};
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

int ranks()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

} // namespace

TEST(GaugeFixOnRanks, GivesTheBitsOfOneProcess)
{
  const reference::Lattice global({4, 8, 4, 8});
  const reference::GaugeField gauge = reference::random_gauge(global, 61);
  for (const bool by_fourier : {false, true})
    for (const int directions : {3, 4}) {
      if (by_fourier && !has_fourier()) continue;
      reference::QdpLinks<double> first; // of the first target, in double
      support::on_targets([&] {
        for (const support::LinkForm &form :
             {support::LinkForm {}, support::LinkForm {Precision::single, Reconstruct::r12, 1, 1}}) {
          const support::Place alone(global, make_single_communicator());
          const Fixed whole = fixed(alone, gauge, form, directions, by_fourier);
          if (form.precision == Precision::double_) {
            if (first[0].empty()) first = whole.links;
            for (int mu = 0; mu < 4; mu++) EXPECT_EQ(whole.links[mu], first[mu]) << "another target's bits";
          }
          support::on_grids(ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
            SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
            const support::Place place(global, comm);
            const Fixed mine = fixed(place, gauge, form, directions, by_fourier);
            EXPECT_EQ(mine.quality.functional, whole.quality.functional);
            EXPECT_EQ(mine.quality.theta, whole.quality.theta);
            int differing = 0;
            for (int mu = 0; mu < 4; mu++)
              for (std::size_t slot = 0; slot < place.part.local.volume(); slot++)
                differing += std::memcmp(&mine.links[mu][18 * slot],
                                         &whole.links[mu][18 * place.global.slot(place.part.global_coords(slot))],
                                         18 * sizeof(double)) != 0;
            EXPECT_EQ(differing, 0);
          });
        }
      });
    }
}

TEST(LineExchange, BringsEachBlockToItsRank)
{
  support::on_grids(ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &) {
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
