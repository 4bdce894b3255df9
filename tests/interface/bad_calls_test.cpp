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
      fault("a copy as a momentum", {"reconstruct_sloppy = 10 (QUDA_RECONSTRUCT_10)", "QUDA_RECONSTRUCT_12"},
            load([](auto &p) { p.reconstruct_sloppy = QUDA_RECONSTRUCT_10; })),
      fault("another copy", {"reconstruct_refinement_sloppy = 10"},
            load([](auto &p) { p.reconstruct_refinement_sloppy = QUDA_RECONSTRUCT_10; })),
      fault("a preconditioner's", {"reconstruct_precondition = 10"},
            load([](auto &p) { p.reconstruct_precondition = QUDA_RECONSTRUCT_10; })),
      fault("an eigensolver's", {"reconstruct_eigensolver = 10"},
            load([](auto &p) { p.reconstruct_eigensolver = QUDA_RECONSTRUCT_10; })),
      fault("no such storage", {"reconstruct_sloppy = 7"},
            load([](auto &p) { p.reconstruct_sloppy = static_cast<QudaReconstructType>(7); })),
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
