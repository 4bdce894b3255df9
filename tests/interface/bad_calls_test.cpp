/// Bad calls: each is refused by a message that names function, parameter and value, the library is as before, and the
/// right call that follows succeeds. Without a handler the program ends with that message.

#include "bad_calls.h"

#include <limits>

namespace test
{

TEST_F(BadCalls, Load)
{
  expect_refused({
      {"null structure",
       [&] { loadGaugeQuda(links.pointer(), nullptr); },
       bad,
       {"loadGaugeQuda", "QudaGaugeParam", "null"}},
      {"null links",
       [&] {
         QudaGaugeParam param = good_gauge();
         loadGaugeQuda(nullptr, &param);
       },
       bad,
       {"loadGaugeQuda", "h_gauge = null"}},
      {"unset structure",
       [&] {
         QudaGaugeParam param = newQudaGaugeParam();
         loadGaugeQuda(links.pointer(), &param);
       },
       bad,
       {"loadGaugeQuda", "X[0]", "unset"}},
      {"zeroed structure",
       [&] {
         QudaGaugeParam param;
         std::memset(&param, 0, sizeof param);
         loadGaugeQuda(links.pointer(), &param);
       },
       bad,
       {"loadGaugeQuda", "struct_size = 0"}},
      {"wrong size", load([](auto &p) { p.struct_size = 8; }), bad, {"struct_size = 8", "allowed"}},
      {"odd extent", load([](auto &p) { p.X[1] = 5; }), bad, {"X[1] = 5", "even"}},
      {"negative extent", load([](auto &p) { p.X[3] = -6; }), bad, {"X[3] = -6"}},
      {"no such type", load([](auto &p) { p.type = static_cast<QudaLinkType>(77); }), bad, {"type = 77"}},
      {"momentum", load([](auto &p) { p.type = QUDA_MOMENTUM_LINKS; }), bad, {"type = 3", "QUDA_WILSON_LINKS"}},
      {"no such order",
       load([](auto &p) { p.gauge_order = static_cast<QudaGaugeFieldOrder>(99); }),
       bad,
       {"gauge_order = 99"}},
      {"another's order",
       load([](auto &p) { p.gauge_order = QUDA_NATIVE_GAUGE_ORDER; }),
       unsupported,
       {"gauge_order", "QUDA_NATIVE_GAUGE_ORDER", "QUDA_QDP_GAUGE_ORDER"}},
      {"no room in a site",
       load([](auto &p) { p.gauge_order = QUDA_MILC_SITE_GAUGE_ORDER; }),
       bad,
       {"site_size = 0", "576 or more"}},
      {"beyond a site",
       load([](auto &p) {
         p.gauge_order = QUDA_MILC_SITE_GAUGE_ORDER;
         p.site_size = 600;
         p.gauge_offset = 32;
       }),
       bad,
       {"gauge_offset = 32", "= 24"}},
      {"precision of the host", load([](auto &p) { p.cpu_prec = QUDA_HALF_PRECISION; }), bad, {"cpu_prec = 2"}},
      {"quarter precision",
       load([](auto &p) { p.cuda_prec = QUDA_QUARTER_PRECISION; }),
       unsupported,
       {"cuda_prec", "QUDA_QUARTER_PRECISION"}},
      {"8 reals of a fat link",
       load([](auto &p) {
         p.type = QUDA_ASQTAD_FAT_LINKS;
         p.reconstruct = QUDA_RECONSTRUCT_8;
       }),
       unsupported,
       {"reconstruct", "QUDA_RECONSTRUCT_8"}},
      {"boundary", load([](auto &p) { p.t_boundary = static_cast<QudaTboundary>(0); }), bad, {"t_boundary = 0"}},
      {"anisotropy", load([](auto &p) { p.anisotropy = 0; }), bad, {"anisotropy = 0"}},
      {"anisotropy of fat links",
       load([](auto &p) {
         p.type = QUDA_ASQTAD_FAT_LINKS;
         p.anisotropy = 2;
       }),
       bad,
       {"QudaGaugeParam.anisotropy = 2"}},
      {"padding", load([](auto &p) { p.ga_pad = -1; }), bad, {"ga_pad = -1"}},
      {"a flag", load([](auto &p) { p.use_resident_gauge = 5; }), bad, {"use_resident_gauge = 5"}},
      {"a not-a-number",
       [&] {
         HostLinks<double> host(reference::GaugeField {lattice}, reference::Part {lattice}, QUDA_QDP_GAUGE_ORDER);
         host.direction(3)[0] = std::numeric_limits<double>::quiet_NaN();
         QudaGaugeParam param = good_gauge();
         loadGaugeQuda(host.pointer(), &param);
       },
       bad,
       {"h_gauge", "direction 3, site 0 0 0 0"}},
      {"type to free", [] { freeUniqueGaugeQuda(static_cast<QudaLinkType>(41)); }, bad, {"link_type", "41"}},
      {"null to save", [&] { saveGaugeQuda(links.pointer(), nullptr); }, bad, {"saveGaugeQuda", "null"}},
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
      {"null structure",
       [&] { eigensolveQuda(vectors, reinterpret_cast<double _Complex *>(values), nullptr); },
       bad,
       {"eigensolveQuda", "QudaEigParam", "null"}},
      {"null values",
       [&] {
         QudaInvertParam invert = test::wilson_param();
         QudaEigParam param = newQudaEigParam();
         param.invert_param = &invert;
         param.n_conv = param.n_ev = 1;
         param.n_kr = 10;
         eigensolveQuda(vectors, nullptr, &param);
       },
       bad,
       {"h_evals = null"}},
      {"no operator", eigen([](auto &p, auto &) { p.invert_param = nullptr; }), bad, {"invert_param", "null"}},
      {"another size", eigen([](auto &p, auto &) { p.struct_size = 7; }), bad, {"QudaEigParam.struct_size = 7"}},
      {"another size inside",
       eigen([](auto &, auto &i) { i.struct_size = 7; }),
       bad,
       {"QudaInvertParam.struct_size = 7"}},
      {"no such method",
       eigen([](auto &p, auto &) { p.eig_type = static_cast<QudaEigType>(99); }),
       bad,
       {"eig_type = 99"}},
      {"slices that are led from one to another",
       eigen([](auto &p, auto &) { p.eig_type = QUDA_EIG_TR_LANCZOS_3D; }),
       bad,
       {"eig_type = 2 (QUDA_EIG_TR_LANCZOS_3D)", "allowed", "laplace3D = 3"}},
      {"slices in another direction",
       eigen([](auto &p, auto &i) {
         p.eig_type = QUDA_EIG_TR_LANCZOS_3D;
         i.dslash_type = QUDA_LAPLACE_DSLASH;
         i.laplace3D = 3;
         p.ortho_dim = 1;
       }),
       unsupported,
       {"ortho_dim = 1"}},
      {"no pairs", eigen([](auto &p, auto &) { p.n_conv = 0; }), bad, {"n_conv = 0"}},
      {"more pairs than searched", eigen([](auto &p, auto &) { p.n_conv = 9; }), bad, {"n_conv = 9", "n_ev = 6"}},
      {"a small space", eigen([](auto &p, auto &) { p.n_kr = 6; }), bad, {"n_kr = 6", "n_ev = 6"}},
      {"more than the fields have", eigen([](auto &p, auto &) { p.n_kr = 100000; }), bad, {"n_kr = 100000", "4607"}},
      {"more than is rotated", eigen([](auto &p, auto &) { p.n_kr = 4000; }), unsupported, {"n_kr = 4000", "up to"}},
      {"block of none",
       eigen([](auto &p, auto &) {
         p.eig_type = QUDA_EIG_BLK_TR_LANCZOS;
         p.block_size = 0;
       }),
       bad,
       {"block_size = 0"}},
      {"block that does not divide",
       eigen([](auto &p, auto &) {
         p.eig_type = QUDA_EIG_BLK_TR_LANCZOS;
         p.block_size = 3;
       }),
       bad,
       {"n_kr = 20", "block_size = 3"}},
      {"not Hermitian",
       eigen([](auto &p, auto &) { p.use_norm_op = QUDA_BOOLEAN_FALSE; }),
       bad,
       {"eig_type = 0 (QUDA_EIG_TR_LANCZOS)", "QUDA_EIG_IR_ARNOLDI", "use_norm_op", "QUDA_WILSON_DSLASH"}},
      {"polynomial of what is not Hermitian",
       eigen([](auto &p, auto &) {
         p.use_norm_op = QUDA_BOOLEAN_FALSE;
         p.eig_type = QUDA_EIG_IR_ARNOLDI;
         p.use_poly_acc = QUDA_BOOLEAN_TRUE;
         p.poly_deg = 10;
       }),
       bad,
       {"use_poly_acc"}},
      {"no degree", eigen([](auto &p, auto &) { p.use_poly_acc = QUDA_BOOLEAN_TRUE; }), bad, {"poly_deg = 0"}},
      {"a window from right to left",
       eigen([](auto &p, auto &) {
         p.use_poly_acc = QUDA_BOOLEAN_TRUE;
         p.poly_deg = 10;
         p.a_min = 2;
         p.a_max = 1;
       }),
       bad,
       {"a_min = 2", "a_max = 1"}},
      {"imaginary parts",
       eigen([](auto &p, auto &) { p.spectrum = QUDA_SPECTRUM_LI_EIG; }),
       bad,
       {"spectrum = 4 (QUDA_SPECTRUM_LI_EIG)"}},
      {"singular vectors of M",
       eigen([](auto &p, auto &) {
         p.use_norm_op = QUDA_BOOLEAN_FALSE;
         p.eig_type = QUDA_EIG_IR_ARNOLDI;
         p.compute_svd = QUDA_BOOLEAN_TRUE;
       }),
       bad,
       {"compute_svd", "use_norm_op"}},
      {"gamma5 of a square",
       eigen([](auto &p, auto &) { p.compute_gamma5 = QUDA_BOOLEAN_TRUE; }),
       bad,
       {"compute_gamma5"}},
      {"gamma5 of one spin",
       eigen([](auto &p, auto &i) {
         p.use_norm_op = QUDA_BOOLEAN_FALSE;
         p.compute_gamma5 = QUDA_BOOLEAN_TRUE;
         i.dslash_type = QUDA_LAPLACE_DSLASH;
         i.laplace3D = 3;
       }),
       bad,
       {"compute_gamma5", "QUDA_LAPLACE_DSLASH"}},
      {"no smeared links", eigen([](auto &p, auto &) { p.use_smeared_gauge = true; }), bad, {"smeared links"}},
      {"no such file",
       eigen([](auto &p, auto &) { std::strcpy(p.vec_infile, "/no/such/vectors"); }),
       QUDA_ERROR_KIND_FILE,
       {"vec_infile", "/no/such/vectors", "opened"}},
      {"no such folder",
       eigen([](auto &p, auto &) { std::strcpy(p.vec_outfile, "/no/such/vectors"); }),
       QUDA_ERROR_KIND_FILE,
       {"vec_outfile = \"/no/such/vectors\"", "No such file"}},
      {"a file a rank",
       eigen([](auto &p, auto &) {
         std::strcpy(p.vec_outfile, "vectors");
         p.partfile = static_cast<QudaBoolean>(5);
       }),
       bad,
       {"partfile = 5"}},
      {"ARPACK", eigen([](auto &p, auto &) { p.arpack_check = QUDA_BOOLEAN_TRUE; }), unsupported, {"arpack_check"}},
      {"tolerance", eigen([](auto &p, auto &) { p.tol = -1; }), bad, {"tol = -1"}},
      {"restarts", eigen([](auto &p, auto &) { p.max_restarts = -1; }), bad, {"max_restarts = -1"}},
      {"no convergence", eigen([](auto &, auto &) {}), bad, {"max_restarts = 0", "tol = 1e-06", "of 4 pairs"}},
      {"mass unset",
       eigen([](auto &, auto &i) { i.kappa = std::numeric_limits<double>::min(); }),
       bad,
       {"QudaInvertParam.kappa", "unset"}},
      {"a Moebius operator without a height",
       eigen([](auto &, auto &i) {
         i.dslash_type = QUDA_MOBIUS_DWF_DSLASH;
         i.mass = 0.1;
       }),
       bad,
       {"QudaInvertParam.m5", "unset"}},
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
      {"another size",
       deflated([](auto &p, auto &) { p.struct_size = 7; }),
       bad,
       {"invertQuda", "QudaEigParam.struct_size = 7"}},
      {"no such method",
       deflated([](auto &p, auto &) { p.eig_type = static_cast<QudaEigType>(99); }),
       bad,
       {"eig_type = 99"}},
      {"slices",
       deflated([](auto &p, auto &) { p.eig_type = QUDA_EIG_TR_LANCZOS_3D; }),
       bad,
       {"eig_type = 2 (QUDA_EIG_TR_LANCZOS_3D)", "eig_param"}},
      {"the other end of the spectrum",
       deflated([](auto &p, auto &) { p.spectrum = QUDA_SPECTRUM_LR_EIG; }),
       bad,
       {"QudaEigParam.spectrum", "QUDA_SPECTRUM_LR_EIG", "allowed", "QUDA_SPECTRUM_SR_EIG"}},
      {"smeared links", deflated([](auto &p, auto &) { p.use_smeared_gauge = true; }), bad, {"use_smeared_gauge"}},
      {"more than are found", deflated([](auto &p, auto &) { p.n_ev_deflate = 5; }), bad, {"n_ev_deflate = 5", "4"}},
      {"none of them", deflated([](auto &p, auto &) { p.n_ev_deflate = 0; }), bad, {"n_ev_deflate = 0"}},
      {"more wanted than searched", deflated([](auto &p, auto &) { p.n_conv = 7; }), bad, {"n_conv = 7"}},
      {"a space that is too small", deflated([](auto &p, auto &) { p.n_kr = 6; }), bad, {"n_kr = 6"}},
      {"a space that is none",
       deflated([this](auto &p, auto &) { p.preserve_deflation_space = in.data(); }),
       bad,
       {"preserve_deflation_space", "null"}},
      {"a file",
       deflated([](auto &p, auto &) { std::snprintf(p.vec_infile, sizeof p.vec_infile, "vectors"); }),
       unsupported,
       {"vec_infile", "vectors"}},
      {"all the time", deflated([](auto &, auto &i) { i.tol_restart = 1; }), bad, {"tol_restart = 1"}},
      {"never", deflated([](auto &, auto &i) { i.tol_restart = -1; }), bad, {"tol_restart = -1"}},
      {"two systems one after the other",
       deflated([](auto &, auto &i) {
         i.inv_type = QUDA_BICGSTAB_INVERTER;
         i.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
         i.solve_type = QUDA_DIRECT_PC_SOLVE;
       }),
       unsupported,
       {"eig_param", "QUDA_MATPCDAG_MATPC_SOLUTION", "NORMOP"}},
      {"distance",
       deflated([](auto &, auto &i) {
         i.distance_pc_alpha0 = 0.5;
         i.distance_pc_t0 = 1;
       }),
       unsupported,
       {"eig_param", "distance_pc_alpha0 = 0.5"}},
      {"not converged", deflated([](auto &, auto &) {}), bad, {"invertQuda", "max_restarts = 0", "of 4 pairs"}},
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
      {"null", [] { newDeflationQuda(nullptr); }, bad, {"newDeflationQuda", "null"}},
      {"another size", space([](auto &p, auto &) { p.struct_size = 7; }), bad, {"QudaEigParam.struct_size = 7"}},
      {"no operator", space([](auto &p, auto &) { p.invert_param = nullptr; }), bad, {"QudaEigParam.invert_param"}},
      {"another inverter",
       space([](auto &, auto &i) { i.inv_type = QUDA_CG_INVERTER; }),
       bad,
       {"newDeflationQuda", "inv_type = 0 (QUDA_CG_INVERTER)", "QUDA_INC_EIGCG_INVERTER"}},
      {"vectors of the host's",
       space([](auto &p, auto &) { p.import_vectors = QUDA_BOOLEAN_TRUE; }),
       unsupported,
       {"import_vectors"}},
      {"ARPACK", space([](auto &p, auto &) { p.arpack_check = QUDA_BOOLEAN_TRUE; }), unsupported, {"arpack_check"}},
      {"a file",
       space([](auto &p, auto &) { std::snprintf(p.vec_outfile, sizeof p.vec_outfile, "vectors"); }),
       unsupported,
       {"vec_outfile", "vectors"}},
      {"vectors in half precision",
       space([](auto &p, auto &) { p.cuda_prec_ritz = QUDA_HALF_PRECISION; }),
       bad,
       {"QudaEigParam.cuda_prec_ritz", "QUDA_HALF_PRECISION"}},
      {"the same of the solve",
       space([](auto &, auto &i) { i.cuda_prec_ritz = QUDA_QUARTER_PRECISION; }),
       bad,
       {"QudaInvertParam.cuda_prec_ritz", "QUDA_QUARTER_PRECISION"}},
      {"two sizes", space([](auto &p, auto &) { p.nk = 5; }), bad, {"nk = 5", "n_ev = 8"}},
      {"room for a part", space([](auto &p, auto &) { p.np = 20; }), bad, {"np = 20", "n_ev = 8"}},
      {"no vectors", space([](auto &, auto &i) { i.n_ev = 0; }), bad, {"n_ev = 0"}},
      {"no sources", space([](auto &, auto &i) { i.deflation_grid = 0; }), bad, {"deflation_grid = 0"}},
      {"too many",
       space([](auto &, auto &i) { i.deflation_grid = 1000000000; }),
       bad,
       {"deflation_grid = 1000000000", "8000000000", "4096"}},
      {"no space", solve([](auto &, auto &i) { i.deflation_op = nullptr; }), bad, {"invertQuda", "deflation_op"}},
      {"no space", solve([this](auto &, auto &i) { i.deflation_op = in.data(); }), bad, {"deflation_op", "handle"}},
      {"no space", [this] { destroyDeflationQuda(in.data()); }, bad, {"destroyDeflationQuda", "df_instance"}},
      {"other vectors", solve([](auto &, auto &i) { i.n_ev = 9; }), bad, {"n_ev = 9", "8"}},
      {"a narrow window",
       solve([](auto &, auto &i) { i.max_search_dim = 16; }),
       bad,
       {"max_search_dim = 16", "n_ev = 8"}},
      {"all the time", solve([](auto &, auto &i) { i.tol_restart = 1; }), bad, {"tol_restart = 1"}},
      {"then all the time", solve([](auto &, auto &i) { i.inc_tol = 2; }), bad, {"inc_tol = 2"}},
      {"never", solve([](auto &, auto &i) { i.max_restart_num = -1; }), bad, {"max_restart_num = -1"}},
      {"no good", solve([](auto &, auto &i) { i.eigenval_tol = -1; }), bad, {"eigenval_tol = -1"}},
      {"low modes twice", solve([](auto &p, auto &i) { i.eig_param = &p; }), bad, {"eig_param", "deflation_op"}},
      {"earlier solutions",
       solve([](auto &, auto &i) { i.chrono_make_resident = i.chrono_max_dim = 1; }),
       unsupported,
       {"chrono_make_resident", "QUDA_INC_EIGCG_INVERTER"}},
      {"by the error",
       solve([](auto &, auto &i) { i.solve_type = QUDA_NORMERR_PC_SOLVE; }),
       unsupported,
       {"QUDA_INC_EIGCG_INVERTER", "QUDA_NORMERR_PC_SOLVE", "NORMOP"}},
      {"not Hermitian", solve([](auto &, auto &i) { i.solve_type = QUDA_DIRECT_PC_SOLVE; }), bad, {"not Hermitian"}},
      {"distance",
       solve([](auto &, auto &i) {
         i.distance_pc_alpha0 = 0.5;
         i.distance_pc_t0 = 1;
       }),
       unsupported,
       {"inv_type", "QUDA_INC_EIGCG_INVERTER", "distance_pc_alpha0 = 0.5"}},
      {"as a preconditioner",
       solve([](auto &, auto &i) {
         i.inv_type = QUDA_PCG_INVERTER;
         i.inv_type_precondition = QUDA_EIGCG_INVERTER;
       }),
       bad,
       {"inv_type_precondition", "QUDA_EIGCG_INVERTER", "QUDA_CG_INVERTER"}},
  });
  destroyDeflationQuda(handle);
  expect_refused({
      {"freed twice", [&] { destroyDeflationQuda(handle); }, bad, {"destroyDeflationQuda", "df_instance"}},
      {"a space that is no more", solve([](auto &, auto &) {}), bad, {"invertQuda", "deflation_op"}},
  });
}

TEST_F(BadCalls, Operators)
{
  QudaInvertParam good = test::wilson_param();
  const auto parity = static_cast<QudaParity>(2);
  expect_refused({
      {"null plaquette", [] { plaqQuda(nullptr); }, bad, {"plaqQuda", "plaq = null"}},
      {"null observables", [] { gaugeObservablesQuda(nullptr); }, bad, {"gaugeObservablesQuda", "null"}},
      {"null output", [&] { dslashQuda(nullptr, in.data(), &good, QUDA_EVEN_PARITY); }, bad, {"h_out = null"}},
      {"null input", [&] { dslashQuda(out.data(), nullptr, &good, QUDA_EVEN_PARITY); }, bad, {"h_in = null"}},
      {"null structure",
       [&] { dslashQuda(out.data(), in.data(), nullptr, QUDA_EVEN_PARITY); },
       bad,
       {"dslashQuda", "QudaInvertParam", "null"}},
      {"no such parity", [&] { dslashQuda(out.data(), in.data(), &good, parity); }, bad, {"dslashQuda", "parity = 2"}},
      {"unset structure",
       [&] {
         QudaInvertParam param = newQudaInvertParam();
         MatQuda(out.data(), in.data(), &param);
       },
       bad,
       {"MatQuda", "unset"}},
      {"wrong size", matrix([](auto &p) { p.struct_size = 1; }), bad, {"struct_size = 1"}},
      {"no such operator",
       hop([](auto &p) { p.dslash_type = static_cast<QudaDslashType>(1000); }),
       bad,
       {"dslash_type = 1000"}},
      {"a fifth dimension of no extent",
       hop([](auto &p) {
         p.dslash_type = QUDA_DOMAIN_WALL_DSLASH;
         p.mass = 0.1;
         p.m5 = -1.8;
       }),
       bad,
       {"QudaInvertParam.Ls", "unset"}},
      {"no clover term",
       hop([](auto &p) { p.dslash_type = QUDA_CLOVER_WILSON_DSLASH; }),
       bad,
       {"no clover term is resident", "loadCloverQuda"}},
      {"spinor order",
       hop([](auto &p) { p.dirac_order = QUDA_TIFR_PADDED_DIRAC_ORDER; }),
       unsupported,
       {"dirac_order", "QUDA_TIFR_PADDED_DIRAC_ORDER", "QUDA_QDP_DIRAC_ORDER"}},
      {"basis", hop([](auto &p) { p.gamma_basis = static_cast<QudaGammaBasis>(9); }), bad, {"gamma_basis = 9"}},
      {"precision that no operator has",
       hop([](auto &p) { p.cuda_prec = QUDA_QUARTER_PRECISION; }),
       bad,
       {"cuda_prec", "QUDA_QUARTER_PRECISION", "QUDA_DOUBLE_PRECISION"}},
      {"distance",
       matrix([](auto &p) {
         p.dslash_type = QUDA_COVDEV_DSLASH;
         p.distance_pc_alpha0 = 0.5;
         p.distance_pc_t0 = 1;
       }),
       unsupported,
       {"distance_pc_alpha0 = 0.5"}},
      {"matpc that is none",
       matrix([](auto &p) {
         p.solution_type = QUDA_MATPC_SOLUTION;
         p.matpc_type = static_cast<QudaMatPCType>(4);
       }),
       bad,
       {"matpc_type = 4"}},
      {"adjoint solution",
       matrix([](auto &p) { p.solution_type = QUDA_MATPC_DAG_SOLUTION; }),
       bad,
       {"solution_type", "QUDA_MATPC_DAG_SOLUTION"}},
      {"normalisation",
       matrix([](auto &p) { p.mass_normalization = static_cast<QudaMassNormalization>(-5); }),
       bad,
       {"mass_normalization = -5"}},
      {"kappa unset", matrix([](auto &p) { p.kappa = newQudaInvertParam().kappa; }), bad, {"kappa", "unset"}},
      {"kappa not a number", matrix([](auto &p) { p.kappa = NAN; }), bad, {"kappa = "}},
      {"kappa zero in the mass normalisation",
       matrix([](auto &p) {
         p.kappa = 0;
         p.mass_normalization = QUDA_MASS_NORMALIZATION;
       }),
       bad,
       {"kappa = 0"}},
      {"not built",
       [] { lanczosQuda(0, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr); },
       unsupported,
       {"lanczosQuda"}},
      {"no shifts", [&] { invertMultiShiftQuda(nullptr, nullptr, &good); }, bad, {"invertMultiShiftQuda", "inv_type"}},
      {"verbosity", [] { setVerbosityQuda(static_cast<QudaVerbosity>(12), "", nullptr); }, bad, {"verbosity", "12"}},
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
      {"direction", shift(8), bad, {"covDevQuda", "dir = 8"}},
      {"no output", [&] { covDevQuda(nullptr, in.data(), 0, &good); }, bad, {"covDevQuda", "h_out = null"}},
      {"no parameter", [&] { covDevQuda(out.data(), in.data(), 0, nullptr); }, bad, {"covDevQuda", "null"}},
      {"direction of a shift", both(4, 1), bad, {"shiftQuda", "dir = 4"}},
      {"sense", both(0, 0), bad, {"shiftQuda", "sym = 0"}},
      {"direction of an operator",
       matrix([](auto &p) {
         p.dslash_type = QUDA_COVDEV_DSLASH;
         p.covdev_mu = -1;
       }),
       bad,
       {"covdev_mu = -1"}},
      {"shift on one parity",
       matrix([](auto &p) {
         p.dslash_type = QUDA_COVDEV_DSLASH;
         p.covdev_mu = 1;
         p.solution_type = QUDA_MATPC_SOLUTION;
       }),
       unsupported,
       {"QUDA_COVDEV_DSLASH"}},
      {"direction left out",
       matrix([](auto &p) {
         p.dslash_type = QUDA_LAPLACE_DSLASH;
         p.laplace3D = -2;
       }),
       bad,
       {"laplace3D = -2"}},
      {"steps", wuppertal(-1, 0.1), bad, {"performWuppertalnStep", "n_steps = -1"}},
      {"weight", wuppertal(1, -1. / 6), bad, {"performWuppertalnStep", "alpha"}},
      {"weight not a number", wuppertal(1, NAN), bad, {"performWuppertalnStep", "alpha"}},
      {"steps of a Gaussian",
       [&] { performGaussianSmearNStep(out.data(), in.data(), &good, -3, 1); },
       bad,
       {"performGaussianSmearNStep", "n_steps = -3"}},
      {"which smearing",
       [&] { performFermionSmearQuda(out.data(), in.data(), &good, 1, 1, static_cast<QudaFermionSmearType>(7)); },
       bad,
       {"performFermionSmearQuda", "smear_type = 7"}},
      {"no two-link parameter",
       [&] { performTwoLinkGaussianSmearNStep(out.data(), nullptr); },
       bad,
       {"performTwoLinkGaussianSmearNStep", "null"}},
      {"no field", two_link([](auto &p, auto &) { p.inv_param = nullptr; }), bad, {"inv_param = null"}},
      {"two dimensions", two_link([](auto &, auto &q) { q.laplace3D = 2; }), bad, {"laplace3D = 2"}},
      {"time slice", two_link([](auto &p, auto &) { p.t0 = 6; }), bad, {"t0 = 6"}},
      {"time slice of four dimensions",
       two_link([](auto &p, auto &q) {
         p.t0 = 0;
         q.laplace3D = 4;
       }),
       bad,
       {"t0 = 0", "laplace3D = 4"}},
      {"products nowhere",
       [&] { computeTwoLinkQuda(nullptr, nullptr, &gauge); },
       bad,
       {"computeTwoLinkQuda", "twolink"}},
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
      {"no A", without(true, false, false), bad, {"blasGEMMQuda", "arrayA = null"}},
      {"no B", without(false, true, false), bad, {"blasGEMMQuda", "arrayB = null"}},
      {"no C", without(false, false, true), bad, {"blasGEMMQuda", "arrayC = null"}},
      {"no parameter",
       [&] { blasGEMMQuda(A.data(), B.data(), C.data(), QUDA_BOOLEAN_TRUE, nullptr); },
       bad,
       {"blasGEMMQuda", "QudaBLASParam", "null"}},
      {"whose",
       [&] {
         QudaBLASParam param = good_products();
         blasGEMMQuda(A.data(), B.data(), C.data(), static_cast<QudaBoolean>(5), &param);
       },
       bad,
       {"blasGEMMQuda", "native = 5"}},
      {"wrong size", products([](auto &p) { p.struct_size = 8; }), bad, {"struct_size = 8"}},
      {"nothing computed", products([](auto &p) { p.blas_type = QUDA_BLAS_INVALID; }), bad, {"blas_type", "unset"}},
      {"operation", products([](auto &p) { p.trans_a = static_cast<QudaBLASOperation>(3); }), bad, {"trans_a = 3"}},
      {"other operation",
       products([](auto &p) { p.trans_b = static_cast<QudaBLASOperation>(9); }),
       bad,
       {"trans_b = 9"}},
      {"no rows", products([](auto &p) { p.m = 0; }), bad, {"m = 0"}},
      {"no columns", products([](auto &p) { p.n = -1; }), bad, {"n = -1"}},
      {"nothing between", products([](auto &p) { p.k = newQudaBLASParam().k; }), bad, {"k = ", "unset"}},
      {"rows of A overlap", products([](auto &p) { p.lda = 6; }), bad, {"lda = 6", "3 x 7", "7 or greater"}},
      {"rows of B overlap", products([](auto &p) { p.ldb = 4; }), bad, {"ldb = 4", "7 x 5", "5 or greater"}},
      {"rows of C overlap", products([](auto &p) { p.ldc = 4; }), bad, {"ldc = 4", "3 x 5", "5 or greater"}},
      {"rows of the transposed A overlap",
       products([](auto &p) {
         p.trans_a = QUDA_BLAS_OP_T;
         p.lda = 2;
       }),
       bad,
       {"lda = 2", "7 x 3", "3 or greater"}},
      {"rows of the adjoint B overlap",
       products([](auto &p) { p.trans_b = QUDA_BLAS_OP_C; }),
       bad,
       {"ldb = 5", "5 x 7", "7 or greater"}},
      {"columns of A overlap",
       products([&](auto &p) {
         by_columns(p);
         p.lda = 2;
       }),
       bad,
       {"lda = 2", "QUDA_BLAS_DATAORDER_COL", "3 or greater"}},
      {"columns of the transposed B overlap",
       products([&](auto &p) {
         by_columns(p);
         p.trans_b = QUDA_BLAS_OP_T;
         p.ldb = 4;
       }),
       bad,
       {"ldb = 4", "5 x 7", "5 or greater"}},
      {"columns of C overlap",
       products([&](auto &p) {
         by_columns(p);
         p.ldc = 2;
       }),
       bad,
       {"ldc = 2", "3 or greater"}},
      {"offset", products([](auto &p) { p.b_offset = -2; }), bad, {"b_offset = -2"}},
      {"stride", products([](auto &p) { p.c_stride = -1; }), bad, {"c_stride = -1"}},
      {"fewer matrices than a stride",
       products([](auto &p) { p.b_stride = 5; }),
       bad,
       {"batch_count = 4", "b_stride = 5"}},
      {"no matrices", products([](auto &p) { p.batch_count = 0; }), bad, {"batch_count = 0"}},
      {"factor", products([](auto &p) { p.alpha = NAN; }), bad, {"alpha", "nan"}},
      {"other factor", products([](auto &p) { p.beta = newQudaBLASParam().beta; }), bad, {"beta"}},
      {"type", products([](auto &p) { p.data_type = static_cast<QudaBLASDataType>(4); }), bad, {"data_type = 4"}},
      {"order", products([](auto &p) { p.data_order = static_cast<QudaBLASDataOrder>(2); }), bad, {"data_order = 2"}},
      {"singular", inverse([](auto &) {}), bad, {"blasLUInvQuda", "matrix 0 of 0 to 2", "singular in double"}},
      {"size", inverse([](auto &p) { p.inv_mat_size = 0; }), bad, {"blasLUInvQuda", "inv_mat_size = 0"}},
      {"nothing inverted", inverse([](auto &p) { p.batch_count = -3; }), bad, {"batch_count = -3"}},
      {"type of an inverse",
       inverse([](auto &p) { p.data_type = QUDA_BLAS_DATATYPE_INVALID; }),
       bad,
       {"data_type", "unset"}},
      {"no inverse",
       [&] {
         QudaBLASParam param = good_products();
         blasLUInvQuda(nullptr, A.data(), QUDA_BOOLEAN_TRUE, &param);
       },
       bad,
       {"blasLUInvQuda", "Ainv = null"}},
      {"nothing to invert",
       [&] {
         QudaBLASParam param = good_products();
         blasLUInvQuda(C.data(), nullptr, QUDA_BOOLEAN_TRUE, &param);
       },
       bad,
       {"blasLUInvQuda", "A = null"}},
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
    EXPECT_EQ(handler.calls(), 0);
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
    EXPECT_EQ(handler.calls(), 0) << handler.text();
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
      Session session;
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
