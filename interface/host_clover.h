#pragma once

/// Clover terms in a host program's arrays, in every order of QudaCloverFieldOrder that a host can hold:
///   PACKED : (parity, x_cb, block, 36), see fields/clover_field.h
///   QDPJIT : two arrays, off-diagonal (re/im, 15 rows below the diagonal row by row, block, parity, x_cb) and diagonal
///            (6, block, parity, x_cb)
///   BQCD   : (parity, x_cb, block, 36) in its own order and with its own signs, of half the term; can only be loaded
/// Ownership : a PACKED array is referred to, other arrays are copied.
/// Errors    : bad_argument and unsupported, with function, argument or member and value. Collective: no.

#include "quda.h"

#include "fields/clover_field.h"

namespace quda
{

class HostClover
{
public:
  /// name: of the argument `array`; term: shape of the library's term; param: clover_order and clover_cpu_prec.
  HostClover(const char *function, const char *name, void *array, const QudaInvertParam &param,
             const CloverParam &term);

  /// Refuses an order that the library does not write.
  void check_written() const;
  /// Reads the array; refuses numbers that are NaN or infinite.
  void read();
  /// The term that read() found.
  const CloverField &field() const { return packed; }
  void write(const CloverField &term);

private:
  template <typename Move> void each_real(const Move &move);

  const char *const function, *const name;
  void *const array;
  const QudaCloverFieldOrder order;
  CloverField packed; // in PACKED order the array itself
};

} // namespace quda
