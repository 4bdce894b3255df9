#pragma once

/// MILC's staggered operator: the host's links as an operator on quark fields, and those links made resident.
///
/// Links      : carry phases and boundary signs. They stay in the library from call to call and are compared with the
///              host's arrays by a checksum of all their numbers: an array with new numbers is loaded again, whether
///              num_iters says so (-1) or not. They are the resident fat and long links; naive ones do not disturb the
///              resident Wilson links.
/// Errors     : bad_argument, with function, argument and value.

#include "quda.h"
#include "quda_milc_interface.h"

#include "interface/guard.h"

#include <array>
#include <cstdint>

namespace quda
{

struct MilcSolveJob {
  QudaGaugeParam links; // of both fields, except for their type
  const void *fat, *longs;
  QudaReconstructType of_long, of_long_sloppy;
  QudaInvertParam quarks;
  QudaParity parity;
  bool anew; // whether links are loaded again in any case

  /// The half of a quark field on this parity.
  void *half(const void *array, int parity) const
  {
    std::size_t bytes = parity * 3 * static_cast<std::size_t>(links.cpu_prec);
    for (const int extent : links.X) bytes *= static_cast<std::size_t>(extent);
    return static_cast<char *>(const_cast<void *>(array)) + bytes;
  }
  void *half(const void *array) const { return half(array, parity); }
};

/// Naive staggered links that replace the Wilson links during one of these calls.
class NaiveLinks
{
public:
  NaiveLinks(Session &session, bool needed);
  ~NaiveLinks();
  NaiveLinks(const NaiveLinks &) = delete;
  NaiveLinks &operator=(const NaiveLinks &) = delete;

private:
  Session &session_;
  bool needed_;
};

/// Checksums of the host's fat and long links on this rank, their storage, and the lattice.
using LinkDigests = std::array<std::uint64_t, 4>;
/// Makes the host's links resident, if they are not yet. Collective.
LinkDigests take_links(Session &session, const char *function, const MilcSolveJob &solve);

/// Checks common to all calls: the operator on the parity of inv_args. num_iters: not null, -1: links are new.
MilcSolveJob prepare_milc(Checks &checks, int external_precision, int quda_precision, const QudaInvertArgs_t &inv_args,
                          double mass, const void *fat, const void *longs, const int *num_iters);
/// Checks common to the solves: steps and precisions. fermilab: whether the residual is tested for it.
MilcSolveJob prepare_milc_solve(Checks &checks, int external_precision, int quda_precision,
                                const QudaInvertArgs_t &inv_args, double mass, const void *fat, const void *longs,
                                const int *num_iters, bool fermilab);

} // namespace quda
