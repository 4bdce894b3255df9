#include "ops/multigrid/row_product.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "kernels/multigrid/row_product_call.h"
#include "ops/halo/boundary.h"
#include "ops/halo/exchange.h"
#include "ops/launch.h"
#include "ops/multigrid/rows.h"

namespace quda
{

QUDA_KERNELS(RowProductCall, row_product)
QUDA_KERNEL_TABLE(RowProductTile, row_product_tile)

namespace
{

  constexpr const char *function = "row_product";

  [[noreturn]] void refuse(const char *what, long long is, long long allowed)
  {
    fail(ErrorKind::internal, text("%s: %s = %lld; allowed: %lld", function, what, is, allowed));
  }

  /// The place of a source that is at most one step beyond one cut face.
  LegSource place_of(const Lattice &lattice, int leg, int y[4])
  {
    int beyond = -1, up = 0, sum = 0;
    for (int d = 0; d < 4; d++) sum += y[d];
    for (int d = 0; d < 4; d++) {
      const int X = lattice.X(d);
      if (y[d] >= 0 && y[d] < X) continue;
      if (!lattice.cut(d)) {
        y[d] = (y[d] % X + X) % X;
      } else if (beyond >= 0 || y[d] < -1 || y[d] > X) {
        fail(ErrorKind::internal, text("Legs: leg %d reads more than one site beyond a cut face", leg));
      } else {
        beyond = d;
        up = y[d] > 0;
      }
    }
    const unsigned parity = static_cast<unsigned>(sum & 1); // extents are even
    if (beyond < 0) return {lattice.position(y).o_cb, parity};
    unsigned face = 0;
    for (int d = 3; d >= 0; d--)
      if (d != beyond) face = face * static_cast<unsigned>(lattice.X(d)) + static_cast<unsigned>(y[d]);
    return {face / 2, 2 * static_cast<unsigned>(1 + 2 * beyond + up) + parity};
  }

  std::vector<LegSource> table_of(const Lattice &out, const Lattice &in, int legs, const Legs::Source &source,
                                  std::vector<unsigned char> &leaves)
  {
    std::vector<LegSource> table(static_cast<std::size_t>(legs) * out.volume());
    leaves.assign(static_cast<std::size_t>(legs), 0);
    std::size_t n = 0;
    for (int leg = 0; leg < legs; leg++)
      for (long long slot = 0; slot < out.volume(); slot++, n++) {
        int x[4], y[4];
        out.slot_coordinates(slot, x); // with one block a slot is a place in memory
        source(leg, x, y);
        table[n] = place_of(in, leg, y);
        const unsigned region = table[n].where / 2;
        if (region > 0) leaves[static_cast<std::size_t>(leg)] |= static_cast<unsigned char>(1U << (region - 1));
      }
    return table;
  }

  DeviceBuffer on_target(const std::vector<LegSource> &table)
  {
    return DeviceBuffer(table.data(), table.size() * sizeof(LegSource));
  }

  bool single_block(const Lattice &lattice)
  {
    return std::all_of(lattice.S(), lattice.S() + 4, [](int S) { return S == 1; });
  }

  /// Source of one of the nine legs of a coarse operator.
  void to_neighbour(int leg, const int x[4], int source[4])
  {
    for (int d = 0; d < 4; d++) source[d] = x[d];
    if (leg < 8) source[leg % 4] += leg < 4 ? 1 : -1;
  }

  void check(const ColorSpinorField &out, const ColorSpinorField &in, const RowProduct &product, const RowEnd &end)
  {
    const ColorSpinorField &M = product.matrices;
    const Legs &legs = product.legs;
    if (&out.lattice() != legs.out().get() || &M.lattice() != legs.out().get() || &in.lattice() != legs.in().get())
      fail(ErrorKind::internal, text("%s: a field is on another lattice than the legs", function));
    const int rows_in = legs.rows_for(M.rhs());
    if (M.rhs() != legs.columns(rows_in)) refuse("columns of all legs", M.rhs(), legs.columns(rows_in));
    if (!has_rows(in, rows_in)) refuse("colors of in", in.colors(), rows_in);
    if (!M.native() || M.spins() != 1 || M.layers() != 1) refuse("spins of matrices", M.spins(), 1);
    for (const ColorSpinorField *field : {static_cast<const ColorSpinorField *>(&out), end.x, end.y}) {
      if (!field) continue;
      if (!field->native() || field->spins() != 1 || field->layers() != 1) refuse("spins", field->spins(), 1);
      if (field->colors() != M.colors()) refuse("colors", field->colors(), M.colors());
      if (field->rhs() != in.rhs()) refuse("right-hand sides", field->rhs(), in.rhs());
      if (field->precision() != in.precision())
        refuse("precision", bytes_of(field->precision()), bytes_of(in.precision()));
      if (field->parities() != out.parities() || field->parity() != out.parity())
        refuse("parity", field->parity(), out.parity());
    }
    const int vectors = bytes_of(M.precision()) == 8 ? 8 : 4;
    if (bytes_of(in.precision()) != vectors) refuse("precision of vectors", bytes_of(in.precision()), vectors);
    if (M.parities() == 1 && (out.parities() == 2 || out.parity() != M.parity()))
      refuse("parity of matrices", M.parity(), out.parity());
    if (in.data() == out.data()) fail(ErrorKind::internal, text("%s: out is in", function));
    for (const int leg : product.list)
      if (leg < 0 || leg >= legs.count()) refuse("leg", leg, legs.count() - 1);
  }

} // namespace

Legs::Legs(std::shared_ptr<const Lattice> out, std::shared_ptr<const Lattice> in, int legs, const Source &source)
    : Legs(std::move(out), std::move(in), legs, source, LegRows {})
{
}

Legs::Legs(std::shared_ptr<const Lattice> out, std::shared_ptr<const Lattice> in, int legs, const Source &source,
           const LegRows &reads)
    : out_(std::move(out))
    , in_(std::move(in))
    , count_(legs)
    , reads_(reads)
    , sources_(on_target(table_of(*out_, *in_, legs, source, leaves_)))
{
  for (const std::vector<RowRun> &leg : reads_.of_leg) {
    int row = 0, column = first_.empty() ? 0 : first_.back();
    if (first_.empty()) first_.push_back(column);
    for (const RowRun &run : leg) {
      if (run.begin < row || run.end <= run.begin || run.end > reads_.rows)
        fail(ErrorKind::internal,
             text("Legs: rows %d to %d of %d after row %d", run.begin, run.end - 1, reads_.rows, row));
      row = run.end;
      column += run.end - run.begin;
    }
    first_.push_back(column);
  }
  if (!single_block(*out_) || !single_block(*in_)) fail(ErrorKind::internal, "Legs: lanes of a lattice are sites");
}

Legs Legs::neighbours(const std::shared_ptr<const Lattice> &lattice) { return Legs(lattice, lattice, 9, to_neighbour); }

Legs Legs::neighbours(const std::shared_ptr<const Lattice> &lattice, const LegRows &rows)
{
  return Legs(lattice, lattice, static_cast<int>(rows.of_leg.size()), to_neighbour, rows);
}

Legs Legs::single(const std::shared_ptr<const Lattice> &lattice, int neighbour)
{
  return Legs(lattice, lattice, 1,
              [neighbour](int, const int x[4], int source[4]) { to_neighbour(neighbour, x, source); });
}

const int *Legs::list(std::span<const int> legs) const
{
  const std::vector<int> key(legs.begin(), legs.end());
  auto at = lists_.find(key);
  if (at == lists_.end()) at = lists_.emplace(key, DeviceBuffer(key.data(), key.size() * sizeof(int))).first;
  return static_cast<const int *>(at->second.device());
}

const void *Legs::runs(int rows) const
{
  auto at = runs_.find(rows);
  if (at == runs_.end()) {
    std::vector<LegRun> all(static_cast<std::size_t>(count_));
    for (int leg = 0; leg < count_; leg++) {
      const int first = static_cast<int>(all.size());
      int column = first_column(leg, rows);
      const auto put = [&](RowRun run) {
        all.push_back({run.begin, run.end, column});
        column += run.end - run.begin;
      };
      if (reads_.rows)
        for (const RowRun &run : reads_.of_leg[static_cast<std::size_t>(leg)]) put(run);
      else
        put({0, rows});
      all[static_cast<std::size_t>(leg)] = {first, static_cast<int>(all.size()), first_column(leg, rows)};
    }
    at = runs_.emplace(rows, DeviceBuffer(all.data(), all.size() * sizeof(LegRun))).first;
  }
  return at->second.device();
}

bool Legs::leaves(std::span<const int> legs, int d, int up) const
{
  return std::any_of(legs.begin(), legs.end(),
                     [&](int leg) { return (leaves_[static_cast<std::size_t>(leg)] >> (2 * d + up) & 1) != 0; });
}

void row_product(ColorSpinorField &out, const ColorSpinorField &in, const RowProduct &product, const RowEnd &end)
{
  check(out, in, product, end);
  const ColorSpinorField &M = product.matrices;
  const Legs &legs = product.legs;
  const Lattice &lattice = out.lattice();

  std::optional<HaloExchange> halo;
  HaloShape shape = halo_shape(in, 1, in.precision());
  bool crosses = false;
  for (int d = 0; d < 4; d++) {
    shape.from_below[d] = legs.leaves(product.list, d, 0);
    shape.from_above[d] = legs.leaves(product.list, d, 1);
    crosses = crosses || shape.from_below[d] || shape.from_above[d];
  }
  if (crosses) {
    halo.emplace(function, in.lattice(), std::initializer_list<HaloShape> {shape});
    halo->pack(in);
    halo->send();
  }

  RowProductCall call {};
  call.out = out.view().field;
  call.in = in.view().field;
  if (end.x) call.x = end.x->view().field;
  if (end.y) call.y = end.y->view().field;
  call.matrices = M.view().field;
  call.sources = static_cast<const LegSource *>(legs.sources());
  call.list = legs.list(product.list);
  call.listed = static_cast<int>(product.list.size());
  call.rows_in = legs.rows_for(M.rhs());
  call.runs = static_cast<const LegRun *>(legs.runs(call.rows_in));
  call.parities = out.parities();
  call.parity = out.parity();
  call.in_parity = in.parities() == 2 ? -1 : in.parity();
  call.matrix_parity = M.parities() == 2 ? -1 : M.parity();
  call.flip_out = product.flip_out;
  call.flip_in = product.flip_in;
  call.a = end.a;
  call.b = end.b;
  call.c = end.c;

  const bool overwrites = (end.x && end.x->data() == out.data()) || (end.y && end.y->data() == out.data());
  const RowProductTile tile = row_product_tile();
  const int most = tile.sides * row_product_tiles, rows = out.colors() * lattice.lanes();
  const unsigned blocks = static_cast<unsigned>((out.colors() + tile.colors - 1) / tile.colors);
  long long columns_of_site = 0;
  for (const int leg : product.list) columns_of_site += legs.columns(leg, call.rows_in);
  const auto pass = [&](const char *part) {
    const long long sites = static_cast<long long>(call.registers) * out.parities() * out.sites() /
                            (static_cast<long long>(registers(out)) * out.parities());
    for (call.first = 0; call.first < in.rhs(); call.first += most) {
      call.count = std::min(most, in.rhs() - call.first);
      const unsigned tiles = static_cast<unsigned>((call.count + tile.sides - 1) / tile.sides);
      const unsigned together = tile.legs ? static_cast<unsigned>(std::clamp(call.listed, 1, tile.legs)) : tiles;
      const long long columns = columns_of_site * sites;
      const long long vectors = (call.listed + 1 + (end.x ? 1 : 0) + (end.y ? 1 : 0)) * call.count * sites;
      launch({.name = "RowProduct",
              .lattice = lattice,
              .extent = {call.registers, together,
                         static_cast<unsigned>(out.parities()) * blocks * (tile.legs ? tiles : 1)},
              .aux = key_text("prec=", bytes_of(M.precision()), ",rows=", rows, "x", call.rows_in,
                              ",legs=", call.listed, ",columns=", columns_of_site, ",parities=", out.parities(),
                              ",rhs=", call.count, ",x=", end.x ? 1 : 0, ",y=", end.y ? 1 : 0, part),
              .flops = 8 * rows * columns * call.count,
              .bytes = columns * M.record_bytes() * lattice.lanes() + vectors * out.record_bytes() * lattice.lanes(),
              .together = static_cast<int>(together),
              .in_place = overwrites ? memory_of(out) : MemorySpan {}},
             row_product_kernels().find(function, bytes_of(M.precision())), call);
    }
  };
  call.registers = registers(out);
  // if legs lead from one lattice to another, any of its sites may read from beyond
  const bool overlaps = halo && legs.out() == legs.in();
  if (overlaps) {
    const BoundarySites &sites = boundary_sites(lattice, call.out.lattice.width);
    const int parity = out.parities() == 2 ? 0 : out.parity();
    call.sites = sites.interior + parity * sites.interior_count;
    call.registers = sites.interior_count;
    if (call.registers) pass(",interior");
    call.sites = sites.boundary + parity * sites.boundary_count;
    call.registers = sites.boundary_count;
  }
  if (halo) {
    halo->finish();
    call.halo = halo->slots();
  }
  pass(overlaps ? ",boundary" : "");
  out.mark_written();
}

} // namespace quda
