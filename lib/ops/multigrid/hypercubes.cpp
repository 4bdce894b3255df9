#include "ops/multigrid/hypercubes.h"

#include "core/error.h"
#include "fields/aggregates.h"
#include "kernels/multigrid/hypercubes_call.h"
#include "ops/launch.h"
#include "ops/multigrid/rows.h"

namespace quda
{

QUDA_KERNELS(HypercubesCall, hypercubes)

namespace
{

  void check(const char *function, const ColorSpinorField &fine, const ColorSpinorField &rows)
  {
    if (!fine.native() || fine.spins() != 1 || fine.colors() != 3 || fine.layers() != 1)
      fail(ErrorKind::unsupported,
           text("%s: the fine field has %d spins, %d colors and %d layers; native fields of 1 spin, 3 colors and one "
                "layer are transferred",
                function, fine.spins(), fine.colors(), fine.layers()));
    if (rows.precision() != fine.precision())
      fail(ErrorKind::internal, text("%s: precisions of the fine field (%d bytes) and the rows (%d)", function,
                                     bytes_of(fine.precision()), bytes_of(rows.precision())));
    if (!has_rows(rows, hypercube_rows) || rows.rhs() != fine.rhs())
      fail(ErrorKind::internal,
           text("%s: a field of %d colors and %d right-hand sides for %d rows and %d right-hand sides", function,
                rows.colors(), rows.rhs(), hypercube_rows, fine.rhs()));
    int X[4];
    coarse_extents(fine.lattice().X(), hypercube, X);
    for (int d = 0; d < 4; d++)
      if (rows.lattice().X(d) != X[d])
        fail(ErrorKind::internal, text("%s: the lattice of hypercubes has X[%d] = %d, half of %d is %d", function, d,
                                       rows.lattice().X(d), fine.lattice().X(d), X[d]));
  }

  void run(const char *function, const ColorSpinorField &fine, const ColorSpinorField &rows, const int *lo,
           const int *hi, bool add, bool to_rows)
  {
    check(function, fine, rows);
    HypercubesCall call {};
    call.fine = fine.view().field;
    call.rows = rows.view().field;
    for (int d = 0; d < 4; d++) {
      call.lo[d] = lo ? lo[d] : 0;
      call.hi[d] = hi ? hi[d] : 2;
    }
    call.parity = fine.parities() == 1 ? fine.parity() : -1;
    call.coarse_parity = rows.parities() == 1 ? rows.parity() : -1;
    call.add = add;
    const ColorSpinorField &out = to_rows ? rows : fine;
    const unsigned parities = to_rows ? 2 : static_cast<unsigned>(fine.parities());
    launch({.name = "Hypercubes",
            .lattice = fine.lattice(),
            .extent = {registers(fine), parities, static_cast<unsigned>(fine.rhs())},
            .aux = key_text("prec=", bytes_of(fine.precision()), ",rows=", to_rows, ",rhs=", rhs_class(fine.rhs()),
                            ",parities=", fine.parities(), ",add=", add),
            .bytes = (add ? 3 : 2) * fine.sites() * fine.rhs() * fine.record_bytes(),
            .in_place = add ? memory_of(out) : MemorySpan {}},
           hypercubes_kernels().find(function, bytes_of(fine.precision()), to_rows), call);
  }

} // namespace

LegRows face_rows()
{
  LegRows all {hypercube_rows, {}};
  for (int leg = 0; leg < 8; leg++) {
    const int mu = leg % 4, at = leg < 4 ? 0 : 1; // coordinate of the face
    std::vector<RowRun> runs;
    for (int row = 0; row < hypercube_rows; row += 3) {
      int b[4] = {0, row / 3 % 2, row / 6 % 2, row / 12 % 2};
      b[0] = (b[1] + b[2] + b[3] + row / 24) % 2;
      if (b[mu] != at) continue;
      if (!runs.empty() && runs.back().end == row)
        runs.back().end += 3;
      else
        runs.push_back({row, row + 3});
    }
    all.of_leg.push_back(std::move(runs));
  }
  return all;
}

void to_hypercubes(ColorSpinorField &rows, const ColorSpinorField &fine, const int lo[4], const int hi[4], bool add)
{
  run("to_hypercubes", fine, rows, lo, hi, add, true);
  rows.mark_written();
}

void from_hypercubes(ColorSpinorField &fine, const ColorSpinorField &rows, bool add)
{
  run("from_hypercubes", fine, rows, nullptr, nullptr, add, false);
  fine.mark_written();
}

} // namespace quda
