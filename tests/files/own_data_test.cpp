// The configuration in tests/data: a real one that is always there. Expected numbers stand in the README beside it.

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "files/gauge_file.h"
#include "reference/gauge/plaquette.h"
#include "reference/gauge/polyakov.h"
#include "reference/test_data.h"
#include "thread_ranks.h"
#include "written_fields.h"

using namespace quda_files;
using reference::Coords;

namespace
{
const std::string path = reference::own_data("beta6_4448.ildg");
} // namespace

TEST(OwnData, HeadAndNumbers)
{
  const GaugeFile file = inspect(path);
  EXPECT_EQ(describe(file), "ILDG, 4 x 4 x 4 x 8, single precision, big-endian, checksums suma sumb 6ec114e4 1777252a");
  EXPECT_EQ(file.stamp, "2026-11-21 22:36:32 UTC");
  const reference::GaugeField field = reference::from_qdp(reference::Lattice(file.dims), read_gauge(file));
  const auto plaquette = reference::plaquette(field);
  const auto loop = reference::polyakov_loop(field);
  EXPECT_NEAR(plaquette[0], 0.5915828018288, 1e-12);
  EXPECT_NEAR(plaquette[1], 0.5996731241332, 1e-12);
  EXPECT_NEAR(plaquette[2], 0.5834924795243, 1e-12);
  EXPECT_NEAR(loop.real(), -0.0385188528889, 1e-12);
  EXPECT_NEAR(loop.imag(), -0.0904009776350, 1e-12);
}

TEST(OwnData, LinksAreOfSu3)
{
  const GaugeFile file = inspect(path);
  const reference::GaugeField field = reference::from_qdp(reference::Lattice(file.dims), read_gauge(file));
  double worst = 0;
  for (const auto &direction : field.U)
    for (const reference::Link &u : direction) {
      worst = std::max(worst, (u * u.adjoint() - reference::Link::Identity()).cwiseAbs().maxCoeff());
      worst = std::max(worst, std::abs(u.determinant() - 1.0));
    }
  EXPECT_LT(worst, 1e-6);
}

TEST(OwnData, EveryFormatHoldsIt)
{
  const GaugeFile file = inspect(path);
  const auto links = read_gauge(file);
  const reference::Lattice lattice(file.dims);
  const reference::GaugeField field = reference::from_qdp(lattice, links);
  ScratchFolder folder;
  for (const Variant &variant : variants) {
    write_gauge(folder.file(variant.name), variant.options(), file.dims.data(), LinkPointers(links).p);
    const auto read = reference::from_qdp(lattice, read_gauge(inspect(folder.file(variant.name))));
    EXPECT_EQ(differing_links(variant, read, stored(variant, field)), 0) << variant.name;
  }
}

TEST(OwnData, PartsOfAProcessGrid)
{
  const GaugeFile file = inspect(path);
  const reference::Lattice lattice(file.dims);
  const reference::GaugeField field = reference::from_qdp(lattice, read_gauge(file));
  for (const Coords &grid : {Coords {2, 1, 1, 1}, Coords {1, 2, 2, 1}, Coords {1, 1, 1, 4}}) {
    const Coords local = {4 / grid[0], 4 / grid[1], 4 / grid[2], 8 / grid[3]};
    ThreadRanks(grid).run([&](const Coords &coord, const Combine &combine) {
      EXPECT_NO_THROW({
        const auto links = read_gauge(file, local.data(), grid.data(), coord.data(), combine);
        EXPECT_EQ(links, reference::to_qdp<double>(field, reference::Part(lattice, grid, coord)));
      });
    });
  }
}
