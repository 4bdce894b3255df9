/// Functions that free what no function of this build makes yet. Host codes call them at their end whether or not there
/// is anything; there never is, so they do nothing.
///
/// Errors    : bad_argument for a handle other than null, which no function of this build gives out
/// Collective: no

#include "quda.h"
#include "quda_fortran.h"
#include "quda_milc_interface.h"

#include "core/error.h"
#include "interface/guard.h"

namespace
{

void expect_null(const char *function, const char *name, const void *handle)
{
  quda::guard(function, [&] {
    if (handle)
      quda::fail(quda::ErrorKind::bad_argument, quda::text("%s: %s = %p; allowed: null, this build of libquda makes no "
                                                           "such handle",
                                                           function, name, handle));
  });
}

} // namespace

extern "C" {

void destroyDeflationQuda(void *df_instance) { expect_null(__func__, "df_instance", df_instance); }
void destroyMultigridQuda(void *mg_instance) { expect_null(__func__, "mg_instance", mg_instance); }

void qudaMultigridDestroy(void *mg_pack_ptr) { expect_null(__func__, "mg_pack_ptr", mg_pack_ptr); }

void free_sloppy_gauge_quda_(void) {}

} // extern "C"
