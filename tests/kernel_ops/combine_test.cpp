/// BlockReduce and op_warp_combine against a plain tree, on every target and launch: the same bits.

#include <algorithm>
#include <iterator>

#include "kernel_ops/every_target.h"
#include "kernel_ops/tables.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(CombineTable, combine)
QUDA_KERNEL_TABLE(PartsTable, parts)

namespace
{

  constexpr unsigned nx = 101;

  // upper half onto lower half, the lower a power of two
  double tree_sum(std::vector<double> v)
  {
    while (v.size() > 1) {
      std::size_t half = 1;
      while (2 * half < v.size()) half *= 2;
      for (std::size_t i = half; i < v.size(); i++) v[i - half] += v[i];
      v.resize(half);
    }
    return v[0];
  }

} // namespace

TEST(Combine, block)
{
  on_every_target([] {
    const int w = target().width(Precision::double_);
    for (unsigned ny : {1u, 2u, 5u, 16u})
      for (unsigned nz : {1u, 3u}) {
        SCOPED_TRACE("y " + std::to_string(ny) + ", z " + std::to_string(nz));
        const std::vector<double> in = some_numbers(nx * ny * nz * w);
        std::vector<double> sums(nx * nz * w), everywhere(in.size());
        for (unsigned z = 0; z < nz; z++)
          for (unsigned x = 0; x < nx; x++)
            for (int l = 0; l < w; l++) {
              std::vector<double> v(ny), squares(ny);
              for (unsigned y = 0; y < ny; y++) {
                v[y] = in[(x + nx * (y + ny * z)) * w + l];
                squares[y] = v[y] * v[y];
              }
              const double sum = tree_sum(v), square = tree_sum(squares);
              sums[(x + nx * z) * w + l] = sum + square;
              for (unsigned y = 0; y < ny; y++) everywhere[(x + nx * (y + ny * z)) * w + l] = sum + square + y;
            }
        TargetArray<double> from(in), once(sums), all(in);
        for (const TuneParam &tp : some_launches()) {
          SCOPED_TRACE(described(tp));
          once.set(std::vector<double>(sums.size(), -7.0));
          all.set(std::vector<double>(in.size(), -7.0));
          combine().block(tp, {{nx, ny, nz}, from.data(), once.data(), all.data()});
          EXPECT_EQ(once.get(), sums);
          EXPECT_EQ(all.get(), everywhere);
        }
      }
  });
}

TEST(Combine, warp)
{
  on_every_target([] {
    const int w = target().width(Precision::double_);
    const std::vector<double> in = some_numbers(nx * split_points * w);
    std::vector<double> expected(in.size());
    for (unsigned x = 0; x < nx; x++)
      for (int l = 0; l < w; l++) {
        std::vector<double> v(split_points), squares(split_points);
        for (int y = 0; y < split_points; y++) {
          v[y] = in[(x + nx * y) * w + l];
          squares[y] = v[y] * v[y];
        }
        const double sum = tree_sum(v), square = tree_sum(squares);
        for (int y = 0; y < split_points; y++) expected[(x + nx * y) * w + l] = sum + square + y;
      }
    TargetArray<double> from(in), to(in);
    for (const TuneParam &tp : some_launches()) {
      SCOPED_TRACE(described(tp));
      to.set(std::vector<double>(in.size(), -7.0));
      combine().warp(tp, {{nx, split_points, 1}, from.data(), nullptr, to.data()});
      EXPECT_EQ(to.get(), expected);
    }
  });
}

/// Runs of a block's indices side by side; the last one may be shorter. On scalar targets runs of a power of two go
/// through registers where the block is a multiple of them.
TEST(Combine, parts)
{
  on_every_target([] {
    const int w = target().width(Precision::double_);
    const std::vector<double> in = some_numbers(nx * w);
    for (std::size_t p = 0; p < std::size(part_lengths); p++)
      for (const unsigned block : {64u, 32u, 48u, 7u, 1u}) {
        SCOPED_TRACE(std::to_string(block) + " in parts of " + std::to_string(part_lengths[p]));
        std::vector<double> sums(in.size()), largest(in.size());
        const unsigned length = part_lengths[p];
        for (unsigned x = 0; x < nx; x++) {
          const unsigned first = x / block * block, begin = first + (x - first) / length * length;
          const unsigned end = std::min({begin + length, first + block, nx});
          for (int l = 0; l < w; l++) {
            std::vector<double> run;
            for (unsigned i = begin; i < end; i++) run.push_back(in[i * w + l]);
            sums[x * w + l] = tree_sum(run);
            largest[x * w + l] = *std::max_element(run.begin(), run.end());
          }
        }
        TargetArray<double> from(in), out(in), second(in);
        for (const int threads : {1, 2}) {
          const TuneParam tp = {{static_cast<int>(block), 1, 1}, {threads, 1, 1}, 0, 0, 0, 0, 0};
          out.set(std::vector<double>(in.size(), -7.0));
          parts().parts[p](tp, {{nx, 1, 1}, from.data(), out.data(), second.data()});
          EXPECT_EQ(out.get(), sums);
          EXPECT_EQ(second.get(), largest);
        }
      }
  });
}

} // namespace quda
