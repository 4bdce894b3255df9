#include <algorithm>

#include "kernels/blas/mixed_call.h"
#include "ops/blas/block.h"
#include "ops/blas/formula.h"
#include "ops/blas/streams.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(MixedCall, mixed)

} // namespace quda

namespace quda::blas::block
{

namespace
{

  void mixed(const char *name, const Operand &to, const Operand &from, const Coefficient &a, bool add, bool complex)
  {
    const ColorSpinorField &y = *to.field, &x = *from.field;
    const auto kernel = mixed_kernels().find(name, bytes_of(y.precision()), bytes_of(x.precision()));
    const FieldView &yf = y.layout(), &xf = x.layout();
    for (int g0 = 0; g0 < y.rhs(); g0 += mixed_groups) {
      MixedCall call {};
      const int here = std::min(y.rhs() - g0, mixed_groups);
      call.to_shape = stream_view(y, 1, here, false);
      call.from_shape = stream_view(x, 1, here, false);
      call.to = stream_field(y, g0, false);
      call.from = stream_field(x, g0, false);
      // a point is a register of the lower precision: if the higher one needs two for its sites, they are steps
      const int fewest = std::min(yf.lattice.parts, xf.lattice.parts);
      call.to_part = call.to.record_stride;
      call.from_part = call.from.record_stride;
      call.to.record_stride *= yf.lattice.parts / fewest;
      call.from.record_stride *= xf.lattice.parts / fewest;
      call.parts = std::max(yf.lattice.parts, xf.lattice.parts) / fewest;
      call.to_shape.points /= yf.lattice.parts / fewest;
      call.add = add;
      call.complex = complex;
      for (int g = 0; g < here; g++) {
        call.re[g] = a[g0 + g].real();
        call.im[g] = a[g0 + g].imag();
      }
      const long long reals = records_of(y) * y.reals() * here;
      launch({.name = name,
              .lattice = y.lattice(),
              .extent = {call.to_shape.points, call.to_shape.rows, call.to_shape.groups},
              .aux = key_text("prec=", bytes_of(y.precision()), ",from=", bytes_of(x.precision()), ",Ns=", y.spins(),
                              ",Nc=", y.colors(), ",rhs=", rhs_class(here), ",layers=", y.layers(),
                              ",parities=", y.parities()),
              .flops = (complex ? 4
                        : add   ? 2
                                : 1) *
                       reals,
              .bytes = ((add ? 2 : 1) * y.record_bytes() + x.record_bytes()) * reals / y.reals(),
              .streaming = !add,
              .in_place = add ? memory_of(y) : MemorySpan {},
              .written = memory_of(y)},
             kernel, call);
    }
  }

  void check_pair(const char *function, const Operand &to, const Operand &from, const char *name, const Coefficient &a)
  {
    check_operand(function, to);
    check_operand(function, from);
    check_alike(function, to, from, Precisions::any);
    const int rhs = to.field->rhs();
    if (from.field->rhs() != rhs)
      fail(ErrorKind::bad_argument, text("blas::%s: %s has rhs = %d, %s has %d; they must agree", function, to.name,
                                         rhs, from.name, from.field->rhs()));
    if (a.listed() && a.size() != static_cast<std::size_t>(rhs))
      fail(ErrorKind::bad_argument,
           text("blas::%s: %zu coefficients %s; fields of %d right-hand sides need one, or one for each", function,
                a.size(), name, rhs));
  }

  void add_mixed(const char *function, const Coefficient &a, const ColorSpinorField &x, ColorSpinorField &y,
                 bool complex)
  {
    check_pair(function, {"y", &y}, {"x", &x}, "a", a);
    if (bytes_of(x.precision()) > bytes_of(y.precision()))
      fail(ErrorKind::bad_argument, text("blas::%s: x has precision = %d, y has %d; x may not have the higher one",
                                         function, bytes_of(x.precision()), bytes_of(y.precision())));
    if (overlap(x, y))
      fail(ErrorKind::bad_argument, text("blas::%s: y is written and may not share memory with x", function));
    mixed(function, {"y", &y}, {"x", &x}, a, true, complex);
    y.mark_written();
  }

} // namespace

void convert(ColorSpinorField &to, const ColorSpinorField &from, const Coefficients &scale)
{
  check_pair("convert", {"to", &to}, {"from", &from}, "scale", scale);
  if (to.precision() == from.precision()) {
    launch({"convert", blas_table().ax, {{{"from", &from}, {}, {"to", &to}}}, {scale}, 2});
    return;
  }
  if (overlap(to, from))
    fail(ErrorKind::bad_argument, "blas::convert: to is written and may not share memory with from");
  mixed("convert", {"to", &to}, {"from", &from}, scale, false, false);
  to.mark_written();
}

void axpy_mixed(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  if (x.precision() == y.precision())
    axpy(a, x, y);
  else
    add_mixed("axpy_mixed", a, x, y, false);
}

void caxpy_mixed(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y)
{
  if (x.precision() == y.precision())
    caxpy(a, x, y);
  else
    add_mixed("caxpy_mixed", a, x, y, true);
}

void swap(ColorSpinorField &x, int i, int j)
{
  for (const int n : {i, j})
    if (n < 0 || n >= x.rhs())
      fail(ErrorKind::bad_argument, text("blas::swap: right-hand side %d of x, must be 0 to %d", n, x.rhs() - 1));
  if (i == j) return;
  const ColorSpinorField a = x.columns(i, 1), b = x.columns(j, 1);
  launch({"swap", blas_table().swap, {{{"x", &a}, {"y", &b}}}, {}, 0});
  x.mark_written();
}

} // namespace quda::blas::block
