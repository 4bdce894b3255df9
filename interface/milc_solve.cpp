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
/// Links      : the host's, which carry phases and boundary signs. They stay in the library from call to call, and are
///              compared with the host's arrays by a checksum of all their numbers: an array with new numbers is loaded
///              again, whether num_iters says so (-1) or not. They are the resident fat and long links; naive ones keep
///              out of the way of the Wilson links that stay resident.
///              How long links are stored, 18, 13 or 9, may be set by QUDA_MILC_HISQ_RECONSTRUCT and, of the copies
///              that iterations use, QUDA_MILC_HISQ_RECONSTRUCT_SLOPPY (18, the former), as far as the links allow it.
/// Members of inv_args that are read: max_iter, evenodd and mixed_precision.

#include "quda.h"
#include "quda_milc_interface.h"

#include "core/built.h"
#include "core/environment.h"
#include "interface/digest.h"
#include "interface/invert.h"
#include "interface/milc_sequence.h"
#include "interface/milc_site.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

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

  constexpr double reliable_delta = 0.1;

  struct MilcSolveJob {
    QudaGaugeParam links; // of both fields, but for their type
    const void *fat, *longs;
    QudaReconstructType of_long, of_long_sloppy;
    QudaInvertParam quarks;
    QudaParity parity;
    bool anew; // links are to be loaded again in any case

    /// The half of a quark field.
    void *half(const void *array, int parity) const
    {
      std::size_t bytes = parity * 3 * static_cast<std::size_t>(links.cpu_prec);
      for (const int extent : links.X) bytes *= static_cast<std::size_t>(extent);
      return static_cast<char *>(const_cast<void *>(array)) + bytes;
    }
    void *half(const void *array) const { return half(array, parity); }
  };

  /// What is known of the links that were loaded last.
  struct KeptLinks {
    std::array<std::uint64_t, 4> digests {};
    std::array<std::uint64_t, 2> tags {}; // of the resident fields
  };
  KeptLinks &kept_links()
  {
    static KeptLinks kept;
    return kept;
  }

  /// Naive staggered links, in the place of the Wilson links while one of these calls lasts.
  class NaiveLinks
  {
  public:
    explicit NaiveLinks(bool needed)
        : needed_(needed)
    {
      exchange();
    }
    ~NaiveLinks() { exchange(); }
    NaiveLinks(const NaiveLinks &) = delete;
    NaiveLinks &operator=(const NaiveLinks &) = delete;

  private:
    void exchange() const
    {
      if (needed_) std::swap(*resident_links(LinkType::su3), milc_naive_links());
    }
    bool needed_;
  };

  /// The resident links become the host's, where they are not. Collective.
  void take_links(const MilcSolveJob &solve)
  {
    const bool naive = !solve.longs;
    std::size_t bytes = 72 * static_cast<std::size_t>(solve.links.cpu_prec);
    for (const int extent : solve.links.X) bytes *= static_cast<std::size_t>(extent);
    ResidentLinks &first = *resident_links(naive ? LinkType::su3 : LinkType::general),
                  &second = *resident_links(LinkType::three);
    const auto tags = [&]() -> std::array<std::uint64_t, 2> {
      const auto tag = [](const ResidentLinks &links) { return links.loaded() ? links.precise("").tag() : 0; };
      return {tag(first), naive ? 0 : tag(second)};
    };
    std::array<std::uint64_t, 4> digests {
        digest(solve.fat, bytes), naive ? 0 : digest(solve.longs, bytes),
        static_cast<std::uint64_t>(solve.links.cpu_prec + 64 * solve.of_long + 4096 * solve.of_long_sloppy), 0};
    for (const int extent : solve.links.X) digests[3] = digests[3] << 16 | static_cast<std::uint64_t>(extent);
    KeptLinks &kept = kept_links();
    const auto now = tags();
    const bool loaded = now[0] != 0 && (naive || now[1] != 0);
    double changed = solve.anew || !loaded || kept.digests != digests || kept.tags != now;
    default_communicator()->max(&changed, 1);
    if (changed == 0) return;
    kept = {};
    QudaGaugeParam param = solve.links;
    param.type = naive ? QUDA_WILSON_LINKS : QUDA_ASQTAD_FAT_LINKS;
    loadGaugeQuda(const_cast<void *>(solve.fat), &param);
    if (!naive) {
      param = solve.links;
      param.type = QUDA_ASQTAD_LONG_LINKS;
      param.reconstruct = solve.of_long;
      param.reconstruct_sloppy = solve.of_long_sloppy;
      loadGaugeQuda(const_cast<void *>(solve.longs), &param);
    }
    kept = {digests, tags()};
  }

  /// 18, 13 or 9, by a variable of the environment.
  QudaReconstructType env_reconstruct(const char *name, Checks &checks, QudaReconstructType otherwise)
  {
    const long reals = env_int(name, QUDA_RECONSTRUCT_9, QUDA_RECONSTRUCT_NO).value_or(otherwise);
    if (reals != QUDA_RECONSTRUCT_NO && reals != QUDA_RECONSTRUCT_13 && reals != QUDA_RECONSTRUCT_9)
      fail(ErrorKind::bad_argument, text("%s: %s = %ld; allowed: 18, 13, 9", checks.function, name, reals));
    checks.same(name, static_cast<int>(reals));
    return static_cast<QudaReconstructType>(reals);
  }

  /// What all calls have in common.
  MilcSolveJob prepare(Checks &checks, int external_precision, int quda_precision, const QudaInvertArgs_t &inv_args,
                       double mass, const void *fat, const void *longs, const int *num_iters)
  {
    const char *function = checks.function;
    check_range(function, "quda_precision", quda_precision, 1, 2);
    checks.same("quda_precision", quda_precision);
    const QudaReconstructType of_long = env_reconstruct("QUDA_MILC_HISQ_RECONSTRUCT", checks, QUDA_RECONSTRUCT_NO);
    MilcSolveJob solve {milc_param(checks, external_precision),
                        fat,
                        longs,
                        of_long,
                        env_reconstruct("QUDA_MILC_HISQ_RECONSTRUCT_SLOPPY", checks, of_long),
                        default_param<QudaInvertParam>(),
                        inv_args.evenodd,
                        false};
    check_range(function, "inv_args.evenodd", inv_args.evenodd, 0, 1);
    checks.same("inv_args.evenodd", static_cast<int>(inv_args.evenodd));
    check_not_null(function, "milc_fatlink", fat);
    checks.same("whether milc_longlink is null", longs == nullptr);
    check_not_null(function, "num_iters", num_iters);
    solve.anew = *num_iters == -1;
    check_number(function, "mass", mass);
    checks.same("mass", mass);

    QudaGaugeParam &links = solve.links;
    links.cuda_prec = built(Precision::double_) ? QUDA_DOUBLE_PRECISION : QUDA_SINGLE_PRECISION;
    links.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
    links.staggered_phase_applied = 1;
    if (!longs) links.t_boundary = QUDA_ANTI_PERIODIC_T;

    QudaInvertParam &quarks = solve.quarks;
    quarks.dslash_type = longs ? QUDA_ASQTAD_DSLASH : QUDA_STAGGERED_DSLASH;
    quarks.mass = mass;
    quarks.kappa = 0.5 / (4 + mass);
    quarks.mass_normalization = QUDA_MASS_NORMALIZATION;
    quarks.matpc_type = inv_args.evenodd == QUDA_EVEN_PARITY ? QUDA_MATPC_EVEN_EVEN : QUDA_MATPC_ODD_ODD;
    quarks.solution_type = QUDA_MATPC_SOLUTION;
    quarks.solve_type = QUDA_DIRECT_PC_SOLVE;
    quarks.dagger = QUDA_DAG_NO;
    quarks.cpu_prec = links.cpu_prec;
    quarks.cuda_prec = links.cuda_prec;
    quarks.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
    quarks.dirac_order = QUDA_DIRAC_ORDER;
    return solve;
  }

  /// What the solves have in common.
  MilcSolveJob prepare_solve(Checks &checks, int external_precision, int quda_precision,
                             const QudaInvertArgs_t &inv_args, double mass, const void *fat, const void *longs,
                             const int *num_iters, bool fermilab)
  {
    const char *function = checks.function;
    MilcSolveJob solve = prepare(checks, external_precision, quda_precision, inv_args, mass, fat, longs, num_iters);
    check_range(function, "inv_args.max_iter", inv_args.max_iter, 0, 1 << 30);
    checks.same("inv_args.max_iter", inv_args.max_iter);
    check_range(function, "inv_args.mixed_precision", inv_args.mixed_precision, 0, 2);
    checks.same("inv_args.mixed_precision", inv_args.mixed_precision);
    QudaInvertParam &quarks = solve.quarks;
    quarks.inv_type = QUDA_CG_INVERTER;
    quarks.maxiter = inv_args.max_iter;
    quarks.reliable_delta = reliable_delta;
    const int mixed = std::max(inv_args.mixed_precision, quda_precision == 1 ? 1 : 0);
    quarks.cuda_prec_sloppy = fermilab     ? quarks.cuda_prec
                              : mixed == 1 ? QUDA_SINGLE_PRECISION
                              : mixed == 2 ? QUDA_HALF_PRECISION
                                           : quarks.cuda_prec;
    quarks.cuda_prec_refinement_sloppy =
        inv_args.mixed_precision == 1 && !fermilab ? QUDA_HALF_PRECISION : quarks.cuda_prec_sloppy;
    return solve;
  }

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
          MilcSolveJob solve = prepare_solve(checks, external_precision, quda_precision, inv_args, mass, fat, longs,
                                             results.num_iters, targets.fermilab > 0);
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
        [&](MilcSolveJob &solve) {
          const NaiveLinks naive(!longs);
          take_links(solve);
          std::vector<void *> b, x;
          for (int j = 0; j < n; j++) {
            b.push_back(solve.half(sources[j]));
            x.push_back(solve.half(solutions[j]));
          }
          QudaInvertParam &param = solve.quarks;
          if (several)
            invertMultiSrcQuda(x.data(), b.data(), &param);
          else if (sequence)
            invert_in_sequence(*sequence, x[0], b[0], param);
          else
            invertQuda(x[0], b[0], &param);
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
        if (target_residual[0] == 0)
          fail(ErrorKind::bad_argument, text("%s: target_residual[0] = 0; allowed: a number above 0", function));
        MilcSolveJob solve =
            prepare_solve(checks, external_precision, quda_precision, inv_args, std::sqrt(offset[0] / 4), milc_fatlink,
                          milc_longlink, num_iters, fermilab > 0);
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
      [&](MilcSolveJob &solve) {
        const NaiveLinks naive(!milc_longlink);
        take_links(solve);
        std::vector<void *> x;
        for (int k = 0; k < num_offsets; k++) x.push_back(solve.half(solutionArray[k]));
        QudaInvertParam &param = solve.quarks;
        invertMultiShiftQuda(x.data(), solve.half(source), &param);
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
        return prepare(checks, external_precision, quda_precision, inv_args, 0, milc_fatlink, milc_longlink, num_iters);
      },
      [&](MilcSolveJob &solve) {
        const NaiveLinks naive(!milc_longlink);
        take_links(solve);
        QudaInvertParam &param = solve.quarks;
        if (quda_precision == 1) param.cuda_prec = QUDA_SINGLE_PRECISION;
        dslashQuda(solve.half(solution), solve.half(source, 1 - solve.parity), &param, solve.parity);
      });
}

} // extern "C"
