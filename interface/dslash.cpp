/// Operators applied to quark fields of the host.
///
///   dslashQuda         : out = D in, for clover and twisted fermions A^-1 D in, from one parity to the other; no
///                        kappa, no normalisation. With dagger A^-dag D^dag in, or D^dag A^-dag in if fermions are
///                        twisted and matpc_type is symmetric. D of the Laplace operator: the sum over neighbours; of
///                        COVDEV: the shift; of staggered fermions in kappa normalisation D / (2 mass); of domain-wall
///                        fermions on each layer, in a checkerboard of five dimensions with the hop between layers
///   dslashMultiSrcQuda : the same for num_src fields at once
///   MatQuda            : out = n M in, or on one parity out = n M_pc in; lib/dirac/dirac.h defines M and M_pc
///   MatDagMatQuda      : out = n M^dag M in, or on one parity out = n M_pc^dag M_pc in; M M^dag with dagger
/// n, the normalisation of the mass: 1 (kappa), else 1 / (2 kappa) for each M, and for each M_pc 1 / (2 kappa)^2 (mass)
/// or 1 / (2 kappa) (asymmetric mass). Staggered operators have no kappa, and n = 1; that of domain-wall fermions is
/// 1 / (2 (5 + m5)), as in solves. (QUDA takes the member kappa for both.)
/// MatDagMatQuda does not take staggered fermions on one parity: M_pc is Hermitian itself.
/// On a lattice of one time slice, X[3] = 1, M of the Laplace operator in three dimensions is accepted, on all sites.
/// Precision : cuda_prec is that of the resident links or a lower one, also half, with a copy of the links.
/// Errors    : a parameter structure is checked only as far as the call reads it.
/// Counts    : secs is the time of the slowest rank; gflops the 1e-9 flops of all ranks.

#include "quda.h"

#include "interface/application.h"
#include "interface/domain_wall.h"
#include "interface/jobs.h"
#include "interface/quark_job.h"
#include "interface/split_grid.h"
#include "ops/blas/blas.h"

namespace quda
{

namespace
{

  QuarkJob hop_job(Checks &checks, const QudaInvertParam &param)
  {
    // members that the normalisation of a hop reads
    if (staggered(param.dslash_type) && param.mass_normalization == QUDA_KAPPA_NORMALIZATION) check_mass(checks, param);
    QuarkJob application = quark_job(checks, param, true);
    auto *const twisted = std::get_if<TwistedFermions>(&application.dirac);
    if (application.dagger && twisted) {
      check(checks, param, &QudaInvertParam::matpc_type);
      twisted->twist.inverse_first = symmetric(static_cast<MatPC>(param.matpc_type));
    }
    return application;
  }

  /// In CPS's order even sites are called odd.
  int parity_of_result(const QudaInvertParam &param, QudaParity parity)
  {
    return (parity == QUDA_ODD_PARITY) != (param.dirac_order == QUDA_CPS_WILSON_DIRAC_ORDER) ? 1 : 0;
  }

  void carry_out_hop(QuarkJob &job, QudaInvertParam &param)
  {
    carry_out(job, param, [&](const Dirac &dirac, ColorSpinorField &out, const ColorSpinorField &in) {
      dirac.dslash(out, in, job.dagger);
      if (staggered(param.dslash_type) && param.mass_normalization == QUDA_KAPPA_NORMALIZATION)
        blas::ax(1 / (2 * param.mass), out);
      return dirac.dslash_flops(in.rhs());
    });
  }

  Job<> hop_onto(Checks &checks, void *h_out, void *h_in, QudaInvertParam *param, QudaParity parity)
  {
    check_struct(checks.function, param);
    check_argument(checks.function, "parity", parity);
    checks.same("parity", parity);
    QuarkJob application = hop_job(checks, *param);
    const int to = parity_of_result(*param, parity);
    add_fields(checks.function, application, *param, {"h_out", h_out, to}, {"h_in", h_in, 1 - to});
    return {std::move(application), [param](QuarkJob &job) { carry_out_hop(job, *param); }};
  }

  QuarkJob prepare_hops(Checks &checks, void *const *h_out, void *const *h_in, const QudaInvertParam *param,
                        QudaParity parity)
  {
    const char *function = checks.function;
    check_struct(function, param);
    check_not_null(function, "_hp_out", h_out);
    check_not_null(function, "_hp_in", h_in);
    check_argument(function, "parity", parity);
    checks.same("parity", parity);
    QuarkJob application = hop_job(checks, *param);
    check_sources(checks, application, *param);
    const int to = parity_of_result(*param, parity);
    for (int n = 0; n < param->num_src; n++)
      add_fields(function, application, *param, {text("_hp_out[%d]", n), h_out[n], to},
                 {text("_hp_in[%d]", n), h_in[n], 1 - to});
    return application;
  }

  QuarkJob prepare_matrix(Checks &checks, void *h_out, const void *h_in, const QudaInvertParam *param)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::solution_type, &P::mass_normalization);
    if (param->dslash_type != QUDA_COVDEV_DSLASH) check_mass(checks, *param);
    const bool full = param->solution_type == QUDA_MAT_SOLUTION || param->solution_type == QUDA_MATDAG_MAT_SOLUTION;
    if (!full && !preconditioned(param->solution_type))
      refuse(function, "QudaInvertParam.solution_type", param->solution_type,
             "QUDA_MAT_SOLUTION, QUDA_MATPC_SOLUTION, QUDA_MATDAG_MAT_SOLUTION, QUDA_MATPCDAG_MATPC_SOLUTION, which "
             "say here only whether fields are full");
    if (!full) check(checks, *param, &P::matpc_type);
    const int parity = full ? -1 : parity_of(static_cast<MatPC>(param->matpc_type));
    const bool in_slices = full && param->dslash_type == QUDA_LAPLACE_DSLASH && param->laplace3D == 3;
    QuarkJob application = quark_job(checks, *param, true, {.one_slice_allowed = in_slices});
    add_fields(function, application, *param, {"h_out", h_out, parity}, {"h_in", h_in, parity});
    return application;
  }

  QuarkJob prepare_square(Checks &checks, void *h_out, const void *h_in, const QudaInvertParam *param)
  {
    QuarkJob application = prepare_matrix(checks, h_out, h_in, param);
    if (staggered(param->dslash_type) && preconditioned(param->solution_type))
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.solution_type = %s with dslash_type = %s; allowed: QUDA_MAT_SOLUTION, "
                "QUDA_MATDAG_MAT_SOLUTION: on one parity M is Hermitian itself",
                checks.function, value_text(param->solution_type).c_str(), value_text(param->dslash_type).c_str()));
    return application;
  }

  double matrix_factor(const QudaInvertParam &param)
  {
    if (param.dslash_type == QUDA_COVDEV_DSLASH || staggered(param.dslash_type)) return 1;
    const double k = 1 / (2 * kappa_of(param));
    switch (param.mass_normalization) {
    case QUDA_MASS_NORMALIZATION:
      return preconditioned(param.solution_type) ? k * k : k;
    case QUDA_ASYMMETRIC_MASS_NORMALIZATION:
      return k;
    default:
      return 1;
    }
  }

  std::unique_ptr<LinearOperator> matrix_of(const Dirac &dirac, const QudaInvertParam &param)
  {
    return preconditioned(param.solution_type) ? dirac.schur(static_cast<MatPC>(param.matpc_type)) : dirac.full();
  }

  double times(const LinearOperator &matrix, double factor, ColorSpinorField &out, const ColorSpinorField &in,
               bool dagger)
  {
    matrix.apply({.out = out, .in = in, .dagger = dagger, .end = {.b = factor}});
    return matrix.flops_done();
  }

} // namespace

constexpr JobOf<::dslashQuda> jobs::dslashQuda {"dslashQuda", hop_onto};

} // namespace quda

extern "C" {

void dslashQuda(void *h_out, void *h_in, QudaInvertParam *inv_param, QudaParity parity)
{
  quda::jobs::dslashQuda.call(h_out, h_in, inv_param, parity);
}

void dslashMultiSrcQuda(void **_hp_out, void **_hp_in, QudaInvertParam *param, QudaParity parity)
{
  quda::guard_collective(
      __func__, [&](quda::Checks &checks) { return quda::prepare_hops(checks, _hp_out, _hp_in, param, parity); },
      [&](quda::QuarkJob &job) { quda::carry_out_hop(job, *param); });
}

void MatQuda(void *h_out, void *h_in, QudaInvertParam *inv_param)
{
  quda::guard_collective(
      __func__, [&](quda::Checks &checks) { return quda::prepare_matrix(checks, h_out, h_in, inv_param); },
      [&](quda::QuarkJob &job) {
        using namespace quda;
        carry_out(job, *inv_param, [&](const Dirac &dirac, ColorSpinorField &out, const ColorSpinorField &in) {
          return times(*matrix_of(dirac, *inv_param), matrix_factor(*inv_param), out, in, job.dagger);
        });
      });
}

void MatDagMatQuda(void *h_out, void *h_in, QudaInvertParam *inv_param)
{
  quda::guard_collective(
      __func__, [&](quda::Checks &checks) { return quda::prepare_square(checks, h_out, h_in, inv_param); },
      [&](quda::QuarkJob &job) {
        using namespace quda;
        carry_out(job, *inv_param, [&](const Dirac &dirac, ColorSpinorField &out, const ColorSpinorField &in) {
          const auto matrix = matrix_of(dirac, *inv_param);
          const double n = matrix_factor(*inv_param);
          return job.dagger ? times(NormalError(*matrix), n * n, out, in, false)
                            : times(Normal(*matrix), n * n, out, in, false);
        });
      });
}

} // extern "C"
