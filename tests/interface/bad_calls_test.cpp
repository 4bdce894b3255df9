/// Bad calls: each is refused by a message that names function, parameter and value, the library is as before, and the
/// right call that follows succeeds. Without a handler the program ends with that message.

#include "bad_calls.h"

#include <limits>

namespace test
{

TEST_F(BadCalls, Load)
{
  expect_refused({
      fault("null structure", {"loadGaugeQuda", "QudaGaugeParam", "null"},
            [&] { loadGaugeQuda(links.pointer(), nullptr); }),
      fault("null links", {"loadGaugeQuda", "h_gauge = null"},
            [&] {
              QudaGaugeParam param = good_gauge();
              loadGaugeQuda(nullptr, &param);
            }),
      fault("unset structure", {"loadGaugeQuda", "X[0]", "unset"},
            [&] {
              QudaGaugeParam param = newQudaGaugeParam();
              loadGaugeQuda(links.pointer(), &param);
            }),
      fault("zeroed structure", {"loadGaugeQuda", "struct_size = 0"},
            [&] {
              QudaGaugeParam param;
              std::memset(&param, 0, sizeof param);
              loadGaugeQuda(links.pointer(), &param);
            }),
      fault("wrong size", {"struct_size = 8", "allowed"}, load([](auto &p) { p.struct_size = 8; })),
      fault("odd extent", {"X[1] = 5", "even"}, load([](auto &p) { p.X[1] = 5; })),
      fault("negative extent", {"X[3] = -6"}, load([](auto &p) { p.X[3] = -6; })),
      fault("no such type", {"type = 77"}, load([](auto &p) { p.type = static_cast<QudaLinkType>(77); })),
      fault("momentum", {"type = 3", "QUDA_WILSON_LINKS"}, load([](auto &p) { p.type = QUDA_MOMENTUM_LINKS; })),
      fault("no such order", {"gauge_order = 99"},
            load([](auto &p) { p.gauge_order = static_cast<QudaGaugeFieldOrder>(99); })),
      beyond("another's order", {"gauge_order", "QUDA_NATIVE_GAUGE_ORDER", "QUDA_QDP_GAUGE_ORDER"},
             load([](auto &p) { p.gauge_order = QUDA_NATIVE_GAUGE_ORDER; })),
      fault("no room in a site", {"site_size = 0", "576 or more"},
            load([](auto &p) { p.gauge_order = QUDA_MILC_SITE_GAUGE_ORDER; })),
      fault("beyond a site", {"gauge_offset = 32", "= 24"}, load([](auto &p) {
              p.gauge_order = QUDA_MILC_SITE_GAUGE_ORDER;
              p.site_size = 600;
              p.gauge_offset = 32;
            })),
      fault("precision of the host", {"cpu_prec = 2"}, load([](auto &p) { p.cpu_prec = QUDA_HALF_PRECISION; })),
      beyond("quarter precision", {"cuda_prec", "QUDA_QUARTER_PRECISION"},
             load([](auto &p) { p.cuda_prec = QUDA_QUARTER_PRECISION; })),
      beyond("8 reals of a fat link", {"reconstruct", "QUDA_RECONSTRUCT_8"}, load([](auto &p) {
               p.type = QUDA_ASQTAD_FAT_LINKS;
               p.reconstruct = QUDA_RECONSTRUCT_8;
             })),
      fault("boundary", {"t_boundary = 0"}, load([](auto &p) { p.t_boundary = static_cast<QudaTboundary>(0); })),
      fault("anisotropy", {"anisotropy = 0"}, load([](auto &p) { p.anisotropy = 0; })),
      fault("anisotropy of fat links", {"QudaGaugeParam.anisotropy = 2"}, load([](auto &p) {
              p.type = QUDA_ASQTAD_FAT_LINKS;
              p.anisotropy = 2;
            })),
      fault("padding", {"ga_pad = -1"}, load([](auto &p) { p.ga_pad = -1; })),
      fault("a flag", {"use_resident_gauge = 5"}, load([](auto &p) { p.use_resident_gauge = 5; })),
      fault("a not-a-number", {"h_gauge", "direction 3, site 0 0 0 0"},
            [&] {
              HostLinks<double> host(reference::GaugeField {lattice}, reference::Part {lattice}, QUDA_QDP_GAUGE_ORDER);
              host.direction(3)[0] = std::numeric_limits<double>::quiet_NaN();
              QudaGaugeParam param = good_gauge();
              loadGaugeQuda(host.pointer(), &param);
            }),
      fault("type to free", {"link_type", "41"}, [] { freeUniqueGaugeQuda(static_cast<QudaLinkType>(41)); }),
      fault("null to save", {"saveGaugeQuda", "null"}, [&] { saveGaugeQuda(links.pointer(), nullptr); }),
  });
}

TEST_F(BadCalls, Eigenvectors)
{
  double values[16];
  void *vectors[8] = {};
  const auto eigen = [&](const std::function<void(QudaEigParam &, QudaInvertParam &)> &spoil) {
    return [&, spoil] {
      QudaInvertParam invert = test::wilson_param();
      QudaEigParam param = newQudaEigParam();
      param.invert_param = &invert;
      param.use_norm_op = QUDA_BOOLEAN_TRUE;
      param.spectrum = QUDA_SPECTRUM_SR_EIG;
      param.n_conv = 4;
      param.n_ev = 6;
      param.n_kr = 20;
      param.tol = 1e-6;
      param.max_restarts = 0;
      spoil(param, invert);
      eigensolveQuda(vectors, reinterpret_cast<double _Complex *>(values), &param);
    };
  };
  expect_refused({
      fault("null structure", {"eigensolveQuda", "QudaEigParam", "null"},
            [&] { eigensolveQuda(vectors, reinterpret_cast<double _Complex *>(values), nullptr); }),
      fault("null values", {"h_evals = null"},
            [&] {
              QudaInvertParam invert = test::wilson_param();
              QudaEigParam param = newQudaEigParam();
              param.invert_param = &invert;
              param.n_conv = param.n_ev = 1;
              param.n_kr = 10;
              eigensolveQuda(vectors, nullptr, &param);
            }),
      fault("no operator", {"invert_param", "null"}, eigen([](auto &p, auto &) { p.invert_param = nullptr; })),
      fault("another size", {"QudaEigParam.struct_size = 7"}, eigen([](auto &p, auto &) { p.struct_size = 7; })),
      fault("another size inside", {"QudaInvertParam.struct_size = 7"},
            eigen([](auto &, auto &i) { i.struct_size = 7; })),
      fault("no such method", {"eig_type = 99"},
            eigen([](auto &p, auto &) { p.eig_type = static_cast<QudaEigType>(99); })),
      fault("slices that are led from one to another",
            {"eig_type = 2 (QUDA_EIG_TR_LANCZOS_3D)", "allowed", "laplace3D = 3"},
            eigen([](auto &p, auto &) { p.eig_type = QUDA_EIG_TR_LANCZOS_3D; })),
      beyond("slices in another direction", {"ortho_dim = 1"}, eigen([](auto &p, auto &i) {
               p.eig_type = QUDA_EIG_TR_LANCZOS_3D;
               i.dslash_type = QUDA_LAPLACE_DSLASH;
               i.laplace3D = 3;
               p.ortho_dim = 1;
             })),
      fault("no pairs", {"n_conv = 0"}, eigen([](auto &p, auto &) { p.n_conv = 0; })),
      fault("more pairs than searched", {"n_conv = 9", "n_ev = 6"}, eigen([](auto &p, auto &) { p.n_conv = 9; })),
      fault("a small space", {"n_kr = 6", "n_ev = 6"}, eigen([](auto &p, auto &) { p.n_kr = 6; })),
      fault("more than the fields have", {"n_kr = 100000", "4607"}, eigen([](auto &p, auto &) { p.n_kr = 100000; })),
      beyond("more than is rotated", {"n_kr = 4000", "up to"}, eigen([](auto &p, auto &) { p.n_kr = 4000; })),
      fault("block of none", {"block_size = 0"}, eigen([](auto &p, auto &) {
              p.eig_type = QUDA_EIG_BLK_TR_LANCZOS;
              p.block_size = 0;
            })),
      fault("block that does not divide", {"n_kr = 20", "block_size = 3"}, eigen([](auto &p, auto &) {
              p.eig_type = QUDA_EIG_BLK_TR_LANCZOS;
              p.block_size = 3;
            })),
      fault("not Hermitian",
            {"eig_type = 0 (QUDA_EIG_TR_LANCZOS)", "QUDA_EIG_IR_ARNOLDI", "use_norm_op", "QUDA_WILSON_DSLASH"},
            eigen([](auto &p, auto &) { p.use_norm_op = QUDA_BOOLEAN_FALSE; })),
      fault("polynomial of what is not Hermitian", {"use_poly_acc"}, eigen([](auto &p, auto &) {
              p.use_norm_op = QUDA_BOOLEAN_FALSE;
              p.eig_type = QUDA_EIG_IR_ARNOLDI;
              p.use_poly_acc = QUDA_BOOLEAN_TRUE;
              p.poly_deg = 10;
            })),
      fault("no degree", {"poly_deg = 0"}, eigen([](auto &p, auto &) { p.use_poly_acc = QUDA_BOOLEAN_TRUE; })),
      fault("a window from right to left", {"a_min = 2", "a_max = 1"}, eigen([](auto &p, auto &) {
              p.use_poly_acc = QUDA_BOOLEAN_TRUE;
              p.poly_deg = 10;
              p.a_min = 2;
              p.a_max = 1;
            })),
      fault("imaginary parts", {"spectrum = 4 (QUDA_SPECTRUM_LI_EIG)"},
            eigen([](auto &p, auto &) { p.spectrum = QUDA_SPECTRUM_LI_EIG; })),
      fault("singular vectors of M", {"compute_svd", "use_norm_op"}, eigen([](auto &p, auto &) {
              p.use_norm_op = QUDA_BOOLEAN_FALSE;
              p.eig_type = QUDA_EIG_IR_ARNOLDI;
              p.compute_svd = QUDA_BOOLEAN_TRUE;
            })),
      fault("gamma5 of a square", {"compute_gamma5"},
            eigen([](auto &p, auto &) { p.compute_gamma5 = QUDA_BOOLEAN_TRUE; })),
      fault("gamma5 of one spin", {"compute_gamma5", "QUDA_LAPLACE_DSLASH"}, eigen([](auto &p, auto &i) {
              p.use_norm_op = QUDA_BOOLEAN_FALSE;
              p.compute_gamma5 = QUDA_BOOLEAN_TRUE;
              i.dslash_type = QUDA_LAPLACE_DSLASH;
              i.laplace3D = 3;
            })),
      fault("no smeared links", {"smeared links"}, eigen([](auto &p, auto &) { p.use_smeared_gauge = true; })),
      refusal(QUDA_ERROR_KIND_FILE, "no such file", {"vec_infile", "/no/such/vectors", "opened"},
              eigen([](auto &p, auto &) { std::strcpy(p.vec_infile, "/no/such/vectors"); })),
      refusal(QUDA_ERROR_KIND_FILE, "no such folder", {"vec_outfile = \"/no/such/vectors\"", "No such file"},
              eigen([](auto &p, auto &) { std::strcpy(p.vec_outfile, "/no/such/vectors"); })),
      fault("a file a rank", {"partfile = 5"}, eigen([](auto &p, auto &) {
              std::strcpy(p.vec_outfile, "vectors");
              p.partfile = static_cast<QudaBoolean>(5);
            })),
      beyond("ARPACK", {"arpack_check"}, eigen([](auto &p, auto &) { p.arpack_check = QUDA_BOOLEAN_TRUE; })),
      fault("tolerance", {"tol = -1"}, eigen([](auto &p, auto &) { p.tol = -1; })),
      fault("restarts", {"max_restarts = -1"}, eigen([](auto &p, auto &) { p.max_restarts = -1; })),
      fault("no convergence", {"max_restarts = 0", "tol = 1e-06", "of 4 pairs"}, eigen([](auto &, auto &) {})),
      fault("mass unset", {"QudaInvertParam.kappa", "unset"},
            eigen([](auto &, auto &i) { i.kappa = std::numeric_limits<double>::min(); })),
      fault("a Moebius operator without a height", {"QudaInvertParam.m5", "unset"}, eigen([](auto &, auto &i) {
              i.dslash_type = QUDA_MOBIUS_DWF_DSLASH;
              i.mass = 0.1;
            })),
  });
}

TEST_F(BadCalls, DeflatedSolves)
{
  const auto deflated = [&](const std::function<void(QudaEigParam &, QudaInvertParam &)> &spoil) {
    return [&, spoil] {
      QudaInvertParam invert = test::wilson_param();
      QudaEigParam param = newQudaEigParam();
      invert.inv_type = QUDA_CG_INVERTER;
      invert.solve_type = QUDA_NORMOP_PC_SOLVE;
      invert.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
      invert.tol = 1e-6;
      invert.maxiter = 100;
      invert.reliable_delta = 0.1;
      invert.eig_param = &param;
      param.spectrum = QUDA_SPECTRUM_SR_EIG;
      param.n_conv = 4;
      param.n_ev = 6;
      param.n_kr = 20;
      param.tol = 1e-6;
      param.max_restarts = 0;
      spoil(param, invert);
      invertQuda(out.data(), in.data(), &invert);
    };
  };
  expect_refused({
      fault("another size", {"invertQuda", "QudaEigParam.struct_size = 7"},
            deflated([](auto &p, auto &) { p.struct_size = 7; })),
      fault("no such method", {"eig_type = 99"},
            deflated([](auto &p, auto &) { p.eig_type = static_cast<QudaEigType>(99); })),
      fault("slices", {"eig_type = 2 (QUDA_EIG_TR_LANCZOS_3D)", "eig_param"},
            deflated([](auto &p, auto &) { p.eig_type = QUDA_EIG_TR_LANCZOS_3D; })),
      fault("the other end of the spectrum",
            {"QudaEigParam.spectrum", "QUDA_SPECTRUM_LR_EIG", "allowed", "QUDA_SPECTRUM_SR_EIG"},
            deflated([](auto &p, auto &) { p.spectrum = QUDA_SPECTRUM_LR_EIG; })),
      fault("smeared links", {"use_smeared_gauge"}, deflated([](auto &p, auto &) { p.use_smeared_gauge = true; })),
      fault("more than are found", {"n_ev_deflate = 5", "4"}, deflated([](auto &p, auto &) { p.n_ev_deflate = 5; })),
      fault("none of them", {"n_ev_deflate = 0"}, deflated([](auto &p, auto &) { p.n_ev_deflate = 0; })),
      fault("more wanted than searched", {"n_conv = 7"}, deflated([](auto &p, auto &) { p.n_conv = 7; })),
      fault("a space that is too small", {"n_kr = 6"}, deflated([](auto &p, auto &) { p.n_kr = 6; })),
      fault("a space that is none", {"preserve_deflation_space", "null"},
            deflated([this](auto &p, auto &) { p.preserve_deflation_space = in.data(); })),
      beyond("a file", {"vec_infile", "vectors"},
             deflated([](auto &p, auto &) { std::snprintf(p.vec_infile, sizeof p.vec_infile, "vectors"); })),
      fault("all the time", {"tol_restart = 1"}, deflated([](auto &, auto &i) { i.tol_restart = 1; })),
      fault("never", {"tol_restart = -1"}, deflated([](auto &, auto &i) { i.tol_restart = -1; })),
      beyond("two systems one after the other", {"eig_param", "QUDA_MATPCDAG_MATPC_SOLUTION", "NORMOP"},
             deflated([](auto &, auto &i) {
               i.inv_type = QUDA_BICGSTAB_INVERTER;
               i.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
               i.solve_type = QUDA_DIRECT_PC_SOLVE;
             })),
      beyond("distance", {"eig_param", "distance_pc_alpha0 = 0.5"}, deflated([](auto &, auto &i) {
               i.distance_pc_alpha0 = 0.5;
               i.distance_pc_t0 = 1;
             })),
      fault("not converged", {"invertQuda", "max_restarts = 0", "of 4 pairs"}, deflated([](auto &, auto &) {})),
  });
}

TEST_F(BadCalls, SpacesOfLowModes)
{
  using Spoil = std::function<void(QudaEigParam &, QudaInvertParam &)>;
  const auto set = [](QudaEigParam &param, QudaInvertParam &invert) {
    invert = test::wilson_param();
    param = newQudaEigParam();
    invert.inv_type = QUDA_INC_EIGCG_INVERTER;
    invert.solve_type = QUDA_NORMOP_PC_SOLVE;
    invert.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
    invert.tol = 1e-6;
    invert.maxiter = 100;
    invert.reliable_delta = 0.1;
    param.invert_param = &invert;
  };
  const auto space = [&](const Spoil &spoil) {
    return [&, spoil] {
      QudaInvertParam invert;
      QudaEigParam param;
      set(param, invert);
      spoil(param, invert);
      EXPECT_EQ(newDeflationQuda(&param), nullptr);
    };
  };
  QudaInvertParam of_all;
  QudaEigParam whole;
  set(whole, of_all);
  void *const handle = newDeflationQuda(&whole);
  const auto solve = [&](const Spoil &spoil) {
    return [&, spoil] {
      QudaInvertParam invert;
      QudaEigParam param;
      set(param, invert);
      invert.deflation_op = handle;
      spoil(param, invert);
      invertQuda(out.data(), in.data(), &invert);
    };
  };
  expect_refused({
      fault("null", {"newDeflationQuda", "null"}, [] { newDeflationQuda(nullptr); }),
      fault("another size", {"QudaEigParam.struct_size = 7"}, space([](auto &p, auto &) { p.struct_size = 7; })),
      fault("no operator", {"QudaEigParam.invert_param"}, space([](auto &p, auto &) { p.invert_param = nullptr; })),
      fault("another inverter", {"newDeflationQuda", "inv_type = 0 (QUDA_CG_INVERTER)", "QUDA_INC_EIGCG_INVERTER"},
            space([](auto &, auto &i) { i.inv_type = QUDA_CG_INVERTER; })),
      beyond("vectors of the host's", {"import_vectors"},
             space([](auto &p, auto &) { p.import_vectors = QUDA_BOOLEAN_TRUE; })),
      beyond("ARPACK", {"arpack_check"}, space([](auto &p, auto &) { p.arpack_check = QUDA_BOOLEAN_TRUE; })),
      beyond("a file", {"vec_outfile", "vectors"},
             space([](auto &p, auto &) { std::snprintf(p.vec_outfile, sizeof p.vec_outfile, "vectors"); })),
      fault("vectors in half precision", {"QudaEigParam.cuda_prec_ritz", "QUDA_HALF_PRECISION"},
            space([](auto &p, auto &) { p.cuda_prec_ritz = QUDA_HALF_PRECISION; })),
      fault("the same of the solve", {"QudaInvertParam.cuda_prec_ritz", "QUDA_QUARTER_PRECISION"},
            space([](auto &, auto &i) { i.cuda_prec_ritz = QUDA_QUARTER_PRECISION; })),
      fault("two sizes", {"nk = 5", "n_ev = 8"}, space([](auto &p, auto &) { p.nk = 5; })),
      fault("room for a part", {"np = 20", "n_ev = 8"}, space([](auto &p, auto &) { p.np = 20; })),
      fault("no vectors", {"n_ev = 0"}, space([](auto &, auto &i) { i.n_ev = 0; })),
      fault("no sources", {"deflation_grid = 0"}, space([](auto &, auto &i) { i.deflation_grid = 0; })),
      fault("too many", {"deflation_grid = 1000000000", "8000000000", "4096"},
            space([](auto &, auto &i) { i.deflation_grid = 1000000000; })),
      fault("no space", {"invertQuda", "deflation_op"}, solve([](auto &, auto &i) { i.deflation_op = nullptr; })),
      fault("no space", {"deflation_op", "handle"}, solve([this](auto &, auto &i) { i.deflation_op = in.data(); })),
      fault("no space", {"destroyDeflationQuda", "df_instance"}, [this] { destroyDeflationQuda(in.data()); }),
      fault("other vectors", {"n_ev = 9", "8"}, solve([](auto &, auto &i) { i.n_ev = 9; })),
      fault("a narrow window", {"max_search_dim = 16", "n_ev = 8"},
            solve([](auto &, auto &i) { i.max_search_dim = 16; })),
      fault("all the time", {"tol_restart = 1"}, solve([](auto &, auto &i) { i.tol_restart = 1; })),
      fault("then all the time", {"inc_tol = 2"}, solve([](auto &, auto &i) { i.inc_tol = 2; })),
      fault("never", {"max_restart_num = -1"}, solve([](auto &, auto &i) { i.max_restart_num = -1; })),
      fault("no good", {"eigenval_tol = -1"}, solve([](auto &, auto &i) { i.eigenval_tol = -1; })),
      fault("low modes twice", {"eig_param", "deflation_op"}, solve([](auto &p, auto &i) { i.eig_param = &p; })),
      beyond("earlier solutions", {"chrono_make_resident", "QUDA_INC_EIGCG_INVERTER"},
             solve([](auto &, auto &i) { i.chrono_make_resident = i.chrono_max_dim = 1; })),
      beyond("by the error", {"QUDA_INC_EIGCG_INVERTER", "QUDA_NORMERR_PC_SOLVE", "NORMOP"},
             solve([](auto &, auto &i) { i.solve_type = QUDA_NORMERR_PC_SOLVE; })),
      fault("not Hermitian", {"not Hermitian"}, solve([](auto &, auto &i) { i.solve_type = QUDA_DIRECT_PC_SOLVE; })),
      beyond("distance", {"inv_type", "QUDA_INC_EIGCG_INVERTER", "distance_pc_alpha0 = 0.5"},
             solve([](auto &, auto &i) {
               i.distance_pc_alpha0 = 0.5;
               i.distance_pc_t0 = 1;
             })),
      fault("as a preconditioner", {"inv_type_precondition", "QUDA_EIGCG_INVERTER", "QUDA_CG_INVERTER"},
            solve([](auto &, auto &i) {
              i.inv_type = QUDA_PCG_INVERTER;
              i.inv_type_precondition = QUDA_EIGCG_INVERTER;
            })),
  });
  destroyDeflationQuda(handle);
  expect_refused({
      fault("freed twice", {"destroyDeflationQuda", "df_instance"}, [&] { destroyDeflationQuda(handle); }),
      fault("a space that is no more", {"invertQuda", "deflation_op"}, solve([](auto &, auto &) {})),
  });
}

TEST_F(BadCalls, Operators)
{
  QudaInvertParam good = test::wilson_param();
  const auto parity = static_cast<QudaParity>(2);
  expect_refused({
      fault("null plaquette", {"plaqQuda", "plaq = null"}, [] { plaqQuda(nullptr); }),
      fault("null observables", {"gaugeObservablesQuda", "null"}, [] { gaugeObservablesQuda(nullptr); }),
      fault("null output", {"h_out = null"}, [&] { dslashQuda(nullptr, in.data(), &good, QUDA_EVEN_PARITY); }),
      fault("null input", {"h_in = null"}, [&] { dslashQuda(out.data(), nullptr, &good, QUDA_EVEN_PARITY); }),
      fault("null structure", {"dslashQuda", "QudaInvertParam", "null"},
            [&] { dslashQuda(out.data(), in.data(), nullptr, QUDA_EVEN_PARITY); }),
      fault("no such parity", {"dslashQuda", "parity = 2"}, [&] { dslashQuda(out.data(), in.data(), &good, parity); }),
      fault("unset structure", {"MatQuda", "unset"},
            [&] {
              QudaInvertParam param = newQudaInvertParam();
              MatQuda(out.data(), in.data(), &param);
            }),
      fault("wrong size", {"struct_size = 1"}, matrix([](auto &p) { p.struct_size = 1; })),
      fault("no such operator", {"dslash_type = 1000"},
            hop([](auto &p) { p.dslash_type = static_cast<QudaDslashType>(1000); })),
      fault("a fifth dimension of no extent", {"QudaInvertParam.Ls", "unset"}, hop([](auto &p) {
              p.dslash_type = QUDA_DOMAIN_WALL_DSLASH;
              p.mass = 0.1;
              p.m5 = -1.8;
            })),
      fault("no clover term", {"no clover term is resident", "loadCloverQuda"},
            hop([](auto &p) { p.dslash_type = QUDA_CLOVER_WILSON_DSLASH; })),
      beyond("spinor order", {"dirac_order", "QUDA_TIFR_PADDED_DIRAC_ORDER", "QUDA_QDP_DIRAC_ORDER"},
             hop([](auto &p) { p.dirac_order = QUDA_TIFR_PADDED_DIRAC_ORDER; })),
      fault("basis", {"gamma_basis = 9"}, hop([](auto &p) { p.gamma_basis = static_cast<QudaGammaBasis>(9); })),
      fault("precision that no operator has", {"cuda_prec", "QUDA_QUARTER_PRECISION", "QUDA_DOUBLE_PRECISION"},
            hop([](auto &p) { p.cuda_prec = QUDA_QUARTER_PRECISION; })),
      beyond("distance", {"distance_pc_alpha0 = 0.5"}, matrix([](auto &p) {
               p.dslash_type = QUDA_COVDEV_DSLASH;
               p.distance_pc_alpha0 = 0.5;
               p.distance_pc_t0 = 1;
             })),
      fault("matpc that is none", {"matpc_type = 4"}, matrix([](auto &p) {
              p.solution_type = QUDA_MATPC_SOLUTION;
              p.matpc_type = static_cast<QudaMatPCType>(4);
            })),
      fault("adjoint solution", {"solution_type", "QUDA_MATPC_DAG_SOLUTION"},
            matrix([](auto &p) { p.solution_type = QUDA_MATPC_DAG_SOLUTION; })),
      fault("normalisation", {"mass_normalization = -5"},
            matrix([](auto &p) { p.mass_normalization = static_cast<QudaMassNormalization>(-5); })),
      fault("kappa unset", {"kappa", "unset"}, matrix([](auto &p) { p.kappa = newQudaInvertParam().kappa; })),
      fault("kappa not a number", {"kappa = "}, matrix([](auto &p) { p.kappa = NAN; })),
      fault("kappa zero in the mass normalisation", {"kappa = 0"}, matrix([](auto &p) {
              p.kappa = 0;
              p.mass_normalization = QUDA_MASS_NORMALIZATION;
            })),
      beyond("not built", {"lanczosQuda"},
             [] { lanczosQuda(0, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr); }),
      fault("no shifts", {"invertMultiShiftQuda", "inv_type"}, [&] { invertMultiShiftQuda(nullptr, nullptr, &good); }),
      fault("verbosity", {"verbosity", "12"}, [] { setVerbosityQuda(static_cast<QudaVerbosity>(12), "", nullptr); }),
  });
}

TEST_F(BadCalls, ShiftsAndSmearing)
{
  QudaInvertParam good = test::wilson_param(), colors = good;
  colors.dslash_type = QUDA_ASQTAD_DSLASH;
  colors.laplace3D = 3;
  const auto shift = [&](int dir) {
    return [this, dir, good]() mutable { covDevQuda(out.data(), in.data(), dir, &good); };
  };
  const auto both = [&](int dir, int sym) {
    return [this, dir, sym, good]() mutable { shiftQuda(out.data(), in.data(), dir, sym, &good); };
  };
  const auto two_link = [&](const std::function<void(QudaQuarkSmearParam &, QudaInvertParam &)> &spoil) {
    return [this, spoil, colors]() mutable {
      QudaQuarkSmearParam param {};
      param.inv_param = &colors;
      param.n_steps = 1;
      param.width = 1;
      param.t0 = -1;
      spoil(param, colors);
      performTwoLinkGaussianSmearNStep(out.data(), &param);
    };
  };
  const auto wuppertal = [&](int n, double alpha) {
    return [this, n, alpha, good]() mutable {
      performWuppertalnStep(out.data(), in.data(), &good, static_cast<unsigned>(n), alpha);
    };
  };
  QudaGaugeParam gauge = good_gauge();
  expect_refused({
      fault("direction", {"covDevQuda", "dir = 8"}, shift(8)),
      fault("no output", {"covDevQuda", "h_out = null"}, [&] { covDevQuda(nullptr, in.data(), 0, &good); }),
      fault("no parameter", {"covDevQuda", "null"}, [&] { covDevQuda(out.data(), in.data(), 0, nullptr); }),
      fault("direction of a shift", {"shiftQuda", "dir = 4"}, both(4, 1)),
      fault("sense", {"shiftQuda", "sym = 0"}, both(0, 0)),
      fault("direction of an operator", {"covdev_mu = -1"}, matrix([](auto &p) {
              p.dslash_type = QUDA_COVDEV_DSLASH;
              p.covdev_mu = -1;
            })),
      beyond("shift on one parity", {"QUDA_COVDEV_DSLASH"}, matrix([](auto &p) {
               p.dslash_type = QUDA_COVDEV_DSLASH;
               p.covdev_mu = 1;
               p.solution_type = QUDA_MATPC_SOLUTION;
             })),
      fault("direction left out", {"laplace3D = -2"}, matrix([](auto &p) {
              p.dslash_type = QUDA_LAPLACE_DSLASH;
              p.laplace3D = -2;
            })),
      fault("steps", {"performWuppertalnStep", "n_steps = -1"}, wuppertal(-1, 0.1)),
      fault("weight", {"performWuppertalnStep", "alpha"}, wuppertal(1, -1. / 6)),
      fault("weight not a number", {"performWuppertalnStep", "alpha"}, wuppertal(1, NAN)),
      fault("steps of a Gaussian", {"performGaussianSmearNStep", "n_steps = -3"},
            [&] { performGaussianSmearNStep(out.data(), in.data(), &good, -3, 1); }),
      fault("which smearing", {"performFermionSmearQuda", "smear_type = 7"},
            [&] { performFermionSmearQuda(out.data(), in.data(), &good, 1, 1, static_cast<QudaFermionSmearType>(7)); }),
      fault("no two-link parameter", {"performTwoLinkGaussianSmearNStep", "null"},
            [&] { performTwoLinkGaussianSmearNStep(out.data(), nullptr); }),
      fault("no field", {"inv_param = null"}, two_link([](auto &p, auto &) { p.inv_param = nullptr; })),
      fault("two dimensions", {"laplace3D = 2"}, two_link([](auto &, auto &q) { q.laplace3D = 2; })),
      fault("time slice", {"t0 = 6"}, two_link([](auto &p, auto &) { p.t0 = 6; })),
      fault("time slice of four dimensions", {"t0 = 0", "laplace3D = 4"}, two_link([](auto &p, auto &q) {
              p.t0 = 0;
              q.laplace3D = 4;
            })),
      fault("products nowhere", {"computeTwoLinkQuda", "twolink"},
            [&] { computeTwoLinkQuda(nullptr, nullptr, &gauge); }),
  });
}

TEST_F(BadCalls, SmallDenseMatrices)
{
  std::vector<double> A(1000, 1), B(1000, 1), C(1000, 1);
  const std::vector<double> before = C;
  using OfBlas = std::function<void(QudaBLASParam &)>;
  const auto good_products = [] {
    QudaBLASParam param = newQudaBLASParam();
    param.blas_type = QUDA_BLAS_GEMM;
    param.data_type = QUDA_BLAS_DATATYPE_D;
    param.m = 3;
    param.n = 5;
    param.k = 7;
    param.lda = 7;
    param.ldb = param.ldc = 5;
    param.alpha = 1;
    param.beta = 0;
    param.batch_count = 4;
    return param;
  };
  const auto products = [&](const OfBlas &spoil) {
    return [&, spoil] {
      QudaBLASParam param = good_products();
      spoil(param);
      blasGEMMQuda(A.data(), B.data(), C.data(), QUDA_BOOLEAN_TRUE, &param);
    };
  };
  const auto inverse = [&](const OfBlas &spoil) {
    return [&, spoil] {
      QudaBLASParam param = newQudaBLASParam();
      param.blas_type = QUDA_BLAS_LU_INV;
      param.data_type = QUDA_BLAS_DATATYPE_Z;
      param.inv_mat_size = 4;
      param.batch_count = 3;
      spoil(param);
      blasLUInvQuda(C.data(), A.data(), QUDA_BOOLEAN_TRUE, &param);
    };
  };
  const auto without = [&](bool a, bool b, bool c) {
    return [&, a, b, c] {
      QudaBLASParam param = good_products();
      blasGEMMQuda(a ? nullptr : A.data(), b ? nullptr : B.data(), c ? nullptr : C.data(), QUDA_BOOLEAN_TRUE, &param);
    };
  };
  const auto by_columns = [](QudaBLASParam &p) {
    p.data_order = QUDA_BLAS_DATAORDER_COL;
    p.lda = p.ldc = 3;
    p.ldb = 7;
  };
  expect_refused({
      fault("no A", {"blasGEMMQuda", "arrayA = null"}, without(true, false, false)),
      fault("no B", {"blasGEMMQuda", "arrayB = null"}, without(false, true, false)),
      fault("no C", {"blasGEMMQuda", "arrayC = null"}, without(false, false, true)),
      fault("no parameter", {"blasGEMMQuda", "QudaBLASParam", "null"},
            [&] { blasGEMMQuda(A.data(), B.data(), C.data(), QUDA_BOOLEAN_TRUE, nullptr); }),
      fault("whose", {"blasGEMMQuda", "native = 5"},
            [&] {
              QudaBLASParam param = good_products();
              blasGEMMQuda(A.data(), B.data(), C.data(), static_cast<QudaBoolean>(5), &param);
            }),
      fault("wrong size", {"struct_size = 8"}, products([](auto &p) { p.struct_size = 8; })),
      fault("nothing computed", {"blas_type", "unset"}, products([](auto &p) { p.blas_type = QUDA_BLAS_INVALID; })),
      fault("operation", {"trans_a = 3"}, products([](auto &p) { p.trans_a = static_cast<QudaBLASOperation>(3); })),
      fault("other operation", {"trans_b = 9"},
            products([](auto &p) { p.trans_b = static_cast<QudaBLASOperation>(9); })),
      fault("no rows", {"m = 0"}, products([](auto &p) { p.m = 0; })),
      fault("no columns", {"n = -1"}, products([](auto &p) { p.n = -1; })),
      fault("nothing between", {"k = ", "unset"}, products([](auto &p) { p.k = newQudaBLASParam().k; })),
      fault("rows of A overlap", {"lda = 6", "3 x 7", "7 or greater"}, products([](auto &p) { p.lda = 6; })),
      fault("rows of B overlap", {"ldb = 4", "7 x 5", "5 or greater"}, products([](auto &p) { p.ldb = 4; })),
      fault("rows of C overlap", {"ldc = 4", "3 x 5", "5 or greater"}, products([](auto &p) { p.ldc = 4; })),
      fault("rows of the transposed A overlap", {"lda = 2", "7 x 3", "3 or greater"}, products([](auto &p) {
              p.trans_a = QUDA_BLAS_OP_T;
              p.lda = 2;
            })),
      fault("rows of the adjoint B overlap", {"ldb = 5", "5 x 7", "7 or greater"},
            products([](auto &p) { p.trans_b = QUDA_BLAS_OP_C; })),
      fault("columns of A overlap", {"lda = 2", "QUDA_BLAS_DATAORDER_COL", "3 or greater"}, products([&](auto &p) {
              by_columns(p);
              p.lda = 2;
            })),
      fault("columns of the transposed B overlap", {"ldb = 4", "5 x 7", "5 or greater"}, products([&](auto &p) {
              by_columns(p);
              p.trans_b = QUDA_BLAS_OP_T;
              p.ldb = 4;
            })),
      fault("columns of C overlap", {"ldc = 2", "3 or greater"}, products([&](auto &p) {
              by_columns(p);
              p.ldc = 2;
            })),
      fault("offset", {"b_offset = -2"}, products([](auto &p) { p.b_offset = -2; })),
      fault("stride", {"c_stride = -1"}, products([](auto &p) { p.c_stride = -1; })),
      fault("fewer matrices than a stride", {"batch_count = 4", "b_stride = 5"},
            products([](auto &p) { p.b_stride = 5; })),
      fault("no matrices", {"batch_count = 0"}, products([](auto &p) { p.batch_count = 0; })),
      fault("factor", {"alpha", "nan"}, products([](auto &p) { p.alpha = NAN; })),
      fault("other factor", {"beta"}, products([](auto &p) { p.beta = newQudaBLASParam().beta; })),
      fault("type", {"data_type = 4"}, products([](auto &p) { p.data_type = static_cast<QudaBLASDataType>(4); })),
      fault("order", {"data_order = 2"}, products([](auto &p) { p.data_order = static_cast<QudaBLASDataOrder>(2); })),
      fault("singular", {"blasLUInvQuda", "matrix 0 of 0 to 2", "singular in double"}, inverse([](auto &) {})),
      fault("size", {"blasLUInvQuda", "inv_mat_size = 0"}, inverse([](auto &p) { p.inv_mat_size = 0; })),
      fault("nothing inverted", {"batch_count = -3"}, inverse([](auto &p) { p.batch_count = -3; })),
      fault("type of an inverse", {"data_type", "unset"},
            inverse([](auto &p) { p.data_type = QUDA_BLAS_DATATYPE_INVALID; })),
      fault("no inverse", {"blasLUInvQuda", "Ainv = null"},
            [&] {
              QudaBLASParam param = good_products();
              blasLUInvQuda(nullptr, A.data(), QUDA_BOOLEAN_TRUE, &param);
            }),
      fault("nothing to invert", {"blasLUInvQuda", "A = null"},
            [&] {
              QudaBLASParam param = good_products();
              blasLUInvQuda(C.data(), nullptr, QUDA_BOOLEAN_TRUE, &param);
            }),
  });
  EXPECT_TRUE(same_bits(C, before));
}

namespace
{

  const reference::Lattice lattice({4, 4, 4, 6});

  TEST(NoLinks, OperatorsSaySo)
  {
    Handler handler;
    Session session;
    QudaInvertParam param = test::wilson_param();
    std::vector<double> field(24);
    dslashQuda(field.data(), field.data(), &param, QUDA_EVEN_PARITY);
    EXPECT_TRUE(handler.says("dslashQuda") && handler.says("no gauge field is resident")) << handler.text();
  }

  TEST(BeforeTheStart, EveryCallSaysSo)
  {
    Handler handler;
    QudaGaugeParam gauge = test::gauge_param(lattice.X);
    QudaInvertParam wilson = test::wilson_param();
    QudaGaugeObservableParam observables = newQudaGaugeObservableParam();
    QudaBLASParam blas = newQudaBLASParam();
    double numbers[24] = {0};
    const std::function<void()> calls[] = {[&] { loadGaugeQuda(numbers, &gauge); },
                                           [&] { saveGaugeQuda(numbers, &gauge); },
                                           [&] { plaqQuda(numbers); },
                                           [&] { gaugeObservablesQuda(&observables); },
                                           [&] { dslashQuda(numbers, numbers, &wilson, QUDA_EVEN_PARITY); },
                                           [&] { MatQuda(numbers, numbers, &wilson); },
                                           [&] { blasGEMMQuda(numbers, numbers, numbers, QUDA_BOOLEAN_TRUE, &blas); }};
    for (const auto &call : calls) {
      handler.forget();
      call();
      EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
      EXPECT_TRUE(handler.says("not initialised") && handler.says("initQuda()")) << handler.text();
    }
    freeGaugeQuda(); // hosts call these when they please
    updateR();
    handler.forget();
    Session session;
  }

  TEST(Environment, NonsenseIsRefused)
  {
    Handler handler;
    setVerbosityQuda(QUDA_SILENT, "", nullptr);
    const std::string before = getenv("QUDA_TARGET") ? getenv("QUDA_TARGET") : "";
    setenv("QUDA_TARGET", "abacus", 1);
    initQuda(-1);
    EXPECT_TRUE(handler.says("QUDA_TARGET") && handler.says("abacus")) << handler.text();
    if (before.empty())
      unsetenv("QUDA_TARGET");
    else
      setenv("QUDA_TARGET", before.c_str(), 1);
    handler.forget();
    setenv("QUDA_RANK_VERBOSITY", "first", 1);
    endQuda();
    initQuda(-1);
    EXPECT_TRUE(handler.says("QUDA_RANK_VERBOSITY") && handler.says("first")) << handler.text();
    unsetenv("QUDA_RANK_VERBOSITY");
    handler.forget();
    initQuda(-1);
    endQuda();
  }

  TEST(DefaultHandlerDeathTest, EndsTheProgramWithTheMessage)
  {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    const auto refused = [] {
      initQuda(-1);
      setVerbosityQuda(QUDA_SILENT, "host code: ", stderr);
      QudaGaugeParam param = test::gauge_param({4, 4, 5, 4});
      double number = 0;
      loadGaugeQuda(&number, &param);
    };
    EXPECT_EXIT(
        refused(), ::testing::ExitedWithCode(1),
        "host code: ERROR: loadGaugeQuda: QudaGaugeParam.X.2. = 5.*\\(rank 0, host .*\\.cpp:[0-9]+ in .*\\(\\)\\)");
    const auto last = [] {
      initQuda(-1);
      setVerbosityQuda(QUDA_SILENT, "", stderr);
      HostLinks<double> host(reference::GaugeField {lattice}, reference::Part {lattice}, QUDA_QDP_GAUGE_ORDER);
      QudaGaugeParam param = test::gauge_param(lattice.X);
      loadGaugeQuda(host.pointer(), &param);
      plaqQuda(nullptr);
    };
    EXPECT_EXIT(last(), ::testing::ExitedWithCode(1), "last kernel called was \\(name=.*volume=4x4x4x6");
  }

} // namespace

} // namespace test
