/// Fields on sub-grids of ranks: numbers, scales and what belongs to links, to the bit, there and back.

#include "ops/copy/redistribute.h"

#include <functional>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "reference/dirac/staggered.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/host_links.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

const reference::Lattice lattice({4, 4, 4, 24});

/// A rank's part of a field with these entries of each site: (parity, entry, site, number).
std::vector<double> numbers_of(const reference::Part &part, const std::vector<int> &entries, int reals, int parity = -1,
                               bool alternating = false)
{
  std::vector<double> numbers;
  const std::size_t half = part.local.half();
  for (std::size_t p = parity == 1; p < (parity == 0 ? 1U : 2U); p++)
    for (std::size_t i = 0; i < entries.size(); i++)
      for (std::size_t x = 0; x < half; x++) {
        const std::size_t of = alternating ? (p + i) % 2 : p; // parity of the site
        const std::size_t site = lattice.lexicographic(part.global_coords(of * half + x));
        reference::SiteRandom random(7, site, static_cast<std::uint64_t>(entries[i]));
        for (int k = 0; k < reals; k++) numbers.push_back(random.uniform() - 0.5);
      }
  return numbers;
}

/// body(place among all ranks, place in the sub-grid, sub-grids) for grids of all ranks and cuts of each, on all targets.
using Body = std::function<void(const support::Place &, const support::Place &, const SubGrids &)>;
void on_sub_grids(const Body &body)
{
  support::on_targets([&] {
    support::on_grids([&](const std::shared_ptr<Communicator> &comm, const support::Grid &grid) {
      const support::Place all(lattice, comm);
      for (const bool whole : {true, false}) { // each rank a sub-grid, and fewer
        std::array<int, 4> parts;
        for (std::size_t d = 0; d < 4; d++) parts[d] = whole || d < 3 ? grid[d] : (grid[d] + 2) / 3;
        SCOPED_TRACE(text("parts %d %d %d %d", parts[0], parts[1], parts[2], parts[3]));
        const SubGrids grids(all.lattice, parts);
        support::Place own(lattice, grids.lattice()->shared_communicator());
        own.lattice = grids.lattice();
        body(all, own, grids);
      }
    });
  });
}

ColorSpinorParam spinors_on(const support::Place &place, Precision precision)
{
  ColorSpinorParam param;
  param.lattice = place.lattice;
  param.precision = precision;
  return param;
}

/// Entries of right-hand sides first, first + step, ...
std::vector<int> entries_of(int first, int step, int all, int layers)
{
  std::vector<int> entries;
  for (int n = first; n < all; n += step)
    for (int i = 0; i < layers; i++) entries.push_back(n * layers + i);
  return entries;
}

} // namespace

TEST(SubGrids, AreBoxesOfNeighbours)
{
  if (support::ranks() < 4) GTEST_SKIP() << "for four ranks";
  const int extent[4] = {1, 1, 1, 4}, X[4] = {2, 4, 4, 2};
  choose_target();
  const auto all = Lattice::create(X, make_communicator(extent));
  const SubGrids grids(all, {1, 1, 1, 2});
  EXPECT_EQ(grids.count(), 2);
  for (int rank = 0; rank < 4; rank++) EXPECT_EQ(grids.number_of(rank), rank / 2);
  EXPECT_EQ(grids.lattice()->communicator().size(), 2);
  EXPECT_EQ(grids.lattice()->communicator().rank(), support::rank() % 2);
  EXPECT_EQ(grids.lattice()->X(3), 4);
  EXPECT_EQ(grids.lattice()->global_X()[3], 8);
  EXPECT_EQ(grids.lattice()->origin()[3], 4 * (support::rank() % 2));
}

/// x runs fastest over the sub-grids, as t does over ranks.
TEST(SubGrids, AreCountedFromX)
{
  if (support::ranks() < 4) GTEST_SKIP() << "for four ranks";
  const int extent[4] = {2, 1, 1, 2}, X[4] = {2, 4, 4, 2};
  choose_target();
  const auto all = Lattice::create(X, make_communicator(extent));
  const SubGrids grids(all, {2, 1, 1, 2});
  const int number[4] = {0, 2, 1, 3};
  for (int rank = 0; rank < 4; rank++) EXPECT_EQ(grids.number_of(rank), number[rank]);
  EXPECT_EQ(grids.lattice()->communicator().size(), 1);
}

TEST(Redistribution, OfSpinors)
{
  on_sub_grids([](const support::Place &all, const support::Place &own, const SubGrids &grids) {
    for (const Precision precision : {Precision::double_, Precision::single, Precision::half})
      for (const int parity : {-1, 0, 1})
        for (const bool alternating : {false, true}) {
          SCOPED_TRACE(text("precision %d parity %d alternating %d", bytes_of(precision), parity, alternating));
          ColorSpinorParam param = spinors_on(all, precision), part = spinors_on(own, precision);
          for (ColorSpinorParam *one : {&param, &part}) {
            one->subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
            one->parity = std::max(parity, 0);
            one->fifth = 2;
            one->alternating = alternating;
            one->rhs = 2;
          }
          param.rhs *= grids.count();
          const std::vector<int> whole = entries_of(0, 1, param.rhs, 2),
                                 share = entries_of(grids.number(), grids.count(), param.rhs, 2);
          ColorSpinorField from(param), back(param), to(part), expected(part);
          support::set_from_host(from, numbers_of(all.part, whole, 24, parity, alternating));
          support::set_from_host(expected, numbers_of(own.part, share, 24, parity, alternating));
          redistribute(grids, to, from);
          ASSERT_EQ(support::host_array(to), support::host_array(expected));
          redistribute(grids, back, to);
          ASSERT_EQ(support::host_array(back), support::host_array(from));
        }
  });
}

TEST(Redistribution, OfColorVectors)
{
  on_sub_grids([](const support::Place &all, const support::Place &own, const SubGrids &grids) {
    for (const Precision precision : {Precision::single, Precision::half}) {
      ColorSpinorParam param = spinors_on(all, precision), part = spinors_on(own, precision);
      param.spins = part.spins = 1;
      param.rhs = grids.count();
      ColorSpinorField from(param), to(part), expected(part);
      support::set_from_host(from, numbers_of(all.part, entries_of(0, 1, param.rhs, 1), 6));
      support::set_from_host(expected, numbers_of(own.part, {grids.number()}, 6));
      redistribute(grids, to, from);
      ASSERT_EQ(support::host_array(to), support::host_array(expected));
    }
  });
}

TEST(Redistribution, OfCloverTerms)
{
  on_sub_grids([](const support::Place &all, const support::Place &own, const SubGrids &grids) {
    for (const Precision precision : {Precision::double_, Precision::single, Precision::half}) {
      CloverField from = support::native_clover(all, precision), expected = support::native_clover(own, precision);
      const auto fill = [](CloverField &field, const reference::Part &part) { // (parity, x_cb, block, 36)
        const std::vector<double> sites = numbers_of(part, {3}, 72);
        support::set_from_host(field, sites);
      };
      fill(from, all.part);
      fill(expected, own.part);
      ASSERT_EQ(support::host_array(redistributed(grids, from)), support::host_array(expected));
    }
  });
}

TEST(Redistribution, OfLinks)
{
  const reference::GaugeField plain = reference::random_gauge(lattice, 5),
                              of_long = reference::random_unitary_long_links(lattice, 6);
  on_sub_grids([&](const support::Place &all, const support::Place &own, const SubGrids &grids) {
    for (const Precision precision : {Precision::double_, Precision::single, Precision::half})
      for (const Reconstruct reconstruct :
           {Reconstruct::none, Reconstruct::r12, Reconstruct::r8, Reconstruct::r13, Reconstruct::r9}) {
        SCOPED_TRACE(text("precision %d reconstruct %d", bytes_of(precision), static_cast<int>(reconstruct)));
        const bool three = over_their_unit(reconstruct);
        const support::LinkForm form {precision, reconstruct, three ? 1 : 1.7, three ? 1 : -1,
                                      three ? LinkType::three : LinkType::su3};
        reference::GaugeField gauge = three ? of_long : plain;
        if (!three) reference::set_up_links(gauge, form.anisotropy, form.t_boundary);
        const GaugeField from = support::native_links(all, gauge, form), to = redistributed(grids, from),
                         expected = support::native_links(own, gauge, form);
        EXPECT_EQ(to.unit(), from.unit());
        EXPECT_EQ(to.anisotropy(), from.anisotropy());
        EXPECT_EQ(to.t_boundary(), from.t_boundary());
        ASSERT_EQ(support::host_links(to), support::host_links(expected));
      }
  });
}

TEST(Redistribution, RefusesWhatDoesNotBelongTogether)
{
  on_sub_grids([](const support::Place &all, const support::Place &own, const SubGrids &grids) {
    ColorSpinorParam param = spinors_on(all, Precision::single), part = spinors_on(own, Precision::single);
    param.rhs = grids.count() + 1;
    ColorSpinorField from(param), to(part);
    expect_refused(ErrorKind::internal, {"belong together"}, [&] { redistribute(grids, to, from); });
  });
}
