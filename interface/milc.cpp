/// MILC's functions for start, end and memory; the others are in milc_*.cpp.

#include "quda.h"
#include "quda_fortran.h"
#include "quda_milc_interface.h"

#include "interface/guard.h"
#include "interface/memory.h"
#include "interface/milc_site.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "targets/target.h"

namespace
{

/// latsize is the global lattice, machsize the process grid.
void check_layout(const char *function, const QudaLayout_t &layout)
{
  quda::check_not_null(function, "latsize", layout.latsize);
  quda::check_not_null(function, "machsize", layout.machsize);
  for (int d = 0; d < 4; d++) {
    const int extent = layout.latsize[d], ranks = layout.machsize[d];
    quda::check_range(function, quda::text("machsize[%d]", d).c_str(), ranks, 1, 1 << 30);
    quda::check_range(function, quda::text("latsize[%d]", d).c_str(), extent, 2, 1 << 30);
    if (extent % ranks || extent / ranks % 2)
      quda::fail(quda::ErrorKind::bad_argument,
                 quda::text("%s: latsize[%d] = %d over machsize[%d] = %d ranks; allowed: an even local extent",
                            function, d, extent, d, ranks));
  }
}

void start(quda::Session &session, const char *function, QudaLayout_t layout)
{
  check_layout(function, layout);
  int grid[4];
  for (int d = 0; d < 4; d++) grid[d] = layout.machsize[d];
  comm_set_gridsize_(grid); // MILC numbers its ranks as Fortran codes do
  initQuda(layout.device);
  session.milc = {};
  session.hisq_filter.reset();
  for (int d = 0; d < 4; d++) session.milc.X[d] = layout.latsize[d] / layout.machsize[d];
}

} // namespace

extern "C" {

void qudaSetMPICommHandle(void *mycomm) { setMPICommHandleQuda(mycomm); }

void qudaInit(QudaInitArgs_t input)
{
  quda::guard(__func__, [&, function = __func__](quda::Session &session) {
    setVerbosityQuda(input.verbosity, "", stdout);
    start(session, function, input.layout);
  });
}

void qudaSetLayout(QudaLayout_t layout)
{
  quda::guard(__func__, [&, function = __func__](quda::Session &session) { start(session, function, layout); });
}

void qudaFinalize(void) { endQuda(); }

void *qudaAllocatePinned(size_t bytes)
{
  return quda::guard(__func__, [&] { return quda::pinned_pool().get(bytes, "qudaAllocatePinned"); });
}

void qudaFreePinned(void *ptr)
{
  quda::guard(__func__, [&] { quda::take_back(quda::pinned_pool(), ptr, "qudaFreePinned"); });
}

void *qudaAllocateManaged(size_t bytes)
{
  return quda::guard(__func__, [&] { return quda::managed_pool().get(bytes, "qudaAllocateManaged"); });
}

void qudaFreeManaged(void *ptr)
{
  quda::guard(__func__, [&] { quda::take_back(quda::managed_pool(), ptr, "qudaFreeManaged"); });
}

} // extern "C"
