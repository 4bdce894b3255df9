/// Pure gauge fields by heat bath.

#include "quda_ext.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/heatbath/heatbath.h"
#include "ops/random/gaussian.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace quda
{

namespace
{

  ResidentLinks *check_heatbath(Checks &checks, const QudaHeatbathParam *param)
  {
    const char *function = checks.function;
    check_not_null(function, "param", param);
    if (param->struct_size != sizeof *param)
      fail(ErrorKind::bad_argument,
           text("%s: QudaHeatbathParam.struct_size = %zu; allowed: %zu, as newQudaHeatbathParam() sets it", function,
                param->struct_size, sizeof *param));
    if (!(param->beta >= 0) || std::isinf(param->beta))
      refuse(function, "QudaHeatbathParam.beta", param->beta, "finite numbers, 0 or more");
    check_number(function, "QudaHeatbathParam.rectangle", param->rectangle);
    if (!(param->anisotropy > 0) || std::isinf(param->anisotropy))
      refuse(function, "QudaHeatbathParam.anisotropy", param->anisotropy, "finite numbers, more than 0");
    constexpr int most = std::numeric_limits<int>::max();
    check_range(function, "QudaHeatbathParam.n_heatbath", param->n_heatbath, 0, max_heatbath_updates);
    check_range(function, "QudaHeatbathParam.n_overrelax", param->n_overrelax, 0, most);
    check_range(function, "QudaHeatbathParam.n_sweeps", param->n_sweeps, 0, most);
    const long long room = (1LL << 32) - param->n_sweeps;
    check_range(function, "QudaHeatbathParam.first_sweep", param->first_sweep, 0, room);
    int start = 0; // copied as bytes: the caller's value may be no enumerator
    std::memcpy(&start, &param->start, sizeof start);
    check_range(function, "QudaHeatbathParam.start", start, QUDA_HEATBATH_START_RESIDENT, QUDA_HEATBATH_START_HOT);
    GaugeField &links = checks.session.wilson.precise(function);
    if (links.anisotropy() != 1)
      fail(ErrorKind::unsupported, text("%s: the resident links were loaded with QudaGaugeParam.anisotropy = %g; "
                                        "allowed: 1; that of the action is QudaHeatbathParam.anisotropy",
                                        function, links.anisotropy()));
    for (int d = 0; d < 4; d++)
      if (param->rectangle != 0 && links.lattice().global_X()[d] == 2)
        fail(ErrorKind::bad_argument,
             text("%s: QudaHeatbathParam.rectangle = %g on a lattice of extent 2 in direction %d, where a rectangle "
                  "would hold a link twice; allowed: 0, or extents of 4 and more",
                  function, param->rectangle, d));
    checks.same("QudaHeatbathParam.beta", param->beta);
    checks.same("QudaHeatbathParam.n_heatbath", param->n_heatbath);
    checks.same("QudaHeatbathParam.n_overrelax", param->n_overrelax);
    checks.same("QudaHeatbathParam.n_sweeps", param->n_sweeps);
    checks.same("QudaHeatbathParam.first_sweep", param->first_sweep);
    checks.same("QudaHeatbathParam.seed", param->seed);
    checks.same("QudaHeatbathParam.start", start);
    checks.same("QudaHeatbathParam.rectangle", param->rectangle);
    checks.same("QudaHeatbathParam.anisotropy", param->anisotropy);
    return &checks.session.wilson;
  }

  void carry_out(const char *function, ResidentLinks &wilson, const QudaHeatbathParam &param)
  {
    print(Verbosity::verbose,
          "Heat bath: beta = %g, c_1 = %g, anisotropy %g, sweeps from %u to before %llu of %d heat baths and %d "
          "over-relaxations\n",
          param.beta, param.rectangle, param.anisotropy, param.first_sweep,
          static_cast<unsigned long long>(param.first_sweep) + param.n_sweeps, param.n_heatbath, param.n_overrelax);
    const PhaseScope phase(Phase::compute);
    GaugeField &links = wilson.precise(function);
    const auto work = [&] {
      if (param.start == QUDA_HEATBATH_START_COLD) cold_start(links);
      if (param.start == QUDA_HEATBATH_START_HOT) hot_start(links, param.seed);
      heatbath(links, {param.beta, param.n_heatbath, param.n_overrelax, param.n_sweeps, param.first_sweep, param.seed,
                       param.rectangle, param.anisotropy});
    };
    write_or_free(links, function, work, [&] { wilson.free(); });
  }

} // namespace

} // namespace quda

extern "C" {

QudaHeatbathParam newQudaHeatbathParam(void)
{
  QudaHeatbathParam param = {};
  param.struct_size = sizeof param;
  param.beta = -1;
  param.n_heatbath = 1;
  param.n_overrelax = 4;
  param.n_sweeps = 1;
  param.anisotropy = 1;
  return param;
}

void heatbathQuda(const QudaHeatbathParam *param)
{
  const char *function = __func__;
  quda::guard_collective(
      function, [&](quda::Checks &checks) { return quda::check_heatbath(checks, param); },
      [&](quda::ResidentLinks *wilson) { quda::carry_out(function, *wilson, *param); });
}

} // extern "C"
