/// Traces of loops.
///
///   computeGaugeLoopTraceQuda : traces[i] = factor loop_coeff[i] sum_x tr Loop_i(x), with the smeared links if there
///                               are any, else with the resident Wilson links, which must exist in either case
/// Loops need not close. The current links are always used, with staggered phases removed first.

#include "interface/loops.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"
#include "interface/path_arguments.h"
#include "interface/resident.h"
#include "interface/without_phases.h"
#include "ops/gauge/path_sum.h"

#include <complex>
#include <cstring>

namespace quda
{

namespace
{

  std::vector<WeightedPath> loops_of(const char *function, const QudaGaugeObservableParam &param)
  {
    return PathArguments {function, param.path_length, param.loop_coeff, param.num_paths, param.max_length}.read_loops(
        param.input_path_buff);
  }

} // namespace

void check_loop_traces(Checks &checks, const Lattice &lattice, const QudaGaugeObservableParam &param)
{
  const char *function = checks.function;
  check_not_null(function, "traces", param.traces);
  check_number(function, "factor", param.factor);
  const std::vector<WeightedPath> loops = loops_of(function, param);
  checks.same("the digest of input_path_buf and loop_coeff", digest(loops));
  checks.same("factor", param.factor);
  for (const WeightedPath &loop : loops)
    if (loop.coefficient != 0) check_reach(function, lattice, reach_of(loop.steps), loop.steps.size());
}

void measure_loop_traces(const char *function, const LinkSet &links, QudaGaugeObservableParam &param)
{
  const std::vector<WeightedPath> loops = loops_of(function, param);
  Reach reach {};
  for (const WeightedPath &loop : loops)
    if (loop.coefficient != 0)
      for (int d = 0; d < 4; d++) reach[d] = std::max(reach[d], reach_of(loop.steps)[d]);
  const GaugeField &bordered = with_border(links, reach);
  const PhaseScope phase(Phase::compute);
  for (std::size_t i = 0; i < loops.size(); i++) {
    std::complex<double> trace = 0;
    if (loops[i].coefficient != 0) trace = param.factor * loops[i].coefficient * loop_trace(bordered, loops[i].steps);
    std::memcpy(param.traces + i, &trace, sizeof(trace)); // a C complex number
  }
}

} // namespace quda

extern "C" {

void computeGaugeLoopTraceQuda(double _Complex *traces, int **input_path_buf, int *path_length, double *loop_coeff,
                               int num_paths, int max_length, double factor)
{
  const char *function = __func__;
  QudaGaugeObservableParam param = quda::default_param<QudaGaugeObservableParam>();
  param.traces = traces;
  param.input_path_buff = input_path_buf;
  param.path_length = path_length;
  param.loop_coeff = loop_coeff;
  param.num_paths = num_paths;
  param.max_length = max_length;
  param.factor = factor;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        const quda::LinkSet &set = quda::measured_links(checks).set(function);
        const quda::GaugeField &links = set.precise();
        quda::check_loop_traces(checks, links.lattice(), param);
        if (links.phases().applied) quda::check_phase_type(function, links.phases());
        return &set;
      },
      [&](const quda::LinkSet *set) {
        const quda::WithoutPhases bare(*set);
        quda::measure_loop_traces(function, bare.links(), param);
      });
}

} // extern "C"
