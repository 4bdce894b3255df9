#pragma once
/// Entries of kernel tables, and what launches of all topics name alike.

#include "core/error.h"
#include "core/types.h"
#include "fields/gauge_field.h"
#include "tune/tune_key.h"

namespace quda
{

/// Slot of a precision in a table: double 0, single 1. Kernels that take half precision have slots of their own.
inline int precision_slot(Precision precision) { return precision == Precision::double_ ? 0 : 1; }
/// Slot of a reconstruct: 18 0, 12 1.
inline int reconstruct_slot(Reconstruct reconstruct) { return reconstruct == Reconstruct::none ? 0 : 1; }

inline void check_floating(const char *kernel, Precision precision)
{
  if (precision != Precision::double_ && precision != Precision::single)
    fail(ErrorKind::unsupported,
         text("%s: fields of %d bytes a real are not supported; 8 and 4 are", kernel, bytes_of(precision)));
}

inline void check_rows(const char *kernel, Reconstruct reconstruct)
{
  if (reconstruct != Reconstruct::none && reconstruct != Reconstruct::r12)
    fail(ErrorKind::unsupported,
         text("%s: links of reconstruct %d are not supported; 18 and 12 are", kernel, static_cast<int>(reconstruct)));
}

/// The entry for a precision and a reconstruct; Error (not built) naming both where the build left it out.
template <class F> F instance(F const (&table)[2][2], const char *kernel, Precision precision, Reconstruct reconstruct)
{
  check_floating(kernel, precision);
  check_rows(kernel, reconstruct);
  F f = table[precision_slot(precision)][reconstruct_slot(reconstruct)];
  if (!f)
    fail(ErrorKind::not_built,
         text("%s: precision %d bytes with reconstruct %d is not in this build (QUDA_PRECISION = %d, QUDA_RECONSTRUCT "
              "= %d)",
              kernel, bytes_of(precision), static_cast<int>(reconstruct), QUDA_PRECISION, QUDA_RECONSTRUCT));
  return f;
}

template <class F> F instance(F const (&table)[2], const char *kernel, Precision precision)
{
  check_floating(kernel, precision);
  F f = table[precision_slot(precision)];
  if (!f)
    fail(ErrorKind::not_built, text("%s: precision %d bytes is not in this build (QUDA_PRECISION = %d)", kernel,
                                    bytes_of(precision), QUDA_PRECISION));
  return f;
}

/// "16x16x16x32", the volume of a key.
inline KeyText volume_text(const Lattice &lattice)
{
  return key_text(lattice.X(0), "x", lattice.X(1), "x", lattice.X(2), "x", lattice.X(3));
}

/// Registers of a parity, without a border: the first extent of most launches.
template <class Field> unsigned registers(const Field &field)
{
  const LatticeView lattice = field.view().field.lattice;
  return lattice.volume_cb * lattice.parts;
}

/// "prec=8,recon=18,border=0000" and what more is given: what links are, for a key.
template <class... More> KeyText links_text(const GaugeField &links, const More &...more)
{
  return key_text("prec=", bytes_of(links.precision()), ",recon=", links.reals(), ",border=", links.R()[0],
                  links.R()[1], links.R()[2], links.R()[3], more...);
}

} // namespace quda
