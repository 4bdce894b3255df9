#include "ops/multigrid/blocks.h"

#include <algorithm>

#include "fields/aggregates.h"
#include "kernels/multigrid/blocks_call.h"
#include "ops/launch.h"
#include "ops/multigrid/rows.h"
#include "targets/target.h"

namespace quda
{

QUDA_KERNELS(BlocksCall, restrict_blocks)
QUDA_KERNELS(BlocksCall, prolong_blocks)
QUDA_KERNELS(ChiralColumnsCall, chiral_columns)

namespace
{

  Precision of_vectors(Precision of_V) { return of_V == Precision::double_ ? Precision::double_ : Precision::single; }

  bool same_lanes(const ColorSpinorField &a, const ColorSpinorField &b)
  {
    return same_sites(a.lattice(), b.lattice()) && std::equal(a.lattice().S(), a.lattice().S() + 4, b.lattice().S());
  }

  void check_spinors(const char *function, const char *name, const ColorSpinorField &f)
  {
    if (!f.native() || f.spins() != 4 || f.colors() != 3 || f.layers() != 1)
      fail(ErrorKind::unsupported,
           text("%s: %s has %d spins, %d colors and %d layers; native fields of 4 spins, 3 colors and one layer are "
                "transferred",
                function, name, f.spins(), f.colors(), f.layers()));
  }

  void check(const char *function, const ColorSpinorField &coarse, const ColorSpinorField &V,
             const ColorSpinorField &fine, const int block[4])
  {
    check_spinors(function, "V", V);
    check_spinors(function, "the fine field", fine);
    if (V.rhs() > most_block_vectors)
      fail(ErrorKind::unsupported,
           text("%s: V has %d vectors; up to %d are transferred", function, V.rhs(), most_block_vectors));
    if (!same_lanes(V, fine) || (V.parities() == 1 && (fine.parities() == 2 || fine.parity() != V.parity())))
      fail(ErrorKind::internal, text("%s: V and the fine field lie on other sites", function));
    if (fine.precision() != of_vectors(V.precision()) || coarse.precision() != fine.precision())
      fail(ErrorKind::unsupported,
           text("%s: precisions of V (%d bytes), the fine field (%d) and the coarse field (%d); fields are double for "
                "double V, else single",
                function, bytes_of(V.precision()), bytes_of(fine.precision()), bytes_of(coarse.precision())));
    if (!has_rows(coarse, 2 * V.rhs()) || coarse.rhs() != fine.rhs())
      fail(ErrorKind::internal, text("%s: the coarse field has %d colors and %d right-hand sides; for %d rows and %d "
                                     "right-hand sides",
                                     function, coarse.colors(), coarse.rhs(), 2 * V.rhs(), fine.rhs()));
    const Lattice &lattice = fine.lattice();
    int count[4];
    count_aggregates(lattice.X(), block, count);
    if (lattice.skew() >= 0)
      fail(ErrorKind::internal, text("%s: blocks of %s are skewed", function, lattice.description().c_str()));
    for (int d = 0; d < 4; d++) {
      if (lattice.O()[d] % block[d])
        fail(ErrorKind::internal, text("%s: block[%d] = %d does not divide O[%d] = %d of %s", function, d, block[d], d,
                                       lattice.O()[d], lattice.description().c_str()));
      const int needed = count[d] + count[d] % 2;
      if (coarse.lattice().X(d) != needed)
        fail(ErrorKind::internal, text("%s: the coarse lattice has X[%d] = %d, for %d / block[%d] = %d it is %d",
                                       function, d, coarse.lattice().X(d), lattice.X(d), d, block[d], needed));
    }
  }

  BlocksCall make_call(const ColorSpinorField &coarse, const ColorSpinorField &V, const ColorSpinorField &fine,
                       const int block[4], bool add)
  {
    BlocksCall call {};
    call.V = V.view().field;
    call.fine = fine.view().field;
    call.coarse = coarse.view().field;
    for (int d = 0; d < 4; d++) {
      call.block[d] = block[d];
      call.hi[d] = block[d];
    }
    call.parity = fine.parities() == 1 ? fine.parity() : -1;
    call.coarse_parity = coarse.parities() == 1 ? coarse.parity() : -1;
    call.add = add;
    return call;
  }

  bool lanes_in_use() { return target().lanes() > 1; }

  /// part: fraction of the sites.
  SiteLaunch make_launch(const char *name, const ColorSpinorField &coarse, const ColorSpinorField &V,
                         const ColorSpinorField &fine, const int block[4], double part)
  {
    const double sites = part * static_cast<double>(fine.sites());
    const Lattice &lattice = fine.lattice();
    unsigned aggregates = fine.view().field.lattice.parts;
    for (int d = 0; d < 4; d++) aggregates *= static_cast<unsigned>(lattice.O()[d] / block[d]);
    return {.name = name,
            .lattice = lattice,
            .extent = {aggregates},
            .aux =
                key_text("prec=", bytes_of(V.precision()), ",block=", block[0], ".", block[1], ".", block[2], ".",
                         block[3], ",vectors=", V.rhs(), ",rhs=", rhs_class(fine.rhs()), ",parities=", fine.parities()),
            .flops = static_cast<long long>(96 * sites * V.rhs() * fine.rhs()),
            .bytes = static_cast<long long>(
                         sites * static_cast<double>(V.rhs() * V.record_bytes() + fine.rhs() * fine.record_bytes())) +
                     coarse.sites() * fine.rhs() * 4LL * V.rhs() * bytes_of(coarse.precision()),
            .prefetch = true, // vectors of a site
            .prefetch_bytes = static_cast<int>(V.record_bytes()) * fine.view().field.lattice.width};
  }

} // namespace

void restrict_blocks(ColorSpinorField &coarse, const ColorSpinorField &V, const ColorSpinorField &fine,
                     const int block[4], const int lo[4], const int hi[4], bool add)
{
  constexpr const char *function = "restrict_blocks";
  check(function, coarse, V, fine, block);
  BlocksCall call = make_call(coarse, V, fine, block, add);
  double part = 1;
  for (int d = 0; d < 4; d++) {
    if (lo) call.lo[d] = lo[d];
    if (hi) call.hi[d] = hi[d];
    if (call.lo[d] < 0 || call.hi[d] > block[d] || call.lo[d] > call.hi[d])
      fail(ErrorKind::internal, text("%s: lo[%d] = %d and hi[%d] = %d in a block of extent %d", function, d, call.lo[d],
                                     d, call.hi[d], block[d]));
    part *= static_cast<double>(call.hi[d] - call.lo[d]) / block[d];
  }
  SiteLaunch what = make_launch("RestrictBlocks", coarse, V, fine, block, part);
  if (lanes_in_use())
    what.variants = 3; // vectors that a thread processes together
  else
    what.extent[1] = static_cast<unsigned>(V.rhs()) * (fine.rhs() == 1 ? 2 : 1);
  if (part < 1) what.aux = key_text(what.aux.s, ",box");
  if (add) what.in_place = memory_of(coarse);
  launch(what, restrict_blocks_kernels().find(function, bytes_of(V.precision())), call);
  coarse.mark_written();
}

void prolong_blocks(ColorSpinorField &fine, const ColorSpinorField &V, const ColorSpinorField &coarse,
                    const int block[4], bool add)
{
  constexpr const char *function = "prolong_blocks";
  check(function, coarse, V, fine, block);
  const BlocksCall call = make_call(coarse, V, fine, block, add);
  SiteLaunch what = make_launch("ProlongBlocks", coarse, V, fine, block, 1);
  if (add) {
    what.aux = key_text(what.aux.s, ",add");
    what.bytes += fine.sites() * fine.rhs() * fine.record_bytes();
    what.in_place = memory_of(fine);
  } else {
    what.streaming = true;
    what.written = memory_of(fine);
  }
  if (lanes_in_use()) {
    what.variants = 2; // whole aggregates, or slices of them
  } else {
    what.extent[0] = registers(fine);
    what.extent[1] = static_cast<unsigned>(fine.parities());
    what.extent[2] = static_cast<unsigned>(fine.rhs());
  }
  launch(what, prolong_blocks_kernels().find(function, bytes_of(V.precision())), call);
  fine.mark_written();
}

namespace
{

  void launch_chiral(const char *function, ColorSpinorField &out, const ColorSpinorField &in, int first, int last,
                     int direction, int sign)
  {
    check_spinors(function, "in", in);
    check_spinors(function, "out", out);
    if (direction < -1 || direction > 3 || (sign != 1 && sign != -1))
      fail(ErrorKind::internal, text("%s: direction = %d, sign = %d", function, direction, sign));
    if (!same_lanes(out, in) || out.parities() != in.parities() || out.parity() != in.parity() ||
        out.precision() != in.precision() || out.rhs() != (last - first + 1) * in.rhs())
      fail(ErrorKind::internal,
           text("%s: out has %d right-hand sides of %d bytes a real, in %d of %d; of the same sites and %d times as "
                "many, "
                "please",
                function, out.rhs(), bytes_of(out.precision()), in.rhs(), bytes_of(in.precision()), last - first + 1));
    ChiralColumnsCall call {};
    call.in = in.view().field;
    call.out = out.view().field;
    call.first = first;
    call.last = last;
    call.direction = direction;
    call.sign = sign;
    call.parity = in.parities() == 1 ? in.parity() : 0;
    call.parities = in.parities();
    launch({.name = "ChiralColumns",
            .lattice = in.lattice(),
            .extent = {registers(in), static_cast<unsigned>(in.parities()), static_cast<unsigned>(in.rhs())},
            .aux = key_text("prec=", bytes_of(in.precision()), ",gamma=", direction >= 0, ",columns=", last - first + 1,
                            ",rhs=", rhs_class(in.rhs()), ",parities=", in.parities()),
            .bytes = in.sites() * (in.rhs() * in.record_bytes() + out.rhs() * out.record_bytes()),
            .streaming = true,
            .written = memory_of(out)},
           chiral_columns_kernels().find(function, bytes_of(in.precision())), call);
    out.mark_written();
  }

} // namespace

void chiral_columns(ColorSpinorField &out, const ColorSpinorField &in, int direction, int sign)
{
  launch_chiral("chiral_columns", out, in, 0, 1, direction, sign);
}

void chiral_part(ColorSpinorField &out, const ColorSpinorField &in, int X)
{
  launch_chiral("chiral_part", out, in, X, X, -1, 1);
}

} // namespace quda
