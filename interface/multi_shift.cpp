/// Linear systems of the host's quark fields with several shifts.
///
///   invertMultiShiftQuda         : (A + offset[i]) x_i = b for each of num_offset shifts
///   invertMultiSrcMultiShiftQuda : the same for num_src sources at once; shift i of source j is _hp_x[j num_offset +
///   i]
/// A is M^dag M (QUDA_MATDAG_MAT_SOLUTION by QUDA_NORMOP_SOLVE) or M_pc^dag M_pc (QUDA_MATPCDAG_MATPC_SOLUTION by
/// QUDA_NORMOP_PC_SOLVE), M M^dag with dagger. The mass normalisation multiplies source and shifts. For staggered
/// fermions A is M_pc without mass, -D D (QUDA_MATPC_SOLUTION by QUDA_DIRECT_PC_SOLVE), so that a shift is 4 m^2; mass
/// is not changed (QUDA writes that of the first shift into it). Shifts are zero or positive, in any order, and may be
/// equal; the first guess is zero. All solutions come from the Krylov space of the smallest shift, in cuda_prec_sloppy;
/// those with a true residual above tol_offset (tol_hq_offset) are then finished by conjugate gradients in
/// cuda_prec_refinement_sloppy, all together. tol_offset 0: as good as possible (for the smallest shift: as cuda_prec
/// allows). compute_true_res 0: solutions stay as the Krylov space made them, and true_res_offset, true_res_hq_offset
/// are 0. With several sources the residuals are those of the worst. iter counts the Krylov space and the refinement;
/// if it is below maxiter, all have converged. action is the sum over shifts of residue[i] <b, x_i>, for the first
/// source. make_resident_solution keeps the solutions as right-hand sides of one field, shift by shift, and does not
/// write the host's arrays.

#include "interface/application.h"
#include "interface/invert.h"
#include "interface/jobs.h"
#include "quda_ext.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/resident.h"
#include "interface/split_grid.h"
#include "ops/blas/block.h"

#include <algorithm>
#include <optional>

namespace quda
{

namespace
{

  void check_combination(const char *function, const QudaInvertParam &param)
  {
    if (param.inv_type != QUDA_CG_INVERTER)
      refuse(function, "QudaInvertParam.inv_type", param.inv_type, "QUDA_CG_INVERTER");
    if (staggered(param.dslash_type)) {
      if (param.solution_type != QUDA_MATPC_SOLUTION)
        refuse(function, "QudaInvertParam.solution_type", param.solution_type,
               "QUDA_MATPC_SOLUTION, of staggered fermions");
      if (param.solve_type != QUDA_DIRECT_PC_SOLVE)
        refuse(function, "QudaInvertParam.solve_type", param.solve_type, "QUDA_DIRECT_PC_SOLVE, of staggered fermions");
    } else if (param.solution_type == QUDA_MATDAG_MAT_SOLUTION) {
      if (param.solve_type != QUDA_NORMOP_SOLVE)
        refuse(function, "QudaInvertParam.solve_type", param.solve_type,
               "QUDA_NORMOP_SOLVE, for QUDA_MATDAG_MAT_SOLUTION");
    } else if (param.solution_type == QUDA_MATPCDAG_MATPC_SOLUTION) {
      if (param.solve_type != QUDA_NORMOP_PC_SOLVE)
        refuse(function, "QudaInvertParam.solve_type", param.solve_type,
               "QUDA_NORMOP_PC_SOLVE, for QUDA_MATPCDAG_MATPC_SOLUTION");
    } else {
      refuse(function, "QudaInvertParam.solution_type", param.solution_type,
             "QUDA_MATDAG_MAT_SOLUTION, QUDA_MATPCDAG_MATPC_SOLUTION");
    }
    if (distance_preconditioned(param))
      refuse(function, "QudaInvertParam.distance_pc_alpha0", param.distance_pc_alpha0, "0, or distance_pc_t0 = -1");
  }

  void check_shifts(Checks &checks, const QudaInvertParam &param)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    check(checks, param, &P::num_offset);
    const int n = param.num_offset;
    if (n == 0)
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.num_offset = 0; allowed: 1 to %d", function, QUDA_MAX_MULTI_SHIFT));
    check(checks, param, first(n, &P::offset), &P::compute_true_res);
    for (int k = 0; k < n; k++)
      if (param.offset[k] < 0)
        fail(ErrorKind::bad_argument,
             text("%s: QudaInvertParam.offset[%d] = %g; allowed: 0 or more", function, k, param.offset[k]));
    if (param.residual_type & (QUDA_L2_RELATIVE_RESIDUAL | QUDA_L2_ABSOLUTE_RESIDUAL))
      check(checks, param, first(n, &P::tol_offset));
    if (param.residual_type & QUDA_HEAVY_QUARK_RESIDUAL) check(checks, param, first(n, &P::tol_hq_offset));
    if (param.compute_action) check(checks, param, first(n, &P::residue));
    check_if_set(checks, param, &P::cuda_prec_refinement_sloppy);
    check_if_set(checks, param, &P::reliable_delta_refinement);
  }

  /// The checked call; its h_out has one field per source and shift, source by source.
  QuarkJob prepare(Checks &checks, void *const *x, void *const *b, bool several, const QudaInvertParam *param)
  {
    const char *function = checks.function;
    check_struct(function, param);
    check_solve(checks, *param);
    check_combination(function, *param);
    check_shifts(checks, *param);
    check_not_null(function, "_hp_x", x);
    check_not_null(function, "_hp_b", several ? static_cast<const void *>(b) : *b);
    QuarkJob application = quark_job(checks, *param, false);
    if (several) check_sources(checks, application, *param);
    refuse_with_split(function, application, *param, param->make_resident_solution, "make_resident_solution",
                      text("%d", param->make_resident_solution), "0");
    if (auto *const staggered = std::get_if<StaggeredFermions>(&application.dirac)) staggered->mass = 0;
    const int parity = preconditioned(param->solution_type) ? parity_of(static_cast<MatPC>(param->matpc_type)) : -1;
    const int n = param->num_offset, sources = several ? param->num_src : 1;
    for (int i = 0; i < n * sources; i++)
      add_output(function, application, *param, {text("_hp_x[%d]", i), x[i], parity});
    for (int j = 0; j < sources; j++)
      add_input(function, application, *param, {several ? text("_hp_b[%d]", j) : "_hp_b", b[j], parity});
    return application;
  }

  DiracShifts shifts_of(Session &session, const QuarkJob &job, const QudaInvertParam &param, double factor)
  {
    using P = QudaInvertParam;
    DiracShifts how;
    how.system.dagger = job.dagger;
    how.system.normal = of_normal_operator(param.solution_type);
    if (preconditioned(param.solution_type)) how.system.matpc = static_cast<MatPC>(param.matpc_type);
    for (int k = 0; k < param.num_offset; k++) {
      how.shifts.push_back(factor * param.offset[k]);
      Tolerance tolerance;
      if (param.residual_type & QUDA_L2_RELATIVE_RESIDUAL) tolerance.relative = param.tol_offset[k];
      if (param.residual_type & QUDA_L2_ABSOLUTE_RESIDUAL) tolerance.absolute = param.tol_offset[k];
      if (param.residual_type & QUDA_HEAVY_QUARK_RESIDUAL) tolerance.heavy_quark = param.tol_hq_offset[k];
      how.tolerances.push_back(tolerance);
    }
    how.sloppy = iteration_storage(session, param, LinkCopy::sloppy, &P::cuda_prec_sloppy);
    how.refinement = iteration_storage(
        session, param, LinkCopy::refinement,
        is_unset(param, &P::cuda_prec_refinement_sloppy) ? &P::cuda_prec_sloppy : &P::cuda_prec_refinement_sloppy);
    how.limits = how.refinement_limits = {.iterations = param.maxiter, .reliable_delta = param.reliable_delta};
    if (!is_unset(param, &P::reliable_delta_refinement))
      how.refinement_limits.reliable_delta = param.reliable_delta_refinement;
    how.refine = param.compute_true_res;
    return how;
  }

  void report(const ShiftedReport &found, QudaInvertParam &param)
  {
    for (std::size_t k = 0; k < found.shift.size(); k++) {
      double iterated = 0, residual = 0, heavy_quark = 0;
      for (const RhsReport &one : found.shift[k].rhs) {
        iterated = std::max(iterated, one.iterated);
        residual = std::max(residual, one.residual);
        heavy_quark = std::max(heavy_quark, one.heavy_quark);
      }
      param.iter_res_offset[k] = iterated;
      param.true_res_offset[k] = param.compute_true_res ? residual : 0;
      param.true_res_hq_offset[k] = param.compute_true_res ? heavy_quark : 0;
    }
    param.iter = told_iterations(found.converged(), found.iterations, param);
  }

  void invert(Session &session, const char *function, QuarkJob &job, QudaInvertParam &param)
  {
    job.timer.start();
    const VerbosityScope printing(verbosity_of(param));
    if (log_prints(Verbosity::debug)) printQudaInvertParam(&param);
    const GaugeField &links = job.links->precise();
    const int n = param.num_offset, sources = static_cast<int>(job.h_in.size());
    std::optional<ColorSpinorField> b;
    std::unique_ptr<ColorSpinorField> x; // shift by shift
    {
      const PhaseScope phase(Phase::init);
      b.emplace(native_block(job.h_in, links.precision()));
      x = std::make_unique<ColorSpinorField>(native_block(job.h_out, links.precision()));
    }
    {
      const PhaseScope phase(Phase::h2d);
      load_block(*b, job.h_in);
    }
    ShiftedReport found;
    {
      const PhaseScope phase(Phase::compute);
      const double factor = source_factor(param);
      if (factor != 1) blas::ax(factor, *b);
      on_sub_grids(job, *x, *b, false,
                   [&](const Dirac &dirac, ColorSpinorField &x_here, const ColorSpinorField &b_here) {
                     try {
                       found = solve(dirac, shifts_of(session, job, param, staggered(param.dslash_type) ? 1 : factor),
                                     x_here, b_here);
                     } catch (const NotFinite &refused) {
                       throw refusal_by_name(function, refused, job, false);
                     }
                     return found.flops;
                   });
      for (SolveReport &shift : found.shift) shift = of_all_sources(job, shift);
      found.iterations = most_on_sub_grids(job, found.iterations);
      if (param.compute_action) {
        std::complex<double> action = 0;
        for (int k = 0; k < n; k++)
          action += param.residue[k] * blas::block::cdot(b->columns(0, 1), x->columns(k * sources, 1))[0];
        param.action[0] = action.real();
        param.action[1] = action.imag();
      }
    }
    if (param.make_resident_solution) {
      session.solution = std::move(x);
    } else {
      const PhaseScope phase(Phase::d2h);
      for (int i = 0; i < n * sources; i++)
        job.h_out[static_cast<std::size_t>(i)] = x->columns(i % n * sources + i / n, 1);
      session.solution.reset();
    }
    report(found, param);
    report_work(job, param, found.flops);
  }

  Job<> invert_job(Checks &checks, void *const *x, void *const *b, bool several, QudaInvertParam *param)
  {
    return {prepare(checks, x, b, several, param),
            [param, function = checks.function](Session &session, QuarkJob &job) {
              invert(session, function, job, *param);
            }};
  }
  Job<> invert_one(Checks &checks, void **x, void *b, QudaInvertParam *param)
  {
    return invert_job(checks, x, &b, false, param);
  }
  Job<> invert_several(Checks &checks, void **x, void **b, QudaInvertParam *param)
  {
    return invert_job(checks, x, b, true, param);
  }

} // namespace

constexpr JobOf<::invertMultiShiftQuda> jobs::invertMultiShiftQuda {"invertMultiShiftQuda", invert_one};

} // namespace quda

extern "C" {

void invertMultiShiftQuda(void **_hp_x, void *_hp_b, QudaInvertParam *param)
{
  quda::forget_results(param);
  quda::jobs::invertMultiShiftQuda.call(_hp_x, _hp_b, param);
}

void invertMultiSrcMultiShiftQuda(void **_hp_x, void **_hp_b, QudaInvertParam *param)
{
  quda::forget_results(param);
  quda::guard_job(__func__, quda::invert_several, _hp_x, _hp_b, param);
}

} // extern "C"
