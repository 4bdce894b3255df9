/// Staggered hops on several ranks: the bits of one process, whatever the grid, and as the plain reference has it.

#include "dirac_checks.h"

#include "core/error.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/dirac/staggered.h"
#include "reference/dirac/staggered.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace dirac_test;
using reference::ColorVectors;

namespace
{

/// Links and sources on the whole lattice.
struct Case {
  explicit Case(const reference::Lattice &lattice)
      : fat(reference::random_fat_links(lattice, 11))
      , of_long(reference::random_long_links(lattice, 12))
      , unitary(reference::random_unitary_long_links(lattice, 13))
  {
    for (int i = 0; i < 3; i++) columns.push_back(reference::spins_of<1>(reference::random_spinors(lattice, 40 + i)));
  }
  reference::GaugeField fat, of_long, unitary;
  std::vector<ColorVectors> columns;
};

enum class Legs { one_link, improved, thirteen, nine, two_links };

/// A hop of three right-hand sides on this place, of both parities or onto one.
ColorSpinorField result(const support::Place &place, const Case &on, Precision precision, Legs legs, int parity)
{
  const support::LinkForm form {precision, Reconstruct::none, 1, 1, LinkType::general};
  const Reconstruct packed = legs == Legs::thirteen ? Reconstruct::r13
                             : legs == Legs::nine   ? Reconstruct::r9
                                                    : Reconstruct::none;
  const GaugeField fat = support::native_links(place, on.fat, form),
                   of_long = support::native_links(place, packed == Reconstruct::none ? on.of_long : on.unitary,
                                                   {precision, packed, 1, 1, LinkType::three});
  ColorSpinorParam shape;
  shape.lattice = place.lattice;
  shape.spins = 1;
  shape.rhs = 3;
  shape.precision = precision;
  shape.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
  shape.parity = parity < 0 ? 0 : parity;
  ColorSpinorField out(shape);
  if (parity >= 0 && legs != Legs::two_links) shape.parity = 1 - parity;
  ColorSpinorField in(shape);
  for (int n = 0; n < 3; n++) {
    shape.rhs = 1;
    ColorSpinorField one(shape);
    const std::vector<double> numbers =
        reference::to_host<double, 1>(on.columns[n], place.global, place.part, parity < 0 ? -1 : in.parity());
    support::set_from_host(one, numbers);
    in.columns(n, 1) = one;
  }
  in.mark_written();
  if (legs == Legs::two_links)
    covariant_sum(out, in, fat, legs_without(-1), {}, 2);
  else
    staggered_hop(out, in, fat, legs == Legs::one_link ? nullptr : &of_long, false, {});
  return out;
}

bool long_enough(const support::Place &place)
{
  for (int d = 0; d < 4; d++)
    if (place.lattice->cut(d) && place.part.local.X[d] < 3) return false;
  return true;
}

} // namespace

/// The second lattice has sites that legs of three steps do not lead away from the rank from, on targets that do not
/// cut time into blocks.
TEST(StaggeredOnRanks, GivesTheBitsOfOneProcess)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {8, 8, 8, 8}, {4, 4, 2, 16}}) {
      if (target().kind() == Target::fiber && shape[0] == 8) continue;
      const reference::Lattice global(shape);
      const Case on(global);
      for (const Precision precision : {Precision::double_, Precision::single, Precision::half})
        for (const Legs legs : {Legs::one_link, Legs::improved, Legs::thirteen, Legs::nine, Legs::two_links})
          for (const int parity : {-1, 0, 1}) {
            if (parity == 0 && (legs == Legs::thirteen || legs == Legs::nine)) continue;
            if (legs == Legs::two_links && precision == Precision::half) continue; // it has no such kernel
            SCOPED_TRACE(testing::Message() << "bytes " << bytes_of(precision) << " legs " << static_cast<int>(legs)
                                            << " parity " << parity);
            const auto hop = [&](const support::Place &place) { return result(place, on, precision, legs, parity); };
            support::expect_bits_of_one_process(global, hop, [&](const support::Grid &grid) {
              for (int d = 0; d < 4; d++)
                if (shape[d] % (2 * grid[d]) != 0) return false;
              const support::Place place(global, make_communicator(grid.data()));
              if (legs == Legs::one_link || legs == Legs::two_links || long_enough(place)) return true;
              EXPECT_NE(refused(ErrorKind::unsupported, [&] { hop(place); }).find("staggered_hop"), std::string::npos);
              return false;
            });
          }
    }
  });
}

TEST(StaggeredOnRanks, AgreesWithTheReference)
{
  choose_target();
  const reference::Lattice global({4, 8, 6, 16});
  const Case on(global);
  const ColorVectors naive = reference::Staggered {on.fat}.hop(on.columns[0]),
                     improved = reference::Staggered {on.fat, &on.of_long}.hop(on.columns[0]);
  for (const support::Grid &grid :
       {support::Grid {1, 1, 1, support::ranks()}, {1, support::ranks() > 1 ? 2 : 1, 1, (support::ranks() + 1) / 2}}) {
    const support::Place place(global, make_communicator(grid.data()));
    for (const auto &[precision, bar] :
         {std::pair {Precision::double_, 1e-12}, {Precision::single, 5e-6}, {Precision::half, 1e-3}})
      for (const bool both : {false, true}) {
        const auto found =
            support::host_array(result(place, on, precision, both ? Legs::improved : Legs::one_link, -1).columns(0, 1));
        const auto expected = reference::to_host<double, 1>(both ? improved : naive, global, place.part);
        EXPECT_LE(reference::deviation(found, expected), bar) << both << " bytes " << bytes_of(precision);
      }
  }
}

/// Adjoints, sums, even-odd forms where the halo has two members.
TEST(StaggeredOnRanks, OperatorsKeepTheirPromises)
{
  choose_target();
  const reference::Lattice global({8, 8, 8, 8});
  const Case on(global);
  const int n = support::ranks();
  const support::Grid grid = {1, 1, n == 4 ? 2 : 1, n > 1 ? 2 : 1};
  const support::Place place(global, make_communicator(grid.data()));
  LinkSet fat, of_long;
  const auto load = [&](LinkSet &set, const reference::GaugeField &links, LinkType type) {
    set.load(std::make_unique<GaugeField>(
        support::native_links(place, links, {Precision::double_, Reconstruct::none, 1, 1, type})));
  };
  load(fat, on.fat, LinkType::general);
  load(of_long, on.of_long, LinkType::three);
  const auto dirac = make_dirac(StaggeredFermions {0.1, &of_long}, fat, {Precision::double_, Reconstruct::none});
  const auto M = dirac->full(), Mpc = dirac->schur(MatPC::even_even);
  expect_adjoint(*M, place);
  expect_adjoint(*Mpc, place);
  expect_even_odd(*dirac, place, 2, false);
}
