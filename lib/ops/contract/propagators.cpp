#include "ops/contract/propagators.h"

#include "kernels/contract/propagators_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(PropagatorsCall, contract_propagators)

namespace
{

  constexpr const char *function = "contract_propagators";

  void check_fields(const ColorSpinorField &x, const ColorSpinorField &y, const SiteField &result)
  {
    check_same_spinors(function, x, y);
    const bool native = x.native() && y.native() && result.native(),
               spins = x.spins() == 1 || (x.spins() == 4 && x.rhs() % 4 == 0);
    if (!native || !spins || x.colors() != 3 || x.parities() != 2 || x.layers() != 1)
      fail(ErrorKind::internal,
           text("%s: native full fields of 3 colors, of 1 spin or of 4 with as many columns, please", function));
    if (x.precision() != y.precision() || result.precision() != x.precision() || result.reals() != 2 ||
        result.inner() != x.spins() * x.spins() || !same_sites(result.lattice(), x.lattice()))
      fail(ErrorKind::internal, text("%s: one precision, and a result as propagators_param() says, please", function));
  }

} // namespace

SiteFieldParam propagators_param(const ColorSpinorField &x)
{
  SiteFieldParam param {x.param(), 2, true};
  param.rhs = x.spins() * x.spins();
  return param;
}

void contract_propagators(const ColorSpinorField &x, const ColorSpinorField &y, SiteField &result)
{
  check_fields(x, y, result);
  const int bytes = bytes_of(x.precision());
  const long long pairs = x.spins() == 1 ? x.rhs() : 16LL * x.rhs();
  launch({.name = x.spins() == 1 ? "ContractColors" : "ContractPropagators",
          .lattice = x.lattice(),
          .extent = {registers(x), 2},
          .aux = key_text("prec=", bytes, ",columns=", x.rhs()),
          .flops = x.sites() * (24 * pairs + (x.spins() == 1 ? 0 : 384)),
          .bytes = x.sites() * (2LL * x.rhs() * x.reals() + 2LL * result.inner()) * bytes},
         contract_propagators_kernels().find(function, bytes, x.spins()),
         {x.view().field, y.view().field, result.view(), x.rhs() / x.spins()});
  result.mark_written();
}

} // namespace quda
