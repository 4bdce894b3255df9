#include "targets/table.h"

namespace quda
{

namespace
{

  std::string variant_text(int variant) { return variant ? text(" with reconstruct %d", variant) : std::string(); }

} // namespace

void fail_not_built(const char *function, int precision, int variant)
{
  fail(ErrorKind::not_built,
       text("%s: precision %d bytes%s is not in this build (QUDA_PRECISION = %d, QUDA_RECONSTRUCT = %d)", function,
            precision, variant_text(variant).c_str(), QUDA_PRECISION, QUDA_RECONSTRUCT));
}

void fail_unsupported(const char *function, const char *kernel, bool any, int precision, int variant)
{
  if (!any)
    fail(ErrorKind::not_built,
         text("%s: kernels %s were not built for %s", function, kernel, target_name(target().kind())));
  fail(ErrorKind::unsupported,
       text("%s: fields of %d bytes a real%s are not supported", function, precision, variant_text(variant).c_str()));
}

} // namespace quda
