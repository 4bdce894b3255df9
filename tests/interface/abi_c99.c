/* The public headers as a C99 host code sees them: they compile, and C lays out what C++ lays out. */

#include "device.h"
#include "enum_quda.h"
#include "quda.h"
#include "quda_api.h"
#include "quda_constants.h"
#include "quda_define.h"
#include "quda_ext.h"
#include "quda_fortran.h"
#include "quda_milc_interface.h"
#include "util_quda.h"

#include "abi_entries.h"

#define ABI_FUNCTION(...)
#define ABI_DEFAULT(...)

/* clang-format off */
const struct AbiEntry abi_entries_as_c[] = {
#include "abi_data.def"
};
/* clang-format on */
const size_t n_abi_entries_as_c = sizeof(abi_entries_as_c) / sizeof(abi_entries_as_c[0]);

/* a host's own type: the headers leave its name alone */
typedef struct {
  double real, imag;
} double_complex;

/* calls as host codes write them: structures by value and by address, complex numbers */
double _Complex abi_calls_as_c(void)
{
  QudaGaugeParam gauge = newQudaGaugeParam();
  QudaBLASParam blas = newQudaBLASParam();
  const int grid[4] = {1, 1, 1, 1};
  QudaInitArgs_t init = {QUDA_SILENT, {grid, grid, 0}};
  const double_complex two = {2.0, 0.0};
  blas.alpha = gauge.X[0] + two.real;
  return blas.alpha + init.layout.latsize[0];
}
