/// Bad calls of what takes QudaEigParam: eigenvectors, deflated solves, and low modes that solves find on their way.

#include "bad_calls.h"
#include "eigen_param.h"

#include <limits>

namespace test
{

TEST_F(BadCalls, Eigenvectors)
{
  double values[16];
  void *vectors[8] = {};
  const auto eigen = [&](const std::function<void(QudaEigParam &, QudaInvertParam &)> &spoil) {
    return [&, spoil] {
      QudaInvertParam invert = test::wilson_param();
      QudaEigParam param = smallest_pairs(1e-6, 0);
      param.invert_param = &invert;
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
              QudaEigParam param = smallest_pairs(1e-6, 0);
              param.invert_param = &invert;
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
      fault("block that does not divide", {"n_kr = 24", "block_size = 5"}, eigen([](auto &p, auto &) {
              p.eig_type = QUDA_EIG_BLK_TR_LANCZOS;
              p.block_size = 5;
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
      QudaEigParam param = smallest_pairs(1e-6, 0);
      invert.inv_type = QUDA_CG_INVERTER;
      invert.solve_type = QUDA_NORMOP_PC_SOLVE;
      invert.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
      invert.tol = 1e-6;
      invert.maxiter = 100;
      invert.reliable_delta = 0.1;
      invert.eig_param = &param;
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

} // namespace test
