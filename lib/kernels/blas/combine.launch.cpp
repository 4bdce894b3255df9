/// Linear combinations of columns: y_j += sum_i a_ij x_i, x_i and y_j right-hand sides of one field or of several
/// (core/stream_view.h; with groups, one set of coefficients a group). In ascending order of i, each product as in
/// caxpy: the bits of successive caxpy's, in one pass; fixed point is rounded only at the end.
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
  using stored = T;
  using number = number_of<T>;
  using real = Real<T>;
  static constexpr unsigned together = combine_together;

  unsigned threads[3];
  Streams<T> streams;
  StreamField in[combine_inputs], out[combine_results];
  int inputs;
  unsigned outputs, tiles;
  number re[combine_inputs][combine_results], im[combine_inputs][combine_results];

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
        re[i][j] = static_cast<number>(c.re[i][j]);
        im[i][j] = static_cast<number>(c.im[i][j]);
      }
    }
    for (unsigned j = 0; j < outputs; j++) out[j] = c.out[j];
  }
};

template <class Arg> struct Combine : NoKernelOps {
  using T = typename Arg::stored;
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
    using Scale = ScaleOf<T>;
    Scale x_scale[combine_inputs], y_scale[n];
    for (int i = 0; i < arg.inputs; i++) x_scale[i] = arg.streams.scale(x[i], point);
    QUDA_UNROLL
    for (unsigned j = 0; j < n; j++) y_scale[j] = arg.streams.scale(y[j], point);

    /// Number k / 2 of each result.
    const auto add_up = [&](C(&sum)[n], int k) QUDA_LAMBDA {
      QUDA_UNROLL
      for (unsigned j = 0; j < n; j++) {
        real v[2];
        arg.streams.get(y[j], k, v);
        sum[j] = {y_scale[j] * v[0], y_scale[j] * v[1]};
      }
      for (int i = 0; i < arg.inputs; i++) {
        real v[2];
        arg.streams.get(x[i], k, v);
        const C in = {x_scale[i] * v[0], x_scale[i] * v[1]};
        QUDA_UNROLL
        for (unsigned j = 0; j < n; j++) {
          const C a = {real(arg.re[i][column[j]]), real(arg.im[i][column[j]])};
          sum[j] = multiply_add(a, in, sum[j]);
        }
      }
    };
    RecordScale<T, real> of_record[n];
    Scale factor[n];
    if constexpr (is_fixed<T>) {
      for (int k = 0; k < arg.streams.reals; k += 2) {
        C sum[n];
        add_up(sum, k);
        QUDA_UNROLL
        for (unsigned j = 0; j < n; j++) of_record[j].add(sum[j].re), of_record[j].add(sum[j].im);
      }
      QUDA_UNROLL
      for (unsigned j = 0; j < n; j++) factor[j] = of_record[j].factor();
    }
    for (int k = 0; k < arg.streams.reals; k += 2) {
      C sum[n];
      add_up(sum, k);
      QUDA_UNROLL
      for (unsigned j = 0; j < n; j++) {
        const real v[2] = {factor[j] * sum[j].re, factor[j] * sum[j].im};
        arg.streams.put(y[j], k, v, false);
      }
    }
    if constexpr (is_fixed<T>) {
      QUDA_UNROLL
      for (unsigned j = 0; j < n; j++) arg.streams.put_scale(y[j], point, of_record[j].scale(), false);
    }
  }
};

QUDA_INSTANCES(combine, CombineCall, Launch3D<Combine, CombineArg>, Stored, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
