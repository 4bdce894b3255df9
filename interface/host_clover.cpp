#include "interface/host_clover.h"

#include "interface/finite.h"
#include "interface/params/param_table.h"

namespace quda
{

namespace
{

  constexpr int block_reals = CloverField::block_reals, blocks = CloverField::blocks;

  CloverParam packed_param(const QudaInvertParam &param, const CloverParam &term, void *array)
  {
    CloverParam packed = term;
    packed.native = false;
    packed.location = Location::host;
    packed.precision = static_cast<Precision>(param.clover_cpu_prec);
    const bool refers = param.clover_order == QUDA_PACKED_CLOVER_ORDER;
    packed.create = refers ? Create::reference : Create::allocate;
    packed.data = refers ? array : nullptr;
    return packed;
  }

  /// Position of a real of a block, array[part][first + site * step], and its factor relative to the term.
  struct Place {
    int part;
    long long first;
    int step, factor;
  };

  Place place(QudaCloverFieldOrder order, int block, int real, long long sites)
  {
    if (order == QUDA_BQCD_CLOVER_ORDER) {
      constexpr int at[] = {21, 32, 33, 0,  1,  20, 28, 29, 30, 31, 6,  7,  14, 15, 22, 23, 34, 35,
                            8,  9,  16, 17, 24, 25, 10, 11, 18, 19, 26, 27, 2,  3,  4,  5,  12, 13};
      const bool above = (real >= 10 && real < 16) || (real >= 18 && real < 30);
      return {0, block * block_reals + at[real], blocks * block_reals, above || (real >= 6 && real % 2) ? -2 : 2};
    }
    if (real < 6) return {1, (real * blocks + block) * sites, 1, 1};
    constexpr int by_row[] = {0, 1, 3, 6, 10, 2, 4, 7, 11, 5, 8, 12, 9, 13, 14};
    return {0, ((real % 2 * 15 + by_row[(real - 6) / 2]) * blocks + block) * sites, 1, 1};
  }

} // namespace

HostClover::HostClover(const char *function, const char *name, void *array, const QudaInvertParam &param,
                       const CloverParam &term)
    : function(function)
    , name(name)
    , array(array)
    , order(param.clover_order)
    , packed((check_not_null(function, name, array), packed_param(param, term, array)))
{
  if (order == QUDA_NATIVE_CLOVER_ORDER)
    refuse(function, "QudaInvertParam.clover_order", order,
           "QUDA_PACKED_CLOVER_ORDER, QUDA_QDPJIT_CLOVER_ORDER, QUDA_BQCD_CLOVER_ORDER", ErrorKind::unsupported);
  if (order != QUDA_QDPJIT_CLOVER_ORDER) return;
  for (const int part : {0, 1})
    check_not_null(function, text("%s[%d]", name, part).c_str(), static_cast<void *const *>(array)[part]);
}

/// Calls move(real of the array, real in PACKED order, factor) for every real.
template <typename Move> void HostClover::each_real(const Move &move)
{
  if (order == QUDA_PACKED_CLOVER_ORDER) return;
  const auto all = [&](auto type) {
    using T = decltype(type);
    T *const one[] = {static_cast<T *>(array), nullptr};
    T *const *parts = order == QUDA_QDPJIT_CLOVER_ORDER ? static_cast<T *const *>(array) : one;
    T *const reals = static_cast<T *>(packed.data());
    const long long sites = packed.sites();
    for (int k = 0; k < blocks * block_reals; k++) {
      const Place at = place(order, k / block_reals, k % block_reals, sites);
      T *const theirs = parts[at.part] + at.first;
      for (long long site = 0; site < sites; site++)
        move(theirs[site * at.step], reals[site * blocks * block_reals + k], static_cast<T>(at.factor));
    }
  };
  packed.precision() == Precision::single ? all(float()) : all(double());
}

void HostClover::check_written() const
{
  if (order != QUDA_BQCD_CLOVER_ORDER) return;
  fail(ErrorKind::unsupported,
       text("%s: QudaInvertParam.clover_order = %s; allowed where %s is returned: QUDA_PACKED_CLOVER_ORDER, "
            "QUDA_QDPJIT_CLOVER_ORDER",
            function, value_text(order).c_str(), name));
}

void HostClover::read()
{
  each_real([](auto &theirs, auto &ours, auto factor) { ours = factor * theirs; });
  const long long found = first_not_finite(packed.data(), packed.sites() * blocks * block_reals, packed.precision());
  if (found < 0) return;
  int x[4];
  packed.lattice().slot_coordinates(found / (blocks * block_reals), x);
  fail(ErrorKind::bad_argument,
       text("%s: %s holds a number that is NaN or infinite: site %d %d %d %d of this rank, block %d, real %d of it; "
            "allowed: finite numbers",
            function, name, x[0], x[1], x[2], x[3], static_cast<int>(found / block_reals % blocks),
            static_cast<int>(found % block_reals)));
}

void HostClover::write(const CloverField &term)
{
  packed = term;
  each_real([](auto &theirs, auto &ours, auto) { theirs = ours; });
}

} // namespace quda
