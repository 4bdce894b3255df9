/// Products of colour vectors with the spins of quark fields, summed over the time slices of a rank:
///   sums(t, q, e, s) = sum over x, y, z and c of conj(v^e_c(x)) psi^q_{s c}(x)
/// v     : (parity, x_cb, e, color 3) complex. psi: (parity, x_cb, q, spin 4, color 3) complex, of the same precision.
/// Cubes : a slice is cut into cubes of 2 x 2 x 2 sites, which lie in one block and on one rank, as all extents are
///         even. A cube's sum is one chain of 24 products in the fields' precision: z outermost, then y, then the site
///         of even parity before that of odd parity, then colours.
/// Sums  : of cubes, exact, so that neither threads nor lanes, ranks or tiles change a bit.
/// Groups: (slice, quark, tile of vectors), the last fastest: all spins of one quark, `vectors` vectors; in a tile any
///         beyond the last vector repeats it and is discarded. Within a tile of x all groups follow each other, so
///         that a slice's panels are read from memory once, whatever the number of products. If a slice lies in
///         some lanes, the others add zero.
/// Index : x: registers of cubes of a slice; z: groups. Halo: none. Collective: no.
/// Flops : 96 a site, vector and quark. Bytes: each vector and each quark field once.

#include "device/array.h"
#include "device/block_lanes.h"
#include "device/complex.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/contract/slice_products_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

struct SliceGroup {
#if defined(__AVX512F__)
  static constexpr int vectors = 2;
#else
  static constexpr int vectors = 1;
#endif
  static constexpr int sums = 2 * vectors * quark_spins;
};

template <class S, int> struct SliceProductsArg : SiteArg {
  using number = number_of<S>;
  using real = Real<S>;
  Storage<S, 6> vectors;
  Storage<S, 6 * quark_spins> quarks;
  unsigned first_vector, n_vectors, first_quark, first_slice, across, tiles;
  Divisor cubes_y;

  SliceProductsArg(const SliceProductsCall &c, const TuneParam &)
      : SiteArg(c.quarks.lattice, 1, c.groups)
      , vectors(c.vectors)
      , quarks(c.quarks)
      , first_vector(c.first_vector)
      , n_vectors(c.n_vectors)
      , first_quark(c.first_quark)
      , first_slice(c.first_slice)
      , across(c.across)
      , tiles(c.tiles)
      , cubes_y(c.cubes_y)
  {
    threads[0] = index.face_cb[3] / 4 * parts_of(index.lattice);
  }
};

template <class Arg> struct SliceProducts : NoKernelOps {
  using real = typename Arg::real;
  static constexpr int vectors = SliceGroup::vectors;
  static constexpr bool groups_share = true; // the panels of a slice
  using Chains = Complex<real>[vectors][quark_spins];
  const Arg &arg;

  /// The site of a cube with the lowest coordinates.
  QUDA_DEVICE Coord corner(unsigned record, int t) const
  {
    const Index &index = arg.index;
    const unsigned cube = record >> log_parts_of(index.lattice);
    const unsigned yz = Index::quotient(cube, index.lattice.by[0]), z = Index::quotient(yz, arg.cubes_y);
    Coord x;
    x.x_cb = 0;
    x.part = record & (parts_of(index.lattice) - 1);
    x.parity = t & 1;
    x.o[0] = 2 * static_cast<int>(cube - yz * index.lattice.by[0].divisor);
    x.o[1] = 2 * static_cast<int>(yz - z * arg.cubes_y.divisor);
    x.o[2] = 2 * static_cast<int>(z);
    x.o[3] = t;
    x.full = index.number(x.o);
    return x;
  }

  /// One site's products, added to the chains.
  QUDA_DEVICE void add(Chains &sum, const Place &here, const int (&e)[vectors], int q) const
  {
    const auto psi = arg.quarks.read(here, q);
    decltype(arg.vectors.read(here, 0)) v[vectors];
    QUDA_UNROLL
    for (int j = 0; j < vectors; j++) v[j] = arg.vectors.read(here, e[j]);
    QUDA_UNROLL
    for (int c = 0; c < 3; c++) {
      Complex<real> a[vectors];
      QUDA_UNROLL
      for (int j = 0; j < vectors; j++) a[j] = {v[j][2 * c], v[j][2 * c + 1]};
      QUDA_UNROLL
      for (int s = 0; s < quark_spins; s++) {
        const Complex<real> b = {psi[6 * s + 2 * c], psi[6 * s + 2 * c + 1]};
        QUDA_UNROLL
        for (int j = 0; j < vectors; j++) sum[j][s] = conj_multiply_add(a[j], b, sum[j][s]);
      }
    }
  }

  QUDA_DEVICE array<real, SliceGroup::sums> operator()(unsigned record, unsigned, unsigned group) const
  {
    const unsigned slice = group / arg.tiles, tile = group - slice * arg.tiles;
    const unsigned of_quark = tile / arg.across, of_vectors = tile - of_quark * arg.across;
    const int q = static_cast<int>(arg.first_quark + of_quark);
    int e[vectors];
    QUDA_UNROLL
    for (unsigned j = 0; j < vectors; j++) {
      const unsigned n = of_vectors * vectors + j;
      e[j] = static_cast<int>(arg.first_vector + (n < arg.n_vectors ? n : arg.n_vectors - 1));
    }
    const int t = static_cast<int>(arg.first_slice + slice), O = arg.index.lattice.O[3], block = t / O;
    const Coord x = corner(record, t - block * O);

    Chains sum;
    QUDA_UNROLL
    for (int j = 0; j < vectors; j++) {
      QUDA_UNROLL
      for (int s = 0; s < quark_spins; s++) sum[j][s] = {real(0.0), real(0.0)};
    }
    for (int row = 0; row < 4; row++) { // of two sites along x, which have one number, one in each parity
      Coord site = x;
      site.full += (row & 1 ? arg.index.stride[1] : 0) + (row & 2 ? arg.index.stride[2] : 0);
      for (site.parity = 0; site.parity < 2; site.parity++) add(sum, arg.index.here(site), e, q);
    }

    array<real, SliceGroup::sums> sums;
    QUDA_UNROLL
    for (int j = 0; j < vectors; j++) {
      QUDA_UNROLL
      for (int s = 0; s < quark_spins; s++) {
        sums[2 * (j * quark_spins + s)] = sum[j][s].re;
        sums[2 * (j * quark_spins + s) + 1] = sum[j][s].im;
      }
    }
    if (arg.index.lattice.S[3] > 1) {
      const real mine = lanes_of_block<typename Arg::number>(arg.index.lattice, 3, block, x.part), zero = real(0.0);
      QUDA_UNROLL
      for (int i = 0; i < SliceGroup::sums; i++) sums[i] = select(mine > zero, sums[i], zero);
    }
    return sums;
  }
};

QUDA_INSTANCES(slice_products, SliceProductsCall, Sum3D<SliceProducts, SliceProductsArg>, Floating, NoVariants)

extern const SliceTile slice_tile;
const SliceTile slice_tile = {SliceGroup::vectors};

} // namespace quda::QUDA_TARGET_NAMESPACE
