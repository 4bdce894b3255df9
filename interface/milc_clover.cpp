/// MILC's systems of clover fermions, on links of qudaLoadGaugeField().
///
///   qudaLoadCloverField        : the clover term from the host, or of the resident links; its inverse from the host,
///                                or made when it is needed. solution_type and solve_type change nothing
///   qudaFreeCloverField        : frees both
///   qudaCloverInvert           : M x = b by the symmetric system on odd sites, with BiCGstab, or with CG of the normal
///                                equations where inv_args.solver_type is QUDA_CG_INVERTER
///   qudaEigCGCloverInvert      : the same as one of a sequence of sources, each of which leaves low modes for those that
///                                follow (interface/milc_sequence.h), always by the normal equations
///   qudaCloverMultishiftInvert : (M_pc^dag M_pc + offset[i]) x_i = b, M_pc asymmetric on even sites; for the only
///                                shift 0 by CG that begins with what the last ten solutions (chrono_index 0) allow
///   qudaCloverForce            : computeCloverForceQuda() of M M^dag, M_pc asymmetric on even sites, with the links and
///                                the term that are resident; added to the host's momenta, or to those of qudaMomLoad()
/// M = A - kappa D. Links, term or inverse that are passed with qudaCloverInvert are freed when it returns, those of a
/// sequence are taken with its first source and freed after its last, as arrays that are passed then say. The members
/// max_iter, mixed_precision, solver_type and make_resident_solution of inv_args are read, and boundary_phase with
/// links.
/// Precisions : links, term and residuals, which are true ones, are in quda_precision; iterations are in that, in
///              single or in half (inv_args.mixed_precision 0, 1, 2).

#include "quda.h"
#include "quda_milc_interface.h"

#include "interface/invert.h"
#include "interface/jobs.h"
#include "interface/milc_sequence.h"
#include "interface/milc_site.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

#include <algorithm>

namespace quda
{

namespace
{

  constexpr double reliable_delta = 0.1, reliable_delta_of_shifts = 0.01;
  constexpr int solutions_kept = 10;

  /// Operator, precisions and storage of all calls.
  QudaInvertParam clover_call(Checks &checks, int external_precision, int quda_precision,
                              const QudaInvertArgs_t &inv_args, double clover_coeff)
  {
    const char *function = checks.function;
    check_range(function, "external_precision", external_precision, 1, 2);
    check_range(function, "quda_precision", quda_precision, 1, 2);
    check_range(function, "inv_args.mixed_precision", inv_args.mixed_precision, 0, 2);
    check_number(function, "clover_coeff", clover_coeff);
    QudaInvertParam param = default_param<QudaInvertParam>();
    const QudaPrecision inner = quda_precision == 1 ? QUDA_SINGLE_PRECISION : QUDA_DOUBLE_PRECISION;
    const QudaPrecision sloppy[] = {inner, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION};
    param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
    param.clover_coeff = clover_coeff;
    param.cpu_prec = param.clover_cpu_prec = milc_param(checks, external_precision).cpu_prec;
    param.cuda_prec = param.clover_cuda_prec = inner;
    param.cuda_prec_sloppy = param.clover_cuda_prec_sloppy = sloppy[inv_args.mixed_precision];
    param.clover_order = QUDA_PACKED_CLOVER_ORDER;
    param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
    param.dirac_order = QUDA_DIRAC_ORDER;
    param.dagger = QUDA_DAG_NO;
    param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
    return param;
  }

  void check_computed(const char *function, const void *milc_clover, double clover_coeff)
  {
    if (!milc_clover && clover_coeff == 0)
      fail(
          ErrorKind::bad_argument,
          text(
              "%s: clover_coeff = 0 with milc_clover = null; allowed where the clover term is computed: another number",
              function));
  }

  QudaInvertParam clover_solve(Checks &checks, int external_precision, int quda_precision,
                               const QudaInvertArgs_t &inv_args, double kappa, double clover_coeff)
  {
    const char *function = checks.function;
    QudaInvertParam param = clover_call(checks, external_precision, quda_precision, inv_args, clover_coeff);
    check_number(function, "kappa", kappa);
    check_range(function, "inv_args.max_iter", inv_args.max_iter, 0, 1 << 30);
    param.kappa = kappa;
    param.maxiter = inv_args.max_iter;
    return param;
  }

  /// Links and a term that are freed when a call returns.
  class OfThisCall
  {
  public:
    OfThisCall(Session &session, bool links, bool clover)
        : session_(session)
        , links_(links)
        , clover_(clover)
    {
    }
    ~OfThisCall()
    {
      if (clover_) session_.clover.clear();
      if (links_) session_.free_links();
    }
    OfThisCall(const OfThisCall &) = delete;
    OfThisCall &operator=(const OfThisCall &) = delete;

  private:
    Session &session_;
    bool links_, clover_;
  };

  struct Numbers {
    int external_precision, quda_precision;
    double kappa, clover_coeff;
    const QudaInvertArgs_t &inv_args;
  };
  struct Targets {
    double relative, fermilab;
  };
  /// Null: those that are loaded.
  struct Fields {
    const void *links;
    void *clover, *inverse;

    bool has_clover() const { return clover || inverse; }
  };
  struct Results {
    double *relative, *fermilab;
    int *num_iters;
  };

  /// sequence: null where the source is by itself.
  void invert(const char *function, const Numbers &numbers, const Targets &targets, const Fields &fields, void *source,
              void *solution, const Results &results, const MilcSequence *sequence = nullptr)
  {
    forget_results(results.relative, 1);
    forget_results(results.fermilab, 1);
    guard_collective(
        function,
        [&](Checks &checks) {
          QudaInvertParam param = clover_solve(checks, numbers.external_precision, numbers.quda_precision,
                                               numbers.inv_args, numbers.kappa, numbers.clover_coeff);
          param.residual_type = milc_residuals(checks, targets.relative, targets.fermilab);
          param.tol = targets.relative;
          param.tol_hq = targets.fermilab;
          check_not_null(function, "source", source);
          check_not_null(function, "solution", solution);
          check_not_null(function, "final_residual", results.relative);
          check_not_null(function, "final_fermilab_residual", results.fermilab);
          check_not_null(function, "num_iters", results.num_iters);
          checks.same("whether milc_link is null", fields.links == nullptr);
          checks.same("whether there is a clover term", fields.has_clover());
          if (fields.inverse) check_computed(function, fields.clover, numbers.clover_coeff);
          const bool normal = sequence || numbers.inv_args.solver_type == QUDA_CG_INVERTER;
          checks.same("inv_args.solver_type is QUDA_CG_INVERTER", normal);
          param.inv_type = normal ? QUDA_CG_INVERTER : QUDA_BICGSTAB_INVERTER;
          param.solve_type = normal ? QUDA_NORMOP_PC_SOLVE : QUDA_DIRECT_PC_SOLVE;
          param.solution_type = QUDA_MAT_SOLUTION;
          param.matpc_type = QUDA_MATPC_ODD_ODD;
          param.reliable_delta = reliable_delta;
          if (sequence) check_sequence(checks, *sequence, param);
          return param;
        },
        [&](Session &session, QudaInvertParam &param) {
          const bool begins = !sequence || sequence->begins(), ends = !sequence || sequence->ends();
          const OfThisCall loaded(session, fields.links && ends, fields.has_clover() && ends);
          if (fields.links && begins)
            step(function, jobs::qudaLoadGaugeField, numbers.external_precision, numbers.quda_precision,
                 numbers.inv_args, fields.links);
          if (fields.has_clover() && begins) {
            QudaInvertParam term = param;
            term.compute_clover_trlog = 0;
            step(function, jobs::loadCloverQuda, fields.clover, fields.inverse, &term);
          }
          if (sequence)
            invert_in_sequence(session, function, *sequence, solution, source, param);
          else
            step(function, jobs::invertQuda, solution, source, &param);
          *results.relative = param.true_res[0];
          *results.fermilab = param.true_res_hq[0];
          *results.num_iters = param.iter;
        });
  }

} // namespace

} // namespace quda

extern "C" {

void qudaLoadCloverField(int external_precision, int quda_precision, QudaInvertArgs_t inv_args, void *milc_clover,
                         void *milc_clover_inv, QudaSolutionType, QudaSolveType, double clover_coeff, int compute_trlog,
                         double *trlog)
{
  using namespace quda;
  const char *function = __func__;
  QudaInvertParam param;
  guard_agreed_job(
      function,
      [&](Checks &checks) {
        param = clover_call(checks, external_precision, quda_precision, inv_args, clover_coeff);
        check_computed(function, milc_clover, clover_coeff);
        check_range(function, "compute_trlog", compute_trlog, 0, 1);
        if (compute_trlog) check_not_null(function, "trlog", trlog);
        param.compute_clover_trlog = compute_trlog;
      },
      [&](Checks &checks) {
        return jobs::loadCloverQuda(checks, milc_clover, milc_clover_inv, &param).then([&] {
          if (compute_trlog) std::copy_n(param.trlogA, 2, trlog);
        });
      });
}

void qudaFreeCloverField(void)
{
  quda::guard(__func__, [](quda::Session &session) { session.clover.clear(); });
}

void qudaCloverInvert(int external_precision, int quda_precision, double kappa, double clover_coeff,
                      QudaInvertArgs_t inv_args, double target_residual, double target_fermilab_residual,
                      const void *milc_link, void *milc_clover, void *milc_clover_inv, void *source, void *solution,
                      double *const final_residual, double *const final_fermilab_residual, int *num_iters)
{
  quda::invert(__func__, {external_precision, quda_precision, kappa, clover_coeff, inv_args},
               {target_residual, target_fermilab_residual}, {milc_link, milc_clover, milc_clover_inv}, source, solution,
               {final_residual, final_fermilab_residual, num_iters});
}

void qudaEigCGCloverInvert(int external_precision, int quda_precision, double kappa, double clover_coeff,
                           QudaInvertArgs_t inv_args, double target_residual, double target_fermilab_residual,
                           const void *milc_link, void *milc_clover, void *milc_clover_inv, void *source,
                           void *solution, QudaEigArgs_t eig_args, const int rhs_idx, const int last_rhs_flag,
                           double *const final_residual, double *const final_fermilab_residual, int *num_iters)
{
  const quda::MilcSequence sequence {eig_args, rhs_idx, last_rhs_flag};
  quda::invert(__func__, {external_precision, quda_precision, kappa, clover_coeff, inv_args},
               {target_residual, target_fermilab_residual}, {milc_link, milc_clover, milc_clover_inv}, source, solution,
               {final_residual, final_fermilab_residual, num_iters}, &sequence);
}

void qudaCloverMultishiftInvert(int external_precision, int quda_precision, int num_offsets, double *const offset,
                                double kappa, double clover_coeff, QudaInvertArgs_t inv_args,
                                const double *target_residual, void *source, void **solutionArray,
                                double *const final_residual, int *num_iters)
{
  using namespace quda;
  const char *function = __func__;
  forget_results(final_residual, num_offsets <= QUDA_MAX_MULTI_SHIFT ? num_offsets : 0);
  QudaInvertParam param;
  guard_agreed_job(
      function,
      [&](Checks &checks) {
        param = clover_solve(checks, external_precision, quda_precision, inv_args, kappa, clover_coeff);
        check_range(function, "num_offsets", num_offsets, 1, QUDA_MAX_MULTI_SHIFT);
        checks.same("num_offsets", num_offsets);
        check_not_null(function, "offset", offset);
        check_not_null(function, "target_residual", target_residual);
        check_not_null(function, "source", source);
        check_not_null(function, "solutionArray", solutionArray);
        check_not_null(function, "final_residual", final_residual);
        check_not_null(function, "num_iters", num_iters);
        check_range(function, "inv_args.make_resident_solution", inv_args.make_resident_solution, 0, 1);
        param.num_offset = num_offsets;
        for (int k = 0; k < num_offsets; k++) {
          check_target(checks, "offset", offset[k]);
          check_target(checks, "target_residual", target_residual[k]);
          if (target_residual[k] == 0)
            fail(ErrorKind::bad_argument, text("%s: target_residual[%d] = 0; allowed: a number above 0", function, k));
          check_not_null(function, text("solutionArray[%d]", k).c_str(), solutionArray[k]);
          param.offset[k] = offset[k];
          param.tol_offset[k] = target_residual[k];
        }
        param.tol = target_residual[0];
        param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
        param.inv_type = QUDA_CG_INVERTER;
        param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
        param.solve_type = QUDA_NORMOP_PC_SOLVE;
        param.matpc_type = QUDA_MATPC_EVEN_EVEN_ASYMMETRIC;
        param.reliable_delta = reliable_delta_of_shifts;
        param.make_resident_solution = inv_args.make_resident_solution;
      },
      [&](Checks &checks) {
        const bool of_history = num_offsets == 1 && offset[0] == 0;
        if (of_history) {
          param.chrono_use_resident = param.chrono_make_resident = 1;
          param.chrono_max_dim = solutions_kept;
        }
        const Job<> solve = of_history ? jobs::invertQuda(checks, solutionArray[0], source, &param)
                                       : jobs::invertMultiShiftQuda(checks, solutionArray, source, &param);
        return solve.then([&, of_history] {
          std::copy_n(of_history ? param.true_res : param.true_res_offset, num_offsets, final_residual);
          *num_iters = param.iter;
        });
      });
}

void qudaCloverForce(void *mom, double dt, void **x, void **p, double *coeff, double kappa, double ck, int nvec,
                     double multiplicity, void *gauge, int precision, QudaInvertArgs_t inv_args)
{
  using namespace quda;
  QudaGaugeParam momenta;
  QudaInvertParam param;
  guard_agreed_job(
      __func__,
      [&](Checks &checks) {
        check_number(checks.function, "kappa", kappa);
        momenta = milc_param(checks, precision);
        use_milc_momentum(checks.session, momenta);
        param = clover_call(checks, precision, precision, inv_args, 0);
        param.kappa = kappa;
        param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
        param.matpc_type = QUDA_MATPC_EVEN_EVEN_ASYMMETRIC;
        check_range(checks.function, "inv_args.use_resident_solution", inv_args.use_resident_solution, 0, 1);
        param.use_resident_solution = inv_args.use_resident_solution;
      },
      [&](Checks &checks) {
        return jobs::computeCloverForceQuda(checks, mom, dt, x, p, coeff, -kappa * kappa, ck, nvec, multiplicity, gauge,
                                            &momenta, &param);
      });
}

} // extern "C"
