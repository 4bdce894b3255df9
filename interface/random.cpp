/// Random links and momenta.

#include "quda.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/random/gaussian.h"

namespace quda
{

namespace
{

  void check_width(Checks &checks, double sigma)
  {
    check_number(checks.function, "sigma", sigma);
    checks.same("sigma", sigma);
  }

  GaugeField &momentum(Checks &checks)
  {
    const char *function = checks.function;
    const auto &resident = checks.session.momentum;
    if (!resident)
      fail(ErrorKind::bad_argument, text("%s: no momentum is resident; load one with momResidentQuda()", function));
    return *resident;
  }

  using Fill = void (*)(GaugeField &, unsigned long long seed, double sigma);

  void fill(const char *function, GaugeField &field, Fill work, unsigned long long seed, double sigma, const char *kind,
            const std::function<void()> &free)
  {
    print(Verbosity::summarize, "Creating Gaussian distributed Lie %s field with sigma = %e\n", kind, sigma);
    const PhaseScope phase(Phase::compute);
    write_or_free(
        field, function, [&] { work(field, seed, sigma); }, free);
  }

} // namespace

} // namespace quda

extern "C" {

void gaussGaugeQuda(unsigned long long seed, double sigma)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        quda::check_width(checks, sigma);
        return &checks.session.wilson.precise(function);
      },
      [&](quda::Session &session, quda::GaugeField *links) {
        quda::fill(function, *links, quda::gaussian_links, seed, sigma, "group", [&] { session.wilson.free(); });
      });
}

void gaussMomQuda(unsigned long long seed, double sigma)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        quda::check_width(checks, sigma);
        return &quda::momentum(checks);
      },
      [&](quda::Session &session, quda::GaugeField *momentum) {
        quda::fill(function, *momentum, quda::gaussian_momentum, seed, sigma, "algebra",
                   [&] { session.momentum.reset(); });
      });
}

} // extern "C"
