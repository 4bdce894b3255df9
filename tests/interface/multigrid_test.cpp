/// Multigrid through the C interface: parameters as hosts fill them, solves judged by the plain reference, updates, stale
/// hierarchies, memory.

#include "multigrid_calls.h"

#include "quda_ext.h"

#include "core/built.h"
#include "interface/multigrid_options.h"
#include "reference/dirac/clover.h"
#include "reference/dirac/twisted.h"
#include "reference/random.h"
#include "targets/target.h"

using namespace test;

TEST_F(MultigridCalls, ChromaWilson)
{
  const Case on(quenched_links());
  const host_operator wilson {light, 0, 0};
  host_multigrid host;
  c_chroma_wilson(&host, &wilson, 2, small_blocks);
  const Hierarchy hierarchy(host);
  expect_solved(on, host, [&](const Spinors &x) { return on.applied(x, host.outer); });
}

TEST_F(MultigridCalls, ChromaClover)
{
  const Case on(quenched_links());
  const host_operator clover {0.135, 0, 1.5};
  for (const int kcycle : {1, 0}) {
    host_multigrid host;
    c_chroma_clover(&host, &clover, 2, small_blocks, kcycle);
    load_clover(host.outer);
    const Hierarchy hierarchy(host);
    const reference::CloverWilson plain(on.links, clover.kappa * clover.csw);
    expect_solved(on, host, [&](const Spinors &x) { return plain.matrix_pc(1, true, x, clover.kappa); });
  }
}

TEST_F(MultigridCalls, PyQuda)
{
  const Case on(quenched_links());
  // copies by eight numbers, as it asks for them
  HostLinks<double> links(on.links, on.part, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam gauge = gauge_param(on.part.local.X, {QUDA_DOUBLE_PRECISION, QUDA_DOUBLE_PRECISION,
                                                       QUDA_RECONSTRUCT_12, QUDA_QDP_GAUGE_ORDER, 1, -1});
  gauge.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
  gauge.cuda_prec_precondition = QUDA_HALF_PRECISION;
  gauge.reconstruct_sloppy = gauge.reconstruct_precondition = QUDA_RECONSTRUCT_8;
  loadGaugeQuda(links.pointer(), &gauge);
  const host_operator clover {0.135, 0, 1.5};
  host_multigrid host;
  c_pyquda(&host, &clover, 2, small_blocks);
  load_clover(host.outer);
  const Hierarchy hierarchy(host);
  const reference::CloverWilson plain(on.links, clover.kappa * clover.csw);
  expect_solved(on, host, [&](const Spinors &x) {
    Spinors y = plain.matrix(x, clover.kappa);
    multiply(y, 1 / (2 * clover.kappa)); // of the mass normalisation
    return y;
  });
  // all columns of a propagator's colour at once
  constexpr int n = 3;
  std::vector<std::vector<double>> b(n), x(n);
  std::vector<void *> b_pointers, x_pointers;
  for (int j = 0; j < n; j++) {
    b[static_cast<std::size_t>(j)] = on.host(reference::random_spinors(on.lattice, 20 + j), -1);
    x[static_cast<std::size_t>(j)].resize(b[0].size());
    b_pointers.push_back(b[static_cast<std::size_t>(j)].data());
    x_pointers.push_back(x[static_cast<std::size_t>(j)].data());
  }
  host.outer.num_src = n;
  invertMultiSrcQuda(x_pointers.data(), b_pointers.data(), &host.outer);
  for (int j = 0; j < n; j++) EXPECT_LT(host.outer.true_res[j], 1.2 * host.outer.tol);
  EXPECT_LT(host.outer.iter, host.outer.maxiter);
}

TEST_F(MultigridCalls, TmLqcd)
{
  const Case on(quenched_links());
  for (const double csw : {0.0, 1.5}) {
    const host_operator twisted {csw == 0 ? light : 0.135, 0.01, csw};
    host_multigrid host;
    c_tmlqcd_multigrid(&host, &twisted, 2, small_blocks, 2.0);
    if (csw != 0) load_clover(host.outer);
    Hierarchy hierarchy(host);
    // M^dag M by two solves: the sign of mu is changed in between, and the hierarchy updated
    for (const int sign : {1, -1}) {
      host.inner.mu = host.outer.mu = -sign * twisted.mu;
      if (sign < 0) hierarchy.update(false);
      const reference::Twisted plain(on.links, csw * twisted.kappa, {2 * twisted.kappa * host.outer.mu, 0, 0, 1});
      expect_solved(on, host,
                    [&](const Spinors &x) { return plain.matrix_pc(1, false, {x}, twisted.kappa, false)[0]; });
    }
    // tuned, as it does: by updates alone
    host.hierarchy.mu_factor[1] = 3;
    host.hierarchy.coarse_solver_maxiter[1] = 20;
    host.hierarchy.coarse_solver_tol[1] = 0.1;
    host.hierarchy.nu_pre[0] = 2;
    host.hierarchy.nu_post[0] = 5;
    hierarchy.update(false);
    const Spinors b = source_for(on, host.outer, 6);
    solved(on, b, host.outer);
    EXPECT_LT(host.outer.iter, host.outer.maxiter);
  }
}

/// Vectors by Chebyshev polynomials, alone and before rounds of the cycle.
TEST_F(MultigridCalls, FilteredVectors)
{
  const Case on(quenched_links());
  const host_operator wilson {light, 0, 0};
  for (const bool cycles : {false, true}) {
    host_multigrid host;
    c_chroma_wilson(&host, &wilson, 2, small_blocks);
    if (cycles) host.hierarchy.setup_inv_type[0] = QUDA_MG_INVERTER;
    qudaSetMultigridFilter(200, 20, 6);
    const Hierarchy hierarchy(host);
    qudaSetMultigridFilter(0, 0, 0);
    expect_solved(on, host, [&](const Spinors &x) { return on.applied(x, host.outer); });
  }
}

/// Links that change as in an HMC: without an update a solve is refused, by name.
TEST_F(MultigridCalls, StaleHierarchiesAreFound)
{
  reference::GaugeField links = quenched_links();
  std::optional<Case> on(std::in_place, links);
  const host_operator wilson {light, 0, 0};
  host_multigrid host;
  c_chroma_clover(&host, &wilson, 2, small_blocks, 1);
  Hierarchy hierarchy(host);
  const auto solve = [&] {
    const Spinors b = source_for(*on, host.outer, 7);
    const Spinors x = solved(*on, b, host.outer);
    return handler.calls() ? INFINITY : residual(*on, x, b, host.outer);
  };
  EXPECT_LT(solve(), 2 * host.outer.tol);
  // the same numbers, loaded again
  on->load();
  EXPECT_LT(solve(), 2 * host.outer.tol);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  for (const bool thin : {true, false}) {
    links = moved(links, thin ? 3 : 4);
    on.emplace(links);
    const std::string text = refused(QUDA_ERROR_KIND_BAD_ARGUMENT, solve);
    EXPECT_TRUE(text.find("invertQuda") != std::string::npos && text.find("stale") != std::string::npos &&
                text.find("updateMultigridQuda") != std::string::npos)
        << text;
    hierarchy.update(thin);
    EXPECT_LT(solve(), 2 * host.outer.tol);
  }
  // refreshed
  links = moved(links, 5);
  on.emplace(links);
  host.hierarchy.setup_maxiter_refresh[0] = 20;
  hierarchy.update(false);
  EXPECT_LT(solve(), 2 * host.outer.tol);
  // another mass: said once, and solved
  host.outer.kappa = 0.15;
  host.outer.verbosity = QUDA_SUMMARIZE;
  {
    Output output;
    EXPECT_LT(solve(), 2 * host.outer.tol);
    EXPECT_TRUE(output.says("was made for kappa = 0.155") && output.says("kappa = 0.15")) << output.text();
  }
  {
    Output output;
    EXPECT_LT(solve(), 2 * host.outer.tol);
    EXPECT_FALSE(output.says("was made for")) << output.text();
  }
}

/// Chroma's trajectory: the term comes from the host, scaled so that kappa is 0.5, links and term are freed after each pair
/// of solves, and the hierarchy outlives them.
TEST_F(MultigridCalls, TrajectoryOfChroma)
{
  constexpr double kappa = 0.135, csw = 1.5;
  const host_operator clover {kappa, 0, csw};
  host_multigrid host;
  c_chroma_clover(&host, &clover, 2, small_blocks, 1);
  for (QudaInvertParam *param : {&host.inner, &host.outer}) {
    param->kappa = 0.5;
    param->clover_coeff = 1; // of a term that is given nothing is computed
  }
  host.outer.compute_true_res = 0;
  host.outer.use_init_guess = QUDA_USE_INIT_GUESS_YES;
  host.hierarchy.setup_maxiter[0] = 100;
  std::optional<Hierarchy> hierarchy;
  reference::GaugeField links = quenched_links();
  for (const int refresh : {0, 10}) {
    const Case on(links);
    reference::SiteMatrices A = reference::clover_term(on.links, kappa * csw);
    for (auto &a : A) a /= 2 * kappa;
    const auto packed = [&](const reference::SiteMatrices &term) {
      return reference::to_packed<double>(term, on.lattice, reference::Part(on.lattice));
    };
    std::vector<double> term = packed(A), inverse = packed(reference::inverse(A));
    loadCloverQuda(term.data(), inverse.data(), &host.outer);
    host.hierarchy.setup_maxiter_refresh[0] = refresh;
    if (hierarchy)
      hierarchy->update(false);
    else
      hierarchy.emplace(host);
    const reference::CloverWilson plain(on.links, kappa * csw);
    for (const unsigned seed : {5u, 6u}) {
      const Spinors b = source_for(on, host.outer, seed);
      const Spinors nothing(on.lattice.volume(), reference::Spinor::Zero()); // the guess, of all sites
      const Spinors x = solved(on, b, host.outer, &nothing);
      Spinors r = plain.matrix_pc(1, true, x, kappa);
      for (std::size_t i = 0; i < r.size(); i++) r[i] = b[i] - r[i];
      EXPECT_LT(norm(r) / norm(b), 1.2 * host.outer.tol);
      EXPECT_LT(host.outer.iter, 15);
    }
    freeGaugeQuda();
    freeCloverQuda();
    links = moved(links, 8);
  }
}

/// An update that fails leaves a handle without a hierarchy, which the next one makes anew.
TEST_F(MultigridCalls, FailedUpdates)
{
  const Case on(quenched_links());
  const host_operator wilson {light, 0, 0};
  host_multigrid host;
  c_chroma_clover(&host, &wilson, 2, small_blocks, 1);
  Hierarchy hierarchy(host);
  host.hierarchy.setup_maxiter_refresh[0] = 3;
  host.inner.kappa = 1e200;
  EXPECT_NE(refused(QUDA_ERROR_KIND_BAD_ARGUMENT, [&] { hierarchy.update(false); }).find("updateMultigridQuda"),
            std::string::npos);
  const Spinors b = source_for(on, host.outer, 10);
  EXPECT_NE(refused(QUDA_ERROR_KIND_BAD_ARGUMENT, [&] { solved(on, b, host.outer); }).find("last update failed"),
            std::string::npos);
  host.inner.kappa = light;
  hierarchy.update(true);
  const Spinors x = solved(on, b, host.outer);
  EXPECT_LT(residual(on, x, b, host.outer), 2 * host.outer.tol);
}

TEST_F(MultigridCalls, MemoryReturns)
{
  const Case on(quenched_links());
  const host_operator wilson {light, 0, 0};
  host_multigrid host;
  c_chroma_clover(&host, &wilson, 2, small_blocks, 1);
  host.hierarchy.setup_maxiter[0] = 5;
  const Spinors b = source_for(on, host.outer, 8);
  const auto live = [] { return quda::device_pool().counts().live_blocks + quda::pinned_pool().counts().live_blocks; };
  const auto round = [&] {
    const Hierarchy hierarchy(host);
    solved(on, b, host.outer);
  };
  round();
  const auto before = live();
  for (int i = 0; i < 50; i++) round();
  EXPECT_EQ(live(), before);
}

/// endQuda() frees what hosts have left.
TEST(MultigridEnds, WithTheLibrary)
{
  Handler handler;
  const Variable untuned {"QUDA_ENABLE_TUNING", "0"};
  Output output;
  void *handle = nullptr;
  {
    initQuda(-1);
    const Case on(quenched_links());
    const host_operator wilson {light, 0, 0};
    host_multigrid host;
    c_chroma_clover(&host, &wilson, 2, small_blocks, 1);
    host.hierarchy.setup_maxiter[0] = 5;
    handle = newMultigridQuda(&host.hierarchy);
    EXPECT_NE(handle, nullptr);
    endQuda();
  }
  EXPECT_FALSE(output.says("leak")) << output.text();
  Session again;
  destroyMultigridQuda(handle);
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_TRUE(handler.says("destroyMultigridQuda") && handler.says("mg_instance")) << handler.text();
}

/// What becomes of the parameters.
TEST_F(MultigridCalls, Translation)
{
  const reference::Lattice lattice({8, 8, 4, 12});
  const Case on(reference::random_gauge(lattice, 3));
  const host_operator wilson {0.12, 0, 0};
  const int blocks[2][4] = {{4, 3, 2, 3}, {2, 2, 2, 2}};
  host_multigrid host;
  const auto form_of = [&] {
    quda::Checks checks("newMultigridQuda");
    const quda::QuarkJob fine = quda::multigrid_operator(checks, &host.hierarchy);
    return quda::multigrid_form(checks, host.hierarchy, fine);
  };
  c_pyquda(&host, &wilson, 3, blocks);
  host.hierarchy.n_vec[0] = 4;
  host.hierarchy.n_vec[1] = 8;
  quda::MultigridForm form = form_of();
  ASSERT_EQ(form.levels.size(), 3u);
  // 8 3 -> 1, 12 3 leaves 4; then 2 8 2 4 by 2: an odd extent is not left
  const int made[2][4] = {{4, 1, 2, 3}, {1, 2, 1, 2}};
  for (int level = 0; level < 2; level++)
    for (int d = 0; d < 4; d++)
      EXPECT_EQ(form.levels[static_cast<std::size_t>(level)].block[d], made[level][d]) << level << " " << d;
  EXPECT_EQ(form.precision, quda::Precision::single);
  EXPECT_EQ(form.smoothing.precision, quda::at_least(quda::Precision::half));
  EXPECT_EQ(form.matpc, quda::MatPC::even_even);
  EXPECT_TRUE(form.verify && form.all_levels);
  EXPECT_EQ(form.levels[0].setup.method, quda::Method::cgnr);
  EXPECT_EQ(form.levels[0].setup.steps, 1000);
  EXPECT_EQ(form.levels[0].setup.refresh_steps, 100);
  EXPECT_EQ(form.levels[0].setup.together, 0);
  EXPECT_EQ(form.levels[0].smoother.method, quda::Method::ca_gcr);
  EXPECT_EQ(form.levels[0].smoother.options.krylov, 8);
  EXPECT_EQ(form.levels[0].smoother.after, 8);
  EXPECT_TRUE(form.levels[0].recursive);
  EXPECT_EQ(form.levels[1].solve.method, quda::Method::gcr);
  EXPECT_EQ(form.levels[1].solve.options.krylov, 16);
  EXPECT_EQ(form.levels[2].solve.method, quda::Method::ca_gcr);
  EXPECT_EQ(form.levels[2].solve.options.krylov, 4);
  EXPECT_EQ(form.levels[2].solve.tolerance, 0.25);

  host.hierarchy.nu_post[0] = 20;
  host.hierarchy.n_vec_batch[0] = 3;
  host.hierarchy.setup_inv_type[0] = QUDA_MG_INVERTER;
  host.hierarchy.num_setup_iter[0] = 3;
  host.hierarchy.setup_type = QUDA_TEST_VECTOR_SETUP;
  host.hierarchy.smoother_schwarz_type[0] = QUDA_MULTIPLICATIVE_SCHWARZ;
  host.hierarchy.smoother_schwarz_cycle[0] = 2;
  form = form_of();
  EXPECT_EQ(form.levels[0].smoother.options.krylov, 7); // 7 7 6
  EXPECT_EQ(form.levels[0].setup.together, 3);
  EXPECT_EQ(form.levels[0].setup.bootstrap, 3);
  EXPECT_TRUE(form.levels[0].setup.inverse);
  ASSERT_TRUE(form.levels[0].smoother.schwarz.has_value());
  EXPECT_TRUE(form.levels[0].smoother.schwarz->multiplicative);
  EXPECT_EQ(form.levels[0].smoother.cycles, 2);

  qudaSetMultigridFilter(300, 30, 5);
  form = form_of();
  EXPECT_EQ(form.levels[0].setup.filter.order, 300);
  EXPECT_EQ(form.levels[1].setup.filter.step, 30);
  EXPECT_EQ(form.levels[1].setup.filter.sources, 5);
  qudaSetMultigridFilter(0, 0, 0);
  EXPECT_EQ(form_of().levels[0].setup.filter.order, 0);

  host.hierarchy.setup_inv_type[0] = QUDA_INVALID_INVERTER;
  EXPECT_EQ(form_of().levels[0].setup.method, quda::Method::cgnr);

  // what Chroma leaves unset
  const int four[1][4] = {{4, 4, 2, 2}};
  c_chroma_wilson(&host, &wilson, 2, four);
  form = form_of();
  EXPECT_EQ(form.levels[1].solve.method, quda::Method::gcr);
  EXPECT_EQ(form.levels[1].solve.steps, 16);
  EXPECT_TRUE(form.all_levels && form.levels[0].recursive);
  EXPECT_EQ(form.levels[0].smoother.options.omega, 0.85);
  EXPECT_EQ(form.levels[0].setup.method, quda::Method::bicgstab);
  EXPECT_EQ(form.matpc, quda::MatPC::odd_odd);

  // twisted: a factor of each level's own, half precision's vectors, Hermitian methods on M^dag M
  const host_operator twisted {0.12, 0.3, 0};
  c_tmlqcd_multigrid(&host, &twisted, 3, blocks, 5.5);
  host.hierarchy.n_vec[0] = host.hierarchy.n_vec[1] = 4;
  form = form_of();
  EXPECT_EQ(form.levels[1].mu_factor, 1);
  EXPECT_EQ(form.levels[2].mu_factor, 5.5);
  EXPECT_EQ(form.levels[0].stored, quda::at_least(quda::Precision::half));
  EXPECT_EQ(form.levels[0].setup.method, quda::Method::cgnr);
}
