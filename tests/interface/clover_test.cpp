/// Clover fermions through the C interface, against the plain reference: the term, the operators, what stays resident,
/// solutions and their identities (of Wilson fermions too), and what is refused.

#include "operators.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <functional>

#include "core/environment_support.h"
#include "reference/dirac/clover.h"
#include "reference/gauge/transform.h"

namespace
{

using reference::CloverWilson;
using reference::SiteMatrices;
using reference::Spinors;
using test::all_matpc;
using test::HostLinks;
using test::is_odd;
using test::is_symmetric;
using test::Storage;

constexpr double kappa = 0.12, csw = 1.5, rho = 0.02;
QudaInvertParam clover_param(QudaPrecision precision = QUDA_DOUBLE_PRECISION)
{
  QudaInvertParam param = test::wilson_param(precision, kappa);
  param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  param.clover_cpu_prec = QUDA_DOUBLE_PRECISION;
  param.clover_cuda_prec = precision;
  param.clover_order = QUDA_PACKED_CLOVER_ORDER;
  param.clover_csw = csw;
  param.compute_clover = param.compute_clover_inverse = 1;
  param.verbosity = QUDA_SILENT;
  return param;
}

reference::GaugeField links_of(const reference::Coords &X, unsigned seed = 41)
{
  reference::GaugeField links = reference::random_gauge(reference::Lattice(X), seed, reference::Kind::su3);
  reference::set_up_links(links, 1, -1);
  return links;
}

void load(const reference::GaugeField &links, Storage storage = {})
{
  storage.t_boundary = -1;
  test::load_links(links, storage);
}

/// A call's result as the reference has spinors. parity: of the input and of the output, -1 for both.
Spinors result_of(const Spinors &source, const reference::Lattice &lattice, int from, int to,
                  const std::function<void(double *out, double *in)> &call)
{
  auto in = reference::to_host<double>(source, lattice, reference::Part(lattice), from);
  std::vector<double> out((to < 0 ? 24 : 12) * lattice.volume(), NAN);
  call(out.data(), in.data());
  return reference::from_host<double>(out, to < 0);
}

test::PlainOperator plain(const CloverWilson &clover)
{
  using test::Fields;
  return {kappa, [&](const Fields &psi, bool dagger) { return Fields {clover.matrix(psi[0], kappa, dagger)}; },
          [&](int parity, bool symmetric, const Fields &half, bool dagger) {
            return Fields {clover.matrix_pc(parity, symmetric, half[0], kappa, dagger)};
          },
          [&](int parity, bool, const Fields &other, bool dagger) {
            return Fields {clover.hop_to(parity, other[0], dagger)};
          }};
}

std::vector<double> packed(const SiteMatrices &A, const reference::Lattice &lattice)
{
  return reference::to_packed<double>(A, lattice, reference::Part(lattice));
}

} // namespace

using CloverCalls = test::Untuned;

TEST_F(CloverCalls, TermComputedAndReturned)
{
  const reference::GaugeField links = links_of({2, 4, 6, 8});
  const reference::Lattice &lattice = links.lattice;
  load(links);
  const SiteMatrices A = reference::clover_term(links, kappa * csw);
  std::vector<double> term(72 * lattice.volume(), NAN), inverse(term);
  QudaInvertParam param = clover_param();
  param.return_clover = param.return_clover_inverse = 1;
  loadCloverQuda(term.data(), inverse.data(), &param);
  EXPECT_LE(test::largest_difference(term, packed(A, lattice)), 1e-13);
  EXPECT_LE(test::largest_difference(inverse, packed(reference::inverse(A), lattice)), 1e-12);
  EXPECT_DOUBLE_EQ(param.clover_coeff, kappa * csw);
  EXPECT_EQ(param.clover_cuda_prec_sloppy, QUDA_DOUBLE_PRECISION);
  EXPECT_EQ(param.clover_cuda_prec_precondition, QUDA_DOUBLE_PRECISION);
  for (const int parity : {0, 1}) EXPECT_NEAR(param.trlogA[parity], reference::log_determinant(A, parity), 1e-11);

  // a coefficient leaves csw, which PyQUDA uses for something else, unread; single precision on both sides
  std::vector<float> narrow(term.size(), NAN);
  param = clover_param();
  param.clover_coeff = 0.1;
  param.clover_csw = 2.464;
  param.clover_cpu_prec = QUDA_SINGLE_PRECISION;
  param.return_clover = 1;
  param.compute_clover_trlog = 0;
  loadCloverQuda(narrow.data(), nullptr, &param);
  EXPECT_LE(test::largest_difference(narrow, packed(reference::clover_term(links, 0.1), lattice)), 1e-7);
  EXPECT_EQ(param.trlogA[0], 0);
}

/// Elements of a block in BQCD's order: row, column, places of real and imaginary part, their signs. Half the term.
struct BqcdElement {
  int row, column, re, im, re_sign, im_sign;
};
constexpr int bqcd_diagonal[] = {21, 32, 33, 0, 1, 20};
constexpr BqcdElement bqcd_elements[] = {
    {1, 0, 28, 29, 1, -1},  {2, 0, 30, 31, 1, -1},  {3, 0, 6, 7, -1, -1},   {4, 0, 14, 15, -1, -1},
    {5, 0, 22, 23, -1, -1}, {2, 1, 34, 35, 1, -1},  {3, 1, 8, 9, -1, -1},   {4, 1, 16, 17, -1, -1},
    {5, 1, 24, 25, -1, -1}, {3, 2, 10, 11, -1, -1}, {4, 2, 18, 19, -1, -1}, {5, 2, 26, 27, -1, -1},
    {4, 3, 2, 3, 1, -1},    {5, 3, 4, 5, 1, -1},    {5, 4, 12, 13, 1, -1},
};

TEST_F(CloverCalls, OrdersOfTheHost)
{
  const reference::GaugeField links = links_of({2, 4, 6, 4});
  const reference::Lattice &lattice = links.lattice;
  load(links);
  const std::size_t sites = lattice.volume();
  const std::vector<double> term = packed(reference::clover_term(links, 0.15), lattice);
  const auto element = [&](std::size_t site, int block, int row, int column, int part) { // column by column
    return term[(site * 2 + block) * 36 + 6 + 2 * (15 - (6 - column) * (5 - column) / 2 + row - column - 1) + part];
  };
  std::vector<double> diagonal(12 * sites), below(60 * sites), bqcd(72 * sites);
  for (std::size_t site = 0; site < sites; site++)
    for (int block = 0; block < 2; block++) {
      double *const own = &bqcd[(site * 2 + block) * 36];
      for (int i = 0; i < 6; i++) {
        const double value = term[(site * 2 + block) * 36 + i];
        diagonal[(i * 2 + block) * sites + site] = value;
        own[bqcd_diagonal[i]] = value / 2;
      }
      for (int row = 1; row < 6; row++)
        for (int column = 0; column < row; column++)
          for (const int part : {0, 1})
            below[((part * 15 + row * (row - 1) / 2 + column) * 2 + block) * sites + site] =
                element(site, block, row, column, part);
      for (const BqcdElement &e : bqcd_elements) {
        own[e.re] = e.re_sign * element(site, block, e.row, e.column, 0) / 2;
        own[e.im] = e.im_sign * element(site, block, e.row, e.column, 1) / 2;
      }
    }

  std::vector<double> back_diagonal(diagonal.size(), NAN), back_below(below.size(), NAN);
  void *parts[] = {below.data(), diagonal.data()}, *back_parts[] = {back_below.data(), back_diagonal.data()};
  const auto returned = [&](QudaCloverFieldOrder order, void *array) {
    QudaInvertParam param = clover_param();
    param.clover_coeff = 0.15;
    param.clover_order = order;
    param.return_clover = 1;
    param.compute_clover_inverse = 0;
    loadCloverQuda(array, nullptr, &param);
  };
  returned(QUDA_QDPJIT_CLOVER_ORDER, back_parts);
  EXPECT_LE(test::largest_difference(back_diagonal, diagonal), 1e-13);
  EXPECT_LE(test::largest_difference(back_below, below), 1e-13);
  for (const bool jit : {true, false}) {
    QudaInvertParam param = clover_param();
    param.compute_clover = param.compute_clover_inverse = 0;
    param.clover_order = jit ? QUDA_QDPJIT_CLOVER_ORDER : QUDA_BQCD_CLOVER_ORDER;
    loadCloverQuda(jit ? static_cast<void *>(parts) : bqcd.data(), nullptr, &param);
    const Spinors psi = reference::random_spinors(lattice, 3), in = reference::half_of(psi, 1);
    const Spinors out = result_of(psi, lattice, 1, 1,
                                  [&](double *to, double *from) { cloverQuda(to, from, &param, QUDA_ODD_PARITY, 0); });
    EXPECT_LE(reference::deviation(out, reference::times(reference::clover_term(links, 0.15), in, 1)), 1e-13) << jit;
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();

  parts[1] = nullptr;
  QudaInvertParam param = clover_param();
  param.compute_clover = 0;
  param.clover_order = QUDA_QDPJIT_CLOVER_ORDER;
  loadCloverQuda(parts, nullptr, &param);
  EXPECT_TRUE(handler.says("h_clover[1] = null")) << handler.text();
  handler.forget();
}

TEST_F(CloverCalls, TermOfTheHost)
{
  const reference::GaugeField links = links_of({4, 4, 4, 6});
  const reference::Lattice &lattice = links.lattice;
  load(links);
  const SiteMatrices A = reference::clover_term(reference::random_gauge(lattice, 7), 0.15);
  SiteMatrices near = reference::inverse(A);
  for (auto &a : near) a *= 1 + 1e-11;
  const Spinors psi = reference::random_spinors(lattice, 3);
  const auto applied = [&](QudaInvertParam &param, int parity, int inverse) {
    return result_of(psi, lattice, parity, parity, [&](double *out, double *in) {
      cloverQuda(out, in, &param, parity ? QUDA_ODD_PARITY : QUDA_EVEN_PARITY, inverse);
    });
  };
  std::vector<double> term = packed(A, lattice), inverse = packed(near, lattice);
  const std::vector<double> before = term;
  for (const bool given : {true, false}) {
    QudaInvertParam param = clover_param();
    param.compute_clover = param.compute_clover_inverse = 0;
    param.clover_coeff = 1; // of a term that is given nothing is computed
    param.clover_rho = rho; // no part of what cloverQuda applies
    loadCloverQuda(term.data(), given ? inverse.data() : nullptr, &param);
    EXPECT_TRUE(test::same_bits(term, before));
    for (const int parity : {0, 1}) {
      const Spinors in = reference::half_of(psi, parity);
      EXPECT_LE(reference::deviation(applied(param, parity, 0), reference::times(A, in, parity)), 1e-13);
      // an inverse is taken as it is
      EXPECT_LE(reference::deviation(applied(param, parity, 1),
                                     reference::times(given ? near : reference::inverse(A), in, parity)),
                1e-13);
      EXPECT_NEAR(param.trlogA[parity], reference::log_determinant(A, parity), 1e-11);
      EXPECT_DOUBLE_EQ(param.gflops, 504e-9 * static_cast<double>(lattice.half()));
    }
  }
}

TEST_F(CloverCalls, OperatorsAsTheReference)
{
  for (const reference::Coords &X : {reference::Coords {2, 4, 6, 8}, reference::Coords {6, 6, 6, 6}})
    for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION})
      for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12}) {
        reference::GaugeField links = links_of(X);
        const reference::Lattice &lattice = links.lattice;
        Spinors psi = reference::random_spinors(lattice, 42);
        if (precision == QUDA_SINGLE_PRECISION) {
          links = reference::rounded_to_single(links);
          psi = reference::rounded_to_single(psi);
        } else if (precision == QUDA_HALF_PRECISION) {
          links = reference::rounded_to_half(links);
          psi = reference::rounded_to_half(psi);
        }
        const bool lower = precision == QUDA_HALF_PRECISION && reconstruct == QUDA_RECONSTRUCT_NO;
        const QudaPrecision resident = lower ? QUDA_DOUBLE_PRECISION : precision;
        load(links, {QUDA_DOUBLE_PRECISION, resident, reconstruct, QUDA_QDP_GAUGE_ORDER, 1, -1});
        if (reconstruct == QUDA_RECONSTRUCT_12) links = reference::reconstructed_12(links, 1, -1);
        QudaInvertParam param = clover_param(precision);
        param.clover_cuda_prec = resident;
        param.clover_rho = rho;
        loadCloverQuda(nullptr, nullptr, &param);
        const CloverWilson clover(links, kappa * csw, 2 * rho);
        const double bar = precision == QUDA_DOUBLE_PRECISION   ? 1e-12
                           : precision == QUDA_SINGLE_PRECISION ? 5e-6
                                                                : 1e-3;
        const bool all = X[0] == 2 && precision == QUDA_DOUBLE_PRECISION && reconstruct == QUDA_RECONSTRUCT_NO;
        expect_operator(plain(clover), param, {psi}, bar, bar, all);
      }
}

TEST_F(CloverCalls, SeveralSourcesAtOnce)
{
  const reference::GaugeField links = links_of({4, 4, 4, 6});
  load(links);
  QudaInvertParam param = clover_param();
  loadCloverQuda(nullptr, nullptr, &param);
  std::vector<test::Fields> halves;
  for (int n = 0; n < 3; n++)
    halves.push_back({reference::half_of(reference::random_spinors(links.lattice, 60 + n), 0)});
  test::expect_several_sources({}, param, halves);
  std::vector<double> psi(24 * links.lattice.half(), 1), out(psi);
  dslashQuda(out.data(), psi.data(), &param, QUDA_ODD_PARITY);
  EXPECT_DOUBLE_EQ(param.gflops, 1e-9 * (1320 + 504) * static_cast<double>(links.lattice.half()));
}

/// A term stays until a call changes it, whatever becomes of the links.
TEST_F(CloverCalls, TermStays)
{
  const reference::GaugeField first = links_of({4, 4, 4, 6}, 1), second = links_of({4, 4, 4, 6}, 2);
  const reference::Lattice &lattice = first.lattice;
  const Spinors psi = reference::random_spinors(lattice, 3);
  QudaInvertParam param = clover_param();
  const auto expect = [&](const reference::GaugeField &links, const reference::GaugeField &of_term, double c,
                          const char *what) {
    const Spinors hop = reference::Wilson(links).hop(psi);
    Spinors expected = reference::times(reference::clover_term(of_term, c), psi);
    for (std::size_t i = 0; i < psi.size(); i++) expected[i] -= kappa * hop[i];
    EXPECT_LE(
        reference::deviation(
            result_of(psi, lattice, -1, -1, [&](double *out, double *in) { MatQuda(out, in, &param); }), expected),
        1e-12)
        << what;
  };
  load(first);
  loadCloverQuda(nullptr, nullptr, &param);
  expect(first, first, kappa * csw, "loaded");
  load(second);
  expect(second, first, kappa * csw, "other links");
  freeGaugeQuda();
  load(first);
  load(second);
  expect(second, first, kappa * csw, "links freed and loaded");
  createCloverQuda(&param);
  expect(second, second, kappa * csw, "made anew");
  param.clover_coeff = 0.05;
  loadCloverQuda(nullptr, nullptr, &param);
  expect(second, second, 0.05, "another coefficient");
  EXPECT_EQ(handler.calls(), 0) << handler.text();

  const auto refused = [&](const char *words, const std::function<void()> &call) {
    handler.forget();
    call();
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT) << words;
    EXPECT_TRUE(handler.says(words)) << handler.text();
    handler.forget();
  };
  std::vector<double> in(24 * 1024, 1), out(in.size());
  load(links_of({4, 4, 4, 4}));
  refused("MatQuda: the resident clover term has extents 4 4 4 6; allowed: the resident gauge field's, 4 4 4 4",
          [&] { MatQuda(out.data(), in.data(), &param); });
  load(first);
  freeCloverQuda();
  freeCloverQuda(); // nothing is there
  refused("MatQuda: no clover term is resident; load one with loadCloverQuda()",
          [&] { MatQuda(out.data(), in.data(), &param); });
  refused("createCloverQuda: no clover term is resident", [&] { createCloverQuda(&param); });
}

TEST_F(CloverCalls, WhatCannotBeIsRefusedByName)
{
  const reference::GaugeField links = links_of({4, 4, 4, 6});
  load(links);
  std::vector<double> term(72 * links.lattice.volume(), 0.0), in(24 * links.lattice.volume(), 1), out(in.size());
  const auto refused = [&](const std::function<void(QudaInvertParam &)> &spoil, bool given, QudaErrorKind kind,
                           const std::vector<const char *> &words) {
    handler.forget();
    QudaInvertParam param = clover_param();
    spoil(param);
    loadCloverQuda(given ? term.data() : nullptr, nullptr, &param);
    EXPECT_EQ(handler.kind(), kind) << words[0];
    EXPECT_TRUE(handler.says("loadCloverQuda")) << handler.text();
    for (const char *word : words) EXPECT_TRUE(handler.says(word)) << handler.text();
    handler.forget();
  };
  const auto bad = QUDA_ERROR_KIND_BAD_ARGUMENT, unsupported = QUDA_ERROR_KIND_UNSUPPORTED;
  using P = QudaInvertParam;
  refused([](P &p) { p.clover_csw = 0; }, false, bad, {"clover_coeff = 0", "clover_csw = 0"});
  refused([](P &p) { p.dslash_type = QUDA_MOBIUS_DWF_DSLASH; }, false, unsupported, {"QUDA_MOBIUS_DWF_DSLASH"});
  refused(
      [](P &p) {
        p.clover_order = QUDA_NATIVE_CLOVER_ORDER;
        p.compute_clover = 0;
      },
      true, unsupported, {"QUDA_NATIVE_CLOVER_ORDER"});
  refused(
      [](P &p) {
        p.clover_order = QUDA_BQCD_CLOVER_ORDER;
        p.return_clover = 1;
      },
      true, unsupported, {"QUDA_BQCD_CLOVER_ORDER", "h_clover"});
  refused([](P &p) { p.clover_cuda_prec = QUDA_QUARTER_PRECISION; }, false, unsupported,
          {"clover_cuda_prec", "QUDA_QUARTER_PRECISION"});
  refused([](P &p) { p.clover_cpu_prec = QUDA_HALF_PRECISION; }, true, bad, {"clover_cpu_prec"});
  refused([](P &p) { p.compute_clover = 7; }, false, bad, {"compute_clover = 7"});
  refused([](P &p) { p.return_clover = 1; }, false, bad, {"h_clover = null"});
  refused([](P &p) { p.return_clover_inverse = 1; }, true, bad, {"h_clovinv = null"});
  refused([](P &p) { p.clover_coeff = 2; }, false, bad, {"not positive definite", "clover_coeff = 2"});
  term[100] = NAN;
  refused([](P &p) { p.compute_clover = 0; }, true, bad, {"h_clover", "site 2 0 0 0", "block 0, real 28"});
  load(links, {QUDA_DOUBLE_PRECISION, QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO, QUDA_QDP_GAUGE_ORDER, 2.5, -1});
  refused([](P &) {}, false, bad, {"anisotropy = 2.5"});
  load(links);
  QudaInvertParam param = clover_param();
  param.clover_cuda_prec = QUDA_SINGLE_PRECISION; // from links of double precision
  loadCloverQuda(nullptr, nullptr, &param);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  MatQuda(out.data(), in.data(), &param);
  EXPECT_TRUE(handler.says("the resident clover term is of 4 (QUDA_SINGLE_PRECISION)")) << handler.text();
  handler.forget();
  param.dslash_type = QUDA_WILSON_DSLASH;
  cloverQuda(out.data(), in.data(), &param, QUDA_EVEN_PARITY, 0);
  EXPECT_TRUE(handler.says("cloverQuda: QudaInvertParam.dslash_type")) << handler.text();
  freeGaugeQuda();
  refused([](P &) {}, false, bad, {"loadGaugeQuda"});
}

namespace
{

QudaInvertParam solve_param(QudaDslashType type, QudaSolveType solve, double tol)
{
  QudaInvertParam param = clover_param();
  param.dslash_type = type;
  param.cuda_prec_sloppy = QUDA_HALF_PRECISION;
  param.inv_type =
      solve == QUDA_DIRECT_SOLVE || solve == QUDA_DIRECT_PC_SOLVE ? QUDA_BICGSTAB_INVERTER : QUDA_CG_INVERTER;
  param.solve_type = solve;
  param.tol = tol;
  param.maxiter = 2000;
  param.reliable_delta = 0.1;
  return param;
}

Spinors solution(const reference::Lattice &lattice, const Spinors &b, QudaInvertParam &param, int parity = -1)
{
  const Spinors x =
      result_of(b, lattice, parity, parity, [&](double *out, double *in) { invertQuda(out, in, &param); });
  EXPECT_LT(param.true_res[0], param.tol);
  EXPECT_LT(param.iter, param.maxiter);
  return x;
}

double relative(const Spinors &a, const Spinors &b)
{
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); i++) difference += (a[i] - b[i]).squaredNorm();
  return std::sqrt(difference / reference::norm2(b));
}

} // namespace

using CloverSolutions = test::Untuned;

TEST_F(CloverSolutions, SolveTheSystem)
{
  const reference::GaugeField links = links_of({4, 4, 4, 6});
  const reference::Lattice &lattice = links.lattice;
  load(links);
  QudaInvertParam param = clover_param();
  loadCloverQuda(nullptr, nullptr, &param);
  const CloverWilson clover(links, kappa * csw);
  const Spinors b = reference::random_spinors(lattice, 5);
  for (const QudaSolveType solve :
       {QUDA_DIRECT_SOLVE, QUDA_NORMOP_SOLVE, QUDA_DIRECT_PC_SOLVE, QUDA_NORMOP_PC_SOLVE, QUDA_NORMERR_PC_SOLVE})
    for (const QudaMatPCType matpc : all_matpc)
      for (const bool dagger : {false, true}) {
        const bool full = solve == QUDA_DIRECT_SOLVE || solve == QUDA_NORMOP_SOLVE;
        if (full && matpc != QUDA_MATPC_EVEN_EVEN) continue;
        param = solve_param(QUDA_CLOVER_WILSON_DSLASH, solve, 1e-11);
        param.matpc_type = matpc;
        param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
        const Spinors x = solution(lattice, b, param);
        EXPECT_LT(relative(clover.matrix(x, kappa, dagger), b), 1e-9) << solve << " " << matpc << dagger;
        if (full) continue;
        // with a guess, the solution itself: nothing is left to do
        auto guess = reference::to_host<double>(x, lattice, reference::Part(lattice));
        auto source = reference::to_host<double>(b, lattice, reference::Part(lattice));
        param.use_init_guess = QUDA_USE_INIT_GUESS_YES;
        param.tol = 1e-9;
        invertQuda(guess.data(), source.data(), &param);
        EXPECT_LE(param.iter, solve == QUDA_NORMERR_PC_SOLVE ? param.maxiter : 1) << matpc << dagger;
        param = solve_param(QUDA_CLOVER_WILSON_DSLASH, solve, 1e-11);
        param.matpc_type = matpc;
        param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
        if (solve == QUDA_NORMERR_PC_SOLVE) continue;
        param.solution_type = QUDA_MATPC_SOLUTION;
        const int parity = is_odd(matpc);
        const Spinors half = solution(lattice, b, param, parity);
        EXPECT_LT(
            relative(clover.matrix_pc(parity, is_symmetric(matpc), half, kappa, dagger), reference::half_of(b, parity)),
            1e-9)
            << solve << " " << matpc << dagger;
      }
}

/// Of both operators: even-odd against full, covariance, plane waves of the free field.
TEST_F(CloverSolutions, AndWilsonsObeyIdentities)
{
  const reference::GaugeField links = links_of({4, 4, 4, 6});
  const reference::Lattice &lattice = links.lattice;
  const auto g = reference::random_rotation(lattice, 23);
  const Spinors b = reference::random_spinors(lattice, 5);
  for (const QudaDslashType type : {QUDA_WILSON_DSLASH, QUDA_CLOVER_WILSON_DSLASH}) {
    const auto solved = [&](const reference::GaugeField &gauge, const Spinors &source, QudaSolveType solve) {
      load(gauge);
      QudaInvertParam param = solve_param(type, solve, 2e-14);
      if (type == QUDA_CLOVER_WILSON_DSLASH) loadCloverQuda(nullptr, nullptr, &param);
      return solution(lattice, source, param);
    };
    const Spinors x = solved(links, b, QUDA_DIRECT_PC_SOLVE);
    EXPECT_LE(relative(x, solved(links, b, QUDA_DIRECT_SOLVE)), 1e-12);
    const Spinors turned = solved(reference::transformed(links, g), reference::transformed(b, g), QUDA_DIRECT_PC_SOLVE);
    EXPECT_LE(relative(turned, reference::transformed(x, g)), 1e-12);

    reference::GaugeField free(lattice);
    reference::set_up_links(free, 1, -1);
    double p[4];
    const int mode[4] = {1, 2, 3, 1};
    reference::SpinMatrix symbol = reference::SpinMatrix::Identity();
    for (int d = 0; d < 4; d++) {
      p[d] = 2 * M_PI * (mode[d] + (d == 3 ? 0.5 : 0)) / lattice.X[d];
      symbol -= 2 * kappa *
                (std::cos(p[d]) * reference::SpinMatrix::Identity() -
                 reference::Complex(0, std::sin(p[d])) * reference::gamma(reference::Basis::degrand_rossi, d));
    }
    const reference::Spinor u = reference::random_spinor(4, 7);
    Spinors wave(lattice.volume()), expected(lattice.volume());
    for (std::size_t slot = 0; slot < wave.size(); slot++) {
      const reference::Coords x = lattice.coords(slot);
      const auto phase = std::polar(1.0, p[0] * x[0] + p[1] * x[1] + p[2] * x[2] + p[3] * x[3]);
      wave[slot] = phase * u;
      expected[slot] = phase * symbol.inverse() * u;
    }
    EXPECT_LE(relative(solved(free, wave, QUDA_DIRECT_PC_SOLVE), expected), 1e-12);
  }
}
