/// Native storage: every number has its place, and on the largest lattices its offset is exact.
#include "fields/field.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fields/lattice.h"
#include "targets/target.h"

using namespace quda;

namespace
{

struct Shape {
  int inner;
  int reals;
};

const Shape shapes[] = {{4, 18}, {4, 12}, {1, 24}, {3, 24}, {1, 6}, {2, 6}, {3, 96}, {12, 96}};

std::vector<std::pair<Shape, Entries>> forms()
{
  std::vector<std::pair<Shape, Entries>> all;
  for (const Shape &shape : shapes)
    for (Entries order : {Entries::innermost, Entries::outermost}) all.push_back({shape, order});
  return all;
}

std::vector<std::string> target_names()
{
  std::vector<std::string> names;
  for (Target t : usable_targets())
    names.push_back(t == Target::cpu_avx2 ? "cpu:avx2" : t == Target::cpu_avx512 ? "cpu:avx512" : target_name(t));
  return names;
}

class OnEachTarget : public testing::TestWithParam<std::string>
{
protected:
  void SetUp() override { choose_target(GetParam()); }
  void TearDown() override { choose_target(); }
};

std::string test_name(const testing::TestParamInfo<std::string> &info)
{
  std::string name = info.param;
  for (char &c : name) c = c == ':' ? '_' : c;
  return name;
}

void expect_exact_offsets(const int (&X)[4])
{
  const auto lattice = Lattice::create(X, make_single_communicator());
  std::uint64_t state = 3;
  const auto random = [&](int n) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<int>((state >> 33) % static_cast<unsigned>(n));
  };
  for (Precision precision : {Precision::single, Precision::double_})
    for (const auto &[shape, order] : forms()) {
      std::size_t bytes = 0;
      const FieldView f = native_storage(*lattice, precision, shape.inner, 2, {shape.reals, true, order}, bytes);
      const LatticeView &l = f.lattice;
      const int W = target().width(precision);
      const __int128 half = static_cast<__int128>(X[0]) * X[1] * X[2] * X[3] / 2 * shape.inner * shape.reals;
      ASSERT_EQ(static_cast<__int128>(bytes), 2 * half * bytes_of(precision)); // no padding in this shape
      ASSERT_EQ(static_cast<__int128>(f.parity_stride), half);
      for (int n = 0; n < 2000; n++) {
        int x[4], o[4];
        __int128 site = 0;
        for (int d = 3; d >= 0; d--) {
          x[d] = n == 0 ? X[d] - 1 - (d == 0) : n == 1 ? 0 : random(X[d]); // n = 0: the last odd site
          o[d] = x[d] % lattice->O()[d];
          site = site * lattice->O()[d] + o[d];
        }
        site /= 2;
        const int i = n == 0 ? shape.inner - 1 : random(shape.inner),
                  k = n == 0 ? shape.reals - 1 : random(shape.reals);
        const SitePosition p = lattice->position(x);
        ASSERT_EQ(static_cast<__int128>(p.o_cb), site);
        ASSERT_EQ(stored_index(l, o), p.o_cb);
        const int parity = (x[0] + x[1] + x[2] + x[3]) % 2;
        const __int128 record = W == 1 ? 0 : site * (16 / W) + p.lane / W,
                       records = half / W / shape.reals / shape.inner;
        const __int128 entry = order == Entries::innermost ? record * shape.inner + i : i * records + record;
        const __int128 expected =
            W == 1 ? parity * half +
                         ((static_cast<__int128>(i) * (shape.reals / f.vector) + k / f.vector) * (l.volume_cb) + site) *
                             f.vector +
                         k % f.vector
                   : parity * half + (entry * shape.reals + k) * W + p.lane % W;
        const long long at = real_offset(f, p.parity, p.o_cb, p.lane, i, k);
        ASSERT_TRUE(static_cast<__int128>(at) == expected) << n;
        ASSERT_LT(at, static_cast<long long>(bytes / f.precision));
        ASSERT_TRUE(n || at == static_cast<long long>(bytes / f.precision) - 1); // the last number of all
        int back[4];
        lattice->coordinates(p, back);
        for (int d = 0; d < 4; d++) ASSERT_EQ(back[d], x[d]);
        const __int128 full = ((static_cast<__int128>(x[3]) * X[2] + x[2]) * X[1] + x[1]) * X[0] + x[0];
        ASSERT_TRUE(static_cast<__int128>(lattice->slot(x)) ==
                    parity * (static_cast<__int128>(X[0]) * X[1] * X[2] * X[3] / 2) + full / 2);
        lattice->slot_coordinates(lattice->slot(x), back);
        for (int d = 0; d < 4; d++) ASSERT_EQ(back[d], x[d]);
      }
    }
}

} // namespace

class NativeStorage : public OnEachTarget
{
};

INSTANTIATE_TEST_SUITE_P(Targets, NativeStorage, testing::ValuesIn(target_names()), test_name);

TEST_P(NativeStorage, NumbersFillTheFieldAndNeverShareAPlace)
{
  const int lattices[][4] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 4}, {2, 2, 2, 2}};
  for (const int(&X)[4] : lattices) {
    const auto lattice = Lattice::create(X, make_single_communicator());
    for (Precision precision : {Precision::single, Precision::double_})
      for (const auto &[shape, order] : forms()) {
        std::size_t bytes = 0;
        const FieldView f = native_storage(*lattice, precision, shape.inner, 2, {shape.reals, true, order}, bytes);
        EXPECT_EQ(f.precision, bytes_of(precision));
        EXPECT_EQ(f.inner, shape.inner);
        EXPECT_EQ(f.reals, shape.reals);
        EXPECT_EQ(f.parity_stride * f.precision % 128, 0);
        EXPECT_EQ(bytes, 2u * f.parity_stride * f.precision);
        EXPECT_EQ(f.reals % f.vector, 0);
        EXPECT_LE(f.vector * f.precision, 16);
        std::vector<char> taken(bytes / f.precision);
        int x[4];
        for (long long slot = 0; slot < lattice->volume(); slot++) {
          lattice->slot_coordinates(slot, x);
          const SitePosition p = lattice->position(x);
          for (int i = 0; i < f.inner; i++)
            for (int k = 0; k < f.reals; k++) {
              const long long at = real_offset(f, p.parity, p.o_cb, p.lane, i, k);
              ASSERT_TRUE(at >= 0 && at < static_cast<long long>(taken.size()));
              ASSERT_EQ(taken[at]++, 0);
            }
        }
      }
  }
}

TEST_P(NativeStorage, OffsetsOfTheLargestLatticesAreExact)
{
  // scalar targets count the sites of a parity in 32 bits
  if (target().lanes() == 1) {
    expect_exact_offsets({256, 256, 256, 510});
  } else {
    expect_exact_offsets({256, 256, 256, 512});
    expect_exact_offsets({1024, 1024, 1024, 60}); // nearly 2^31 stored sites a parity
  }
}

TEST_P(NativeStorage, BordersComeBeforeAndBehindTheBlock)
{
  const int X[4] = {4, 4, 4, 4};
  const auto lattice = Lattice::create(X, make_single_communicator());
  LatticeView v = lattice->view(target().width(Precision::single));
  unsigned expected = 0;
  for (int d = 0; d < 4; d++) {
    v.R[d] = 2 * (d == 3); // as if direction 3 were cut
    v.E[d] = v.O[d] + 2 * v.R[d];
  }
  int o[4];
  for (o[3] = -2; o[3] < v.O[3] + 2; o[3]++)
    for (o[2] = 0; o[2] < v.O[2]; o[2]++)
      for (o[1] = 0; o[1] < v.O[1]; o[1]++)
        for (o[0] = 0; o[0] < v.O[0]; o[0]++) EXPECT_EQ(stored_index(v, o), expected++ / 2);
}
