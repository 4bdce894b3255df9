/// Members of QudaGaugeParam, QudaGaugeSmearParam and QudaQuarkSmearParam: loads, copies for solves, phases, forces,
/// smearing.

#include "members.h"

namespace
{

using namespace test;
using I = QudaInvertParam;
using G = QudaGaugeParam;
using S = QudaGaugeSmearParam;
using Q = QudaQuarkSmearParam;

/// Links in one block of memory, as arrays of each direction or as one.
class MembersOfLinks : public Members
{
protected:
  static constexpr std::size_t numbers_ = 72 * 256;
  template <class real> struct Block {
    explicit Block(const std::vector<double> &from)
        : all(from.begin(), from.end())
    {
    }
    void *as(QudaGaugeFieldOrder order)
    {
      for (int mu = 0; mu < 4; mu++) pointers[mu] = all.data() + mu * all.size() / 4;
      return order == QUDA_QDP_GAUGE_ORDER ? static_cast<void *>(pointers) : all.data();
    }
    std::vector<real> all;
    void *pointers[4] {};
  };

  void append(Seen &all, const std::vector<double> &numbers) const
  {
    all.result.insert(all.result.end(), numbers.begin(), numbers.end());
  }
  /// What is seen of links of this type: all of them, as they are saved with `as`.
  void save(Seen &all, G as) const
  {
    Block<double> block(std::vector<double>(numbers_, 0.0));
    saveGaugeQuda(block.as(as.gauge_order), &as);
    append(all, block.all);
  }
  void load(const G &param)
  {
    G of_call = param;
    Block<double> block(host_);
    Block<float> block_of_floats(host_);
    const bool single = param.cpu_prec == QUDA_SINGLE_PRECISION;
    loadGaugeQuda(single ? block_of_floats.as(param.gauge_order) : block.as(param.gauge_order), &of_call);
  }
  void observe(Seen &all) const
  {
    QudaGaugeObservableParam param = newQudaGaugeObservableParam();
    param.compute_plaquette = param.compute_polyakov_loop = param.remove_staggered_phase = QUDA_BOOLEAN_TRUE;
    gaugeObservablesQuda(&param);
    append(all, {param.plaquette[0], param.plaquette[1], param.plaquette[2], param.ploop[0], param.ploop[1]});
  }
  std::vector<double> momenta(unsigned seed) const
  {
    std::vector<double> all(40 * 256);
    for (std::size_t i = 0; i < all.size(); i++) all[i] = i % 10 == 9 ? 0 : 0.1 * std::sin(seed + 0.7 * double(i));
    return all;
  }
  /// One step of a force or of links, on momenta that are resident, too.
  Seen step(G param, bool force)
  {
    return seen([&](Seen &all) {
      G plain = gauge_param(small.X);
      load(plain);
      Block<double> other(host_), links(host_);
      std::rotate(links.all.begin(), links.all.begin() + 18, links.all.end());
      std::vector<double> mine = momenta(1), resident = momenta(2);
      void *arrays[4], *resident_arrays[4];
      for (int mu = 0; mu < 4; mu++) arrays[mu] = &mine[2560 * mu], resident_arrays[mu] = &resident[2560 * mu];
      plain.make_resident_mom = 1;
      plain.return_result_mom = 0;
      momResidentQuda(resident_arrays, &plain);
      if (force) {
        int steps[4][3], *path[4], **paths[4], length = 3;
        double weight = 1;
        for (int mu = 0; mu < 4; mu++) {
          const int nu = (mu + 1) % 4, around[3] = {nu, 7 - mu, 7 - nu};
          std::copy_n(around, 3, steps[mu]);
          path[mu] = steps[mu];
          paths[mu] = &path[mu];
        }
        computeGaugeForceQuda(arrays, links.as(param.gauge_order), paths, &length, &weight, 1, 3, 0.3, &param);
      } else {
        updateGaugeFieldQuda(links.as(param.gauge_order), arrays, 0.1, 0, 0, &param);
      }
      if (handler_.calls() > 0) return;
      append(all, mine);
      append(all, links.all);
      plain.make_resident_mom = 0;
      plain.return_result_mom = 1;
      momResidentQuda(resident_arrays, &plain);
      if (handler_.calls() > 0) std::fill(resident.begin(), resident.end(), 0.0); // none is left
      handler_.forget();
      append(all, resident);
      plaqQuda(plaquette_);
      append(all, {1000 * plaquette_[0]});
    });
  }

  const reference::GaugeField links_ = reference::random_gauge(small, 41, reference::Kind::weak);
  const std::vector<double> host_ = HostLinks<double>(links_, whole, QUDA_QDP_GAUGE_ORDER).all();
  double plaquette_[3] {};
};

} // namespace

TEST_F(MembersOfLinks, ChangeWhatTheyShould)
{
  const G plain = gauge_param(small.X);
  G phased = plain;
  phased.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
  phased.staggered_phase_applied = 1;
  G mixed = plain;
  mixed.cuda_prec_sloppy = mixed.cuda_prec_refinement_sloppy = mixed.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
  mixed.reconstruct_sloppy = mixed.reconstruct_refinement_sloppy = mixed.reconstruct_precondition = QUDA_RECONSTRUCT_NO;
  const auto loaded = [&](const G &param) {
    return seen([&](Seen &all) {
      freeGaugeQuda();
      load(param);
      save(all, plain);
    });
  };
  const auto observed = [&](const G &param) {
    return seen([&](Seen &all) {
      load(param);
      observe(all);
    });
  };
  const auto solved = [&](const G &param) { // by each of the copies
    return seen([&](Seen &all) {
      load(param);
      for (const bool inner : {false, true}) {
        I solve = solve_param(QUDA_GCR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE,
                              inner ? QUDA_DOUBLE_PRECISION : QUDA_SINGLE_PRECISION);
        if (inner) {
          solve.inv_type_precondition = QUDA_MR_INVERTER;
          solve.maxiter_precondition = 3;
          solve.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
        }
        std::vector<double> b(24 * 256), x(b.size());
        for (std::size_t i = 0; i < b.size(); i++) b[i] = std::sin(0.3 * double(i));
        invertQuda(x.data(), b.data(), &solve);
        append(all, x);
      }
      I shifts = solve_param(QUDA_CG_INVERTER, QUDA_MATDAG_MAT_SOLUTION, QUDA_NORMOP_SOLVE, QUDA_DOUBLE_PRECISION);
      shifts.num_offset = 2;
      shifts.offset[1] = 0.2;
      shifts.residual_type = QUDA_HEAVY_QUARK_RESIDUAL;
      shifts.kappa = 0.03; // far from a point the Krylov space is not what is asked for
      shifts.tol_hq_offset[0] = 1e-2;
      shifts.tol_hq_offset[1] = 1e-8;
      shifts.cuda_prec_refinement_sloppy = QUDA_SINGLE_PRECISION;
      std::vector<double> b(24 * 256), x(b.size()), y(b.size());
      b[0] = 1;
      void *solutions[] = {x.data(), y.data()};
      invertMultiShiftQuda(solutions, b.data(), &shifts);
      append(all, x);
      append(all, y);
    });
  };
  const auto rephased = [&](G param) {
    return seen([&](Seen &all) {
      Block<double> links(host_);
      staggeredPhaseQuda(links.as(param.gauge_order), &param);
      append(all, links.all);
    });
  };
  const auto of_path = [&](G param) {
    return seen([&](Seen &all) {
      Block<double> out(host_), links(host_);
      int steps[4][1] = {{0}, {1}, {2}, {3}}, *path[4], **paths[4], length = 1;
      double weight = 1;
      for (int mu = 0; mu < 4; mu++) path[mu] = steps[mu], paths[mu] = &path[mu];
      computeGaugePathQuda(out.as(param.gauge_order), links.as(param.gauge_order), paths, &length, &weight, 1, 1, 0.5,
                           &param);
      append(all, out.all);
    });
  };
  std::set<std::string> done = expect_rows<G>(
      {{"a load",
        plain,
        loaded,
        {{"X", [](G &p) { p.X[2] = 2, p.X[3] = 8; }, refused},
         {"anisotropy", [](G &p) { p.anisotropy = 1.2; }, refused},
         {"tadpole_coeff", [](G &p) { p.tadpole_coeff = 0.8; }, refused},
         {"gauge_fix", [](G &p) { p.gauge_fix = QUDA_GAUGE_FIXED_YES; }, refused},
         {"t_boundary", [](G &p) { p.t_boundary = QUDA_ANTI_PERIODIC_T; }, refused},
         {"type", [](G &p) { p.type = QUDA_SMEARED_LINKS; }, refused},
         {"gauge_order", [](G &p) { p.gauge_order = QUDA_MILC_GAUGE_ORDER; }, result},
         {"cpu_prec", [](G &p) { p.cpu_prec = QUDA_SINGLE_PRECISION; }, rounding},
         {"cuda_prec", [](G &p) { p.cuda_prec = QUDA_SINGLE_PRECISION; }, rounding},
         {"reconstruct", [](G &p) { p.reconstruct = QUDA_RECONSTRUCT_12; }, rounding}}},
       {"links of solves",
        mixed,
        solved,
        {{"reconstruct_sloppy", [](G &p) { p.reconstruct_sloppy = QUDA_RECONSTRUCT_12; }, rounding},
         {"reconstruct_refinement_sloppy", [](G &p) { p.reconstruct_refinement_sloppy = QUDA_RECONSTRUCT_12; },
          rounding},
         {"reconstruct_precondition", [](G &p) { p.reconstruct_precondition = QUDA_RECONSTRUCT_12; }, rounding}}},
       {"phases",
        phased,
        rephased,
        {{"staggered_phase_type", [](G &p) { p.staggered_phase_type = QUDA_STAGGERED_PHASE_CHROMA; }, result}}},
       {"links with phases",
        phased,
        observed,
        {{"staggered_phase_applied", [](G &p) { p.staggered_phase_applied = 0; }, refused},
         {"i_mu", [](G &p) { p.i_mu = 0.7; }, result}}},
       {"a force",
        plain,
        [&](const G &param) { return step(param, true); },
        {{"use_resident_gauge", [](G &p) { p.use_resident_gauge = 1; }, result},
         {"use_resident_mom", [](G &p) { p.use_resident_mom = 1; }, result},
         {"make_resident_mom", [](G &p) { p.make_resident_mom = 1; }, result},
         {"return_result_mom", [](G &p) { p.return_result_mom = 0; }, result},
         {"overwrite_mom", [](G &p) { p.overwrite_mom = 1; }, result}}},
       {"an update",
        plain,
        [&](const G &param) { return step(param, false); },
        {{"make_resident_gauge", [](G &p) { p.make_resident_gauge = 1; }, result},
         {"return_result_gauge", [](G &p) { p.return_result_gauge = 0; }, result}}},
       {"a path", plain, of_path, {{"overwrite_gauge", [](G &p) { p.overwrite_gauge = 1; }, result}}}});
  // of sites that hold links and momenta, of files of the host, and how copies are stored that wait for a solve
  expect_complete<G>(done, {"struct_size", "location", "scale", "overlap", "gauge_offset", "mom_offset", "site_size",
                            "cuda_prec_sloppy", "cuda_prec_refinement_sloppy", "cuda_prec_precondition",
                            "cuda_prec_eigensolver", "reconstruct_eigensolver", "use_split_gauge_bkup", "pad"});
  G silent = plain;
  for (const quda::params::Field &field : quda::params::table<G>().fields)
    if (is_never_read(field)) spoil(field, silent);
  EXPECT_TRUE(same_bits(loaded(plain).result, loaded(silent).result));
}

/// How copies are stored is a matter of iterations: an operator by itself has the precise links, fat ones and long ones.
TEST_F(MembersOfLinks, OfCopiesLeaveOperatorsAlone)
{
  std::vector<double> all[2];
  for (const bool fewer_numbers : {false, true}) {
    for (const QudaLinkType type : {QUDA_ASQTAD_FAT_LINKS, QUDA_ASQTAD_LONG_LINKS}) {
      G param = gauge_param(small.X);
      param.type = type;
      if (fewer_numbers && type == QUDA_ASQTAD_LONG_LINKS)
        param.reconstruct_sloppy = param.reconstruct_refinement_sloppy = param.reconstruct_precondition =
            QUDA_RECONSTRUCT_13;
      load(param);
    }
    I quark = wilson_param();
    quark.dslash_type = QUDA_ASQTAD_DSLASH;
    quark.mass = 0.1;
    std::vector<double> in(6 * 256, 0.3);
    all[fewer_numbers].resize(in.size());
    MatQuda(all[fewer_numbers].data(), in.data(), &quark);
  }
  EXPECT_TRUE(same_bits(all[0], all[1]));
  EXPECT_EQ(handler_.calls(), 0) << handler_.text();
}

TEST_F(MembersOfLinks, OfSmearingChangeWhatTheyShould)
{
  const auto kind = [](QudaGaugeSmearType type) {
    S param = newQudaGaugeSmearParam();
    param.smear_type = type;
    param.n_steps = param.meas_interval = 2;
    param.alpha = 0.5;
    param.alpha1 = 0.7;
    param.alpha2 = 0.6;
    param.alpha3 = 0.3;
    param.rho = 0.1;
    param.epsilon = 0.02;
    return param;
  };
  const auto call = [&](S param) {
    return seen([&](Seen &all) {
      G links = gauge_param(small.X);
      load(links);
      QudaGaugeObservableParam observed[4];
      for (auto &one : observed) {
        one = newQudaGaugeObservableParam();
        one.compute_plaquette = one.compute_qcharge = QUDA_BOOLEAN_TRUE;
      }
      const bool flow = param.smear_type == QUDA_GAUGE_SMEAR_WILSON_FLOW;
      if (param.restart) {
        S first = param;
        first.restart = QUDA_BOOLEAN_FALSE;
        performWFlowQuda(&first, observed);
      }
      flow ? performWFlowQuda(&param, observed) : performGaugeSmearQuda(&param, observed);
      links.type = QUDA_SMEARED_LINKS;
      save(all, links);
    });
  };
  std::set<std::string> done =
      expect_rows<S>({{"stout",
                       kind(QUDA_GAUGE_SMEAR_STOUT),
                       call,
                       {{"n_steps", [](S &p) { p.n_steps = 3; }, result},
                        {"rho", [](S &p) { p.rho = 0.2; }, result},
                        {"dir_ignore", [](S &p) { p.dir_ignore = 1; }, result},
                        {"meas_interval", [](S &p) { p.meas_interval = 1; }, words},
                        {"smear_type", [](S &p) { p.smear_type = QUDA_GAUGE_SMEAR_OVRIMP_STOUT; }, result}}},
                      {"APE", kind(QUDA_GAUGE_SMEAR_APE), call, {{"alpha", [](S &p) { p.alpha = 0.8; }, result}}},
                      {"HYP",
                       kind(QUDA_GAUGE_SMEAR_HYP),
                       call,
                       {{"alpha1", [](S &p) { p.alpha1 = 0.2; }, result},
                        {"alpha2", [](S &p) { p.alpha2 = 0.2; }, result},
                        {"alpha3", [](S &p) { p.alpha3 = 0.6; }, result}}},
                      {"flow",
                       kind(QUDA_GAUGE_SMEAR_WILSON_FLOW),
                       call,
                       {{"epsilon", [](S &p) { p.epsilon = 0.1; }, result},
                        {"rk_order", [](S &p) { p.rk_order = 4; }, rounding},
                        {"restart", [](S &p) { p.restart = QUDA_BOOLEAN_TRUE; }, result},
                        {"t0", [](S &p) { p.t0 = 0.5; }, words}}}});
  for (const unsigned order : {3u, 4u}) {
    S flow = kind(QUDA_GAUGE_SMEAR_WILSON_FLOW);
    flow.rk_order = order;
    const auto more_rows =
        expect_rows<S>({{"flow", flow, call, {{"smear_anisotropy", [](S &p) { p.smear_anisotropy = 1.4; }, result}}}});
    done.insert(more_rows.begin(), more_rows.end());
  }
  S back = kind(QUDA_GAUGE_SMEAR_WILSON_FLOW);
  back.n_steps = 4;
  const auto more_rows = expect_rows<S>({{"flow back",
                                          back,
                                          [&](S param) {
                                            return seen([&](Seen &all) {
                                              load(gauge_param(small.X));
                                              I quark = wilson_param();
                                              quark.verbosity = QUDA_SUMMARIZE;
                                              std::vector<double> in(24 * 256, 0.3);
                                              all.result.resize(in.size());
                                              void *ins[] = {in.data()}, *outs[] = {all.result.data()};
                                              performAdjGFlowHier(outs, ins, &quark, &param, 1);
                                            });
                                          },
                                          {{"adj_n_save", [](S &p) { p.adj_n_save = 2; }, words},
                                           {"hier_threshold", [](S &p) { p.hier_threshold = 3; }, words}}}});
  done.insert(more_rows.begin(), more_rows.end());
  expect_complete<S>(done, {"struct_size"});

  const auto smeared = [&](Q param) {
    return seen([&](Seen &all) {
      load(gauge_param(small.X));
      I quark = wilson_param();
      quark.laplace3D = 3;
      param.inv_param = &quark;
      std::vector<double> psi(6 * 256);
      for (std::size_t i = 0; i < psi.size(); i++) psi[i] = std::sin(0.3 * double(i));
      performTwoLinkGaussianSmearNStep(psi.data(), &param);
      append(all, psi);
    });
  };
  Q two_link {};
  two_link.n_steps = 2;
  two_link.width = 1.5;
  two_link.t0 = -1;
  const auto of_quarks = expect_rows<Q>({{"quarks",
                                          two_link,
                                          smeared,
                                          {{"n_steps", [](Q &p) { p.n_steps = 4; }, result},
                                           {"width", [](Q &p) { p.width = 3; }, result},
                                           {"t0", [](Q &p) { p.t0 = 1; }, result}}}});
  // which products stay (shift_mpi_test.cpp); no energy is monitored
  expect_complete<Q>(of_quarks, {"inv_param", "compute_2link", "delete_2link"});
}
