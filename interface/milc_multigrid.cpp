/// MILC's multigrid for staggered quarks.
///
///   qudaMultigridCreate, qudaInvertMG : not built: staggered fermions are not coarsened. What is passed is checked all
///                                       the same, so that a file that cannot be read is told first.
///   qudaMultigridDestroy              : of a null pointer, nothing
/// Errors     : unsupported; bad_argument for what would be refused if they were built.

#include "quda.h"
#include "quda_milc_interface.h"

#include "core/error.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"

#include <unistd.h>

namespace quda
{

namespace
{

  void check_milc_call(Checks &checks, int external_precision, int quda_precision, double mass, const void *fat)
  {
    const char *function = checks.function;
    check_range(function, "external_precision", external_precision, 1, 2);
    check_range(function, "quda_precision", quda_precision, 1, 2);
    check_number(function, "mass", mass);
    check_not_null(function, "milc_fatlink", fat);
  }

  [[noreturn]] void fail_staggered(const char *function)
  {
    fail(
        ErrorKind::unsupported,
        text(
            "%s is not supported by this build of libquda: multigrid coarsens Wilson, clover and twisted fermions, not "
            "staggered ones",
            function));
  }

} // namespace

} // namespace quda

extern "C" {

void *qudaMultigridCreate(int external_precision, int quda_precision, double mass, QudaInvertArgs_t,
                          const void *const milc_fatlink, const void *const, const char *const mg_param_file)
{
  using namespace quda;
  return guard_collective(
      __func__,
      [&](Checks &checks) {
        const char *function = checks.function;
        check_milc_call(checks, external_precision, quda_precision, mass, milc_fatlink);
        check_not_null(function, "mg_param_file", mg_param_file);
        if (access(mg_param_file, R_OK) != 0)
          fail(ErrorKind::file, text("%s: mg_param_file = \"%s\" cannot be read; allowed: the name of a file of "
                                     "multigrid parameters",
                                     function, mg_param_file));
        fail_staggered(function);
      },
      []() -> void * { return nullptr; });
}

void qudaInvertMG(int external_precision, int quda_precision, double mass, QudaInvertArgs_t, double target_residual,
                  double target_fermilab_residual, const void *const milc_fatlink, const void *const, void *, int,
                  void *source, void *solution, double *const, double *const, int *)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Checks &checks) {
        const char *function = checks.function;
        check_milc_call(checks, external_precision, quda_precision, mass, milc_fatlink);
        check_number(function, "target_residual", target_residual);
        check_number(function, "target_fermilab_residual", target_fermilab_residual);
        check_not_null(function, "source", source);
        check_not_null(function, "solution", solution);
        fail_staggered(function);
      },
      [] {});
}

void qudaMultigridDestroy(void *mg_pack_ptr)
{
  using namespace quda;
  guard(__func__, [&, function = __func__] {
    if (mg_pack_ptr)
      fail(
          ErrorKind::bad_argument,
          text("%s: mg_pack_ptr = %p; allowed: null, qudaMultigridCreate() makes no hierarchy in this build of libquda",
               function, mg_pack_ptr));
  });
}

} // extern "C"
