#pragma once
/// Calculations with quark fields, and what they share with the others.

#include <algorithm>
#include <string>
#include <vector>

#include "bits/calculations.h"
#include "interface/session.h"
#include "quda_ext.h"

namespace bits
{

/// A case's links and parameters, and what is kept of its results.
template <class real> class OfOneCase
{
public:
  OfOneCase(const Case &which, const Sites &sites)
      : which_(which)
      , sites_(sites)
  {
  }

protected:
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
    return test::gauge_param(sites_.part.local.X,
                             {.host = precision,
                              .precision = precision,
                              .reconstruct = which_.reconstruct == 18 ? QUDA_RECONSTRUCT_NO : QUDA_RECONSTRUCT_12,
                              .t_boundary = random() ? -1 : 1});
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

  QudaInvertParam wilson_param() const { return test::wilson_param(precision); }

  const Case &which_;
  const Sites &sites_;
  Results results_;
};

template <class real> class OfQuarks : protected OfOneCase<real>
{
protected:
  using Base = OfOneCase<real>;
  using Base::Base, Base::precision, Base::keep, Base::sample, Base::gauge_param, Base::host_links;
  using Base::wilson_param, Base::which_, Base::sites_;

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
    QudaInvertParam param = wilson_param(), of_half = param;
    of_half.cuda_prec = QUDA_HALF_PRECISION;
    std::vector<real> in = random_numbers<real>(sites_, 24, 9, 0, all), out(in.size());
    for (const int dir : {0, 7}) {
      const std::string name = dir == 0 ? "shift ahead along x" : "shift behind along t";
      covDevQuda(out.data(), in.data(), dir, &param);
      keep(name, fingerprint(sites_, out, 24));
      covDevQuda(out.data(), in.data(), dir, &of_half);
      keep(name + " in half", fingerprint(sites_, out, 24));
    }
    performWuppertalnStep(out.data(), in.data(), &param, 2, 0.2);
    keep("Wuppertal smearing", fingerprint(sites_, out, 24));
    performGaussianSmearNStep(out.data(), in.data(), &param, 2, 1.5);
    keep("Gaussian smearing", fingerprint(sites_, out, 24));
    shiftQuda(out.data(), in.data(), 1, 3, &param);
    keep("shift both ways along y", fingerprint(sites_, out, 24));
    param.dslash_type = QUDA_LAPLACE_DSLASH;
    param.laplace3D = 4;
    in = random_numbers<real>(sites_, 6, 10, 0, all);
    out.resize(in.size());
    MatQuda(out.data(), in.data(), &param);
    keep("Laplace", fingerprint(sites_, out, 6));
    of_half.dslash_type = param.dslash_type;
    of_half.laplace3D = param.laplace3D;
    MatQuda(out.data(), in.data(), &of_half);
    keep("Laplace in half", fingerprint(sites_, out, 6));
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
    if (improved && !which_.single) staggered_solutions();
    freeUniqueGaugeQuda(QUDA_ASQTAD_FAT_LINKS);
    freeUniqueGaugeQuda(QUDA_ASQTAD_LONG_LINKS);
  }

  void staggered_solutions()
  {
    QudaInvertParam param = wilson_param();
    param.dslash_type = QUDA_ASQTAD_DSLASH;
    param.mass = 0.5;
    param.mass_normalization = QUDA_MASS_NORMALIZATION;
    param.solution_type = QUDA_MATPC_SOLUTION;
    param.inv_type = QUDA_CG_INVERTER;
    param.solve_type = QUDA_DIRECT_PC_SOLVE;
    param.cuda_prec_sloppy = param.cuda_prec_refinement_sloppy = QUDA_HALF_PRECISION;
    param.tol = 1e-10;
    param.maxiter = 500;
    param.reliable_delta = 0.1;
    param.verbosity = QUDA_SILENT;
    param.num_offset = 2;
    const std::size_t reals = 6 * sites_.half();
    std::vector<real> in = random_numbers<real>(sites_, 6, 12, 0, sites_.half()), out[3];
    for (int k = 0; k < 3; k++) out[k].resize(reals);
    void *shifted[] = {out[1].data(), out[2].data()};
    for (int k = 0; k < 2; k++) {
      param.offset[k] = 0.5 + k;
      param.tol_offset[k] = param.tol;
    }
    invertQuda(out[0].data(), in.data(), &param);
    double numbers[] = {param.true_res[0], static_cast<double>(param.iter), 0, 0, 0};
    invertMultiShiftQuda(shifted, in.data(), &param);
    numbers[2] = static_cast<double>(param.iter);
    std::copy_n(param.true_res_offset, 2, numbers + 3);
    const char *names[] = {"", " of shift 0", " of shift 1"};
    for (int k = 0; k < 3; k++)
      keep(std::string("improved staggered solution") + names[k], fingerprint(sites_, out[k], 6));
    keep("residuals and iterations of improved staggered solutions", words(numbers, 5));
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
          const std::vector<real> one(&out[24 * half * f], &out[24 * half * f] + 24 * half);
          keep(std::string("twisted ") + (clover ? "clover" : "mass") + (flavours == 2 ? " doublet " : " ") +
                   std::to_string(f),
               fingerprint(sites_, one, 24, half));
        }
        if (clover) keep("determinant of twisted clover " + std::to_string(flavours), words(param.trlogA, 2));
        if (!clover || flavours == 2) continue;
        param.dslash_type = QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH;
        param.mu *= 2; // half of it stands beside A
        MatQuda(out.data(), in.data(), &param);
        keep("Hasenbusch twist", fingerprint(sites_, out, 24, half));
      }
    freeCloverQuda();
  }

  /// Forces of Wilson, clover and twisted clover fermions, of three fields on odd sites.
  void quark_forces()
  {
    const std::size_t half = sites_.half();
    std::vector<real> x[3];
    void *pointers[3];
    double weights[] = {0.3, -0.2, 0.05};
    for (const QudaDslashType type : {QUDA_WILSON_DSLASH, QUDA_CLOVER_WILSON_DSLASH, QUDA_TWISTED_CLOVER_DSLASH,
                                      QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH}) {
      const int flavours = type == QUDA_TWISTED_CLOVER_DSLASH ? 2 : 1;
      QudaInvertParam param = wilson_param();
      param.dslash_type = type;
      param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
      param.matpc_type = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
      param.dagger = flavours == 2 ? QUDA_DAG_YES : QUDA_DAG_NO;
      param.mu = 0.3;
      param.epsilon = 0.2;
      param.tm_rho = 0;
      param.twist_flavor = flavours == 2 ? QUDA_TWIST_NONDEG_DOUBLET : QUDA_TWIST_NO;
      param.clover_cpu_prec = param.clover_cuda_prec = precision;
      param.clover_order = QUDA_PACKED_CLOVER_ORDER;
      param.clover_coeff = 0.15;
      param.compute_clover = param.compute_clover_inverse = 1;
      if (type != QUDA_WILSON_DSLASH) loadCloverQuda(nullptr, nullptr, &param);
      for (int i = 0; i < 3; i++) {
        x[i].clear();
        for (int flavour = 0; flavour < flavours; flavour++) {
          const auto one = random_numbers<real>(sites_, 24, 40 + 2 * i + flavour, half, half);
          x[i].insert(x[i].end(), one.begin(), one.end());
        }
        pointers[i] = x[i].data();
      }
      QudaGaugeParam gauge = gauge_param();
      gauge.overwrite_mom = gauge.return_result_mom = 1;
      FourArrays<real> momenta(sites_, 10);
      computeCloverForceQuda(momenta.pointer(), 0.1, pointers, nullptr, weights, -param.kappa * param.kappa,
                             -param.clover_coeff / 8, 3, 1, nullptr, &gauge, &param);
      const char *const name[] = {"Wilson", "clover", "doublets of twisted clover", "Hasenbusch-twisted"};
      keep(std::string("force of ") +
               name[type == QUDA_WILSON_DSLASH          ? 0
                    : type == QUDA_CLOVER_WILSON_DSLASH ? 1
                    : flavours == 2                     ? 2
                                                        : 3] +
               " quarks",
           fingerprint(sites_, momenta));
      freeCloverQuda();
    }
  }

  QudaInvertParam domain_wall_param(QudaDslashType type, int Ls)
  {
    QudaInvertParam param = wilson_param();
    param.dslash_type = type;
    param.mass = 0.1;
    param.m5 = -1.4;
    param.Ls = Ls;
    std::fill_n(param.b_5, Ls, 1.5);
    std::fill_n(param.c_5, Ls, 0.5);
    param.eofa_pm = 1;
    return param;
  }

  /// Forces of two flavours of Moebius fermions on odd sites and of one flavour on all sites, of given fields.
  void domain_wall_forces()
  {
    constexpr int Ls = 4;
    const std::size_t half = sites_.half();
    for (const bool one_flavour : {false, true}) {
      QudaInvertParam param = domain_wall_param(one_flavour ? QUDA_MOBIUS_DWF_EOFA_DSLASH : QUDA_MOBIUS_DWF_DSLASH, Ls);
      param.eofa_shift = -1;
      param.mq1 = param.mq3 = 0.1;
      param.mq2 = 0.02;
      param.solution_type = one_flavour ? QUDA_MAT_SOLUTION : QUDA_MATPCDAG_MATPC_SOLUTION;
      param.matpc_type = QUDA_MATPC_ODD_ODD;
      param.dagger = QUDA_DAG_YES;
      std::vector<real> x;
      for (int parity = one_flavour ? 0 : 1; parity < 2; parity++)
        for (int s = 0; s < Ls; s++) {
          const auto one = random_numbers<real>(sites_, 24, 61 + s, static_cast<std::size_t>(parity) * half, half);
          x.insert(x.end(), one.begin(), one.end());
        }
      void *pointer = x.data();
      double weight = 0.3;
      QudaGaugeParam gauge = gauge_param();
      gauge.overwrite_mom = gauge.return_result_mom = 1;
      FourArrays<real> momenta(sites_, 10);
      computeQuarkForceQuda(momenta.pointer(), 0.1, &pointer, nullptr, &weight, 1, 0, &gauge, &param);
      keep(one_flavour ? "force of one flavour of Moebius quarks" : "force of Moebius quarks",
           fingerprint(sites_, momenta));
    }
  }

  /// Domain-wall matrices on odd sites, in five dimensions those of sites and slices, and solutions.
  void domain_wall()
  {
    constexpr int Ls = 4;
    const struct {
      const char *name;
      QudaDslashType type;
      QudaMatPCType matpc;
      bool solve;
    } kinds[] = {{"domain wall in five dimensions", QUDA_DOMAIN_WALL_DSLASH, QUDA_MATPC_ODD_ODD, false},
                 {"domain wall", QUDA_DOMAIN_WALL_4D_DSLASH, QUDA_MATPC_ODD_ODD_ASYMMETRIC, false},
                 {"Moebius", QUDA_MOBIUS_DWF_DSLASH, QUDA_MATPC_ODD_ODD, true},
                 {"one flavour of Moebius", QUDA_MOBIUS_DWF_EOFA_DSLASH, QUDA_MATPC_ODD_ODD_ASYMMETRIC, false}};
    const std::size_t half = sites_.half();
    for (const auto &[name, type, matpc, solve] : kinds) {
      QudaInvertParam param = domain_wall_param(type, Ls);
      param.eofa_shift = -0.2;
      param.mq1 = 0.1;
      param.mq2 = 0.2;
      param.mq3 = 0.9;
      param.matpc_type = matpc;
      param.solution_type = QUDA_MATPC_SOLUTION;
      const auto first_of = [&, five = type == QUDA_DOMAIN_WALL_DSLASH](int s) { return five && s % 2 ? 0 : half; };
      std::vector<real> in;
      for (int s = 0; s < Ls; s++) {
        const std::vector<real> one = random_numbers<real>(sites_, 24, 21 + s, first_of(s), half);
        in.insert(in.end(), one.begin(), one.end());
      }
      std::vector<real> out(in.size());
      const auto keep_slices = [&](const std::string &of) {
        Words all;
        for (int s = 0; s < Ls; s++) {
          const auto first = out.begin() + static_cast<std::ptrdiff_t>(24 * half * s);
          const std::vector<real> one(first, first + static_cast<std::ptrdiff_t>(24 * half));
          const Words of_slice = fingerprint(sites_, one, 24, first_of(s));
          all.insert(all.end(), of_slice.begin(), of_slice.end());
        }
        keep(of, all);
      };
      MatQuda(out.data(), in.data(), &param);
      keep_slices(name);
      if (!solve || which_.single) continue;
      param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
      param.inv_type = QUDA_CG_INVERTER;
      param.solve_type = QUDA_NORMOP_PC_SOLVE;
      param.cuda_prec_sloppy = QUDA_HALF_PRECISION;
      param.tol = 1e-8;
      param.maxiter = 1000;
      param.reliable_delta = 0.1;
      param.verbosity = QUDA_SILENT;
      invertQuda(out.data(), in.data(), &param);
      keep_slices(name + std::string(" solution"));
      const double numbers[] = {param.true_res[0], static_cast<double>(param.iter)};
      keep(name + std::string(", residual and iterations"), words(numbers, 2));
    }
  }

  void solutions()
  {
    constexpr auto normal = QUDA_NORMOP_PC_SOLVE, direct = QUDA_DIRECT_PC_SOLVE;
    constexpr auto in_half = QUDA_HALF_PRECISION, in_single = QUDA_SINGLE_PRECISION, in_double = QUDA_DOUBLE_PRECISION;
    const struct {
      const char *name;
      QudaInverterType method;
      QudaSolveType solve;
      QudaPrecision sloppy;
      int krylov = 8;
      bool clover = false;
    } solves[] = {{"CG, half", QUDA_CG_INVERTER, normal, in_half},
                  {"BiCGstab, single", QUDA_BICGSTAB_INVERTER, direct, in_single},
                  {"GCR, half", QUDA_GCR_INVERTER, direct, in_half},
                  {"BiCGstab(2), half", QUDA_BICGSTABL_INVERTER, direct, in_half, 2},
                  {"CG3NE, single", QUDA_CG3NE_INVERTER, direct, in_single},
                  {"CA-CG, single", QUDA_CA_CG_INVERTER, normal, in_single, 6},
                  {"pipelined CG, half", static_cast<QudaInverterType>(QUDA_PIPELINED_CG_INVERTER), normal, in_half},
                  {"BiCGstab, double", QUDA_BICGSTAB_INVERTER, direct, in_double},
                  {"BiCGstab with a clover term, double", QUDA_BICGSTAB_INVERTER, direct, in_double, 8, true},
                  {"BiCGstab with a clover term, single", QUDA_BICGSTAB_INVERTER, direct, in_single, 8, true},
                  {"BiCGstab with a clover term, half", QUDA_BICGSTAB_INVERTER, direct, in_half, 8, true}};
    for (const auto &[name, method, solve, sloppy, krylov, clover] : solves) {
      QudaInvertParam param = wilson_param();
      if (clover) {
        param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
        param.clover_cuda_prec = precision;
        param.clover_cuda_prec_sloppy = param.clover_cuda_prec_refinement_sloppy = sloppy;
        param.clover_coeff = 0.15;
        param.compute_clover = param.compute_clover_inverse = 1;
        loadCloverQuda(nullptr, nullptr, &param);
      }
      param.inv_type = method;
      param.solve_type = solve;
      param.cuda_prec_sloppy = sloppy;
      param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
      param.tol = 1e-10;
      param.maxiter = 500;
      param.reliable_delta = 0.1;
      param.gcrNkrylov = krylov;
      param.ca_basis = QUDA_CHEBYSHEV_BASIS;
      param.verbosity = QUDA_SILENT;
      std::vector<real> in = random_numbers<real>(sites_, 24, 8, 0, sites_.count()), out(in.size());
      invertQuda(out.data(), in.data(), &param);
      keep(std::string("solution by ") + name, fingerprint(sites_, out, 24));
      const double numbers[] = {param.true_res[0], static_cast<double>(param.iter)};
      keep(std::string("residual and iterations of ") + name, words(numbers, 2));
    }
    freeCloverQuda();
  }

  /// As far as a few restarts bring them.
  void eigenvalues()
  {
    for (const bool arnoldi : {false, true}) {
      QudaInvertParam invert = wilson_param();
      invert.verbosity = QUDA_SILENT;
      QudaEigParam param = newQudaEigParam();
      param.invert_param = &invert;
      param.eig_type = arnoldi ? QUDA_EIG_IR_ARNOLDI : QUDA_EIG_TR_LANCZOS;
      param.use_norm_op = arnoldi ? QUDA_BOOLEAN_FALSE : QUDA_BOOLEAN_TRUE;
      param.use_pc = QUDA_BOOLEAN_TRUE;
      param.use_poly_acc = arnoldi ? QUDA_BOOLEAN_FALSE : QUDA_BOOLEAN_TRUE;
      param.poly_deg = 4;
      param.spectrum = arnoldi ? QUDA_SPECTRUM_LR_EIG : QUDA_SPECTRUM_SR_EIG;
      param.n_conv = 2;
      param.n_ev = 3;
      param.n_kr = 10;
      param.tol = 1e-10;
      param.max_restarts = 1;
      param.require_convergence = QUDA_BOOLEAN_FALSE;
      const std::size_t half = sites_.half();
      std::vector<real> first(24 * half), second(24 * half);
      void *vectors[] = {first.data(), second.data()};
      double values[4];
      eigensolveQuda(vectors, reinterpret_cast<double _Complex *>(values), &param);
      const std::string name = arnoldi ? " by Arnoldi" : " by Lanczos";
      keep("eigenvalues" + name, words(values, 4));
      keep("eigenvector" + name, fingerprint(sites_, second, 24, 0));
    }
  }

  /// With low modes that a few steps find, kept in half precision, and taken often.
  void deflated_solutions()
  {
    for (const bool direct : {false, true}) {
      QudaInvertParam param = wilson_param();
      QudaEigParam eigen = newQudaEigParam();
      param.inv_type = direct ? QUDA_GCR_INVERTER : QUDA_CG_INVERTER;
      param.solve_type = direct ? QUDA_DIRECT_PC_SOLVE : QUDA_NORMOP_PC_SOLVE;
      param.cuda_prec_sloppy = param.cuda_prec_eigensolver = QUDA_HALF_PRECISION;
      param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
      param.tol = 1e-10;
      param.tol_restart = 1e-3;
      param.maxiter = 500;
      param.reliable_delta = 0.1;
      param.gcrNkrylov = 8;
      param.verbosity = QUDA_SILENT;
      param.eig_param = &eigen;
      eigen.spectrum = QUDA_SPECTRUM_SR_EIG;
      eigen.n_conv = 3;
      eigen.n_ev = 4;
      eigen.n_kr = 12;
      eigen.max_restarts = 1;
      eigen.require_convergence = QUDA_BOOLEAN_FALSE;
      std::vector<real> in = random_numbers<real>(sites_, 24, 8, 0, sites_.count()), out(in.size());
      invertQuda(out.data(), in.data(), &param);
      const std::string name = direct ? " by GCR" : " by CG";
      keep("deflated solution" + name, fingerprint(sites_, out, 24));
      const double numbers[] = {param.true_res[0], static_cast<double>(param.iter)};
      keep("residual and iterations of a deflated solution" + name, words(numbers, 2));
    }
  }

  /// One source after the other, the last one with the low modes that the others have left.
  void solutions_in_sequence()
  {
    QudaInvertParam param = wilson_param();
    QudaEigParam eigen = newQudaEigParam();
    param.inv_type = QUDA_INC_EIGCG_INVERTER;
    param.solve_type = QUDA_NORMOP_PC_SOLVE;
    param.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
    param.tol = 1e-10;
    param.tol_restart = 1e-3;
    param.maxiter = 500;
    param.reliable_delta = 0.1;
    param.verbosity = QUDA_SILENT;
    param.n_ev = 4;
    param.max_search_dim = 12;
    param.deflation_grid = 2;
    eigen.invert_param = &param;
    param.deflation_op = newDeflationQuda(&eigen);
    std::vector<real> out(24 * sites_.count());
    std::vector<double> numbers;
    for (int source = 0; source < 3; source++) {
      std::vector<real> in = random_numbers<real>(sites_, 24, 8 + source, 0, sites_.count());
      invertQuda(out.data(), in.data(), &param);
      numbers.push_back(param.iter);
    }
    destroyDeflationQuda(param.deflation_op);
    keep("solution after two others", fingerprint(sites_, out, 24));
    keep("iterations of sources in sequence", words(numbers.data(), 3));
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
};

} // namespace bits
