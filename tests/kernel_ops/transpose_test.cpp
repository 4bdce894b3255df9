/// Block transposition against plain loops: every tile shape and element, odd sizes, every target and launch.

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "kernel_ops/every_target.h"
#include "kernel_ops/tables.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(TransposeTable, transposition)

namespace
{

  struct Size {
    unsigned nx, ny, nz;
  };
  constexpr Size sizes[] = {{1, 1, 1}, {17, 33, 2}, {64, 48, 1}, {101, 7, 3}, {5, 90, 1}};

  std::vector<TuneParam> launches()
  {
    std::vector<TuneParam> all;
    if (target().lanes() > 1) {
      for (const int tile : {0, 3})
        for (const int threads : {1, 2}) all.push_back({{tile, 1, 1}, {threads, 1, 1}, 0, 0, 0, tile > 0, 0});
    } else {
      for (const auto &[x, y] : {std::pair(0, 1), {1, 4}, {8, 4}, {32, 1}})
        all.push_back({{x, y, 1}, {0, 0, 0}, 0, 0, 0, 0, 0});
      all.push_back({{4, 8, 2}, {0, 0, 0}, 0, 0, 0, 0, 0});
    }
    return all;
  }

} // namespace

TEST(Transpose, EveryTileAndElement)
{
  on_every_target([] {
    for (std::size_t e = 0; e < std::size(element_bytes); e++) {
      const std::size_t bytes = element_bytes[e];
      for (const Size &size : sizes) {
        const std::size_t n = std::size_t(size.nx) * size.ny * size.nz;
        std::vector<unsigned char> in(n * bytes), right(in.size());
        for (std::size_t i = 0; i < in.size(); i++) in[i] = static_cast<unsigned char>(37 * i + i / 251 + 1);
        for (unsigned z = 0; z < size.nz; z++)
          for (unsigned y = 0; y < size.ny; y++)
            for (unsigned x = 0; x < size.nx; x++)
              std::memcpy(&right[((z * size.nx + x) * size.ny + y) * bytes],
                          &in[((z * size.ny + y) * size.nx + x) * bytes], bytes);
        TargetArray<unsigned char> from(in), to(in);
        for (std::size_t tile = 0; tile < std::size(tile_shapes); tile++)
          for (const TuneParam &tp : launches()) {
            // a tile may be more than a block can share
            const int x = tp.block[0] > 0 ? tp.block[0] : 128;
            if (transposition().shared_bytes[e][tile](x, tp.block[1] * tp.block[2]) > target().shared_bytes()) continue;
            to.set(std::vector<unsigned char>(in.size(), 0xee));
            transposition().run[e][tile](tp, {size.nx, size.ny, size.nz, from.data(), to.data()});
            ASSERT_TRUE(to.get() == right)
                << bytes << " bytes, " << size.nx << " x " << size.ny << ", tile " << tile_shapes[tile][0] << " x "
                << tile_shapes[tile][1] << ", " << described(tp);
          }
      }
    }
  });
}

TEST(Transpose, WithATransformation)
{
  on_every_target([] {
    constexpr unsigned nx = 22, ny = 19;
    const std::vector<double> in = some_numbers(nx * ny);
    std::vector<float> right(in.size());
    for (unsigned x = 0; x < nx; x++)
      for (unsigned y = 0; y < ny; y++) {
        const double a = in[x / 2 * 2 + y * nx], b = in[x / 2 * 2 + 1 + y * nx];
        right[x * ny + y] = 0.5f * static_cast<float>(x % 2 ? a - b : a + b);
      }
    TargetArray<double> from(in);
    TargetArray<float> to(right);
    for (const TuneParam &tp : launches()) {
      to.set(std::vector<float>(right.size(), -7.0f));
      transposition().rotated(tp, {nx, ny, 1, from.data(), to.data()});
      EXPECT_TRUE(to.get() == right) << described(tp);
    }
  });
}

/// A transposition whose block and tile shape the tuner chooses.
class TunedTransposition final : public Tunable
{
public:
  TunedTransposition(int element, const TransposeCall &call)
      : Tunable(nullptr, call.nx, call.ny, call.nz, "101x7x3", "Transposition", key_text("bytes=", element).s)
      , element(element)
      , call(call)
  {
  }
  void launch(const TuneParam &tp, void *) override
  {
    shapes.insert(tp.variant);
    transposition().run[element][std::max(tp.variant - 1, 0)](tp, call);
  }
  long long flops() const override { return 0; }
  long long bytes() const override { return 2LL * call.nx * call.ny * call.nz * element_bytes[element]; }
  int variants() const override { return static_cast<int>(std::size(tile_shapes)); }

  const int element;
  const TransposeCall call;
  std::set<int> shapes; // that were launched
};

TEST(Transpose, TheTunerChoosesTheShape)
{
  on_every_target([] {
    constexpr unsigned nx = 101, ny = 7, nz = 3;
    const std::vector<double> in = some_numbers(nx * ny * nz);
    std::vector<double> right(in.size());
    for (unsigned z = 0; z < nz; z++)
      for (unsigned y = 0; y < ny; y++)
        for (unsigned x = 0; x < nx; x++) right[(z * nx + x) * ny + y] = in[(z * ny + y) * nx + x];
    TargetArray<double> from(in), to(in);
    TunedTransposition transposed(3, {nx, ny, nz, from.data(), to.data()});
    ASSERT_EQ(element_bytes[3], sizeof(double));
    std::set<int> fitting {0};
    std::vector<TuneParam> all = transposed.candidates();
    const std::vector<TuneParam> finer = transposed.refinements(all.front());
    all.insert(all.end(), finer.begin(), finer.end());
    for (const TuneParam &tp : all) {
      const int shape = std::max(tp.variant - 1, 0), x = tp.block[0] > 0 ? tp.block[0] : 128;
      if (transposition().shared_bytes[3][shape](x, std::max(tp.block[1], 1)) > target().shared_bytes()) continue;
      fitting.insert(tp.variant);
      to.set(in);
      transposed.launch(tp, nullptr);
      EXPECT_TRUE(to.get() == right) << described(tp) << ", shape " << tp.variant;
    }
    EXPECT_EQ(transposed.shapes, fitting);
    EXPECT_GE(fitting.size(), 7U); // and the default, but for one that is too large for blocks of 128
    to.set(in);
    transposed.apply();
    EXPECT_TRUE(to.get() == right);
  });
}

/// Rows of an odd number of words: threads along a column of the tile meet different banks.
TEST(Transpose, SharedMemoryIsPadded)
{
  on_every_target([] {
    for (std::size_t e = 0; e < std::size(element_bytes); e++)
      for (std::size_t tile = 0; tile < std::size(tile_shapes); tile++) {
        const int x = 8 * tile_shapes[tile][0], y = 4 * tile_shapes[tile][1];
        const int bytes = transposition().shared_bytes[e][tile](8, 4);
        if (target().lanes() > 1) {
          EXPECT_EQ(bytes, 0);
        } else {
          const int row = bytes / y / element_bytes[e];
          EXPECT_EQ(row * y * element_bytes[e], bytes);
          EXPECT_GE(row, x);
          EXPECT_LE(row, x + 3);
          EXPECT_EQ(element_bytes[e] == 2 ? row % 4 : 2 * (row % 2), 2);
        }
      }
  });
}

} // namespace quda
