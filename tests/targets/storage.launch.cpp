/// Records of stored number types: written from floats, read back.

#include "device/kernel_ops.h"
#include "device/link_operand.h"
#include "device/products.h"
#include "targets/storage_table.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  /// What every kernel's argument says of its number types.
  template <class S, int n, bool own_scale> struct StorageArg {
    using stored = S;
    using number = number_of<S>;
    using real = Real<S>;
    static constexpr int reals = n;
    unsigned threads[3];
    Index index;
    Storage<S, n, own_scale> packed;
    Storage<float, n> numbers, raw;
    Storage<float, 2> scales;

    explicit StorageArg(const StorageCall &c)
        : index(c.stored.lattice)
        , packed(c.stored)
        , numbers(c.numbers)
        , raw(c.raw)
        , scales(c.scales)
    {
      threads[0] = index.registers();
      threads[1] = 2;
      threads[2] = c.stored.inner;
    }
  };

  template <class Arg> struct WriteRecords : NoKernelOps {
    using real = typename Arg::real;
    const Arg &arg;

    QUDA_DEVICE void operator()(unsigned x_cb, int parity, int i) const
    {
      const Place here = arg.index.here(arg.index.coord(x_cb, parity));
      const auto q = arg.numbers.read(here, i);
      real v[Arg::reals];
      QUDA_UNROLL
      for (int k = 0; k < Arg::reals; k++) v[k] = q[k];
      arg.packed.write(here, i, v, parity == 0);
    }
  };

  template <class Arg> struct ReadRecords : NoKernelOps {
    using real = typename Arg::real;
    const Arg &arg;

    QUDA_DEVICE void operator()(unsigned x_cb, int parity, int i) const
    {
      const Place here = arg.index.here(arg.index.coord(x_cb, parity));
      const auto q = arg.packed.read(here, i);
      real v[Arg::reals], raw[Arg::reals];
      QUDA_UNROLL
      for (int k = 0; k < Arg::reals; k++) {
        v[k] = q[k];
        raw[k] = q.raw(k);
      }
      arg.numbers.write(here, i, v);
      arg.raw.write(here, i, raw);
      const real scale[2] = {q.scale() * real(1.0), real(0.0)};
      arg.scales.write(here, i, scale);
    }
  };

  template <class S, int r> struct StoredLinksArg {
    using stored = S;
    static constexpr int recon = r;
    using real = Real<S>;
    unsigned threads[3];
    Index index;
    Gauge<S, recon> U;
    Storage<float, 18> numbers, operands;

    explicit StoredLinksArg(const LinksCall &c)
        : index(c.stored.field.lattice)
        , U(c.stored)
        , numbers(c.numbers)
        , operands(c.operands)
    {
      threads[0] = index.registers();
      threads[1] = 2;
      threads[2] = 4;
    }
  };

  template <class Arg> struct StoredLinks : NoKernelOps {
    using real = typename Arg::real;
    const Arg &arg;

    QUDA_DEVICE void operator()(unsigned x_cb, int parity, int mu) const
    {
      const Place here = arg.index.here(arg.index.coord(x_cb, parity));
      const auto q = arg.numbers.read(here, mu);
      Matrix<real> m;
      unpack(m.e, q);
      arg.U.write(here, mu, m);
      m = arg.U.matrix(here, mu);
      const LinkOperand<typename Arg::stored, Arg::recon> operand(arg.U, here, mu);
      const auto u = operand.read();
      real v[18], w[18];
      pack(v, m.e);
      set_matrix(m, u);
      pack(w, m.e);
      arg.numbers.write(here, mu, v);
      arg.operands.write(here, mu, w);
    }
  };

  template <class S, int n, bool own_scale = true> void write(const StorageCall &call)
  {
    launch_3d<WriteRecords>({}, nullptr, StorageArg<S, n, own_scale>(call));
  }

  template <class S, int n, bool own_scale = true> void read(const StorageCall &call)
  {
    launch_3d<ReadRecords>({}, nullptr, StorageArg<S, n, own_scale>(call));
  }

  template <class S, int recon> void links(const LinksCall &call)
  {
    launch_3d<StoredLinks>({}, nullptr, StoredLinksArg<S, recon>(call));
  }

} // namespace

extern const StorageTable storage_table;
const StorageTable storage_table = {{{write<Half, 24>, write<Half, 6>, write<Half, 18, false>},
                                     {write<Quarter, 24>, write<Quarter, 6>, write<Quarter, 18, false>}},
                                    {{read<Half, 24>, read<Half, 6>, read<Half, 18, false>},
                                     {read<Quarter, 24>, read<Quarter, 6>, read<Quarter, 18, false>}},
                                    {{links<Half, 18>, links<Half, 12>}, {links<Quarter, 18>, links<Quarter, 12>}}};

} // namespace quda::QUDA_TARGET_NAMESPACE
