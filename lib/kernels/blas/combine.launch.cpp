/// Linear combinations of columns: y_j += sum_i a_ij x_i, x_i and y_j right-hand sides of one field or of several
/// (core/stream_view.h; with groups, one set of coefficients a group). In ascending order of i, each product as caxpy
/// has it: the bits of one caxpy after the other, in one pass.
/// Tiles : `outputs` results in registers, so that x is read once for each tile; a tile's results beyond the last one
///         repeat it.
/// Index : x, y points and rows; z = (group, tile).
/// Halo  : none. Collective: no. Flops: 8 a complex number and coefficient. Bytes: x once, y read and written.

#include "device/complex.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/blas/combine_call.h"
#include <streams.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int> struct CombineArg {
  using number = T;
  using real = Real<T>;
  static constexpr unsigned together = combine_together;

  unsigned threads[3];
  Streams<T> streams;
  StreamField in[combine_inputs], out[combine_results];
  int inputs;
  unsigned outputs, tiles;
  T re[combine_inputs][combine_results], im[combine_inputs][combine_results];

  CombineArg(const CombineCall &c, const TuneParam &)
      : streams(c.shape)
      , inputs(c.inputs)
      , outputs(c.outputs)
      , tiles((c.outputs + together - 1) / together)
  {
    threads[0] = c.shape.points;
    threads[1] = c.shape.rows;
    threads[2] = c.shape.groups * tiles;
    for (int i = 0; i < inputs; i++) {
      in[i] = c.in[i];
      for (unsigned j = 0; j < outputs * c.shape.groups; j++) {
        re[i][j] = static_cast<T>(c.re[i][j]);
        im[i][j] = static_cast<T>(c.im[i][j]);
      }
    }
    for (unsigned j = 0; j < outputs; j++) out[j] = c.out[j];
  }
};

template <class Arg> struct Combine : NoKernelOps {
  using T = typename Arg::number;
  using real = typename Arg::real;
  using C = Complex<real>;
  static constexpr unsigned together = Arg::together;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned point, unsigned row, unsigned z) const
  {
    const unsigned group = z / arg.tiles, first = (z - group * arg.tiles) * together;
    const unsigned left = arg.outputs - first;
    if (left == 1)
      work<1>(point, row, group, first);
    else
      work<together>(point, row, group, first);
  }

private:
  template <unsigned n> QUDA_DEVICE void work(unsigned point, unsigned row, unsigned group, unsigned first) const
  {
    const T *x[combine_inputs];
    for (int i = 0; i < arg.inputs; i++) x[i] = arg.streams.at(arg.in[i], point, row, group);
    T *y[n];
    unsigned column[n];
    QUDA_UNROLL
    for (unsigned j = 0; j < n; j++) {
      const unsigned output = first + j < arg.outputs ? first + j : arg.outputs - 1;
      y[j] = arg.streams.at(arg.out[output], point, row, group);
      column[j] = group * arg.outputs + output;
    }
    for (int k = 0; k < arg.streams.reals; k += 2) {
      C sum[n];
      QUDA_UNROLL
      for (unsigned j = 0; j < n; j++) {
        real v[2];
        arg.streams.get(y[j], k, v);
        sum[j] = {v[0], v[1]};
      }
      for (int i = 0; i < arg.inputs; i++) {
        real v[2];
        arg.streams.get(x[i], k, v);
        const C in = {v[0], v[1]};
        QUDA_UNROLL
        for (unsigned j = 0; j < n; j++) {
          const C a = {real(arg.re[i][column[j]]), real(arg.im[i][column[j]])};
          sum[j] = multiply_add(a, in, sum[j]);
        }
      }
      QUDA_UNROLL
      for (unsigned j = 0; j < n; j++) {
        const real v[2] = {sum[j].re, sum[j].im};
        arg.streams.put(y[j], k, v, false);
      }
    }
  }
};

QUDA_INSTANCES(combine, CombineCall, Launch3D<Combine, CombineArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
