#pragma once
/// Matrices transposed in blocks.

#include "device/block_transpose.h"
#include "kernel_ops/tables.h"
#include "core/tune_param.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <int bytes> struct ElementOf;
template <> struct ElementOf<2> {
  using type = short;
};
template <> struct ElementOf<4> {
  using type = float;
};
template <> struct ElementOf<6> {
  using type = Shorts<3>;
};
template <> struct ElementOf<8> {
  using type = double;
};
template <> struct ElementOf<12> {
  using type = Shorts<6>;
};
template <> struct ElementOf<16> {
  using type = Pair;
};

template <int bytes, int tile_x, int tile_y> struct TransposeArg {
  using T = typename ElementOf<bytes>::type;
  using Transposition = BlockTranspose<T, tile_x, tile_y>;
  unsigned threads[3];
  unsigned nx, ny;
  const T *in;
  T *out;

  TransposeArg(const TransposeCall &c, const TuneParam &tp)
      : threads {Transposition::threads(c.nx, 0, tp.block[0]), Transposition::threads(c.ny, 1, tp.block[1]), c.nz}
      , nx(c.nx)
      , ny(c.ny)
      , in(static_cast<const T *>(c.in))
      , out(static_cast<T *>(c.out))
  {
  }
};

/// out[z][x][y] = in[z][y][x]
template <class Arg> struct BlockTransposed : KernelOps<typename Arg::Transposition> {
  using T = typename Arg::T;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x, unsigned y, unsigned z) const
  {
    const T *const in = arg.in + static_cast<unsigned long long>(z) * arg.nx * arg.ny;
    T *const out = arg.out + static_cast<unsigned long long>(z) * arg.nx * arg.ny;
    const unsigned nx = arg.nx, ny = arg.ny;
    const auto load = [=](unsigned i, unsigned j, T *run, int count) QUDA_LAMBDA {
      for (int k = 0; k < count; k++) run[k] = in[i + k + j * nx];
    };
    const auto store = [=](unsigned i, unsigned j, const T *run, int count) QUDA_LAMBDA {
      for (int k = 0; k < count; k++) out[j + k + i * ny] = run[k];
    };
    const typename Arg::Transposition transpose {*this};
    transpose(x, y, nx, ny, load, store);
  }
};

/// A change of basis, a conversion and a scale on the way: columns 2 x and 2 x + 1 of doubles become the sum and the
/// difference, halved, in single precision; out[x][y] for x < 2 nx.
template <class Arg> struct Rotated : KernelOps<typename Arg::Transposition> {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x, unsigned y, unsigned) const
  {
    const auto *const in = reinterpret_cast<const double *>(arg.in);
    auto *const out = reinterpret_cast<float *>(arg.out);
    const unsigned nx = arg.nx, ny = arg.ny;
    const auto load = [=](unsigned i, unsigned j, float *run, int count) QUDA_LAMBDA {
      for (int k = 0; k < count; k++) {
        const unsigned even = (i + k) / 2 * 2;
        const double a = in[even + j * nx], b = in[even + 1 + j * nx];
        run[k] = static_cast<float>((i + k) % 2 ? a - b : a + b);
      }
    };
    const auto store = [=](unsigned i, unsigned j, const float *run, int count) QUDA_LAMBDA {
      for (int k = 0; k < count; k++) out[j + k + i * ny] = 0.5f * run[k];
    };
    const typename Arg::Transposition transpose {*this};
    transpose(x, y, nx, ny, load, store);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
