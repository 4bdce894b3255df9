#pragma once
/// Random numbers of lattice sites: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC'11), a function of a key and a
/// counter without a state.
///   key     : the caller's seed, 64 bits
///   counter : words 0, 1  lexicographic number of the site in the global lattice (x fastest), low word first
///             word 2      purpose (2 bits), direction (2), update within the sweep (8), draw (20)
///             word 3      sweep
/// A draw gives two uniforms, words 0, 1 (first) and 2, 3 of the result: u = (k + 1/2) / 2^52 in (0, 1), k the upper 52
/// bits of the pair, its first word the higher one; in single precision rounded, so in (0, 1]. A number depends only on
/// seed, site, direction, purpose, update, draw and sweep: not on ranks, lanes, threads, target or launch.

#include "core/view.h"
#include <index.h>
#include <words.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

enum class Purpose : unsigned { gauge = 0, momentum = 1, start = 2, heatbath = 3 };

/// Word 2 of the counter for draw 0.
QUDA_DEVICE unsigned first_draw(Purpose purpose, int mu, int update)
{
  return static_cast<unsigned>(purpose) << 30 | static_cast<unsigned>(mu) << 28 | static_cast<unsigned>(update) << 20;
}

/// Turns the counter into random words.
QUDA_DEVICE void philox(Words (&c)[4], unsigned long long seed)
{
  unsigned k0 = static_cast<unsigned>(seed), k1 = static_cast<unsigned>(seed >> 32);
  QUDA_UNROLL
  for (int round = 0; round < 10; round++) {
    const Words a = product(c[0], 0xD2511F53u), b = product(c[2], 0xCD9E8D57u);
    c[0] = b >> 32 ^ c[1] ^ k0;
    c[1] = b;
    c[2] = a >> 32 ^ c[3] ^ k1;
    c[3] = a;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

/// The uniform from two words.
QUDA_DEVICE Real<double> uniform(Words high, Words low)
{
  const Words k = (high << 32 | (low & 0xFFFFFFFFu)) >> 12;
  const Words one_and_k = k | 0x3FF0000000000000u; // 1 + k / 2^52
  return real_of<double>(one_and_k) - Real<double>(1.0 - 0x1p-53);
}

/// Numbers of sites in the global lattice.
struct GlobalSites {
  // numbers at block coordinates 0, lanes counted over all parts; [1]: for the last sites of a skewed block, which wrap
  alignas(64) unsigned long long lane[2][max_lanes];
  int skew, last;
  unsigned long long stride[4];

  QUDA_DEVICE GlobalSites() {}
  QUDA_DEVICE explicit GlobalSites(const LatticeView &lattice)
  {
    stride[0] = 1;
    for (int d = 1; d < 4; d++)
      stride[d] = stride[d - 1] * static_cast<unsigned long long>(lattice.blocks[d - 1]) * lattice.O[d - 1];
    skew = lattice.skew < 0 ? 0 : lattice.skew;
    last = lattice.skew < 0 ? -1 : lattice.O[skew] - 1;
    for (int l = 0; l < max_lanes; l++) {
      lane[0][l] = 0;
      for (int d = 0; d < 4; d++)
        lane[0][l] += stride[d] * (static_cast<unsigned long long>(lattice.first_block[d]) * lattice.O[d] +
                                   (l < lattice.lanes ? coordinate(lattice, d, 0, l) : 0));
      lane[1][l] = lane[0][l] - (lattice.ahead >> l & 1 ? stride[skew] * lattice.O[skew] : 0);
    }
  }

  /// Words of the lanes in half `h` of a register of numbers T (0 where words fill a register as T does).
  template <class T> QUDA_DEVICE Words of(const Coord &x, int h) const
  {
    unsigned long long o = 0;
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) o += stride[d] * static_cast<unsigned long long>(x.o[d]);
    return load_words(lane[x.o[skew] == last] + x.part * width<T> + h * width<double>) + o;
  }
};

/// The random numbers of the sites of one register, for one purpose, direction, update and sweep.
template <class R> struct SiteRandom {
  using T = number_of<R>;
  Words site[word_registers<T>];
  unsigned long long seed;
  unsigned first; // first_draw()
  unsigned sweep;

  QUDA_DEVICE SiteRandom(const GlobalSites &sites, const Coord &x, unsigned long long seed, unsigned first,
                         unsigned sweep)
      : seed(seed)
      , first(first)
      , sweep(sweep)
  {
    QUDA_UNROLL
    for (int h = 0; h < word_registers<T>; h++) site[h] = sites.of<T>(x, h);
  }

  QUDA_DEVICE void uniforms(unsigned draw, R &u, R &v) const
  {
    Real<double> a[word_registers<T>], b[word_registers<T>];
    QUDA_UNROLL
    for (int h = 0; h < word_registers<T>; h++) {
      const Words zero = site[h] ^ site[h];
      Words c[4] = {site[h], site[h] >> 32, zero + (first + draw), zero + sweep};
      philox(c, seed);
      a[h] = uniform(c[0], c[1]);
      b[h] = uniform(c[2], c[3]);
    }
    u = rounded<T>(a);
    v = rounded<T>(b);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
