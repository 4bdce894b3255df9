#pragma once
/// Solutions by multigrid.

#include "bits/of_quarks.h"

namespace bits
{

template <class real> class OfMultigrid : protected OfQuarks<real>
{
protected:
  using Base = OfQuarks<real>;
  using Base::Base, Base::keep, Base::wilson_param, Base::sites_;

  /// By a hierarchy whose aggregates lie on one rank on all process grids, updated to another kappa.
  void multigrid_solutions()
  {
    const reference::Coords &X = sites_.global.X;
    if (sites_.global.volume() > 400) return; // of one configuration: it takes long
    QudaInvertParam param = wilson_param();
    param.cuda_prec_sloppy = param.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
    param.verbosity = QUDA_SILENT;
    QudaInvertParam fine = param;
    fine.solution_type = QUDA_MAT_SOLUTION;
    fine.solve_type = QUDA_DIRECT_SOLVE;
    QudaMultigridParam levels = newQudaMultigridParam();
    levels.invert_param = &fine;
    levels.n_level = 2;
    for (int d = 0; d < 4; d++) levels.geo_block_size[0][d] = 1;
    levels.geo_block_size[0][2] = X[2] / 2; // never cut
    levels.spin_block_size[0] = 2;
    levels.n_vec[0] = 8;
    levels.setup_inv_type[0] = QUDA_CGNR_INVERTER;
    levels.setup_maxiter[0] = 3;
    levels.smoother[0] = QUDA_CA_GCR_INVERTER;
    levels.nu_pre[0] = 0;
    levels.nu_post[0] = 4;
    levels.compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_YES;
    levels.run_verify = QUDA_BOOLEAN_FALSE;
    param.inv_type = QUDA_GCR_INVERTER;
    param.inv_type_precondition = QUDA_MG_INVERTER;
    param.preconditioner = newMultigridQuda(&levels);
    param.kappa = fine.kappa = 0.95 * param.kappa;
    updateMultigridQuda(param.preconditioner, &levels);
    param.solve_type = QUDA_DIRECT_PC_SOLVE;
    param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
    param.tol = 1e-10;
    param.maxiter = 100;
    param.reliable_delta = 1e-4;
    param.gcrNkrylov = 8;
    std::vector<real> in = random_numbers<real>(sites_, 24, 8, 0, sites_.count()), out(in.size());
    invertQuda(out.data(), in.data(), &param);
    destroyMultigridQuda(param.preconditioner);
    keep("solution by multigrid", fingerprint(sites_, out, 24));
    const double numbers[] = {param.true_res[0], static_cast<double>(param.iter)};
    keep("residual and iterations of multigrid", words(numbers, 2));
  }
};

} // namespace bits
