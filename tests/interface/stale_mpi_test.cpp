/// Whatever the library keeps between calls is made anew when what it was made from changes: one list of all that
/// changes links, and one of all that looks at what is kept of them, links of solvers in other precisions, with a border
/// or cut into domains, smeared links, products of two links, clover terms, their inverses and those of their squares,
/// fat and long links. The judge is the same call in a session of its own.
/// Kept too, and tested with their calls: solutions, which are guesses alone (invert_resident_test.cpp), low modes
/// (deflation_test.cpp, incremental_test.cpp), coarse grids (multigrid_test.cpp), what MILC's calls have loaded
/// (milc_solve_mpi_test.cpp).

#include "session.h"

#include "core/environment_support.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <functional>
#include <optional>

namespace
{

using reference::Coords;

const reference::Lattice global({4, 4, 4, 8});

class Stale : public testing::Test
{
protected:
  void begin(const std::vector<int> &grid)
  {
    Coords extents, coord;
    int rest = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rest);
    for (int d = 3; d >= 0; d--) {
      extents[d] = grid[d];
      coord[d] = rest % grid[d];
      rest /= grid[d];
    }
    part_ = reference::Part(global, extents, coord);
    param_ = test::gauge_param(part_.local.X);
    param_.cuda_prec_sloppy = param_.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
    param_.cuda_prec_refinement_sloppy = QUDA_HALF_PRECISION;
    copies_by(QUDA_RECONSTRUCT_12);
  }
  void copies_by(QudaReconstructType reconstruct)
  {
    param_.reconstruct_sloppy = param_.reconstruct_refinement_sloppy = param_.reconstruct_precondition = reconstruct;
  }

  void load(std::uint64_t seed)
  {
    reference::GaugeField links = reference::random_gauge(global, seed, reference::Kind::weak);
    reference::set_up_links(links, param_.anisotropy, param_.t_boundary == QUDA_ANTI_PERIODIC_T ? -1 : 1);
    test::HostLinks<double> host(links, part_, QUDA_QDP_GAUGE_ORDER);
    loadGaugeQuda(host.pointer(), &param_);
  }
  test::HostLinks<double> saved()
  {
    test::HostLinks<double> host(reference::GaugeField(global), part_, QUDA_QDP_GAUGE_ORDER);
    saveGaugeQuda(host.pointer(), &param_);
    return host;
  }
  QudaGaugeParam resident_to_resident() const
  {
    QudaGaugeParam param = param_;
    param.use_resident_gauge = param.make_resident_gauge = 1;
    param.return_result_gauge = 0;
    return param;
  }

  /// What is seen of the resident links.
  std::vector<double> plaquette()
  {
    std::vector<double> plaq(3);
    plaqQuda(plaq.data());
    return plaq;
  }
  std::vector<double> observables()
  {
    QudaGaugeObservableParam param = newQudaGaugeObservableParam();
    param.compute_plaquette = param.compute_polyakov_loop = param.compute_qcharge = QUDA_BOOLEAN_TRUE;
    gaugeObservablesQuda(&param);
    return {param.plaquette[0], param.plaquette[1], param.ploop[0], param.ploop[1], param.qcharge, param.energy[0]};
  }
  std::vector<double> force()
  {
    int steps[4][3], *path[4], **paths[4], length = 3;
    double weight = 1;
    for (int mu = 0; mu < 4; mu++) {
      const int nu = (mu + 1) % 4;
      steps[mu][0] = nu;
      steps[mu][1] = 7 - mu;
      steps[mu][2] = 7 - nu;
      path[mu] = steps[mu];
      paths[mu] = &path[mu];
    }
    QudaGaugeParam param = param_;
    param.use_resident_gauge = param.overwrite_mom = param.return_result_mom = 1;
    std::vector<double> momenta(40 * part_.local.volume());
    void *arrays[4];
    for (int mu = 0; mu < 4; mu++) arrays[mu] = &momenta[10 * mu * part_.local.volume()];
    computeGaugeForceQuda(arrays, nullptr, paths, &length, &weight, 1, 3, 1, &param);
    return momenta;
  }
  std::vector<double> loops()
  {
    int steps[8] = {3, 3, 0, 0, 4, 4, 7, 7}, *loop = steps, length = 8;
    double weight = 1;
    std::complex<double> trace;
    computeGaugeLoopTraceQuda(reinterpret_cast<decltype(QudaGaugeObservableParam::traces)>(&trace), &loop, &length,
                              &weight, 1, 8, 1);
    return {trace.real(), trace.imag()};
  }
  std::vector<double> hop()
  {
    QudaInvertParam wilson = test::wilson_param();
    const auto psi = reference::to_host<double>(reference::random_spinors(global, 4), global, part_);
    std::vector<double> out(psi.size());
    MatQuda(out.data(), const_cast<double *>(psi.data()), &wilson);
    return out;
  }
  std::vector<double> smeared()
  {
    QudaGaugeSmearParam param = newQudaGaugeSmearParam();
    param.smear_type = QUDA_GAUGE_SMEAR_STOUT;
    param.n_steps = param.meas_interval = 1;
    param.rho = 0.1;
    param.dir_ignore = 4;
    QudaGaugeObservableParam observed[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
    performGaugeSmearQuda(&param, observed);
    std::vector<double> seen = observables();
    // smeared links that are there when they are made again
    param.rho = 0.05;
    performGaugeSmearQuda(&param, observed);
    const std::vector<double> again = observables();
    seen.insert(seen.end(), again.begin(), again.end());
    freeGaugeSmearedQuda();
    return seen;
  }
  // what iterations use, by systems of the same source
  QudaInvertParam solve_param(QudaInverterType inverter, QudaSolveType solve)
  {
    QudaInvertParam param = test::wilson_param();
    param.cuda_prec_sloppy = param.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
    param.cuda_prec_refinement_sloppy = QUDA_HALF_PRECISION;
    param.inv_type = inverter;
    param.solve_type = solve;
    param.tol = 1e-9;
    param.maxiter = 500;
    param.reliable_delta = 0.1;
    param.gcrNkrylov = 8;
    param.verbosity = QUDA_SILENT;
    return param;
  }
  std::vector<double> source(int spins = 4) const
  {
    std::vector<double> psi = reference::to_host<double>(reference::random_spinors(global, 4), global, part_);
    psi.resize(psi.size() / 4 * static_cast<std::size_t>(spins));
    return psi;
  }
  std::vector<double> solved(QudaInvertParam param, int spins = 4)
  {
    std::vector<double> in = source(spins), out(in.size());
    invertQuda(out.data(), in.data(), &param);
    out.push_back(param.iter);
    out.push_back(param.true_res[0]);
    return out;
  }
  std::vector<double> iterations() { return solved(solve_param(QUDA_BICGSTAB_INVERTER, QUDA_DIRECT_PC_SOLVE)); }
  std::vector<double> domains()
  {
    QudaInvertParam param = solve_param(QUDA_GCR_INVERTER, QUDA_DIRECT_PC_SOLVE);
    param.inv_type_precondition = QUDA_MR_INVERTER;
    param.schwarz_type = QUDA_ADDITIVE_SCHWARZ;
    param.maxiter_precondition = 4;
    const int block[4] = {2, 2, 2, 2};
    qudaSetSchwarzBlock(block);
    const std::vector<double> x = solved(param);
    qudaSetSchwarzBlock(nullptr);
    return x;
  }
  std::vector<double> refined()
  {
    QudaInvertParam param = solve_param(QUDA_CG_INVERTER, QUDA_NORMOP_SOLVE);
    param.solution_type = QUDA_MATDAG_MAT_SOLUTION;
    param.num_offset = 2;
    param.offset[1] = 0.1;
    param.tol_offset[0] = 1e-5;
    param.tol_offset[1] = 1e-9;
    param.residual_type = QUDA_HEAVY_QUARK_RESIDUAL; // which the Krylov space knows nothing of
    param.tol_hq_offset[0] = 1e-5;
    param.tol_hq_offset[1] = 1e-9;
    std::vector<double> in = source(), out(in.size()), other(in.size());
    void *x[] = {out.data(), other.data()};
    invertMultiShiftQuda(x, in.data(), &param);
    out.insert(out.end(), other.begin(), other.end());
    out.push_back(param.iter);
    return out;
  }

  // the term, which stays until it is loaded again, by one operator or the other
  QudaInvertParam clover_param(QudaDslashType type, double coefficient)
  {
    QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_DIRECT_PC_SOLVE);
    param.dslash_type = type;
    param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
    param.clover_order = QUDA_PACKED_CLOVER_ORDER;
    param.clover_coeff = coefficient;
    param.mu = 0.4;
    param.epsilon = 0;
    param.twist_flavor = QUDA_TWIST_SINGLET;
    param.compute_clover_trlog = 0;
    return param;
  }
  /// loaded, applied: the operators that load a term, with its inverse or without, and that it serves.
  std::vector<double> with_term(QudaDslashType loaded, bool inverse, QudaDslashType applied, double coefficient)
  {
    if (param_.anisotropy != 1) return {}; // no term is computed
    QudaInvertParam load = clover_param(fresh_ ? applied : loaded, coefficient);
    load.compute_clover_inverse = inverse;
    loadCloverQuda(nullptr, nullptr, &load);
    return solved(clover_param(applied, coefficient));
  }

  std::vector<double> two_links()
  {
    QudaInvertParam quark = test::wilson_param();
    quark.laplace3D = 3;
    QudaQuarkSmearParam param {};
    param.inv_param = &quark;
    param.n_steps = 2;
    param.width = 1;
    param.t0 = -1;
    std::vector<double> psi = source(1);
    performTwoLinkGaussianSmearNStep(psi.data(), &param);
    return psi;
  }
  /// The same links as fat and as long ones.
  std::vector<double> improved()
  {
    test::HostLinks<double> host = saved();
    QudaGaugeParam param = param_;
    param.anisotropy = 1; // of Wilson links alone
    for (const QudaLinkType type : {QUDA_ASQTAD_FAT_LINKS, QUDA_ASQTAD_LONG_LINKS}) {
      param.type = type;
      param.reconstruct_sloppy = param.reconstruct_refinement_sloppy = param.reconstruct_precondition =
          QUDA_RECONSTRUCT_NO;
      loadGaugeQuda(host.pointer(), &param);
    }
    QudaInvertParam quark = solve_param(QUDA_CG_INVERTER, QUDA_DIRECT_PC_SOLVE);
    quark.dslash_type = QUDA_ASQTAD_DSLASH;
    quark.mass = 0.4;
    return solved(quark, 1);
  }

  struct View {
    const char *name;
    std::function<std::vector<double>()> seen;
  };
  const View views_[16] = {
      {"plaquette", [&] { return plaquette(); }},
      {"observables", [&] { return observables(); }},
      {"force", [&] { return force(); }},
      {"loops", [&] { return loops(); }},
      {"matrix", [&] { return hop(); }},
      {"smeared links", [&] { return smeared(); }},
      {"products of two links", [&] { return two_links(); }},
      {"links in another precision", [&] { return iterations(); }},
      {"links inside of domains", [&] { return domains(); }},
      {"links of refinements", [&] { return refined(); }},
      {"fat and long links", [&] { return improved(); }},
      {"clover", [&] { return with_term(clover_, false, clover_, 0.1); }},
      {"another clover", [&] { return with_term(clover_, true, clover_, 0.2); }},
      {"twisted clover", [&] { return with_term(twisted_, false, twisted_, 0.2); }},
      {"twisted clover, loaded as clover", [&] { return with_term(clover_, true, twisted_, 0.1); }},
      {"clover, loaded as twisted", [&] { return with_term(twisted_, true, clover_, 0.1); }},
  };
  static constexpr QudaDslashType clover_ = QUDA_CLOVER_WILSON_DSLASH, twisted_ = QUDA_TWISTED_CLOVER_DSLASH;
  std::vector<std::vector<double>> all()
  {
    std::vector<std::vector<double>> seen;
    for (std::size_t i = 0; i < shown_; i++) seen.push_back(views_[i].seen());
    return seen;
  }

  std::size_t shown_ = std::size(views_);
  bool fresh_ = false;
  reference::Part part_ {global};
  QudaGaugeParam param_ {};
};

} // namespace

TEST_F(Stale, NothingIsWhenLinksChange)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  test::Handler handler;
  const auto heatbath = [](QudaHeatbathStart start) {
    QudaHeatbathParam param = newQudaHeatbathParam();
    param.beta = 6;
    param.start = start;
    heatbathQuda(&param);
  };
  const struct {
    const char *name;
    std::function<void()> change;
  } changes[] = {
      {"loadGaugeQuda", [&] { load(2); }},
      {"heatbathQuda", [&] { heatbath(QUDA_HEATBATH_START_RESIDENT); }},
      {"heatbathQuda, cold", [&] { heatbath(QUDA_HEATBATH_START_COLD); }},
      {"heatbathQuda, hot", [&] { heatbath(QUDA_HEATBATH_START_HOT); }},
      {"gaussGaugeQuda", [] { gaussGaugeQuda(7, 0.3); }},
      {"updateGaugeFieldQuda",
       [&] {
         QudaGaugeParam param = resident_to_resident();
         std::vector<double> momenta = force();
         void *arrays[4];
         for (int mu = 0; mu < 4; mu++) arrays[mu] = &momenta[10 * mu * part_.local.volume()];
         updateGaugeFieldQuda(nullptr, arrays, 0.1, 0, 1, &param);
       }},
      {"projectSU3Quda",
       [&] {
         QudaGaugeParam param = resident_to_resident();
         test::HostLinks<double> host = saved(); // off SU(3), so that there is something to project
         for (int mu = 0; mu < 4; mu++)
           for (std::size_t i = 0; i < 18 * part_.local.volume(); i += 7) host.direction(mu)[i] += 0.01;
         loadGaugeQuda(host.pointer(), &param_);
         all();
         projectSU3Quda(nullptr, 1e-6, &param);
       }},
      {"loadGaugeQuda, with another boundary",
       [&] {
         param_.t_boundary = QUDA_ANTI_PERIODIC_T;
         load(3);
       }},
      {"loadGaugeQuda, with another anisotropy",
       [&] {
         param_.anisotropy = 1.3;
         load(4);
       }},
  };
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const std::vector<int> grid = n == 4 ? std::vector<int> {1, 1, 2, 2} : std::vector<int> {1, 1, 1, n};
  if (n > 1) shown_ = 7; // what solves keep knows nothing of ranks
  begin(grid);
  std::optional<test::Session> session(std::in_place, grid.data());
  load(1);
  auto before = all();
  for (const auto &[name, change] : changes) {
    SCOPED_TRACE(name);
    change();
    const auto seen = all();
    test::HostLinks<double> host = saved();
    fresh_ = true;
    for (std::size_t i = 0; i < seen.size(); i++) {
      session.reset();
      session.emplace(grid.data());
      loadGaugeQuda(host.pointer(), &param_);
      EXPECT_TRUE(test::same_bits(seen[i], views_[i].seen())) << views_[i].name;
      if (seen[i].empty()) continue;
      EXPECT_FALSE(test::same_bits(seen[i], before[i])) << views_[i].name << " does not change";
    }
    fresh_ = false;
    before = all();
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}
