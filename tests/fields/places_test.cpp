/// The offsets that kernels compute on the largest lattices, against those of the host (offsets_test.cpp); and the
/// places around a register, found together, against those found one by one.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "fields/field.h"
#include "fields/lattice.h"
#include "fields/places_table.h"
#include "kernel_ops/every_target.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(PlacesTable, places)

namespace
{

  constexpr unsigned many = 4000;

  void expect_the_hosts_offsets(const int (&X)[4])
  {
    const auto lattice = Lattice::create(X, make_single_communicator());
    std::uint64_t state = 7;
    const auto random = [&](int n) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      return static_cast<int>((state >> 33) % static_cast<unsigned>(n));
    };
    for (const Precision precision : {Precision::single, Precision::double_})
      for (const bool spinor : {false, true}) {
        const int inner = spinor ? 3 : 4, reals = spinor ? 24 : 18;
        std::size_t bytes = 0;
        FieldView field = native_storage(*lattice, precision, inner, 2, {reals}, bytes);
        alignas(64) static char nothing[64];
        field.data = nothing;
        const LatticeView &l = field.lattice;
        std::vector<unsigned> requests;
        std::vector<long long> expected;
        for (unsigned n = 0; n < many; n++) {
          const int d = random(4);
          int o[4], sum = 0;
          for (int e = 0; e < 4; e++) { // far into the lattice, the step within the block
            const int O = lattice->O()[e];
            o[e] = n % 2 ? O - 2 - random(O > 3 ? 2 : 1) : random(O - 1);
            sum += o[e];
          }
          const int parity = sum % 2;
          const int lane = random(lattice->lanes()), i = random(inner), k = random(reals);
          const int W = l.width;
          const auto o_cb = static_cast<unsigned>(stored_index(l, o));
          requests.insert(requests.end(), {o_cb * l.parts + lane / W, unsigned(parity), unsigned(i), unsigned(k),
                                           unsigned(lane % W), unsigned(d)});
          expected.push_back(real_offset(field, parity, o_cb, lane, i, k));
          o[d]++;
          expected.push_back(real_offset(field, 1 - parity, static_cast<unsigned>(stored_index(l, o)), lane, i, k));
        }
        TargetArray<unsigned> request(requests);
        TargetArray<long long> offset(std::vector<long long>(expected.size(), -1));
        TuneParam tp {};
        tp.block[0] = target().lanes() == 1 ? 64 : 0;
        const PlacesTable &table = places();
        (spinor ? table.spinors
                : table.links)[precision == Precision::single](tp, {many, field, request.data(), offset.data()});
        const std::vector<long long> found = offset.get();
        for (std::size_t n = 0; n < expected.size(); n++)
          ASSERT_EQ(found[n], expected[n]) << n << ", " << reals << " reals of " << bytes_of(precision) << " bytes";
        ASSERT_GT(*std::max_element(found.begin(), found.end()), 1LL << 33);
      }
  }

  void expect_places_together(const int (&X)[4])
  {
    const auto lattice = Lattice::create(X, make_single_communicator());
    for (const Precision precision : {Precision::single, Precision::double_}) {
      const LatticeView view = lattice->view(target().width(precision));
      const unsigned n = view.volume_cb * static_cast<unsigned>(view.parts);
      TargetArray<int> differ(std::vector<int>(2 * n, -1));
      TuneParam tp {};
      tp.block[0] = target().lanes() == 1 ? 64 : 0;
      places().around(tp, {n, view, differ.data()});
      const std::vector<int> found = differ.get();
      for (unsigned k = 0; k < 2 * n; k++)
        ASSERT_EQ(found[k], 0) << "register " << k % n << " of parity " << k / n << ", " << bytes_of(precision)
                               << " bytes";
    }
  }

} // namespace

TEST(Places, FoundTogetherAreThoseFoundOneByOne)
{
  on_every_target([] {
    for (const auto &X : {std::array {8, 8, 8, 8}, std::array {6, 6, 6, 6}, std::array {4, 4, 4, 10},
                          std::array {2, 4, 6, 8}, std::array {10, 6, 2, 12}, std::array {2, 2, 2, 2}})
      expect_places_together({X[0], X[1], X[2], X[3]});
  });
}

TEST(Places, OfTheLargestLattices)
{
  on_every_target([] {
    // scalar targets count the sites of a parity in 32 bits
    if (target().lanes() == 1) {
      expect_the_hosts_offsets({256, 256, 256, 510});
    } else {
      expect_the_hosts_offsets({256, 256, 256, 512});
      expect_the_hosts_offsets({1024, 1024, 1024, 30}); // nearly 2^32 registers a parity where a site fills four
    }
  });
}

} // namespace quda
