/// All that a solve reads, changed on one rank alone (agreement.h).

#include "agreement.h"

#include "quda_ext.h"

using test::Agreement, test::Member;

TEST_F(Agreement, OfSolves)
{
  using P = QudaInvertParam;
  std::vector<double> in(24 * local_.volume(), 1), out(in.size());
  void *ins[] = {in.data(), in.data()}, *outs[] = {out.data(), out.data()};
  const auto by = [](QudaInverterType inverter) {
    P param = test::wilson_param();
    param.inv_type = inverter;
    param.solution_type = QUDA_MAT_SOLUTION;
    param.solve_type = QUDA_DIRECT_PC_SOLVE;
    param.matpc_type = QUDA_MATPC_EVEN_EVEN;
    param.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    param.tol = param.tol_hq = 1e-5;
    param.maxiter = 2;
    param.reliable_delta = 0.1;
    param.gcrNkrylov = 4;
    param.twist_flavor = QUDA_TWIST_SINGLET;
    param.mu = 0.1;
    param.chrono_max_dim = 1;
    return param;
  };
  const auto solve = [&](P &p) {
    invertQuda(out.data(), in.data(), &p);
    qudaSetSchwarzBlock(nullptr); // which a row changes
  };
  P param = by(QUDA_BICGSTAB_INVERTER);
  param.residual_type = static_cast<QudaResidualType>(QUDA_L2_RELATIVE_RESIDUAL | QUDA_HEAVY_QUARK_RESIDUAL);
  expect<P>("invertQuda", param, solve,
            {{"inv_type", [](P &p) { p.inv_type = QUDA_GCR_INVERTER; }},
             {"solution_type", [](P &p) { p.solution_type = QUDA_MATPC_SOLUTION; }},
             {"solve_type", [](P &p) { p.solve_type = QUDA_DIRECT_SOLVE; }},
             {"dslash_type", [](P &p) { p.dslash_type = QUDA_TWISTED_MASS_DSLASH; }},
             {"kappa", [](P &p) { p.kappa *= 1 + 1e-15; }},
             {"mass_normalization", [](P &p) { p.mass_normalization = QUDA_MASS_NORMALIZATION; }},
             {"matpc_type", [](P &p) { p.matpc_type = QUDA_MATPC_ODD_ODD; }},
             {"residual_type", [](P &p) { p.residual_type = QUDA_L2_RELATIVE_RESIDUAL; }},
             {"tol", [](P &p) { p.tol = 1e-6; }},
             {"tol_hq", [](P &p) { p.tol_hq = 1e-6; }},
             {"maxiter", [](P &p) { p.maxiter = 3; }},
             {"reliable_delta", [](P &p) { p.reliable_delta = 0.2; }},
             {"cuda_prec_sloppy", [](P &p) { p.cuda_prec_sloppy = QUDA_DOUBLE_PRECISION; }},
             {"cuda_prec_sloppy", [](P &p) { p.cuda_prec_sloppy = QUDA_INVALID_PRECISION; }},
             {"use_init_guess", [](P &p) { p.use_init_guess = QUDA_USE_INIT_GUESS_YES; }},
             {"make_resident_solution", [](P &p) { p.make_resident_solution = 1; }},
             {"compute_action", [](P &p) { p.compute_action = 1; }},
             {"distance_pc_alpha0", [](P &p) { p.distance_pc_alpha0 = 0.5; }},
             {"distance_pc_t0", [](P &p) { p.distance_pc_t0 = 1; }},
             {"chrono_make_resident", [](P &p) { p.chrono_make_resident = 1; }},
             {"chrono_use_resident", [](P &p) { p.chrono_use_resident = 1; }}});
  const std::vector<Member<P>> krylov = {{"gcrNkrylov", [](P &p) { p.gcrNkrylov = 3; }}},
                               omega = {{"omega", [](P &p) { p.omega = 0.9; }}};
  for (const QudaInverterType inverter : {QUDA_GCR_INVERTER, QUDA_BICGSTABL_INVERTER, QUDA_CA_CGNR_INVERTER})
    expect<P>("invertQuda", by(inverter), solve, krylov);
  for (const QudaInverterType inverter : {QUDA_MR_INVERTER, QUDA_SD_INVERTER})
    expect<P>("invertQuda", by(inverter), solve, omega);
  expect<P>("invertQuda", by(QUDA_GMRESDR_INVERTER), solve,
            {{"n_ev", [](P &p) { p.n_ev = 9; }}, {"max_search_dim", [](P &p) { p.max_search_dim = 65; }}});
  param = by(QUDA_CA_GCR_INVERTER);
  param.ca_basis = QUDA_CHEBYSHEV_BASIS;
  param.ca_lambda_min = 0.1, param.ca_lambda_max = 2;
  expect<P>("invertQuda", param, solve,
            {{"gcrNkrylov", [](P &p) { p.gcrNkrylov = 3; }},
             {"ca_basis", [](P &p) { p.ca_basis = QUDA_POWER_BASIS; }},
             {"ca_lambda_min", [](P &p) { p.ca_lambda_min = 0.2; }},
             {"ca_lambda_max", [](P &p) { p.ca_lambda_max = 3; }}});

  param = by(QUDA_GCR_INVERTER);
  param.inv_type_precondition = QUDA_MR_INVERTER;
  param.maxiter_precondition = 1;
  param.schwarz_type = QUDA_ADDITIVE_SCHWARZ;
  param.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
  expect<P>("invertQuda", param, solve,
            {{"inv_type_precondition", [](P &p) { p.inv_type_precondition = QUDA_SD_INVERTER; }},
             {"inv_type_precondition", [](P &p) { p.inv_type_precondition = QUDA_INVALID_INVERTER; }},
             {"maxiter_precondition", [](P &p) { p.maxiter_precondition = 2; }},
             {"precondition_cycle", [](P &p) { p.precondition_cycle = 2; }},
             {"schwarz_type", [](P &p) { p.schwarz_type = QUDA_MULTIPLICATIVE_SCHWARZ; }},
             {"cuda_prec_precondition", [](P &p) { p.cuda_prec_precondition = QUDA_DOUBLE_PRECISION; }},
             {"cuda_prec_precondition", [](P &p) { p.cuda_prec_precondition = QUDA_INVALID_PRECISION; }},
             {"omega", [](P &p) { p.omega = 0.9; }},
             {"qudaSetSchwarzBlock(extents)", [](P &) {
                const int block[4] = {4, 2, 4, 4};
                qudaSetSchwarzBlock(block);
              }}});

  param = by(QUDA_BICGSTAB_INVERTER);
  param.num_src = 2;
  expect<P>("invertMultiSrcQuda", param, [&](P &p) { invertMultiSrcQuda(outs, ins, &p); },
            {{"num_src", [](P &p) { p.num_src = 1; }}});
  param = by(QUDA_CG_INVERTER);
  param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
  param.solve_type = QUDA_NORMOP_PC_SOLVE;
  param.cuda_prec_refinement_sloppy = QUDA_SINGLE_PRECISION;
  param.reliable_delta_refinement = 0.1;
  param.num_offset = 2;
  param.tol_offset[0] = param.tol_offset[1] = param.tol_hq_offset[0] = param.tol_hq_offset[1] = 1e-5;
  param.residual_type = static_cast<QudaResidualType>(QUDA_L2_RELATIVE_RESIDUAL | QUDA_HEAVY_QUARK_RESIDUAL);
  expect<P>("invertMultiShiftQuda", param, [&](P &p) { invertMultiShiftQuda(outs, in.data(), &p); },
            {{"num_offset", [](P &p) { p.num_offset = 1; }},
             {"offset[1]", [](P &p) { p.offset[1] = 0.1; }},
             {"tol_offset[1]", [](P &p) { p.tol_offset[1] = 1e-6; }},
             {"tol_hq_offset[0]", [](P &p) { p.tol_hq_offset[0] = 1e-6; }},
             {"compute_true_res", [](P &p) { p.compute_true_res = 0; }},
             {"cuda_prec_sloppy", [](P &p) { p.cuda_prec_sloppy = QUDA_INVALID_PRECISION; }},
             {"cuda_prec_refinement_sloppy", [](P &p) { p.cuda_prec_refinement_sloppy = QUDA_DOUBLE_PRECISION; }},
             {"reliable_delta_refinement", [](P &p) { p.reliable_delta_refinement = 0.2; }}});
}

TEST_F(Agreement, OfSpacesOfLowModes)
{
  using P = QudaInvertParam;
  using E = QudaEigParam;
  std::vector<double> in(24 * local_.volume(), 1), out(in.size());
  P invert = test::wilson_param();
  invert.inv_type = QUDA_INC_EIGCG_INVERTER;
  invert.solve_type = QUDA_NORMOP_PC_SOLVE;
  invert.tol = 1e-5;
  invert.maxiter = 2;
  invert.reliable_delta = 0.1;
  E eigen = newQudaEigParam();
  eigen.invert_param = &invert;
  expect<E>("newDeflationQuda", eigen, [&](E &e) { destroyDeflationQuda(newDeflationQuda(&e)); },
            {{"nk", [](E &e) { e.nk = 8; }},
             {"np", [](E &e) { e.np = 16; }},
             {"cuda_prec_ritz", [](E &e) { e.cuda_prec_ritz = QUDA_DOUBLE_PRECISION; }},
             {"run_verify", [](E &e) { e.run_verify = QUDA_BOOLEAN_TRUE; }}});
  invert.deflation_op = newDeflationQuda(&eigen);
  const auto solve = [&](P &p) { invertQuda(out.data(), in.data(), &p); };
  expect<P>("invertQuda", invert, solve,
            {{"max_search_dim", [](P &p) { p.max_search_dim = 32; }},
             {"tol_restart", [](P &p) { p.tol_restart = 0.1; }},
             {"inc_tol", [](P &p) { p.inc_tol = 0.1; }},
             {"max_restart_num", [](P &p) { p.max_restart_num = 1; }},
             {"eigenval_tol", [](P &p) { p.eigenval_tol = 0.2; }}});
  destroyDeflationQuda(invert.deflation_op);
}

TEST_F(Agreement, OfDeflatedSolves)
{
  using P = QudaInvertParam;
  using E = QudaEigParam;
  std::vector<double> in(24 * local_.volume(), 1), out(in.size());
  P invert = test::wilson_param();
  invert.inv_type = QUDA_CG_INVERTER;
  invert.solve_type = QUDA_NORMOP_PC_SOLVE;
  invert.tol = 1e-5;
  invert.maxiter = 2;
  invert.reliable_delta = 0.1;
  invert.cuda_prec_eigensolver = QUDA_DOUBLE_PRECISION;
  E eigen = newQudaEigParam();
  eigen.spectrum = QUDA_SPECTRUM_SR_EIG;
  eigen.n_conv = 2;
  eigen.n_ev = 3;
  eigen.n_kr = 10;
  eigen.max_restarts = 0;
  eigen.require_convergence = QUDA_BOOLEAN_FALSE;
  const auto solve = [&](P &p) { invertQuda(out.data(), in.data(), &p); };
  const auto solve_with = [&](E &e) {
    P param = invert;
    param.eig_param = &e;
    solve(param);
    e.preserve_deflation_space = nullptr;
  };
  P with = invert;
  with.eig_param = &eigen;
  expect<P>("invertQuda", with, solve,
            {{"eig_param is null", [](P &p) { p.eig_param = nullptr; }},
             {"tol_restart", [](P &p) { p.tol_restart = 0.1; }},
             {"cuda_prec_eigensolver", [](P &p) { p.cuda_prec_eigensolver = QUDA_SINGLE_PRECISION; }}});
  expect<E>("invertQuda", eigen, solve_with,
            {{"n_conv", [](E &e) { e.n_conv = 1; }},
             {"n_ev_deflate", [](E &e) { e.n_ev_deflate = 1; }},
             {"preserve_deflation", [](E &e) { e.preserve_deflation = QUDA_BOOLEAN_TRUE; }},
             {"preserve_evals", [](E &e) { e.preserve_evals = QUDA_BOOLEAN_FALSE; }},
             {"max_restarts", [](E &e) { e.max_restarts = 1; }}});
  // a space that one rank has forgotten
  eigen.preserve_deflation = QUDA_BOOLEAN_TRUE;
  solve(with);
  if (test::rank() == 0) eigen.preserve_deflation_space = nullptr;
  solve(with);
  EXPECT_EQ(handler_.calls(), 1);
  EXPECT_TRUE(handler_.says("preserve_deflation_space is null") && handler_.says("differs between ranks"))
      << handler_.text();
  handler_.forget();
}
