#include "bits/calculations.h"

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

  template <class real> class Calculation
  {
  public:
    Calculation(const Case &which, const Sites &sites)
        : which_(which)
        , sites_(sites)
    {
    }

    Results run()
    {
      load();
      observables("");
      hop();
      carried();
      twisted();
      if (!which_.single) {
        solutions();
        shifted_solutions();
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
    static constexpr QudaPrecision precision = sizeof(real) == 8 ? QUDA_DOUBLE_PRECISION : QUDA_SINGLE_PRECISION;

    void keep(const std::string &name, const Words &words)
    {
      results_.numbers.push_back({which_.name() + "\t" + name, words});
    }
    void sample(const std::string &name, const std::vector<real> &field, std::size_t first)
    {
      for (const reference::Coords x : {reference::Coords {1, 2, 5, 7}, {0, 0, 0, 0}}) {
        // one parity may lack it
        if (field.size() < 24 * sites_.count() && reference::Lattice::parity(x) != (first == 0 ? 0 : 1)) continue;
        reference::Coords at;
        for (int d = 0; d < 4; d++) at[d] = x[d] % sites_.global.X[d];
        const std::string place =
            " at " + std::to_string(at[0]) + std::to_string(at[1]) + std::to_string(at[2]) + std::to_string(at[3]);
        results_.samples.push_back({which_.name() + "\t" + name + place, numbers_at(sites_, field, 24, first, at)});
      }
    }

    QudaGaugeParam gauge_param() const
    {
      QudaGaugeParam param = newQudaGaugeParam();
      for (int d = 0; d < 4; d++) param.X[d] = sites_.part.local.X[d];
      param.type = QUDA_WILSON_LINKS;
      param.gauge_order = QUDA_QDP_GAUGE_ORDER;
      param.anisotropy = 1;
      param.tadpole_coeff = 1;
      param.t_boundary = random() ? QUDA_ANTI_PERIODIC_T : QUDA_PERIODIC_T;
      param.cpu_prec = precision;
      param.cuda_prec = precision;
      param.reconstruct = which_.reconstruct == 18 ? QUDA_RECONSTRUCT_NO : QUDA_RECONSTRUCT_12;
      param.gauge_fix = QUDA_GAUGE_FIXED_NO;
      param.ga_pad = 0;
      return param;
    }
    bool random() const { return which_.configuration->links[0].empty(); }

    FourArrays<real> host_links() const
    {
      FourArrays<real> links(sites_, 18);
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t slot = 0; slot < sites_.count(); slot++) {
          const reference::Coords x = sites_.part.global_coords(slot);
          for (int k = 0; k < 18; k++) {
            double number = k % 8 == 0 ? 1 : 0; // unit links, with the sign of the boundary
            if (mu == 3 && x[3] == sites_.global.X[3] - 1) number = -number;
            if (!random()) number = which_.configuration->links[mu][18 * sites_.global.slot(x) + k];
            links.arrays[mu][18 * slot + k] = static_cast<real>(number);
          }
        }
      return links;
    }

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

    QudaInvertParam wilson_param() const
    {
      QudaInvertParam param = newQudaInvertParam();
      param.dslash_type = QUDA_WILSON_DSLASH;
      param.kappa = 0.12;
      param.solution_type = QUDA_MAT_SOLUTION;
      param.matpc_type = QUDA_MATPC_EVEN_EVEN;
      param.dagger = QUDA_DAG_NO;
      param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
      param.cpu_prec = precision;
      param.cuda_prec = precision;
      param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
      param.dirac_order = QUDA_DIRAC_ORDER;
      return param;
    }

    void hop()
    {
      const std::size_t half = sites_.half(), all = sites_.count();
      for (const bool dagger : {false, true}) {
        const std::string end = dagger ? " dagger" : "";
        QudaInvertParam param = wilson_param();
        param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
        for (const int parity : {0, 1}) {
          const std::size_t to = parity ? half : 0;
          const std::string name = std::string(parity ? "hop to odd" : "hop to even") + end;
          std::vector<real> in = random_numbers<real>(sites_, 24, 5, half - to, half), out(24 * half);
          dslashQuda(out.data(), in.data(), &param, parity ? QUDA_ODD_PARITY : QUDA_EVEN_PARITY);
          keep(name, fingerprint(sites_, out, 24, to));
          sample(name, out, to);
          param.solution_type = QUDA_MATPC_SOLUTION;
          param.matpc_type = parity ? QUDA_MATPC_ODD_ODD : QUDA_MATPC_EVEN_EVEN;
          in = random_numbers<real>(sites_, 24, 6, to, half);
          MatQuda(out.data(), in.data(), &param);
          const std::string of_one = std::string(parity ? "matrix on odd" : "matrix on even") + end;
          keep(of_one, fingerprint(sites_, out, 24, to));
          sample(of_one, out, to);
          param.solution_type = QUDA_MAT_SOLUTION;
        }
        std::vector<real> in = random_numbers<real>(sites_, 24, 7, 0, all), out(24 * all);
        MatQuda(out.data(), in.data(), &param);
        keep("matrix" + end, fingerprint(sites_, out, 24));
        sample("matrix" + end, out, 0);
      }
    }

    /// Shifts, Laplace's operator and smearing of quarks.
    void carried()
    {
      const std::size_t all = sites_.count();
      QudaInvertParam param = wilson_param();
      std::vector<real> in = random_numbers<real>(sites_, 24, 9, 0, all), out(in.size());
      for (const int dir : {0, 7}) {
        covDevQuda(out.data(), in.data(), dir, &param);
        keep(dir == 0 ? "shift ahead along x" : "shift behind along t", fingerprint(sites_, out, 24));
      }
      performWuppertalnStep(out.data(), in.data(), &param, 2, 0.2);
      keep("Wuppertal smearing", fingerprint(sites_, out, 24));
      param.dslash_type = QUDA_LAPLACE_DSLASH;
      param.laplace3D = 4;
      in = random_numbers<real>(sites_, 6, 10, 0, all);
      out.resize(in.size());
      MatQuda(out.data(), in.data(), &param);
      keep("Laplace", fingerprint(sites_, out, 6));
      staggered(in, out);
      for (const int taste : {4, 10}) { // over one link, over four
        spinTasteQuda(out.data(), in.data(), 5, taste, &param);
        keep("taste " + std::to_string(taste) + " of spin 5", fingerprint(sites_, out, 6));
      }
      QudaQuarkSmearParam smear {};
      smear.inv_param = &param;
      smear.n_steps = 2;
      smear.width = 1.5;
      smear.t0 = -1;
      smear.delete_2link = 1;
      performTwoLinkGaussianSmearNStep(in.data(), &smear);
      keep("two-link smearing", fingerprint(sites_, in, 6));
    }

    /// Staggered matrices, improved ones where legs of three links fit into the ranks of all grids.
    void staggered(std::vector<real> &in, std::vector<real> &out)
    {
      QudaInvertParam param = wilson_param();
      param.mass = 0.1;
      const bool improved = which_.configuration->name == "l8888" && which_.reconstruct == 18;
      if (improved)
        for (const QudaLinkType type : {QUDA_ASQTAD_FAT_LINKS, QUDA_ASQTAD_LONG_LINKS}) {
          FourArrays<real> links = host_links();
          for (auto &array : links.arrays)
            for (real &number : array) number *= type == QUDA_ASQTAD_FAT_LINKS ? real(1.5) : real(-0.0625);
          QudaGaugeParam gauge = gauge_param();
          gauge.type = type;
          gauge.scale = 1;
          loadGaugeQuda(links.pointer(), &gauge);
        }
      for (const QudaPrecision computed : {precision, QUDA_HALF_PRECISION}) {
        const std::string end = computed == precision ? "" : ", half";
        param.cuda_prec = computed;
        param.dslash_type = QUDA_STAGGERED_DSLASH;
        MatQuda(out.data(), in.data(), &param);
        keep("staggered matrix" + end, fingerprint(sites_, out, 6));
        if (!improved) continue;
        param.dslash_type = QUDA_ASQTAD_DSLASH;
        MatQuda(out.data(), in.data(), &param);
        keep("improved staggered matrix" + end, fingerprint(sites_, out, 6));
      }
      freeUniqueGaugeQuda(QUDA_ASQTAD_FAT_LINKS);
      freeUniqueGaugeQuda(QUDA_ASQTAD_LONG_LINKS);
    }

    /// Twisted matrices on odd sites, of one flavour and of two, with a clover term and without.
    void twisted()
    {
      const std::size_t half = sites_.half();
      for (const bool clover : {false, true})
        for (const int flavours : {1, 2}) {
          QudaInvertParam param = wilson_param();
          param.dslash_type = clover ? QUDA_TWISTED_CLOVER_DSLASH : QUDA_TWISTED_MASS_DSLASH;
          param.twist_flavor = flavours == 2 ? QUDA_TWIST_NONDEG_DOUBLET : QUDA_TWIST_SINGLET;
          param.mu = 0.3;
          param.epsilon = 0.2;
          param.solution_type = QUDA_MATPC_SOLUTION;
          param.matpc_type = flavours == 2 ? QUDA_MATPC_ODD_ODD_ASYMMETRIC : QUDA_MATPC_ODD_ODD;
          param.dagger = clover ? QUDA_DAG_YES : QUDA_DAG_NO;
          if (clover) {
            param.clover_cuda_prec = precision;
            param.clover_coeff = 0.15;
            param.compute_clover = param.compute_clover_inverse = 1;
            loadCloverQuda(nullptr, nullptr, &param);
          }
          std::vector<real> in;
          for (int f = 0; f < flavours; f++) {
            const std::vector<real> one = random_numbers<real>(sites_, 24, 11 + f, half, half);
            in.insert(in.end(), one.begin(), one.end());
          }
          std::vector<real> out(in.size());
          MatQuda(out.data(), in.data(), &param);
          for (int f = 0; f < flavours; f++) {
            const auto first = out.begin() + static_cast<std::ptrdiff_t>(24 * half * f);
            const std::vector<real> one(first, first + static_cast<std::ptrdiff_t>(24 * half));
            keep(std::string("twisted ") + (clover ? "clover" : "mass") + (flavours == 2 ? " doublet " : " ") +
                     std::to_string(f),
                 fingerprint(sites_, one, 24, half));
          }
          if (clover) keep("determinant of twisted clover " + std::to_string(flavours), words(param.trlogA, 2));
        }
      freeCloverQuda();
    }

    void solutions()
    {
      for (const QudaInverterType method : {QUDA_CG_INVERTER, QUDA_BICGSTAB_INVERTER, QUDA_GCR_INVERTER}) {
        QudaInvertParam param = wilson_param();
        const bool normal = method == QUDA_CG_INVERTER, in_single = method == QUDA_BICGSTAB_INVERTER;
        param.inv_type = method;
        param.solve_type = normal ? QUDA_NORMOP_PC_SOLVE : QUDA_DIRECT_PC_SOLVE;
        param.cuda_prec_sloppy = in_single ? QUDA_SINGLE_PRECISION : QUDA_HALF_PRECISION;
        param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
        param.tol = 1e-10;
        param.maxiter = 500;
        param.reliable_delta = 0.1;
        param.gcrNkrylov = 8;
        param.verbosity = QUDA_SILENT;
        std::vector<real> in = random_numbers<real>(sites_, 24, 8, 0, sites_.count()), out(in.size());
        invertQuda(out.data(), in.data(), &param);
        const std::string name = normal ? "CG, half" : in_single ? "BiCGstab, single" : "GCR, half";
        keep("solution by " + name, fingerprint(sites_, out, 24));
        const double numbers[] = {param.true_res[0], static_cast<double>(param.iter)};
        keep("residual and iterations of " + name, words(numbers, 2));
      }
    }

    /// Four shifts, in double and in half.
    void shifted_solutions()
    {
      for (const bool in_half : {false, true}) {
        QudaInvertParam param = wilson_param();
        param.inv_type = QUDA_CG_INVERTER;
        param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
        param.solve_type = QUDA_NORMOP_PC_SOLVE;
        param.cuda_prec_sloppy = in_half ? QUDA_HALF_PRECISION : QUDA_DOUBLE_PRECISION;
        param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
        param.maxiter = 500;
        param.reliable_delta = 0.1;
        param.verbosity = QUDA_SILENT;
        param.num_offset = 4;
        for (int k = 0; k < 4; k++) {
          param.offset[k] = 0.01 * k;
          param.tol_offset[k] = 1e-10;
        }
        const std::size_t half = sites_.half();
        std::vector<real> in = random_numbers<real>(sites_, 24, 8, 0, half), out(4 * in.size());
        void *x[4];
        for (std::size_t k = 0; k < 4; k++) x[k] = out.data() + k * in.size();
        invertMultiShiftQuda(x, in.data(), &param);
        const std::string name = in_half ? ", half" : "";
        std::vector<double> numbers {static_cast<double>(param.iter)};
        for (std::size_t k = 0; k < 4; k++) {
          const auto first = out.begin() + static_cast<std::ptrdiff_t>(k * in.size());
          keep("solution of shift " + std::to_string(k) + name,
               fingerprint(sites_, std::vector<real>(first, first + static_cast<std::ptrdiff_t>(in.size())), 24, 0));
          numbers.push_back(param.true_res_offset[k]);
        }
        keep("iterations and residuals of shifts" + name, words(numbers.data(), static_cast<int>(numbers.size())));
      }
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
        std::uint64_t hash = 0;
        for (const double number : sums) hash = hash * 0x9e3779b97f4a7c15u + word(number);
        keep(one.name + std::string(", to momenta"), {hash});
      }
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
      param = gauge_param();
      param.reconstruct = QUDA_RECONSTRUCT_NO;
      param.staggered_phase_type = QUDA_STAGGERED_PHASE_TIFR;
      staggeredPhaseQuda(links.pointer(), &param);
      keep("links with staggered phases", fingerprint(sites_, links));
    }

    /// The two levels of HISQ, of the links of before.
    void staggered_links()
    {
      FourArrays<real> links(sites_, 18), fat = links, straight = links;
      QudaGaugeParam param = gauge_param();
      saveGaugeQuda(links.pointer(), &param);
      double first[6] = {0.125, 0, 0.0625, 0.015625, 1. / 384, 0},
             second[6] = {1, -1. / 24, 0.0625, 0.015625, 1. / 384, -0.125};
      computeKSLinkQuda(nullptr, nullptr, links.pointer(), links.pointer(), first, &param);
      computeKSLinkQuda(fat.pointer(), straight.pointer(), nullptr, links.pointer(), second, &param);
      keep("unitarised fat links", fingerprint(sites_, links));
      keep("fat links", fingerprint(sites_, fat));
      keep("long links", fingerprint(sites_, straight));
    }

    const Case &which_;
    const Sites &sites_;
    Results results_;
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
