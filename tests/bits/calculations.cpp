#include "bits/calculations.h"

#include "bits/of_multigrid.h"

#include <complex>
#include <cstring>

#include "quda.h"
#include "quda_ext.h"
#include "quda_milc_interface.h"

namespace bits
{

namespace
{

  /// The paths of a force that reaches two sites: staples of plaquettes and of both kinds of rectangles.
  struct Paths {
    std::vector<int> steps[4][18];
    int *pointers[4][18], **buffer[4];
    int lengths[18];
    double weights[18];

    Paths()
    {
      for (int mu = 0; mu < 4; mu++) {
        int i = 0;
        for (int nu = 0; nu < 8; nu++) {
          const int back = 7 - mu, other = 7 - nu;
          if (nu == mu || nu == back) continue;
          steps[mu][i++] = {nu, back, other};
          steps[mu][i++] = {nu, nu, back, other, other};
          steps[mu][i++] = {mu, nu, back, back, other};
        }
        for (i = 0; i < 18; i++) {
          pointers[mu][i] = steps[mu][i].data();
          lengths[i] = static_cast<int>(steps[mu][i].size());
          weights[i] = i % 3 == 0 ? 1 : -0.05;
        }
        buffer[mu] = pointers[mu];
      }
    }
  };

  template <class real> class Calculation : OfMultigrid<real>
  {
  public:
    using Base = OfOneCase<real>;
    using Quarks = OfMultigrid<real>;
    using Quarks::Quarks;

    Results run()
    {
      load();
      observables("");
      hop();
      carried();
      twisted();
      domain_wall();
      quark_forces();
      domain_wall_forces();
      if (!which_.single) {
        solutions();
        multigrid_solutions();
        shifted_solutions();
        eigenvalues();
        deflated_solutions();
        solutions_in_sequence();
      }
      smearing();
      gauges();
      forces();
      contractions();
      in_place();
      staggered_links();
      milc();
      freeGaugeSmearedQuda();
      freeGaugeQuda();
      return results_;
    }

  private:
    using Base::precision, Base::keep, Base::gauge_param, Base::random, Base::host_links, Base::wilson_param;
    using Base::which_, Base::sites_, Base::results_;
    using Quarks::hop, Quarks::carried, Quarks::twisted, Quarks::domain_wall, Quarks::quark_forces,
        Quarks::domain_wall_forces, Quarks::solutions, Quarks::multigrid_solutions, Quarks::shifted_solutions,
        Quarks::eigenvalues, Quarks::deflated_solutions, Quarks::solutions_in_sequence;

    void load()
    {
      FourArrays<real> links = host_links();
      QudaGaugeParam param = gauge_param();
      loadGaugeQuda(links.pointer(), &param);
      if (!random()) return;
      gaussGaugeQuda(2468, 0.7);
      saved("random links", QUDA_WILSON_LINKS);
    }

    void saved(const std::string &name, QudaLinkType type)
    {
      FourArrays<real> links(sites_, 18);
      QudaGaugeParam param = gauge_param();
      param.type = type;
      saveGaugeQuda(links.pointer(), &param);
      keep(name, fingerprint(sites_, links));
    }

    /// Of the smeared links where there are any; plaqQuda of the others.
    void observables(const std::string &of)
    {
      double plaquette[3];
      plaqQuda(plaquette);
      keep("plaquette" + of, words(plaquette, 3));
      QudaGaugeObservableParam param = newQudaGaugeObservableParam();
      param.compute_plaquette = param.compute_polyakov_loop = QUDA_BOOLEAN_TRUE;
      param.compute_qcharge = param.compute_qcharge_density = QUDA_BOOLEAN_TRUE;
      std::vector<real> density(sites_.count());
      param.qcharge_density = density.data();
      gaugeObservablesQuda(&param);
      keep("observed plaquette" + of, words(param.plaquette, 3));
      keep("Polyakov loop" + of, words(param.ploop, 2));
      keep("charge" + of, words(&param.qcharge, 1));
      keep("energy" + of, words(param.energy, 3));
      keep("charge density" + of, fingerprint(sites_, density, 1));
    }

    void smearing()
    {
      for (const bool improved : {false, true}) {
        QudaGaugeSmearParam param = newQudaGaugeSmearParam();
        param.smear_type = improved ? QUDA_GAUGE_SMEAR_OVRIMP_STOUT : QUDA_GAUGE_SMEAR_STOUT;
        param.n_steps = 2;
        param.meas_interval = 2;
        param.rho = 0.1;
        param.epsilon = -0.25;
        QudaGaugeObservableParam observed[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
        performGaugeSmearQuda(&param, observed);
        const std::string name = improved ? "over-improved stout" : "stout";
        saved(name + " links", QUDA_SMEARED_LINKS);
        observables(", " + name);
      }
      for (const QudaGaugeSmearType type :
           {QUDA_GAUGE_SMEAR_APE, QUDA_GAUGE_SMEAR_HYP, QUDA_GAUGE_SMEAR_WILSON_FLOW, QUDA_GAUGE_SMEAR_SYMANZIK_FLOW}) {
        QudaGaugeSmearParam param = newQudaGaugeSmearParam();
        param.smear_type = type;
        param.n_steps = 1;
        param.meas_interval = 2;
        param.alpha = 0.6;
        param.alpha1 = 0.75;
        param.alpha2 = 0.6;
        param.alpha3 = 0.3;
        param.epsilon = 0.02;
        param.rk_order = type == QUDA_GAUGE_SMEAR_WILSON_FLOW ? 4 : 3;
        QudaGaugeObservableParam observed = newQudaGaugeObservableParam();
        const bool flows = type == QUDA_GAUGE_SMEAR_WILSON_FLOW || type == QUDA_GAUGE_SMEAR_SYMANZIK_FLOW;
        flows ? performWFlowQuda(&param, &observed) : performGaugeSmearQuda(&param, &observed);
        saved(type == QUDA_GAUGE_SMEAR_APE   ? "APE links"
              : type == QUDA_GAUGE_SMEAR_HYP ? "HYP links"
              : param.rk_order == 4          ? "links of the Wilson flow"
                                             : "links of the Symanzik flow",
              QUDA_SMEARED_LINKS);
      }
      for (const double tolerance : {0.0, 1e-3}) {
        QudaGradientFlowParam param = newQudaGradientFlowParam();
        param.action = tolerance == 0 ? QUDA_FLOW_ZEUTHEN : QUDA_FLOW_WILSON;
        param.interval = tolerance == 0 ? 0.02 : 0.1;
        param.epsilon = tolerance == 0 ? 0.02 : 0.2;
        param.tolerance = tolerance;
        QudaGaugeObservableParam observed[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
        gradientFlowQuda(&param, observed);
        saved(tolerance == 0 ? "links of the Zeuthen flow" : "links of a flow whose steps adapt", QUDA_SMEARED_LINKS);
        if (tolerance != 0) keep("size of a step that adapts", words(&param.last_epsilon, 1));
      }
      quark_flow();
      freeGaugeSmearedQuda();
      FourArrays<real> links = host_links();
      QudaGaugeParam param = gauge_param();
      if (random()) saveGaugeQuda(links.pointer(), &param);
      stoutQuda(links.pointer(), links.pointer(), 2, 0.08, -1, &param);
      keep("stout links, four directions", fingerprint(sites_, links));
    }

    void quark_flow()
    {
      QudaInvertParam param = wilson_param();
      QudaGaugeSmearParam flow = newQudaGaugeSmearParam();
      flow.smear_type = QUDA_GAUGE_SMEAR_WILSON_FLOW;
      flow.n_steps = flow.meas_interval = 1;
      flow.epsilon = 0.02;
      QudaGaugeObservableParam observed[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
      std::vector<real> in = random_numbers<real>(sites_, 24, 13, 0, sites_.count()), out(in.size());
      void *outs[] = {out.data()}, *ins[] = {in.data()};
      performGFlowQuda(outs, ins, &param, &flow, observed, 1);
      keep("quarks of the Wilson flow", fingerprint(sites_, out, 24));
      flow.n_steps = 3;
      flow.adj_n_save = 2;
      performAdjGFlowHier(outs, ins, &param, &flow, 1);
      keep("quarks of the Wilson flow's adjoint", fingerprint(sites_, out, 24));
    }

    void gauges()
    {
      for (const unsigned directions : {3u, 4u}) {
        FourArrays<real> links = host_links();
        QudaGaugeParam param = gauge_param();
        if (random()) saveGaugeQuda(links.pointer(), &param);
        computeGaugeFixingOVRQuda(links.pointer(), directions, 3, 1, 1.7, 0, 1, 1, &param);
        keep(directions == 3 ? "Coulomb gauge" : "Landau gauge", fingerprint(sites_, links));
      }
    }

    void forces()
    {
      Paths paths;
      QudaGaugeParam param = gauge_param();
      param.use_resident_gauge = 1;
      param.make_resident_gauge = 0;
      param.overwrite_mom = 1;
      param.return_result_mom = 1;
      FourArrays<real> momenta(sites_, 10), links(sites_, 18);
      computeGaugeForceQuda(momenta.pointer(), nullptr, paths.buffer, paths.lengths, paths.weights, 18, 5, 0.2, &param);
      keep("force", fingerprint(sites_, momenta));
      QudaGaugeParam alone = gauge_param();
      const double action = momActionQuda(momenta.pointer(), &alone);
      keep("action of the force", words(&action, 1));
      for (const int exact : {0, 1}) {
        QudaGaugeParam update = gauge_param();
        update.use_resident_gauge = 1;
        update.make_resident_gauge = 0;
        update.return_result_gauge = 1;
        updateGaugeFieldQuda(links.pointer(), momenta.pointer(), 0.1, 0, exact, &update);
        keep(exact ? "updated links, closed form" : "updated links, series", fingerprint(sites_, links));
      }
      smeared_force(momenta);
      param.overwrite_gauge = 1;
      computeGaugePathQuda(links.pointer(), nullptr, paths.buffer, paths.lengths, paths.weights, 18, 5, 0.2, &param);
      keep("sum of paths", fingerprint(sites_, links));

      int chair[6] = {0, 1, 7, 2, 6, 5}, rectangle[6] = {3, 3, 0, 4, 4, 7}, *loops[2] = {chair, rectangle};
      int lengths[2] = {6, 6};
      double weights[2] = {1, 0.5};
      std::complex<double> traces[2];
      computeGaugeLoopTraceQuda(reinterpret_cast<decltype(QudaGaugeObservableParam::traces)>(traces), loops, lengths,
                                weights, 2, 6, 1.5);
      keep("loop traces", words(reinterpret_cast<double *>(traces), 4));

      param = gauge_param();
      param.make_resident_mom = 1;
      param.return_result_mom = 0;
      momResidentQuda(momenta.pointer(), &param);
      gaussMomQuda(77, 1);
      param.make_resident_mom = 0;
      param.return_result_mom = 1;
      momResidentQuda(momenta.pointer(), &param);
      keep("random momenta", fingerprint(sites_, momenta));
    }

    /// Of the thin links, for that of smeared ones.
    void smeared_force(FourArrays<real> &of_smeared)
    {
      QudaGaugeSmearParam smearing = newQudaGaugeSmearParam();
      smearing.smear_type = QUDA_GAUGE_SMEAR_STOUT;
      smearing.n_steps = 2;
      smearing.rho = 0.11;
      smearing.dir_ignore = 4;
      smearing.smear_anisotropy = 1.3;
      QudaGaugeParam param = gauge_param();
      param.overwrite_mom = 1;
      FourArrays<real> momenta(sites_, 10);
      stoutGaugeQuda(&smearing);
      stoutForceQuda(momenta.pointer(), of_smeared.pointer(), 0.1, &param);
      keep("force of thin links", fingerprint(sites_, momenta));
      saved("stout links of an action", QUDA_WILSON_LINKS);
      thinGaugeQuda();
    }

    void contractions()
    {
      constexpr auto corrected = static_cast<QudaContractType>(QUDA_CONTRACT_TYPE_DR_CORRECTED);
      const struct {
        const char *name;
        QudaContractType type;
        std::size_t spins, results;
      } types[] = {
          {"open contraction", QUDA_CONTRACT_TYPE_OPEN, 4, 32},
          {"DR contraction", QUDA_CONTRACT_TYPE_DR, 4, 32},
          {"corrected DR contraction", corrected, 4, 32},
          {"staggered contraction", QUDA_CONTRACT_TYPE_STAGGERED, 1, 2},
      };
      for (const auto &one : types) {
        QudaInvertParam param = wilson_param();
        if (one.spins == 1) param.dslash_type = QUDA_STAGGERED_DSLASH;
        const auto x = random_numbers<real>(sites_, 6 * one.spins, 11, 0, sites_.count());
        const auto y = random_numbers<real>(sites_, 6 * one.spins, 12, 0, sites_.count());
        std::vector<real> result(one.results * sites_.count());
        contractQuda(x.data(), y.data(), result.data(), one.type, &param, sites_.part.local.X.data());
        keep(one.name, fingerprint(sites_, result, one.results));
        if (one.type == QUDA_CONTRACT_TYPE_OPEN || one.type == corrected) continue;
        constexpr int origin[4] = {1, 0, 2, 3}, modes[8] = {1, 0, -1, 0, 0, 1, 1, 2};
        constexpr auto both = QUDA_FFT_SYMM_EO, even = QUDA_FFT_SYMM_EVEN, odd = QUDA_FFT_SYMM_ODD;
        constexpr QudaFFTSymmType types[8] = {both, even, both, both, even, odd, both, both};
        std::vector<double> sums(2 * 2 * sites_.global.X[3] * one.spins * one.spins);
        std::vector<void *> columns[2];
        for (std::size_t s = 0; s < one.spins; s++) {
          columns[0].push_back(const_cast<real *>(s % 2 ? y.data() : x.data()));
          columns[1].push_back(const_cast<real *>(s % 3 ? x.data() : y.data()));
        }
        void *sum = sums.data();
        contractFTQuda(columns[0].data(), columns[1].data(), &sum,
                       one.spins == 1 ? QUDA_CONTRACT_TYPE_STAGGERED_FT_T : QUDA_CONTRACT_TYPE_DR_FT_T, &param, 1,
                       sites_.part.local.X.data(), origin, 2, modes, types);
        keep(one.name + std::string(", to momenta"), {hash_of(sums)});
      }
      sinks();
    }

    static std::uint64_t hash_of(const std::vector<double> &numbers)
    {
      std::uint64_t hash = 0;
      for (const double number : numbers) hash = hash * 0x9e3779b97f4a7c15u + word(number);
      return hash;
    }

    void sinks()
    {
      std::vector<std::vector<real>> fields;
      std::vector<void *> quarks, vectors;
      for (int i = 0; i < 5; i++) {
        fields.push_back(random_numbers<real>(sites_, i < 2 ? 24 : 6, 61 + i, 0, sites_.count()));
        (i < 2 ? quarks : vectors).push_back(fields.back().data());
      }
      QudaInvertParam param = wilson_param();
      std::vector<double> sums(2 * 2 * 3 * 4 * sites_.global.X[3]);
      laphSinkProject(reinterpret_cast<double _Complex *>(sums.data()), quarks.data(), 2, 2, vectors.data(), 3, 2,
                      &param, sites_.part.local.X.data());
      keep("sinks of distillation", {hash_of(sums)});
    }

    /// What changes the resident links, last.
    void in_place()
    {
      QudaHeatbathParam param = newQudaHeatbathParam();
      param.beta = 5.9;
      param.n_overrelax = 2;
      param.n_sweeps = 2;
      param.first_sweep = 3;
      param.seed = 59;
      param.start = QUDA_HEATBATH_START_RESIDENT;
      heatbathQuda(&param);
      saved("links of the heat bath", QUDA_WILSON_LINKS);
      observables(", heat bath");
      param.start = QUDA_HEATBATH_START_HOT;
      param.n_sweeps = 1;
      heatbathQuda(&param);
      saved("links of the hot start", QUDA_WILSON_LINKS);
      observables(", hot start");
      if (sites_.global.X[0] > 2) { // for rectangles
        param.start = QUDA_HEATBATH_START_RESIDENT;
        param.rectangle = -1.0 / 12;
        param.anisotropy = 1.5;
        param.n_overrelax = 1;
        heatbathQuda(&param);
        saved("links of the improved heat bath", QUDA_WILSON_LINKS);
      }
      gaussGaugeQuda(13, 0.3);
      saved("random links, narrow", QUDA_WILSON_LINKS);
      observables(", narrow");
    }

    /// The links of before taken for links with MILC's phases, and momenta, in structures of the host.
    void milc()
    {
      constexpr std::size_t size = 131, links_at = 3, momenta_at = 81; // in reals
      FourArrays<real> links(sites_, 18);
      QudaGaugeParam param = gauge_param();
      saveGaugeQuda(links.pointer(), &param);
      const std::vector<real> momenta = random_numbers<real>(sites_, 40, 13, 0, sites_.count());
      std::vector<real> sites(size * sites_.count());
      for (std::size_t slot = 0; slot < sites_.count(); slot++) {
        for (int k = 0; k < 72; k++) sites[slot * size + links_at + k] = links.arrays[k / 18][18 * slot + k % 18];
        for (int k = 0; k < 40; k++) sites[slot * size + momenta_at + k] = momenta[40 * slot + k];
      }
      int grid[4];
      for (int d = 0; d < 4; d++) grid[d] = sites_.global.X[d] / sites_.part.local.X[d];
      qudaSetLayout({sites_.global.X.data(), grid, -1});
      QudaMILCSiteArg_t arg {sites.data(),       nullptr, links_at * sizeof(real), nullptr, momenta_at * sizeof(real),
                             size * sizeof(real)};
      const int bits = sizeof(real) == 8 ? 2 : 1;
      double weights[3] = {1, -0.0625, -0.0147}, plaquette[3];
      qudaGaugeForcePhased(bits, 3, weights, 0.1, &arg, 1);
      qudaUpdateUPhased(bits, 0.05, &arg, 1);
      qudaPlaquettePhased(bits, plaquette, &arg, 1);
      const double action = qudaMomAction(bits, &arg);
      keep("sites of MILC", fingerprint(sites_, sites, size));
      keep("plaquette and action of MILC", words(plaquette, 3));
      results_.numbers.back().words.push_back(word(action));
      double loop[2];
      qudaPolyakovLoopPhased(bits, loop, 3, &arg, 1);
      keep("Polyakov loop of MILC", words(loop, 2));
      qudaUnitarizeSU3Phased(bits, 1e-3, &arg, 1);
      keep("unitarised sites of MILC", fingerprint(sites_, sites, size));
      param = gauge_param();
      param.reconstruct = QUDA_RECONSTRUCT_NO;
      param.staggered_phase_type = QUDA_STAGGERED_PHASE_TIFR;
      staggeredPhaseQuda(links.pointer(), &param);
      keep("links with staggered phases", fingerprint(sites_, links));
    }

    /// Of three fields, one with another Naik term.
    void hisq_force(FourArrays<real> &thin, FourArrays<real> &seven, FourArrays<real> &unitary, const double *first,
                    const double *second)
    {
      QudaGaugeParam param = gauge_param();
      param.use_resident_mom = param.make_resident_mom = 0;
      param.return_result_mom = 1;
      std::vector<real> quarks[3];
      void *arrays[3];
      double weights[4][2] = {{0.5, -0.02}, {-0.25, 0.01}, {1, -0.04}, {0.125, 0.03}};
      double *coeff[4];
      for (int i = 0; i < 4; i++) coeff[i] = weights[i];
      for (int i = 0; i < 3; i++) {
        quarks[i] = random_numbers<real>(sites_, 6, 13 + i, 0, 2 * sites_.half());
        arrays[i] = quarks[i].data();
      }
      FourArrays<real> momenta(sites_, 10);
      computeHISQForceQuda(momenta.pointer(), 0.1, second, first, unitary.pointer(), seven.pointer(), thin.pointer(),
                           arrays, 3, 1, coeff, &param);
      keep("force of HISQ quarks", fingerprint(sites_, momenta));
    }

    /// The two levels of HISQ, of the links of before, and products of two links; before them the projection.
    void staggered_links()
    {
      FourArrays<real> links(sites_, 18), fat = links, straight = links;
      QudaGaugeParam param = gauge_param();
      saveGaugeQuda(links.pointer(), &param);
      double first[6] = {0.125, 0, 0.0625, 0.015625, 1. / 384, 0},
             second[6] = {1, -1. / 24, 0.0625, 0.015625, 1. / 384, -0.125};
      // where hops of three links fit into the ranks of all grids
      const bool with_force = which_.configuration->name == "l8888" && which_.reconstruct == 18;
      FourArrays<real> thin = links, seven = links;
      if (with_force) computeKSLinkQuda(seven.pointer(), nullptr, nullptr, thin.pointer(), first, &param);
      computeKSLinkQuda(nullptr, nullptr, links.pointer(), links.pointer(), first, &param);
      if (with_force) hisq_force(thin, seven, links, first, second);
      computeKSLinkQuda(fat.pointer(), straight.pointer(), nullptr, links.pointer(), second, &param);
      keep("unitarised fat links", fingerprint(sites_, links));
      keep("fat links", fingerprint(sites_, fat));
      keep("long links", fingerprint(sites_, straight));
      param.use_resident_gauge = param.make_resident_gauge = 0;
      param.reconstruct = QUDA_RECONSTRUCT_NO;
      projectSU3Quda(fat.pointer(), 1e-4, &param);
      keep("projected links", fingerprint(sites_, fat));
    }
  };

} // namespace

Results calculate(const Case &which, const reference::Coords &grid)
{
  int rest = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rest);
  reference::Coords coord;
  for (int d = 3; d >= 0; d--) {
    coord[d] = rest % grid[d];
    rest /= grid[d];
  }
  const reference::Lattice global(which.configuration->extents);
  const Sites sites {global, reference::Part(global, grid, coord)};
  return which.single ? Calculation<float>(which, sites).run() : Calculation<double>(which, sites).run();
}

} // namespace bits
