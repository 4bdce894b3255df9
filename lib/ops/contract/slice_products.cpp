#include "ops/contract/slice_products.h"

#include <algorithm>

#include "kernels/contract/slice_products_call.h"
#include "ops/contract/slice_sums.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(SliceProductsCall, slice_products)
QUDA_KERNEL_TABLE(SliceTile, slice_tile)

namespace
{

  constexpr const char *function = "slice_products";
  constexpr int most_sums = 4096; // of a launch
  constexpr int panel = 32;       // vectors of a launch, with half as many quark fields

  void check_fields(const ColorSpinorField &vectors, const ColorSpinorField &quarks)
  {
    const auto check = [](const ColorSpinorField &f, int spins) {
      if (!f.native() || f.spins() != spins || f.colors() != 3 || f.parities() != 2 || f.layers() != 1)
        fail(ErrorKind::internal,
             text("%s: native full fields of 3 colors, vectors of one spin and quarks of %d, please", function,
                  quark_spins));
    };
    check(vectors, 1);
    check(quarks, quark_spins);
    const bool same_lanes = std::equal(vectors.lattice().S(), vectors.lattice().S() + 4, quarks.lattice().S());
    if (vectors.precision() != quarks.precision() || !same_sites(vectors.lattice(), quarks.lattice()) || !same_lanes)
      fail(ErrorKind::internal, text("%s: one lattice and precision, please", function));
  }

} // namespace

ColorSpinorField in_even_blocks(const ColorSpinorField &field)
{
  ColorSpinorParam param = field.param();
  param.lattice = Lattice::sliced(param.lattice->X(), param.lattice->shared_communicator(), 3);
  ColorSpinorField even(param);
  even = field;
  return even;
}

std::vector<std::complex<double>> slice_products(const ColorSpinorField &vectors, const ColorSpinorField &quarks)
{
  check_fields(vectors, quarks);
  if (quarks.lattice().skew() >= 0) return slice_products(in_even_blocks(vectors), in_even_blocks(quarks));
  const Lattice &lattice = quarks.lattice();
  const FieldView view = quarks.view().field;
  const int bytes = bytes_of(quarks.precision()), of_tile = slice_tile().vectors;
  const int pair_sums = 2 * quark_spins, most_pairs = most_sums / pair_sums;
  const int slices = lattice.X(3), ranks = static_cast<int>(lattice.global_X()[3] / slices);
  const auto whole_tiles = [&](int n) { return (n + of_tile - 1) / of_tile * of_tile; };
  // as square a product as a launch holds, then as many slices
  const int v_most =
      std::min(whole_tiles(vectors.rhs()), std::max(panel, most_pairs / quarks.rhs() / of_tile * of_tile));
  const int q_most = std::min(quarks.rhs(), most_pairs / v_most);
  const int t_most = std::min(slices, most_pairs / (v_most * q_most));
  const auto kernel = slice_products_kernels().find(function, bytes);
  const auto registers_of_slice = registers(quarks) / view.lattice.O[3] / 4; // of cubes, eight sites each

  std::vector<std::complex<double>> result(static_cast<std::size_t>(vectors.rhs()) * quarks.rhs() * ranks * slices *
                                           quark_spins);
  std::vector<ExactLimbs> sums;
  for (int q0 = 0; q0 < quarks.rhs(); q0 += q_most)
    for (int v0 = 0; v0 < vectors.rhs(); v0 += v_most)
      for (int t0 = 0; t0 < slices; t0 += t_most) {
        const int nq = std::min(quarks.rhs() - q0, q_most), nv = std::min(vectors.rhs() - v0, v_most);
        const int nt = std::min(slices - t0, t_most), padded = whole_tiles(nv), across = padded / of_tile;
        sums.resize(static_cast<std::size_t>(nt) * nq * padded * pair_sums);
        SliceProductsCall call {};
        call.vectors = vectors.view().field;
        call.quarks = view;
        call.first_vector = v0;
        call.n_vectors = nv;
        call.first_quark = q0;
        call.first_slice = t0;
        call.across = across;
        call.tiles = across * nq;
        call.groups = call.tiles * nt;
        call.cubes_y = make_divisor(view.lattice.O[1] / 2);
        call.sums = sums.data();
        const long long sites = lattice.volume() / slices * nt;
        launch({.name = "SliceProducts",
                .lattice = lattice,
                .extent = {registers_of_slice, 1, call.groups},
                .aux = key_text("prec=", bytes, ",vectors=", rhs_class(nv), ",quarks=", rhs_class(nq),
                                ",slices=", rhs_class(nt)),
                .flops = 96 * sites * nv * nq,
                .bytes = sites * (6LL * nv + 24LL * nq) * bytes,
                .sums = sums},
               kernel, call);
        const std::vector<double> totals = sum_slices(lattice, 3, sums);
        const double *from = totals.data();
        for (int rank = 0; rank < ranks; rank++)
          for (int t = 0; t < nt; t++)
            for (int q = 0; q < nq; q++)
              for (int v = 0; v < padded; v++, from += pair_sums) {
                if (v >= nv) continue;
                const std::size_t pair = static_cast<std::size_t>(q0 + q) * vectors.rhs() + v0 + v;
                for (int s = 0; s < quark_spins; s++)
                  result[((pair * ranks + rank) * slices + t0 + t) * quark_spins + s] = {from[2 * s], from[2 * s + 1]};
              }
      }
  return result;
}

double slice_products_flops(const Lattice &lattice) { return 96.0 * static_cast<double>(lattice.volume()); }

} // namespace quda
