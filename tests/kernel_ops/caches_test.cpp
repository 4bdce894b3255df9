/// The caches and thread_array against plain loops, on every target and launch: the same bits.

#include "core/error.h"
#include "kernel_ops/every_target.h"
#include "kernel_ops/tables.h"
#include "support/refused.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(CachesTable, caches)

namespace
{
  constexpr unsigned nx = 101;

  int lanes() { return target().width(Precision::double_); }
} // namespace

TEST(Caches, own)
{
  on_every_target([] {
    const int w = lanes();
    const std::vector<double> in = some_numbers(nx * w);
    std::vector<double> expected(in.size());
    for (unsigned x = 0; x < nx; x++)
      for (int l = 0; l < w; l++) {
        const double v = in[x * w + l];
        const int k = 3 * x % 5 % 3;
        expected[x * w + l] = (v + v * k) + (k + 1.0);
      }
    TargetArray<double> from(in), to(in);
    for (const TuneParam &tp : some_launches()) {
      SCOPED_TRACE(described(tp));
      to.set(std::vector<double>(in.size(), -7.0));
      caches().own(tp, {{nx, 1, 1}, from.data(), to.data(), nullptr});
      EXPECT_EQ(to.get(), expected);
    }
  });
}

TEST(Caches, exchange)
{
  on_every_target([] {
    const int w = lanes();
    for (int ny : {1, 2, 5, 16}) {
      SCOPED_TRACE(ny);
      const std::vector<double> in = some_numbers(nx * ny * w);
      std::vector<double> u(in.size()), expected(in.size());
      auto at = [&](unsigned x, int y, int l) { return (x + nx * ((y + ny) % ny)) * w + l; };
      for (unsigned x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++)
          for (int l = 0; l < w; l++) {
            const double above = in[at(x, y + 1, l)], below = in[at(x, y - 1, l)];
            u[at(x, y, l)] = above * above + (below + (y + ny - 1) % ny);
          }
      for (unsigned x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++)
          for (int l = 0; l < w; l++) expected[at(x, y, l)] = u[at(x, ny - 1 - y, l)];
      TargetArray<double> from(in), to(in);
      for (const TuneParam &tp : some_launches()) {
        SCOPED_TRACE(described(tp));
        to.set(std::vector<double>(in.size(), -7.0));
        caches().exchange(tp, {{nx, static_cast<unsigned>(ny), 1}, from.data(), to.data(), nullptr});
        EXPECT_EQ(to.get(), expected);
      }
    }
  });
}

TEST(Caches, transpose)
{
  on_every_target([] {
    for (unsigned ny : {1u, 3u, 8u}) {
      SCOPED_TRACE(ny);
      const std::vector<double> in = some_numbers(nx * ny);
      std::vector<double> expected(in.size());
      for (unsigned x = 0; x < nx; x++)
        for (unsigned y = 0; y < ny; y++) expected[x * ny + y] = in[x + nx * y];
      TargetArray<double> from(in), to(in);
      for (TuneParam tp : some_launches()) {
        if (tp.block[0] == 0) tp.block[0] = 64; // the tile is this kernel's own business
        SCOPED_TRACE(described(tp));
        to.set(std::vector<double>(in.size(), -7.0));
        caches().transpose(tp, {{nx, ny, 1}, from.data(), to.data(), nullptr});
        EXPECT_EQ(to.get(), expected);
      }
    }
  });
}

TEST(Caches, too_many_elements_are_refused)
{
  on_every_target([] {
    expect_refused(ErrorKind::bad_argument, {"Exchange", "17 is outside 0..16"}, [] {
      caches().exchange({{1, 1, 1}, {1, 1, 1}, 0, 0, 0, 0, 0}, {{nx, 17, 1}, nullptr, nullptr, nullptr});
    });
  });
}

TEST(Caches, shared_memory_is_that_of_the_type)
{
  on_every_target([] {
    const bool scalar = target().lanes() == 1;
    const int real = 8 * lanes(), line = scalar ? 16 : 64;
    auto aligned = [&](int bytes) { return (bytes + line - 1) / line * line; };
    // a thread's own: single, then three pairs, then five integers; none of it shared on the CPU
    const int threads = 7 * 3;
    EXPECT_EQ(caches().own_bytes(7, 3, 1),
              scalar ? aligned(aligned(threads * 8) + threads * 3 * 2 * 8) + threads * 5 * 4 : 0);
    // triples in rows padded by one, the others behind them
    EXPECT_EQ(caches().exchange_bytes(7, 3, 1), aligned((7 + 1) * 3 * 3 * real) + 7 * 3 * real);
    EXPECT_EQ(caches().transpose_bytes(7, 3, 1), 65 * 8 * 8);
  });
}

} // namespace quda
