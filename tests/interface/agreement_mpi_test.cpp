/// A table of calls and members, changed on one rank alone (agreement.h); and calls with every member of their
/// structures changed, which all ranks come back from together.

#include "agreement.h"

#include "quda_milc_interface.h"

using test::Agreement, test::Member, test::rank, test::ranks;

TEST_F(Agreement, OfOperators)
{
  using P = QudaInvertParam;
  std::vector<double> in(24 * local_.volume(), 1), out(in.size());
  const std::vector<Member<P>> both = {
      {"dagger", [](P &p) { p.dagger = QUDA_DAG_YES; }},
      {"cpu_prec", [](P &p) { p.cpu_prec = QUDA_SINGLE_PRECISION; }},
      {"gamma_basis", [](P &p) { p.gamma_basis = QUDA_UKQCD_GAMMA_BASIS; }},
  };
  expect<P>(
      "dslashQuda", test::wilson_param(), [&](P &p) { dslashQuda(out.data(), in.data(), &p, QUDA_EVEN_PARITY); }, both);
  std::vector<Member<P>> matrix = both;
  matrix.push_back({"solution_type", [](P &p) { p.solution_type = QUDA_MATPC_SOLUTION; }});
  matrix.push_back({"mass_normalization", [](P &p) { p.mass_normalization = QUDA_MASS_NORMALIZATION; }});
  matrix.push_back({"kappa", [](P &p) { p.kappa *= 1 + 1e-15; }});
  expect<P>(
      "MatQuda", test::wilson_param(), [&](P &p) { MatQuda(out.data(), in.data(), &p); }, matrix);
  P one = test::wilson_param();
  one.solution_type = QUDA_MATPC_SOLUTION;
  expect<P>("MatQuda", one, [&](P &p) { MatQuda(out.data(), in.data(), &p); },
            {{"matpc_type", [](P &p) { p.matpc_type = QUDA_MATPC_ODD_ODD; }}});
}

TEST_F(Agreement, OfCloverTerms)
{
  using P = QudaInvertParam;
  P good = test::wilson_param();
  good.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
  good.clover_cuda_prec = good.clover_cpu_prec = QUDA_DOUBLE_PRECISION;
  good.clover_order = QUDA_PACKED_CLOVER_ORDER;
  good.clover_coeff = 0.1;
  std::vector<double> term(72 * local_.volume());
  expect<P>("loadCloverQuda", good, [&](P &p) { loadCloverQuda(nullptr, nullptr, &p); },
            {{"clover_coeff", [](P &p) { p.clover_coeff *= 1 + 1e-15; }},
             {"clover_rho", [](P &p) { p.clover_rho = 0.1; }},
             {"clover_cuda_prec", [](P &p) { p.clover_cuda_prec = QUDA_SINGLE_PRECISION; }},
             {"compute_clover_trlog", [](P &p) { p.compute_clover_trlog = 0; }},
             {"compute_clover_inverse", [](P &p) { p.compute_clover_inverse = 1; }}});
  good.compute_clover = 1;
  expect<P>("loadCloverQuda", good,
            [&](P &p) { loadCloverQuda(p.compute_action ? nullptr : term.data(), nullptr, &p); },
            {{"compute_clover", [](P &p) { p.compute_clover = 0; }},
             {"return_clover", [](P &p) { p.return_clover = 1; }},
             {"whether h_clover is null", [](P &p) { p.compute_action = 1; }}}); // a mark for the call above
  std::vector<double> in(12 * local_.volume(), 1), out(in.size());
  expect<P>("cloverQuda", good,
            [&](P &p) { cloverQuda(out.data(), in.data(), &p, QUDA_EVEN_PARITY, p.compute_action); },
            {{"inverse", [](P &p) { p.compute_action = 1; }},
             {"gamma_basis", [](P &p) { p.gamma_basis = QUDA_UKQCD_GAMMA_BASIS; }}});

  // An inverse that is wanted late and does not exist: all ranks find it together, so all of them return.
  good.compute_clover = 0;
  std::fill(term.begin(), term.end(), -1);
  loadCloverQuda(term.data(), nullptr, &good);
  cloverQuda(out.data(), in.data(), &good, QUDA_EVEN_PARITY, 1);
  EXPECT_EQ(handler_.calls(), 1);
  EXPECT_TRUE(handler_.says("cloverQuda") && handler_.says("not positive definite")) << handler_.text();
  handler_.forget();
  cloverQuda(out.data(), in.data(), &good, QUDA_EVEN_PARITY, 0);
}

TEST_F(Agreement, OfTheHeatBath)
{
  using P = QudaHeatbathParam;
  P good = newQudaHeatbathParam();
  good.beta = 6;
  expect<P>("heatbathQuda", good, [](P &p) { heatbathQuda(&p); },
            {{"beta", [](P &p) { p.beta *= 1 + 1e-15; }},
             {"n_heatbath", [](P &p) { p.n_heatbath++; }},
             {"n_overrelax", [](P &p) { p.n_overrelax++; }},
             {"n_sweeps", [](P &p) { p.n_sweeps++; }},
             {"first_sweep", [](P &p) { p.first_sweep++; }},
             {"seed", [](P &p) { p.seed++; }},
             {"start", [](P &p) { p.start = QUDA_HEATBATH_START_COLD; }}});
}

TEST_F(Agreement, OfSmearing)
{
  using P = QudaGaugeSmearParam;
  P good = newQudaGaugeSmearParam();
  good.smear_type = QUDA_GAUGE_SMEAR_OVRIMP_STOUT;
  good.n_steps = good.meas_interval = 2;
  good.rho = 0.1;
  good.epsilon = 0.25;
  expect<P>("performGaugeSmearQuda", good,
            [](P &p) {
              QudaGaugeObservableParam observed[4];
              for (auto &one : observed) one = newQudaGaugeObservableParam();
              performGaugeSmearQuda(&p, observed);
            },
            {{"smear_type", [](P &p) { p.smear_type = QUDA_GAUGE_SMEAR_STOUT; }},
             {"n_steps", [](P &p) { p.n_steps = 3; }},
             {"meas_interval", [](P &p) { p.meas_interval = 1; }},
             {"dir_ignore", [](P &p) { p.dir_ignore = 3; }},
             {"rho", [](P &p) { p.rho *= 1 + 1e-15; }},
             {"epsilon", [](P &p) { p.epsilon *= 1 + 1e-15; }}});
}

TEST_F(Agreement, OfActionsOfSmearedLinks)
{
  using P = QudaGaugeSmearParam;
  P good = newQudaGaugeSmearParam();
  good.smear_type = QUDA_GAUGE_SMEAR_STOUT;
  good.n_steps = 2;
  good.rho = 0.1;
  const auto smear = [](P &p) { stoutGaugeQuda(&p); };
  expect<P>("stoutGaugeQuda", good, smear,
            {{"n_steps", [](P &p) { p.n_steps = 3; }},
             {"dir_ignore", [](P &p) { p.dir_ignore = 1; }},
             {"smear_anisotropy", [](P &p) { p.smear_anisotropy = 2; }},
             {"rho", [](P &p) { p.rho *= 1 + 1e-15; }}});
}

TEST_F(Agreement, OfFlowAndProjection)
{
  using P = QudaGaugeSmearParam;
  P good = newQudaGaugeSmearParam();
  good.smear_type = QUDA_GAUGE_SMEAR_WILSON_FLOW;
  good.n_steps = good.meas_interval = 2;
  good.epsilon = 0.01;
  const auto flow = [](P &p) {
    QudaGaugeObservableParam observed[4];
    for (auto &one : observed) one = newQudaGaugeObservableParam();
    p.smear_type == QUDA_GAUGE_SMEAR_APE || p.smear_type == QUDA_GAUGE_SMEAR_HYP ? performGaugeSmearQuda(&p, observed)
                                                                                 : performWFlowQuda(&p, observed);
  };
  expect<P>("performWFlowQuda", good, flow,
            {{"smear_type", [](P &p) { p.smear_type = QUDA_GAUGE_SMEAR_SYMANZIK_FLOW; }},
             {"epsilon", [](P &p) { p.epsilon *= 1 + 1e-15; }},
             {"rk_order", [](P &p) { p.rk_order = 4; }},
             {"smear_anisotropy", [](P &p) { p.smear_anisotropy = 2; }},
             {"n_steps", [](P &p) { p.n_steps = 3; }}});
  good.smear_type = QUDA_GAUGE_SMEAR_APE;
  expect<P>("performGaugeSmearQuda", good, flow, {{"alpha", [](P &p) { p.alpha = 0.1; }}});
  good.smear_type = QUDA_GAUGE_SMEAR_HYP;
  expect<P>("performGaugeSmearQuda", good, flow, {{"alpha3", [](P &p) { p.alpha3 = 0.1; }}});
}

TEST_F(Agreement, OfFlowWithEvenMeasurements)
{
  using P = QudaGradientFlowParam;
  P good = newQudaGradientFlowParam();
  good.interval = 0.05;
  good.tolerance = 1e-3;
  const auto flow = [](P &p) {
    QudaGaugeObservableParam observed[3];
    for (auto &one : observed) one = newQudaGaugeObservableParam();
    gradientFlowQuda(&p, observed);
  };
  expect<P>("gradientFlowQuda", good, flow,
            {{"action", [](P &p) { p.action = QUDA_FLOW_ZEUTHEN; }},
             {"n_intervals", [](P &p) { p.n_intervals = 2; }},
             {"interval", [](P &p) { p.interval *= 1 + 1e-15; }},
             {"epsilon", [](P &p) { p.epsilon *= 1 + 1e-15; }},
             {"tolerance", [](P &p) { p.tolerance *= 1 + 1e-15; }},
             {"anisotropy", [](P &p) { p.anisotropy = 2; }}});
  good.restart = 1; // smeared links are there now
  good.tolerance = 0;
  expect<P>("gradientFlowQuda", good, flow,
            {{"restart", [](P &p) { p.restart = 0; }}, {"rk_order", [](P &p) { p.rk_order = 4; }}});
}

TEST_F(Agreement, OfGaugeFixing)
{
  struct P {
    unsigned dir = 4, steps = 2;
    double speed = 1.5, tolerance = 0;
  };
  expect<P>("computeGaugeFixingOVRQuda", {},
            [&](P &p) {
              QudaGaugeParam param = param_;
              computeGaugeFixingOVRQuda(links_.pointer(), p.dir, p.steps, 1, p.speed, p.tolerance, 1, 1, &param);
            },
            {{"gauge_dir", [](P &p) { p.dir = 3; }},
             {"Nsteps", [](P &p) { p.steps = 3; }},
             {"relax_boost", [](P &p) { p.speed = 1.6; }},
             {"tolerance", [](P &p) { p.tolerance = 1e-9; }}});
  expect<P>("computeGaugeFixingFFTQuda", {},
            [&](P &p) {
              QudaGaugeParam param = param_;
              computeGaugeFixingFFTQuda(links_.pointer(), p.dir, p.steps, 1, 0.05 * p.speed, 1, p.tolerance, 1, &param);
            },
            {{"gauge_dir", [](P &p) { p.dir = 3; }}, {"alpha", [](P &p) { p.speed = 1.6; }}});
}

TEST_F(Agreement, OfObservables)
{
  using P = QudaGaugeObservableParam;
  P good = newQudaGaugeObservableParam();
  std::vector<double> density(local_.volume());
  good.qcharge_density = density.data();
  expect<P>("gaugeObservablesQuda", good, [](P &p) { gaugeObservablesQuda(&p); },
            {{"su_project", [](P &p) { p.su_project = QUDA_BOOLEAN_TRUE; }},
             {"compute_plaquette", [](P &p) { p.compute_plaquette = QUDA_BOOLEAN_TRUE; }},
             {"compute_polyakov_loop", [](P &p) { p.compute_polyakov_loop = QUDA_BOOLEAN_TRUE; }},
             {"compute_qcharge", [](P &p) { p.compute_qcharge = QUDA_BOOLEAN_TRUE; }},
             {"compute_qcharge_density", [](P &p) { p.compute_qcharge_density = QUDA_BOOLEAN_TRUE; }}});
}

TEST_F(Agreement, OfLinks)
{
  using P = QudaGaugeParam;
  expect<P>("loadGaugeQuda", param_, [&](P &p) { loadGaugeQuda(links_.pointer(), &p); },
            {{"cuda_prec", [](P &p) { p.cuda_prec = QUDA_SINGLE_PRECISION; }},
             {"reconstruct", [](P &p) { p.reconstruct = QUDA_RECONSTRUCT_12; }},
             {"t_boundary", [](P &p) { p.t_boundary = QUDA_ANTI_PERIODIC_T; }},
             {"cpu_prec", [](P &p) { p.cpu_prec = QUDA_SINGLE_PRECISION; }}});
}

TEST_F(Agreement, OfMilc)
{
  struct P {
    int precision = 2, phase_in = 0, types = 1, pipeline = 0, flag = 1, dir = 3, geometry = 4;
    double eps = 0.1, i_mu = 0;
    bool none = false;
  };
  const int grid[4] = {1, 1, 1, ranks()}, extents[4] = {4, 4, 4, 4 * ranks()};
  qudaSetLayout({extents, grid, -1});
  test::HostLinks<double> milc(unit_, reference::Part(local_), QUDA_MILC_GAUGE_ORDER);
  std::vector<double> momenta(40 * local_.volume());
  for (std::size_t i = 0; i < momenta.size(); i++)
    momenta[i] = std::sin(1.0 + static_cast<double>(i)); // as floats no numbers
  QudaMILCSiteArg_t arg {};
  arg.link = milc.pointer();
  arg.mom = momenta.data();
  double weights[3] = {1, 0, 0}, numbers[3];
  const Member<P> precision {"precision", [](P &p) { p.precision = 1; }},
      phases {"phase_in", [](P &p) { p.phase_in = 1; }}, eps {"dt", [](P &p) { p.eps *= 1 + 1e-15; }};
  expect<P>("qudaMomAction", {}, [&](P &p) { qudaMomAction(p.precision, &arg); }, {precision});
  expect<P>("qudaPlaquettePhased", {}, [&](P &p) { qudaPlaquettePhased(p.precision, numbers, &arg, p.phase_in); },
            {precision, phases});
  expect<P>("qudaGaugeForcePhased", {},
            [&](P &p) { qudaGaugeForcePhased(p.precision, p.types, weights, p.eps, &arg, p.phase_in); },
            {precision, phases, eps, {"num_loop_types", [](P &p) { p.types = 2; }}});
  expect<P>("qudaUpdateUPhasedPipeline", {},
            [&](P &p) { qudaUpdateUPhasedPipeline(p.precision, p.eps, &arg, p.phase_in, p.pipeline); },
            {precision, phases, eps, {"want_gaugepipe", [](P &p) { p.pipeline = 1; }}});
  expect<P>("qudaUnitarizeSU3Phased", {}, [&](P &p) { qudaUnitarizeSU3Phased(p.precision, p.eps, &arg, p.phase_in); },
            {precision, phases, {"tol", [](P &p) { p.eps *= 1 + 1e-15; }}});
  expect<P>("qudaRephase", {}, [&](P &p) { qudaRephase(p.precision, milc.pointer(), p.flag, p.i_mu); },
            {precision, {"staggered_phase_applied", [](P &p) { p.flag = 0; }}, {"i_mu", [](P &p) { p.i_mu = 0.5; }}});
  expect<P>("qudaCreateGaugeField", {},
            [&](P &p) { qudaDestroyGaugeField(qudaCreateGaugeField(nullptr, p.geometry, p.precision)); },
            {precision, {"geometry", [](P &p) { p.geometry = 1; }}});

  // of what a job compares the host learns whose it is
  const bool wrong = rank() == ranks() - 1;
  qudaUpdateU(2, wrong ? 0.2 : 0.1, &arg);
  EXPECT_EQ(handler_.calls(), 1);
  EXPECT_TRUE(handler_.says("qudaUpdateU: updateGaugeFieldQuda: dt, negative with conj_mom, differs between ranks"))
      << handler_.text();
  handler_.forget();

  // what is wrong on one rank is refused on all
  qudaMomAction(2, wrong ? nullptr : &arg);
  EXPECT_EQ(handler_.calls(), 1);
  EXPECT_TRUE(handler_.says("qudaMomAction") && handler_.says("arg = null")) << handler_.text();
  handler_.forget();
  if (wrong) momenta[3] = NAN;
  qudaGaugeForce(2, 1, weights, 0.1, &arg);
  EXPECT_EQ(handler_.calls(), 1);
  EXPECT_TRUE(handler_.says("qudaGaugeForce") && handler_.says("NaN")) << handler_.text();
  handler_.forget();
}

TEST_F(Agreement, OfProductsOfTwoLinks)
{
  const bool one = rank() == ranks() - 1;
  QudaInvertParam quark = test::wilson_param();
  quark.dslash_type = QUDA_STAGGERED_DSLASH;
  quark.laplace3D = 4;
  QudaQuarkSmearParam param {};
  param.inv_param = &quark;
  param.n_steps = 1;
  param.width = 1;
  param.t0 = -1;
  std::vector<double> field(6 * local_.volume(), 1);
  performTwoLinkGaussianSmearNStep(field.data(), &param); // makes them
  EXPECT_EQ(handler_.calls(), 0) << handler_.text();
  if (one) freeGaugeTwoLinkQuda();
  performTwoLinkGaussianSmearNStep(field.data(), &param);
  EXPECT_EQ(handler_.calls(), 1);
  EXPECT_TRUE(handler_.says("whether products of two links are resident differs between ranks")) << handler_.text();
  handler_.forget();
  param.compute_2link = 1;
  performTwoLinkGaussianSmearNStep(field.data(), &param);
  EXPECT_EQ(handler_.calls(), 0) << handler_.text();
}

/// No member of any structure leaves a rank behind.
TEST_F(Agreement, OfWhateverOperatorsRead)
{
  using P = QudaInvertParam;
  std::vector<double> in(8 * 24 * local_.volume(), 1), out(in.size());
  void *ins[4], *outs[4];
  for (int i = 0; i < 4; i++) ins[i] = in.data(), outs[i] = out.data() + i * 48 * local_.volume();
  P clover = test::wilson_param();
  clover.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
  clover.clover_cuda_prec = clover.clover_cpu_prec = QUDA_DOUBLE_PRECISION;
  clover.clover_order = QUDA_PACKED_CLOVER_ORDER;
  clover.clover_coeff = 0.1;
  clover.mu = clover.epsilon = clover.mass = 0.1;
  clover.laplace3D = clover.covdev_mu = 3;
  clover.twist_flavor = QUDA_TWIST_SINGLET;
  expect_together<P>("loadCloverQuda", clover, [&](P &p) { loadCloverQuda(nullptr, nullptr, &p); });
  expect_together<P>("MatQuda", clover, [&](P &p) { MatQuda(out.data(), in.data(), &p); });
  expect_together<P>("dslashQuda", clover, [&](P &p) { dslashQuda(out.data(), in.data(), &p, QUDA_EVEN_PARITY); });
  expect_together<P>("covDevQuda", clover, [&](P &p) { covDevQuda(out.data(), in.data(), 3, &p); });
  if (ranks() > 2) return; // solves of two ranks tell as much, in a tenth of the time

  P solve = clover;
  solve.inv_type = QUDA_GCR_INVERTER;
  solve.solve_type = QUDA_DIRECT_PC_SOLVE;
  solve.tol = solve.tol_hq = 1e-5;
  solve.maxiter = 3; // more than one cycle of GCR
  solve.reliable_delta = 0.1;
  solve.gcrNkrylov = 2;
  solve.inv_type_precondition = QUDA_MR_INVERTER;
  solve.maxiter_precondition = 1;
  solve.schwarz_type = QUDA_ADDITIVE_SCHWARZ;
  expect_together<P>("invertQuda", solve, [&](P &p) { invertQuda(out.data(), in.data(), &p); });
  solve.inv_type_precondition = QUDA_INVALID_INVERTER;
  solve.inv_type = QUDA_CA_CG_INVERTER;
  solve.solve_type = QUDA_NORMOP_PC_SOLVE;
  solve.ca_basis = QUDA_CHEBYSHEV_BASIS;
  solve.chrono_make_resident = solve.chrono_use_resident = solve.chrono_max_dim = 1;
  expect_together<P>("invertQuda", solve, [&](P &p) { invertQuda(out.data(), in.data(), &p); });
  solve = clover;
  solve.inv_type = QUDA_CG_INVERTER;
  solve.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
  solve.solve_type = QUDA_NORMOP_PC_SOLVE;
  solve.maxiter = 1;
  solve.reliable_delta = 0.1;
  solve.num_offset = 2;
  for (double &tol : solve.tol_offset) tol = 1e-5;
  expect_together<P>("invertMultiShiftQuda", solve, [&](P &p) { invertMultiShiftQuda(outs, ins[0], &p); });
}

TEST_F(Agreement, OfWhateverLinksRead)
{
  using P = QudaGaugeParam;
  const reference::Lattice larger({6, 4, 4, 4}); // than any rank says that it is
  test::HostLinks<double> links {reference::GaugeField(larger), reference::Part(larger), QUDA_QDP_GAUGE_ORDER};
  std::vector<std::vector<double>> momenta(4, std::vector<double>(10 * larger.volume()));
  void *momentum[4];
  for (int mu = 0; mu < 4; mu++) momentum[mu] = momenta[static_cast<std::size_t>(mu)].data();
  int plaquette[4][3], *first[4], **steps[4], length = 3;
  double weight = 1;
  for (int mu = 0; mu < 4; mu++) {
    const int nu = (mu + 1) % 4, path[3] = {nu, 7 - mu, 7 - nu};
    std::copy(path, path + 3, plaquette[mu]);
    first[mu] = plaquette[mu], steps[mu] = &first[mu];
  }
  expect_together<P>("loadGaugeQuda", param_, [&](P &p) { loadGaugeQuda(links.pointer(), &p); });
  expect_together<P>("saveGaugeQuda", param_, [&](P &p) { saveGaugeQuda(links.pointer(), &p); });
  P good = param_;
  good.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
  expect_together<P>("staggeredPhaseQuda", good, [&](P &p) { staggeredPhaseQuda(links.pointer(), &p); });
  good = param_;
  good.make_resident_mom = 1;
  good.return_result_mom = 0;
  expect_together<P>("momResidentQuda", good, [&](P &p) { momResidentQuda(momentum, &p); });
  good.use_resident_mom = 1;
  expect_together<P>("momActionQuda", good, [&](P &p) { momActionQuda(momentum, &p); });
  const auto force = [&](P &p) {
    computeGaugeForceQuda(momentum, links.pointer(), steps, &length, &weight, 1, 3, 0.1, &p);
  };
  expect_together<P>("computeGaugeForceQuda", param_, force);
  expect_together<P>("updateGaugeFieldQuda", param_,
                     [&](P &p) { updateGaugeFieldQuda(links.pointer(), momentum, 0.1, 0, 1, &p); });
  expect_together<P>("projectSU3Quda", param_, [&](P &p) { projectSU3Quda(links.pointer(), 1e-10, &p); });
}

TEST_F(Agreement, OfWhateverSmearingAndMeasurementsRead)
{
  using P = QudaGaugeSmearParam;
  P smearing = newQudaGaugeSmearParam();
  smearing.n_steps = smearing.meas_interval = 2;
  smearing.rho = smearing.alpha = smearing.alpha1 = smearing.alpha2 = smearing.alpha3 = 0.1;
  smearing.epsilon = 0.02;
  const auto all = [&](QudaGaugeObservableParam observed) {
    return std::vector<QudaGaugeObservableParam>(8, observed);
  };
  for (const QudaGaugeSmearType type :
       {QUDA_GAUGE_SMEAR_APE, QUDA_GAUGE_SMEAR_OVRIMP_STOUT, QUDA_GAUGE_SMEAR_HYP, QUDA_GAUGE_SMEAR_WILSON_FLOW}) {
    smearing.smear_type = type;
    const auto work = type == QUDA_GAUGE_SMEAR_WILSON_FLOW ? performWFlowQuda : performGaugeSmearQuda;
    expect_together<P>("smearing", smearing, [&](P &p) { work(&p, all(newQudaGaugeObservableParam()).data()); });
  }
  QudaGaugeObservableParam observed = newQudaGaugeObservableParam();
  std::vector<double> density(local_.volume());
  observed.qcharge_density = density.data();
  observed.compute_plaquette = observed.compute_qcharge = QUDA_BOOLEAN_TRUE;
  expect_together<QudaGaugeObservableParam>("gaugeObservablesQuda", observed,
                                            [](QudaGaugeObservableParam &p) { gaugeObservablesQuda(&p); });
}
