/// MILC's systems of staggered quarks: (4 m^2 - D D) x = b on one parity, D the improved hop of fat and long links, or
/// the naive one of the links that are passed as fat ones where there are no long links.
///
///   qudaInvert, qudaInvertMsrc : one source, several sources at once; x is the first guess
///   qudaMultishiftInvert       : (offset[i] - D D) x_i = b
///   qudaEigCGInvert            : one of a sequence of sources, each of which leaves low modes for those that follow
///                                (interface/milc_sequence.h)
///   qudaDslash                 : D onto one parity
/// Arrays are full-size; source and solution are their halves of inv_args.evenodd. A residual is tested where its
/// target is not 0; num_iters comes back no less than max_iter where one was not reached. Several sources give the
/// residuals of the worst.
/// Precisions : true residuals are in double whatever quda_precision is; iterations are in quda_precision, or in single
///              or half (inv_args.mixed_precision 1, 2), but in double where a Fermilab residual is asked for. The
///              shifts' refinement is in half with mixed_precision 1.
/// Links      : the host's (interface/milc_operator.h).
///              How long links are stored, 18, 13 or 9, may be set by QUDA_MILC_HISQ_RECONSTRUCT and, of the copies
///              that iterations use, QUDA_MILC_HISQ_RECONSTRUCT_SLOPPY (18, the former), as far as the links allow it.
/// Members of inv_args that are read: max_iter, evenodd and mixed_precision.

#include "quda.h"
#include "quda_milc_interface.h"

#include "interface/invert.h"
#include "interface/jobs.h"
#include "interface/milc_operator.h"
#include "interface/milc_sequence.h"
#include "interface/milc_site.h"
#include "interface/params/param_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace quda
{

namespace
{

  struct Targets {
    double relative, fermilab;
  };
  struct Results {
    double *relative, *fermilab;
    int *num_iters;
  };

  void check_results(const char *function, const Results &results)
  {
    check_not_null(function, "final_residual", results.relative);
    check_not_null(function, "final_fermilab_residual", results.fermilab);
  }

  /// several: one array, or a list of them. sequence: that of a single source, or null.
  void invert(const char *function, int external_precision, int quda_precision, double mass,
              const QudaInvertArgs_t &inv_args, const Targets &targets, const void *fat, const void *longs,
              void *const *sources, void *const *solutions, const Results &results, int n, bool several,
              const MilcSequence *sequence = nullptr)
  {
    forget_results(results.relative, 1);
    forget_results(results.fermilab, 1);
    guard_collective(
        function,
        [&](Checks &checks) {
          const QudaResidualType tested = milc_residuals(checks, targets.relative, targets.fermilab);
          MilcSolveJob solve = prepare_milc_solve(checks, external_precision, quda_precision, inv_args, mass, fat,
                                                  longs, results.num_iters, targets.fermilab > 0);
          solve.quarks.residual_type = tested;
          solve.quarks.tol = targets.relative;
          solve.quarks.tol_hq = targets.fermilab;
          solve.quarks.use_init_guess = QUDA_USE_INIT_GUESS_YES;
          check_range(function, "num_src", n, 1, QUDA_MAX_MULTI_SRC);
          checks.same("num_src", n);
          if (several) {
            check_not_null(function, "sourceArray", sources);
            check_not_null(function, "solutionArray", solutions);
          }
          for (int j = 0; j < n; j++) {
            check_not_null(function, several ? text("sourceArray[%d]", j).c_str() : "source", sources[j]);
            check_not_null(function, several ? text("solutionArray[%d]", j).c_str() : "solution", solutions[j]);
          }
          check_results(function, results);
          if (sequence) check_sequence(checks, *sequence, solve.quarks);
          solve.quarks.num_src = solve.quarks.num_src_per_sub_partition = n;
          return solve;
        },
        [&](Session &session, MilcSolveJob &solve) {
          const NaiveLinks naive(session, !longs);
          take_links(session, function, solve);
          std::vector<void *> b, x;
          for (int j = 0; j < n; j++) {
            b.push_back(solve.half(sources[j]));
            x.push_back(solve.half(solutions[j]));
          }
          QudaInvertParam &param = solve.quarks;
          if (several)
            step(function, jobs::invertMultiSrcQuda, x.data(), b.data(), &param);
          else if (sequence)
            invert_in_sequence(session, function, *sequence, x[0], b[0], param);
          else
            step(function, jobs::invertQuda, x[0], b[0], &param);
          *results.relative = *std::max_element(param.true_res, param.true_res + n);
          *results.fermilab = *std::max_element(param.true_res_hq, param.true_res_hq + n);
          *results.num_iters = param.iter;
        });
  }

} // namespace

} // namespace quda

extern "C" {

void qudaInvert(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                double target_residual, double target_fermilab_residual, const void *const milc_fatlink,
                const void *const milc_longlink, void *source, void *solution, double *const final_residual,
                double *const final_fermilab_residual, int *num_iters)
{
  quda::invert(__func__, external_precision, quda_precision, mass, inv_args,
               {target_residual, target_fermilab_residual}, milc_fatlink, milc_longlink, &source, &solution,
               {final_residual, final_fermilab_residual, num_iters}, 1, false);
}

void qudaEigCGInvert(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                     double target_residual, double target_fermilab_residual, const void *const fatlink,
                     const void *const longlink, void *source, void *solution, QudaEigArgs_t eig_args,
                     const int rhs_idx, const int last_rhs_flag, double *const final_residual,
                     double *const final_fermilab_residual, int *num_iters)
{
  const quda::MilcSequence sequence {eig_args, rhs_idx, last_rhs_flag};
  quda::invert(__func__, external_precision, quda_precision, mass, inv_args,
               {target_residual, target_fermilab_residual}, fatlink, longlink, &source, &solution,
               {final_residual, final_fermilab_residual, num_iters}, 1, false, &sequence);
}

void qudaInvertMsrc(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                    double target_residual, double target_fermilab_residual, const void *const fatlink,
                    const void *const longlink, void **sourceArray, void **solutionArray, double *const final_residual,
                    double *const final_fermilab_residual, int *num_iters, int num_src)
{
  quda::invert(__func__, external_precision, quda_precision, mass, inv_args,
               {target_residual, target_fermilab_residual}, fatlink, longlink, sourceArray, solutionArray,
               {final_residual, final_fermilab_residual, num_iters}, num_src, true);
}

void qudaMultishiftInvert(int external_precision, int quda_precision, int num_offsets, double *const offset,
                          QudaInvertArgs_t inv_args, const double *target_residual,
                          const double *target_fermilab_residual, const void *const milc_fatlink,
                          const void *const milc_longlink, void *source, void **solutionArray,
                          double *const final_residual, double *const final_fermilab_residual, int *num_iters)
{
  using namespace quda;
  const char *function = __func__;
  forget_results(final_residual, num_offsets <= QUDA_MAX_MULTI_SHIFT ? num_offsets : 0);
  forget_results(final_fermilab_residual, num_offsets <= QUDA_MAX_MULTI_SHIFT ? num_offsets : 0);
  guard_collective(
      function,
      [&](Checks &checks) {
        check_range(function, "num_offsets", num_offsets, 1, QUDA_MAX_MULTI_SHIFT);
        checks.same("num_offsets", num_offsets);
        check_not_null(function, "offset", offset);
        check_not_null(function, "target_residual", target_residual);
        check_not_null(function, "target_fermilab_residual", target_fermilab_residual);
        double fermilab = 0;
        for (int k = 0; k < num_offsets; k++) {
          check_target(checks, "offset", offset[k]);
          check_target(checks, "target_residual", target_residual[k]);
          check_target(checks, "target_fermilab_residual", target_fermilab_residual[k]);
          fermilab = std::max(fermilab, target_fermilab_residual[k]);
        }
        if (target_residual[0] == 0) refuse(function, "target_residual[0]", "0", "a number above 0");
        MilcSolveJob solve =
            prepare_milc_solve(checks, external_precision, quda_precision, inv_args, std::sqrt(offset[0] / 4),
                               milc_fatlink, milc_longlink, num_iters, fermilab > 0);
        check_not_null(function, "source", source);
        check_not_null(function, "solutionArray", solutionArray);
        for (int k = 0; k < num_offsets; k++)
          check_not_null(function, text("solutionArray[%d]", k).c_str(), solutionArray[k]);
        check_results(function, {final_residual, final_fermilab_residual, num_iters});
        QudaInvertParam &param = solve.quarks;
        param.residual_type = milc_residuals(checks, target_residual[0], fermilab);
        param.num_offset = num_offsets;
        for (int k = 0; k < num_offsets; k++) {
          param.offset[k] = offset[k];
          param.tol_offset[k] = target_residual[k];
          param.tol_hq_offset[k] = target_fermilab_residual[k];
        }
        return solve;
      },
      [&](Session &session, MilcSolveJob &solve) {
        const NaiveLinks naive(session, !milc_longlink);
        take_links(session, function, solve);
        std::vector<void *> x;
        for (int k = 0; k < num_offsets; k++) x.push_back(solve.half(solutionArray[k]));
        QudaInvertParam &param = solve.quarks;
        step(function, jobs::invertMultiShiftQuda, x.data(), solve.half(source), &param);
        for (int k = 0; k < num_offsets; k++) {
          final_residual[k] = param.true_res_offset[k];
          final_fermilab_residual[k] = param.true_res_hq_offset[k];
        }
        *num_iters = param.iter;
      });
}

void qudaDslash(int external_precision, int quda_precision, QudaInvertArgs_t inv_args, const void *const milc_fatlink,
                const void *const milc_longlink, void *source, void *solution, int *num_iters)
{
  using namespace quda;
  const char *function = __func__;
  guard_collective(
      function,
      [&](Checks &checks) {
        check_not_null(function, "source", source);
        check_not_null(function, "solution", solution);
        return prepare_milc(checks, external_precision, quda_precision, inv_args, 0, milc_fatlink, milc_longlink,
                            num_iters);
      },
      [&](Session &session, MilcSolveJob &solve) {
        const NaiveLinks naive(session, !milc_longlink);
        take_links(session, function, solve);
        QudaInvertParam &param = solve.quarks;
        if (quda_precision == 1) param.cuda_prec = QUDA_SINGLE_PRECISION;
        step(function, jobs::dslashQuda, solve.half(solution), solve.half(source, 1 - solve.parity), &param,
             solve.parity);
      });
}

} // extern "C"
