#include <algorithm>
#include <cstring>
#include <memory>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/blas/amax_call.h"
#include "kernels/blas/combine_call.h"
#include "kernels/blas/gram_call.h"
#include "ops/blas/block.h"
#include "ops/blas/formula.h"
#include "ops/blas/streams.h"
#include "ops/launch.h"
#include "targets/pool.h"
#include "targets/target.h"

namespace quda
{

QUDA_KERNELS(AmaxCall, amax)
QUDA_KERNELS(GramCall, gram)
QUDA_KERNEL_TABLE(GramTile, gram_tile)
QUDA_KERNELS(CombineCall, combine)

} // namespace quda

namespace quda::blas::block
{

namespace
{

  using Field = ColorSpinorField;

  /// An element of a list of columns: a right-hand side of a field, or, with groups, the right-hand sides from it on.
  struct Column {
    const Field *field;
    int rhs;
  };
  using Columns = std::vector<Column>;

  Columns all_of(const Field &x)
  {
    Columns columns;
    for (int j = 0; j < x.rhs(); j++) columns.push_back({&x, j});
    return columns;
  }

  Columns firsts_of(FieldList fields)
  {
    Columns columns;
    for (const Field *field : fields) columns.push_back({field, 0});
    return columns;
  }

  std::vector<Operand> operands(const char *name, FieldList fields)
  {
    std::vector<Operand> all;
    for (const Field *field : fields) all.push_back({name, field});
    return all;
  }

  void check_list(const char *function, const Operand &first, const std::vector<Operand> &all)
  {
    for (const Operand &a : all) {
      check_operand(function, a);
      if (a.field != first.field) check_alike(function, first, a);
    }
  }

  void check_rhs(const char *function, const Operand &first, const std::vector<Operand> &all)
  {
    for (const Operand &a : all)
      if (a.field->rhs() != first.field->rhs())
        fail(ErrorKind::bad_argument, text("blas::%s: %s has rhs = %d, %s has %d; they must agree", function,
                                           first.name, first.field->rhs(), a.name, a.field->rhs()));
  }

  void check_matrix(const char *function, const char *name, const Matrix &a, int rows, int columns, int or_columns)
  {
    if (a.rows() == rows && (a.columns() == columns || a.columns() == or_columns)) return;
    fail(ErrorKind::bad_argument,
         text("blas::%s: %s is %d x %d; %d x %d is needed", function, name, a.rows(), a.columns(), rows, columns));
  }

  KeyText aux(const Field &x, int groups, int first, int second)
  {
    return key_text("prec=", bytes_of(x.precision()), ",Ns=", x.spins(), ",Nc=", x.colors(), ",layers=", x.layers(),
                    ",parities=", x.parities(), ",groups=", groups, ",columns=", first, "x", second);
  }

  long long numbers_of(const Field &x) { return records_of(x) * x.reals() / 2; }

  long long column_bytes(const Field &x) { return records_of(x) * x.record_bytes(); }

  /// Number of leading columns that both lists share: <a_j, b_i> is the conjugate of <a_i, b_j> for them.
  int shared(const Columns &a, const Columns &b)
  {
    const std::size_t most = std::min(a.size(), b.size());
    std::size_t n = 0;
    while (n < most && a[n].field->data() == b[n].field->data() && a[n].rhs == b[n].rhs) n++;
    return static_cast<int>(n);
  }

  /// (group, i, j) of all pairs, real and imaginary part: sums of this rank. Of the first `same` columns of both lists,
  /// which are the same, pairs of tiles below the diagonal are left out.
  std::vector<ExactLimbs> products(const char *name, const Columns &a, const Columns &b, int groups, int same)
  {
    const Field &x = *a[0].field;
    const int na = static_cast<int>(a.size()), nb = static_cast<int>(b.size());
    const GramTile tile = gram_tile();
    const auto kernel = gram_kernels().find(name, bytes_of(x.precision()));
    std::vector<ExactLimbs> all(static_cast<std::size_t>(2) * na * nb * groups), sums;
    for (int i0 = 0; i0 < na; i0 += gram_columns)
      for (int j0 = 0; j0 < nb; j0 += gram_columns) {
        GramCall call {};
        call.na = std::min(na - i0, gram_columns);
        call.nb = std::min(nb - j0, gram_columns);
        const int ta = call.nb == 1 ? tile.na * tile.nb : tile.na, tb = call.nb == 1 ? 1 : tile.nb;
        const int across = (call.nb + tb - 1) / tb;
        for (int i = 0; i < call.na; i += ta)
          for (int j = 0; j < call.nb; j += tb)
            if (std::min(i0 + i + ta, na) > same || j0 + j + tb > i0 + i)
              call.tile[call.tiles++] = static_cast<unsigned char>(i / ta * across + j / tb);
        if (call.tiles == 0) continue;
        constexpr int most = 2 * gram_columns * gram_columns; // sums of a launch
        const int room = std::max(1, most / (2 * call.tiles * ta * tb));
        for (int g0 = 0; g0 < groups; g0 += room) {
          const int here = std::min(groups - g0, room);
          call.shape = sum_view(x, 1, here, false);
          for (int i = 0; i < call.na; i++) call.a[i] = stream_field(*a[i0 + i].field, a[i0 + i].rhs + g0, false);
          for (int j = 0; j < call.nb; j++) call.b[j] = stream_field(*b[j0 + j].field, b[j0 + j].rhs + g0, false);
          sums.resize(static_cast<std::size_t>(2) * here * call.tiles * ta * tb);
          call.sums = sums.data();
          launch({.name = name,
                  .lattice = x.lattice(),
                  .extent = {call.shape.points, call.shape.rows, static_cast<unsigned>(here * call.tiles)},
                  .aux = key_text(aux(x, here, call.na, call.nb).s, ",tiles=", call.tiles),
                  .flops = 8LL * call.na * call.nb * here * numbers_of(x),
                  .bytes = (call.na + call.nb) * here * column_bytes(x),
                  .sums = sums},
                 kernel, call);
          const ExactLimbs *next = sums.data();
          for (int g = 0; g < here; g++)
            for (int t = 0; t < call.tiles; t++)
              for (int i = call.tile[t] / across * ta, k = 0; k < ta; i++, k++)
                for (int j = call.tile[t] % across * tb, l = 0; l < tb; j++, l++, next += 2)
                  if (i < call.na && j < call.nb)
                    std::copy_n(next, 2, &all[2 * ((static_cast<std::size_t>(g0 + g) * na + i0 + i) * nb + j0 + j)]);
        }
      }
    return all;
  }

  std::vector<Matrix> matrices(const char *name, const Columns &a, const Columns &b, int groups)
  {
    const int same = shared(a, b);
    std::vector<ExactLimbs> sums = products(name, a, b, groups, same);
    sum_limbs(a[0].field->lattice().communicator(), sums.data(), static_cast<int>(sums.size()));
    const int na = static_cast<int>(a.size()), nb = static_cast<int>(b.size());
    std::vector<Matrix> all(groups, Matrix(na, nb));
    const ExactLimbs *next = sums.data();
    for (Matrix &m : all)
      for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++, next += 2) m(i, j) = {exact_value(next[0]), exact_value(next[1])};
    for (Matrix &m : all)
      for (int i = 0; i < same; i++)
        for (int j = 0; j < i; j++) m(i, j) = std::conj(m(j, i));
    return all;
  }

  /// y_j += sum_i a(i, g, j) x_i for all groups g: inputs in ascending order, launch after launch.
  template <class A>
  void combine(const char *name, const Columns &x, Field &y, const Columns &out, int groups, const A &a)
  {
    const auto kernel = combine_kernels().find(name, bytes_of(y.precision()));
    const int inputs = static_cast<int>(x.size()), outputs = static_cast<int>(out.size());
    for (int g0 = 0; g0 < groups; g0 += combine_results)
      for (int j0 = 0; j0 < outputs; j0 += combine_results)
        for (int i0 = 0; i0 < inputs; i0 += combine_inputs) {
          CombineCall call {};
          const int here = std::min(groups - g0, combine_results); // with groups there is one output
          call.shape = stream_view(y, 1, here, false);
          call.inputs = std::min(inputs - i0, combine_inputs);
          call.outputs = std::min(outputs - j0, combine_results);
          for (int i = 0; i < call.inputs; i++) {
            call.in[i] = stream_field(*x[i0 + i].field, x[i0 + i].rhs + g0, false);
            for (int g = 0; g < here; g++)
              for (int j = 0; j < call.outputs; j++) {
                const Complex c = a(i0 + i, g0 + g, j0 + j);
                call.re[i][g * call.outputs + j] = c.real();
                call.im[i][g * call.outputs + j] = c.imag();
              }
          }
          for (int j = 0; j < call.outputs; j++) call.out[j] = stream_field(y, out[j0 + j].rhs + g0, false);
          const unsigned tiles = (call.outputs + combine_together - 1) / combine_together;
          launch({.name = name,
                  .lattice = y.lattice(),
                  .extent = {call.shape.points, call.shape.rows, here * tiles},
                  .aux = aux(y, here, call.inputs, call.outputs),
                  .flops = 8LL * call.inputs * call.outputs * here * numbers_of(y),
                  .bytes = (call.inputs + 2 * call.outputs) * here * column_bytes(y),
                  .in_place = memory_of(y)},
                 kernel, call);
        }
    y.mark_written();
  }

  /// One number for each group.
  std::vector<double> amax(const SiteLaunch &what, AmaxCall call, Precision precision)
  {
    const std::size_t groups = call.shape.groups, bytes = groups * sizeof(long long);
    const std::unique_ptr<void, void (*)(void *)> bits(device_pool().get(bytes), [](void *p) { device_pool().put(p); });
    target().clear(bits.get(), bytes);
    call.bits = static_cast<long long *>(bits.get());
    launch(what, amax_kernels().find("amax", bytes_of(precision)), call);
    std::vector<long long> largest(groups);
    target().copy(largest.data(), bits.get(), bytes);
    what.lattice.communicator().max(largest.data(), static_cast<int>(groups));
    std::vector<double> values(groups);
    std::memcpy(values.data(), largest.data(), bytes);
    return values;
  }

} // namespace

std::vector<double> amax(const ColorSpinorField &x)
{
  check_operand("amax", {"x", &x});
  const StreamView shape = stream_view(x, 1, x.rhs(), false);
  return amax({.name = "amax",
               .lattice = x.lattice(),
               .extent = {shape.points, shape.rows, shape.groups},
               .aux = aux(x, x.rhs(), 1, 1),
               .flops = 2 * numbers_of(x) * x.rhs(),
               .bytes = column_bytes(x) * x.rhs()},
              {shape, stream_field(x, 0, false), nullptr}, x.precision());
}

double amax(const GaugeField &links)
{
  if (!links.native() || links.extended())
    fail(ErrorKind::internal, "blas::amax: links in a foreign order, or with a border");
  const FieldView &f = links.layout();
  const LatticeView &lattice = f.lattice;
  const unsigned directions = static_cast<unsigned>(f.inner);
  const StreamView shape = {registers(links), 2 * directions, 1,        directions,
                            f.inner_stride,   f.reals,        f.vector, std::min(lattice.lanes, lattice.width)};
  return amax({.name = "amax",
               .lattice = links.lattice(),
               .extent = {shape.points, shape.rows, shape.groups},
               .aux = links_text(links),
               .flops = link_bytes(links) / f.precision,
               .bytes = link_bytes(links)},
              {shape, {links.data(), f.parity_stride, f.record_stride}, nullptr}, links.precision())[0];
}

Matrix gram_rhs(const ColorSpinorField &X, const ColorSpinorField &Y)
{
  check_list("gram_rhs", {"X", &X}, {{"X", &X}, {"Y", &Y}});
  return matrices("gram_rhs", all_of(X), all_of(Y), 1)[0];
}

std::vector<Matrix> gram(FieldList V, FieldList W)
{
  if (V.empty() || W.empty())
    fail(ErrorKind::bad_argument,
         text("blas::gram: %zu fields V and %zu fields W; at least one of each is needed", V.size(), W.size()));
  const Operand first = {"V[0]", V[0]};
  for (const auto &all : {operands("V", V), operands("W", W)}) {
    check_list("gram", first, all);
    check_rhs("gram", first, all);
  }
  return matrices("gram", firsts_of(V), firsts_of(W), V[0]->rhs());
}

void multiply_add(ColorSpinorField &Y, const ColorSpinorField &X, const Matrix &A)
{
  check_list("multiply_add", {"Y", &Y}, {{"Y", &Y}, {"X", &X}});
  check_matrix("multiply_add", "A", A, X.rhs(), Y.rhs(), Y.rhs());
  if (overlap(X, Y)) fail(ErrorKind::bad_argument, "blas::multiply_add: Y is written and may not share memory with X");
  combine("multiply_add", all_of(X), Y, all_of(Y), 1, [&](int i, int, int j) { return A(i, j); });
}

void axpy_many(const Matrix &a, FieldList P, ColorSpinorField &y)
{
  const Operand first = {"y", &y};
  const auto all = operands("P", P);
  check_list("axpy_many", first, {first});
  check_list("axpy_many", first, all);
  check_rhs("axpy_many", first, all);
  check_matrix("axpy_many", "a", a, static_cast<int>(P.size()), y.rhs(), 1);
  for (const ColorSpinorField *p : P)
    if (overlap(*p, y)) fail(ErrorKind::bad_argument, "blas::axpy_many: y is written and may not share memory with P");
  if (P.empty()) return;
  combine("axpy_many", firsts_of(P), y, {{&y, 0}}, y.rhs(),
          [&](int k, int g, int) { return a(k, a.columns() == 1 ? 0 : g); });
}

} // namespace quda::blas::block
