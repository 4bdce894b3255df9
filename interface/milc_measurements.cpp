/// What MILC measures on its links: plaquettes, the Polyakov loop, traces of loops.
///
/// Measured are the host's links, or those that qudaUpdateUPhasedPipeline() keeps resident; where they carry phases
/// (phase_in), without these and without the boundary sign. So the Polyakov loop has one sign, that of periodic links:
/// QUDA leaves the boundary sign in and turns the result, phases or not. No resident field is changed.

#include "quda.h"
#include "quda_milc_interface.h"

#include "interface/link_source.h"
#include "interface/loops.h"
#include "interface/milc_site.h"
#include "interface/observables.h"
#include "interface/params/param_table.h"

namespace quda
{

namespace
{

  /// Loops whose traces are wanted, if they are.
  struct Loops {
    double *traces = nullptr;
    int **paths = nullptr;
    int *lengths = nullptr;
    double *coefficients = nullptr;
    int n = 0, longest = 0;
    double factor = 0;
  };

  /// plaq, ploop, loops.traces: null where not wanted.
  struct Wanted {
    double *plaq = nullptr, *ploop = nullptr;
    int dir = 3;
    Loops loops {};
  };

  struct MeasurementJob {
    LinkSource links;
    QudaGaugeObservableParam observables;
  };

  MeasurementJob prepare(Checks &checks, int precision, const Wanted &wanted, const QudaMILCSiteArg_t *arg,
                         int phase_in)
  {
    const char *function = checks.function;
    MilcArrays arrays = milc_arrays(checks, precision, arg, phase_in, MilcNeeds::links);
    if (wanted.ploop) check_range(function, "dir", wanted.dir, 3, 3);
    arrays.param.use_resident_gauge = milc_links_resident(checks.session);
    const QudaPrecision stored = arrays.param.cpu_prec;
    MeasurementJob measurement {link_source(checks, arrays.links_name, arrays.links, arrays.param, stored, "precision"),
                                default_param<QudaGaugeObservableParam>()};
    const auto flag = [](bool yes) { return yes ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE; };
    QudaGaugeObservableParam &param = measurement.observables;
    param.compute_plaquette = flag(wanted.plaq);
    param.compute_polyakov_loop = flag(wanted.ploop);
    param.compute_gauge_loop_trace = flag(wanted.loops.traces);
    param.remove_staggered_phase = flag(measurement.links.field.phases.applied);
    for (const QudaBoolean one : {param.compute_plaquette, param.compute_polyakov_loop, param.compute_gauge_loop_trace})
      checks.same("what is measured", one);
    if (!wanted.loops.traces) return measurement;
    param.traces = reinterpret_cast<double _Complex *>(wanted.loops.traces);
    param.input_path_buff = wanted.loops.paths;
    param.path_length = wanted.loops.lengths;
    param.loop_coeff = wanted.loops.coefficients;
    param.num_paths = wanted.loops.n;
    param.max_length = wanted.loops.longest;
    param.factor = wanted.loops.factor;
    check_loop_traces(checks, *measurement.links.lattice(), param);
    return measurement;
  }

  void measure(const char *function, int precision, const Wanted &wanted, const QudaMILCSiteArg_t *arg, int phase_in,
               const std::vector<std::pair<const char *, const void *>> &needed)
  {
    guard_collective(
        function,
        [&](Checks &checks) {
          for (const auto &[name, pointer] : needed) check_not_null(function, name, pointer);
          return prepare(checks, precision, wanted, arg, phase_in);
        },
        [&](MeasurementJob &measurement) {
          LinkSet own;
          if (measurement.links.host) own.load(measurement.links.load());
          QudaGaugeObservableParam &param = measurement.observables;
          measure_observables(function, param, measurement.links.host ? own : measurement.links.wilson.set(function));
          if (wanted.plaq)
            for (int i = 0; i < 3; i++) wanted.plaq[i] = param.plaquette[i];
          if (wanted.ploop)
            for (int i = 0; i < 2; i++) wanted.ploop[i] = param.ploop[i];
        });
  }

} // namespace

} // namespace quda

extern "C" {

void qudaPlaquettePhased(int precision, double plaq[3], QudaMILCSiteArg_t *arg, int phase_in)
{
  quda::measure(__func__, precision, {.plaq = plaq}, arg, phase_in, {{"plaq", plaq}});
}

void qudaPolyakovLoopPhased(int precision, double ploop[2], int dir, QudaMILCSiteArg_t *arg, int phase_in)
{
  quda::measure(__func__, precision, {.ploop = ploop, .dir = dir}, arg, phase_in, {{"ploop", ploop}});
}

void qudaGaugeLoopTracePhased(int precision, double *traces, int **input_path_buf, int *path_length, double *loop_coeff,
                              int num_paths, int max_length, double factor, QudaMILCSiteArg_t *arg, int phase_in)
{
  quda::measure(__func__, precision,
                {.loops = {traces, input_path_buf, path_length, loop_coeff, num_paths, max_length, factor}}, arg,
                phase_in, {{"traces", traces}});
}

void qudaGaugeMeasurementsPhased(int precision, double plaq[3], double ploop[2], int dir, double *traces,
                                 int **input_path_buf, int *path_length, double *loop_coeff, int num_paths,
                                 int max_length, double factor, QudaMILCSiteArg_t *arg, int phase_in)
{
  quda::measure(__func__, precision,
                {plaq, ploop, dir, {traces, input_path_buf, path_length, loop_coeff, num_paths, max_length, factor}},
                arg, phase_in, {});
}

} // extern "C"
