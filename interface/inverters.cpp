/// Choice of an inverter.
///
///   qudaSetSchwarzBlock: domains of Schwarz preconditioners
/// Errors        : bad_argument, with the argument and its value. Collective: no.

#include "interface/inverters.h"

#include "quda_ext.h"

#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "solvers/method.h"

namespace quda
{

std::string inverters()
{
  std::string all;
  for (const MethodRow &row : methods())
    all += (all.empty() ? "" : ", ") + value_text(static_cast<QudaInverterType>(row.method));
  return all;
}

} // namespace quda

extern "C" {

void qudaSetSchwarzBlock(const int *extents)
{
  quda::guard(__func__, [&, function = __func__](quda::Session &session) {
    quda::Domains domains;
    for (int d = 0; d < 4 && extents; d++) {
      domains.block[d] = extents[d];
      if (extents[d] < 1)
        quda::fail(quda::ErrorKind::bad_argument,
                   quda::text("%s: extents[%d] = %d; allowed: 1 or more", function, d, extents[d]));
    }
    session.schwarz = domains;
  });
}

} // extern "C"
