/// Domain-wall fermions through the C interface, against the plain reference: operators, solutions, and what is refused.

#include "operators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/environment_support.h"
#include "files/gauge_file.h"
#include "reference/dirac/domain_wall.h"
#include "reference/test_data.h"

namespace
{

using reference::Checkerboard;
using reference::DomainWall;
using reference::Slices;
using reference::Spinors;
using test::all_matpc;
using test::all_normalisations;
using test::deviation;
using test::distance;
using test::Handler;
using test::is_odd;
using test::is_symmetric;
using test::Session;

constexpr double mass = 0.06, m5 = -1.6;
/// An operator as a host describes it.
struct Kind {
  const char *name;
  QudaDslashType type;
  int Ls;
  bool layered = false, complex = false, plus = true;

  std::vector<reference::Complex> numbers(double first) const
  {
    std::vector<reference::Complex> all;
    for (int s = 0; s < Ls; s++) all.emplace_back(first + (layered ? 0.07 * s : 0), complex ? 0.2 - 0.06 * s : 0);
    return all;
  }
  bool shamir() const { return type == QUDA_DOMAIN_WALL_DSLASH || type == QUDA_DOMAIN_WALL_4D_DSLASH; }
  std::vector<reference::Complex> b() const { return shamir() ? std::vector<reference::Complex>(Ls, 1) : numbers(1.5); }
  std::vector<reference::Complex> c() const { return shamir() ? std::vector<reference::Complex>(Ls, 0) : numbers(0.5); }

  void put_into(QudaInvertParam &param) const
  {
    param.dslash_type = type;
    param.mass = mass;
    param.m5 = m5;
    param.Ls = Ls;
    if (shamir()) return;
    const auto put = [](double _Complex &to, reference::Complex z) { std::memcpy(&to, &z, sizeof z); };
    for (int s = 0; s < Ls; s++) {
      put(param.b_5[s], b()[s]);
      put(param.c_5[s], c()[s]);
    }
    if (type != QUDA_MOBIUS_DWF_EOFA_DSLASH) return;
    param.eofa_pm = plus;
    param.eofa_shift = -0.2;
    param.mq1 = 0.05;
    param.mq2 = 0.07;
    param.mq3 = 1;
  }
  DomainWall expected(const reference::GaugeField &links) const
  {
    std::optional<reference::OneFlavour> term;
    if (type == QUDA_MOBIUS_DWF_EOFA_DSLASH) term = {plus, -0.2, 0.05, 0.07, 1};
    return {links, mass, m5, b(), c(), term, type == QUDA_DOMAIN_WALL_DSLASH ? Checkerboard::five : Checkerboard::four};
  }
};

const Kind kinds[] = {{"domain wall", QUDA_DOMAIN_WALL_DSLASH, 4},
                      {"domain wall, four dimensions", QUDA_DOMAIN_WALL_4D_DSLASH, 6},
                      {"Moebius", QUDA_MOBIUS_DWF_DSLASH, 5},
                      {"layered Moebius", QUDA_MOBIUS_DWF_DSLASH, 4, true},
                      {"complex Moebius", QUDA_MOBIUS_DWF_DSLASH, 3, true, true},
                      {"one flavour, plus", QUDA_MOBIUS_DWF_EOFA_DSLASH, 4, false, false, true},
                      {"one flavour, minus", QUDA_MOBIUS_DWF_EOFA_DSLASH, 4, false, false, false}};

struct Case {
  explicit Case(const reference::Coords &X, const test::Storage &storage = {})
      : Case(reference::random_gauge(reference::Lattice(X), 41, reference::Kind::su3), storage)
  {
  }
  explicit Case(const reference::GaugeField &gauge, const test::Storage &storage = {})
      : links(gauge)
      , storage(storage)
  {
    reference::set_up_links(links, storage.anisotropy, storage.t_boundary);
    if (storage.precision == QUDA_SINGLE_PRECISION) links = reference::rounded_to_single(links);
    if (storage.precision == QUDA_HALF_PRECISION) links = reference::rounded_to_half(links);
    test::load_links(links, storage);
    if (storage.reconstruct == QUDA_RECONSTRUCT_12)
      links = reference::reconstructed_12(links, storage.anisotropy, storage.t_boundary);
  }
  Case(const Case &) = delete;

  QudaInvertParam parameters(const Kind &kind) const
  {
    QudaInvertParam param = test::wilson_param(storage.precision, 0.11); // kappa is not read
    param.cpu_prec = QUDA_DOUBLE_PRECISION;
    param.verbosity = QUDA_SILENT;
    kind.put_into(param);
    return param;
  }
  Slices source(int Ls) const
  {
    Slices psi;
    for (int s = 0; s < Ls; s++) {
      psi.push_back(reference::random_spinors(links.lattice, 3 + s));
      if (storage.precision == QUDA_SINGLE_PRECISION) psi.back() = reference::rounded_to_single(psi.back());
      if (storage.precision == QUDA_HALF_PRECISION) psi.back() = reference::rounded_to_half(psi.back());
    }
    return psi;
  }
  double allowed() const
  {
    return storage.precision == QUDA_DOUBLE_PRECISION   ? 1e-12
           : storage.precision == QUDA_SINGLE_PRECISION ? 5e-6
                                                        : 1e-3;
  }

  reference::GaugeField links;
  test::Storage storage;
};

test::PlainOperator plain(const DomainWall &of)
{
  return {
      0.5 / (5 + m5),
      [&](const Slices &psi, bool dagger) { return of.matrix(psi, dagger); },
      [&](int parity, bool symmetric, const Slices &half, bool dagger) {
        return of.matrix_pc(parity, symmetric, half, dagger);
      },
      [&](int parity, bool, const Slices &other, bool dagger) {
        return of.half(of.hop(of.whole(other, 1 - parity), dagger), parity);
      },
      [&](const Slices &psi, int parity) { return of.half(psi, parity); },
      [&](const Slices &even, const Slices &odd) { return reference::sum(1, of.whole(even, 0), 1, of.whole(odd, 1)); }};
}

/// (parity, s, x_cb, spin, color), of a full field's parities or of the halves of one.
std::vector<double> to_host(const DomainWall &of, const Slices &psi, bool full) { return plain(of).to_host(psi, full); }

Slices from_host(const DomainWall &of, const std::vector<double> &host, bool full)
{
  return plain(of).from_host(host, static_cast<std::size_t>(of.slices()), full);
}

Slices result(const DomainWall &of, const Slices &psi, bool full, const test::HostCall &call)
{
  return plain(of).result(psi, full, call);
}

double factor_of(QudaMassNormalization normalisation, bool pc)
{
  return reference::normalisation_factor(static_cast<reference::Normalisation>(normalisation), pc, 0.5 / (5 + m5));
}

TEST(DomainWall, HopsAndMatricesAsTheReference)
{
  Session session;
  for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION})
    for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12}) {
      const Case on({2, 2, 6, 4}, {QUDA_DOUBLE_PRECISION, precision, reconstruct, QUDA_QDP_GAUGE_ORDER, 2.464, -1});
      for (const Kind &kind : kinds) {
        SCOPED_TRACE(testing::Message() << kind.name << " precision " << precision << " recon " << reconstruct);
        expect_operator(plain(kind.expected(on.links)), on.parameters(kind), on.source(kind.Ls), on.allowed(), 0);
      }
    }
}

TEST(DomainWall, NormalMatricesAsTheReference)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  Session session;
  const Case on({4, 2, 4, 4});
  for (const Kind &kind : kinds) {
    SCOPED_TRACE(kind.name);
    expect_operator(plain(kind.expected(on.links)), on.parameters(kind), on.source(kind.Ls), 1e-12, 1e-12);
  }
}

/// Both ways of a host to name a solution, all even-odd forms, daggers and normalisations: the matrix that was asked for
/// times what came back is the source.
TEST(DomainWall, Solutions)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  Session session;
  const Case on({4, 2, 2, 4});
  for (const Kind &kind : kinds) {
    SCOPED_TRACE(kind.name);
    const DomainWall of = kind.expected(on.links);
    const Slices b = on.source(kind.Ls);
    for (const QudaMatPCType matpc : all_matpc)
      for (const bool dagger : {false, true})
        for (const QudaMassNormalization normalisation : all_normalisations) {
          if (dagger && normalisation != QUDA_MASS_NORMALIZATION) continue;
          QudaInvertParam param = on.parameters(kind);
          param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
          param.matpc_type = matpc;
          param.mass_normalization = normalisation;
          param.inv_type = QUDA_CG_INVERTER;
          param.solve_type = QUDA_NORMOP_PC_SOLVE;
          param.tol = 1e-11;
          param.maxiter = 2000;
          param.reliable_delta = 0.1;
          const auto solve = [&](double *x, double *source) { invertQuda(x, source, &param); };
          const Slices x = result(of, b, true, solve);
          EXPECT_LE(distance(reference::sum(factor_of(normalisation, false), of.matrix(x, dagger), 0, b), b), 1e-9)
              << matpc << dagger << normalisation;
          EXPECT_LT(param.iter, param.maxiter);
          param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
          const Slices half = of.half(b, is_odd(matpc)), y = result(of, half, false, solve);
          const auto M = [&](const Slices &z, bool dag) {
            return of.matrix_pc(is_odd(matpc), is_symmetric(matpc), z, dag);
          };
          const double n = factor_of(normalisation, true);
          EXPECT_LE(distance(reference::sum(n * n, M(M(y, dagger), !dagger), 0, half), half), 1e-9)
              << matpc << dagger << normalisation;
        }
  }
}

/// Several sources at once, several shifts, and iterations in lower precision.
TEST(DomainWall, SeveralSolutions)
{
  Session session;
  const Case on({4, 2, 4, 4});
  for (const Kind &kind : {kinds[0], kinds[2], kinds[5]}) {
    SCOPED_TRACE(kind.name);
    const DomainWall of = kind.expected(on.links);
    for (const QudaPrecision sloppy : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION}) {
      QudaInvertParam param = on.parameters(kind);
      param.inv_type = QUDA_CG_INVERTER;
      param.solve_type = QUDA_NORMOP_PC_SOLVE;
      param.matpc_type = QUDA_MATPC_ODD_ODD;
      param.cuda_prec_sloppy = param.cuda_prec_refinement_sloppy = sloppy;
      param.tol = 1e-11;
      param.maxiter = 4000;
      param.reliable_delta = 0.1;
      param.num_src = 3;
      std::vector<Slices> b;
      std::vector<std::vector<double>> h_b, h_x;
      std::vector<void *> bs, xs;
      for (int n = 0; n < param.num_src; n++) {
        Slices psi;
        for (int s = 0; s < kind.Ls; s++) psi.push_back(reference::random_spinors(on.links.lattice, 300 + 20 * n + s));
        b.push_back(psi);
        h_b.push_back(to_host(of, psi, true));
        h_x.emplace_back(h_b[0].size(), NAN);
      }
      for (int n = 0; n < param.num_src; n++) bs.push_back(h_b[n].data()), xs.push_back(h_x[n].data());
      invertMultiSrcQuda(xs.data(), bs.data(), &param);
      for (int n = 0; n < param.num_src; n++) {
        EXPECT_LE(distance(of.matrix(from_host(of, h_x[n], true), false), b[n]), 1e-9) << n << " sloppy " << sloppy;
        EXPECT_LE(param.true_res[n], 1e-11);
      }

      param.num_src = 1;
      param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
      param.num_offset = 3;
      for (int k = 0; k < 3; k++) {
        param.offset[k] = 0.01 * std::pow(10, k);
        param.tol_offset[k] = 1e-10;
      }
      const Slices half = of.half(b[0], 1);
      std::vector<double> source = to_host(of, half, false);
      for (auto &x : h_x) x.assign(source.size(), NAN);
      for (int k = 0; k < 3; k++) xs[k] = h_x[k].data();
      invertMultiShiftQuda(xs.data(), source.data(), &param);
      for (int k = 0; k < 3; k++) {
        const Slices x = from_host(of, h_x[k], false);
        const Slices Ax = of.matrix_pc(1, true, of.matrix_pc(1, true, x, false), true);
        EXPECT_LE(distance(reference::sum(1, Ax, param.offset[k], x), half), 1e-9) << k << " sloppy " << sloppy;
      }
    }
  }
}

/// Conjugate gradients with a few steps of themselves on blocks of sites, all layers of a block together.
TEST(DomainWall, PreconditionedOnBlocks)
{
  Handler handler;
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  Session session;
  const Case on({4, 4, 4, 8});
  constexpr int blocks[4] = {4, 4, 4, 4};
  qudaSetSchwarzBlock(blocks);
  for (const Kind &kind : {kinds[0], kinds[2], kinds[5]}) {
    SCOPED_TRACE(kind.name);
    const DomainWall of = kind.expected(on.links);
    QudaInvertParam param = on.parameters(kind);
    param.inv_type = QUDA_PCG_INVERTER;
    param.solve_type = QUDA_NORMOP_PC_SOLVE;
    param.inv_type_precondition = QUDA_CG_INVERTER;
    param.schwarz_type = QUDA_ADDITIVE_SCHWARZ;
    param.maxiter_precondition = 4;
    param.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
    param.tol = 1e-10;
    param.maxiter = 1000;
    param.reliable_delta = 0.1;
    const Slices b = on.source(kind.Ls);
    const Slices x = result(of, b, true, [&](double *to, double *from) { invertQuda(to, from, &param); });
    EXPECT_LE(distance(of.matrix(x, false), b), 1e-8);
    EXPECT_LT(param.iter, param.maxiter);
    for (const bool inner : {true, false}) {
      if (!inner) param.inv_type_precondition = QUDA_INVALID_INVERTER;
      param.madwf_ls = 4; // of itself it asks for nothing
      const auto refused = [&](const char *member, auto QudaInvertParam::*which, auto value) {
        QudaInvertParam wrong = param;
        wrong.*which = value;
        invertQuda(nullptr, nullptr, &wrong);
        EXPECT_TRUE(handler.says(member)) << handler.text();
        EXPECT_TRUE(handler.says("domain-wall accelerator")) << handler.text();
        handler.forget();
      };
      refused("accelerator_type_precondition", &QudaInvertParam::accelerator_type_precondition, QUDA_MADWF_ACCELERATOR);
      refused("madwf_param_load", &QudaInvertParam::madwf_param_load, QUDA_BOOLEAN_TRUE);
      refused("madwf_param_save", &QudaInvertParam::madwf_param_save, QUDA_BOOLEAN_TRUE);
    }
  }
  qudaSetSchwarzBlock(nullptr);
}

reference::GaugeField links_of(const std::string &path)
{
  const quda_files::GaugeFile file = quda_files::inspect(path);
  return reference::from_qdp<double>(reference::Lattice(file.dims), quda_files::read_gauge(file));
}

/// On a configuration of beta 6, with iterations in half precision: within some hundred steps.
TEST(DomainWall, SolutionsOnARealConfiguration)
{
  const std::string path = reference::test_data("lat.sample.l8888");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path << " (QUDA_TEST_DATA)";
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  Session session;
  const Case on(links_of(path), {.t_boundary = -1});
  const Kind kind = {"Moebius", QUDA_MOBIUS_DWF_DSLASH, 8};
  const DomainWall of = kind.expected(on.links);
  QudaInvertParam param = on.parameters(kind);
  param.inv_type = QUDA_CG_INVERTER;
  param.solve_type = QUDA_NORMOP_PC_SOLVE;
  param.matpc_type = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
  param.cuda_prec_sloppy = QUDA_HALF_PRECISION;
  param.tol = 1e-9;
  param.maxiter = 1000;
  param.reliable_delta = 0.1;
  const Slices b = on.source(kind.Ls);
  const Slices x = result(of, b, true, [&](double *to, double *from) { invertQuda(to, from, &param); });
  EXPECT_LE(distance(of.matrix(x, false), b), 1e-7);
  EXPECT_LE(param.true_res[0], 1e-9);
  EXPECT_LT(param.iter, 400);
}

TEST(DomainWall, SeveralSourcesOfAHop)
{
  Session session;
  const Case on({2, 4, 4, 4});
  for (const Kind &kind : {kinds[0], kinds[2]}) {
    const DomainWall of = kind.expected(on.links);
    std::vector<Slices> halves;
    for (int n = 0; n < 3; n++) {
      Slices psi;
      for (int s = 0; s < kind.Ls; s++) psi.push_back(reference::random_spinors(on.links.lattice, 300 + 20 * n + s));
      halves.push_back(of.half(psi, 0));
    }
    expect_several_sources(plain(of), on.parameters(kind), halves);
  }
}

/// Fields in QDP's order have colours outside of spins, those of CPS odd sites first; its parities have each other's
/// names.
TEST(DomainWall, OrdersOfHosts)
{
  Handler handler;
  Session session;
  const Case on({2, 4, 4, 6});
  for (const Kind &kind : {kinds[0], kinds[2]}) {
    const DomainWall of = kind.expected(on.links);
    const std::vector<double> psi = to_host(of, on.source(kind.Ls), true);
    const auto qdp = [](const std::vector<double> &in, bool back) {
      std::vector<double> out(in.size());
      for (std::size_t i = 0; i < in.size(); i++) {
        const std::size_t s = i / 6 % 4, c = i / 2 % 3, j = i / 24 * 24 + 8 * c + 2 * s + i % 2;
        (back ? out[i] : out[j]) = back ? in[j] : in[i];
      }
      return out;
    };
    const auto cps = [](std::vector<double> in) {
      std::rotate(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(in.size() / 2), in.end());
      return in;
    };
    QudaInvertParam param = on.parameters(kind);
    const auto matrix = [&](QudaDiracFieldOrder order, std::vector<double> in) {
      param.dirac_order = order;
      std::vector<double> out(in.size(), NAN);
      MatQuda(out.data(), in.data(), &param);
      return out;
    };
    const std::vector<double> expected = matrix(QUDA_DIRAC_ORDER, psi);
    EXPECT_TRUE(test::same_bits(qdp(matrix(QUDA_QDP_DIRAC_ORDER, qdp(psi, false)), true), expected));
    EXPECT_TRUE(test::same_bits(cps(matrix(QUDA_CPS_WILSON_DIRAC_ORDER, cps(psi))), expected));
    const auto half_of = [](const std::vector<double> &all, int parity) {
      const auto half = static_cast<std::ptrdiff_t>(all.size() / 2);
      return std::vector<double>(all.begin() + parity * half, all.begin() + (parity + 1) * half);
    };
    const auto hop = [&](QudaDiracFieldOrder order, std::vector<double> in, QudaParity to) {
      param.dirac_order = order;
      std::vector<double> out(in.size(), NAN);
      dslashQuda(out.data(), in.data(), &param, to);
      return out;
    };
    const std::vector<double> to_even = hop(QUDA_DIRAC_ORDER, half_of(psi, 1), QUDA_EVEN_PARITY);
    EXPECT_TRUE(
        test::same_bits(qdp(hop(QUDA_QDP_DIRAC_ORDER, qdp(half_of(psi, 1), false), QUDA_EVEN_PARITY), true), to_even));
    EXPECT_TRUE(test::same_bits(hop(QUDA_CPS_WILSON_DIRAC_ORDER, half_of(psi, 1), QUDA_ODD_PARITY), to_even));
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  const Case anisotropic({4, 4, 4, 4}, {.anisotropy = 2});
  QudaInvertParam param = anisotropic.parameters(kinds[1]);
  param.dirac_order = QUDA_CPS_WILSON_DIRAC_ORDER;
  std::vector<double> in(24 * 256 * 6, 1), out(in.size());
  MatQuda(out.data(), in.data(), &param);
  EXPECT_TRUE(handler.says("anisotropy = 2")) << handler.text();
}

/// BiCGstab on the matrix itself does not converge, and says so; on one that is not Hermitian CG is refused.
/// The spectrum of domain walls surrounds zero, and on smooth links BiCGstab finds no solution.
TEST(DomainWall, WhatDoesNotConvergeSaysSo)
{
  Handler handler;
  Session session;
  const Case on(links_of(reference::own_data("beta6_4448.ildg")), {.t_boundary = -1});
  const Kind &kind = kinds[2];
  const DomainWall of = kind.expected(on.links);
  QudaInvertParam param = on.parameters(kind);
  param.inv_type = QUDA_BICGSTAB_INVERTER;
  param.solve_type = QUDA_DIRECT_PC_SOLVE;
  param.mass_normalization = QUDA_MASS_NORMALIZATION;
  param.verbosity = QUDA_SUMMARIZE;
  param.tol = 1e-10;
  param.maxiter = 200;
  param.reliable_delta = 0.1;
  const Slices b = on.source(kind.Ls);
  {
    const test::Output output;
    const Slices x = result(of, b, true, [&](double *to, double *from) { invertQuda(to, from, &param); });
    EXPECT_EQ(handler.calls(), 0) << handler.text(); // an answer that hosts judge by iter and true_res
    EXPECT_GE(param.iter, param.maxiter);
    EXPECT_GT(param.true_res[0], 0.1);
    EXPECT_GT(distance(reference::sum(factor_of(param.mass_normalization, false), of.matrix(x, false), 0, b), b), 0.1);
    for (const char *words : {"WARNING: BiCGstab: 200 iterations, 0 of 1 right-hand sides converged",
                              "the limit of iterations was reached"})
      EXPECT_TRUE(output.says(words)) << words << ": " << output.text();
  }
  param.verbosity = QUDA_SILENT;
  param.inv_type = QUDA_CG_INVERTER;
  std::vector<double> source = to_host(of, b, true), x(source.size(), NAN);
  invertQuda(x.data(), source.data(), &param);
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_TRUE(handler.says("not Hermitian")) << handler.text();
}

/// Quark fields and sources in four dimensions: with the projectors of the reference, in a basis that is not the
/// library's.
TEST(DomainWall, SurfacesAndSources)
{
  Session session;
  const Case on({2, 4, 4, 4});
  constexpr auto basis = reference::Basis::ukqcd;
  const reference::SpinMatrix one = reference::SpinMatrix::Identity(), g5 = reference::gamma5(basis);
  const reference::SpinMatrix plus = (one + g5) / 2, minus = (one - g5) / 2;
  const auto projected = [](const reference::SpinMatrix &a, const Spinors &x, const reference::SpinMatrix &b,
                            const Spinors &y) {
    Spinors sum(x.size());
    for (std::size_t i = 0; i < x.size(); i++) sum[i] = a * x[i] + b * y[i];
    return sum;
  };
  for (const Kind &kind : {kinds[0], kinds[1]}) {
    SCOPED_TRACE(kind.name);
    const DomainWall of = kind.expected(on.links);
    QudaInvertParam param = on.parameters(kind);
    param.gamma_basis = QUDA_UKQCD_GAMMA_BASIS;
    const int Ls = kind.Ls;
    const Slices psi = on.source(Ls);
    std::vector<double> fifth = to_host(of, psi, true), four(24 * on.links.lattice.volume(), NAN);
    for (const int midpoint : {0, 1}) {
      domainWallQuarkQuda(four.data(), fifth.data(), midpoint, &param);
      EXPECT_LE(reference::deviation(reference::from_host<double>(four, true),
                                     midpoint ? projected(plus, psi[Ls / 2 - 1], minus, psi[Ls / 2])
                                              : projected(plus, psi[Ls - 1], minus, psi[0])),
                1e-14);
    }
    const Spinors eta = reference::random_spinors(on.links.lattice, 90), zero(eta.size(), reference::Spinor::Zero());
    Slices expected(Ls, zero);
    expected[0] = projected(plus, eta, minus, zero);
    expected[Ls - 1] = projected(minus, eta, plus, zero);
    four = reference::to_host<double>(eta, on.links.lattice, reference::Part(on.links.lattice));
    domainWallSourceQuda(fifth.data(), four.data(), &param);
    EXPECT_LE(deviation(from_host(of, fifth, true), expected), 1e-14);
  }
}

TEST(DomainWall, WhatIsRefused)
{
  Handler handler;
  Session session;
  const Case on({4, 4, 4, 4});
  std::vector<double> b(24 * 256 * 8, 1), x(b.size(), NAN);
  const auto refused = [&](const Kind &kind, const std::function<void(QudaInvertParam &)> &spoil,
                           std::initializer_list<const char *> words) {
    QudaInvertParam param = on.parameters(kind);
    spoil(param);
    handler.forget();
    MatQuda(x.data(), b.data(), &param);
    EXPECT_EQ(handler.calls(), 1);
    for (const char *word : words) EXPECT_TRUE(handler.says(word)) << word << ": " << handler.text();
    EXPECT_TRUE(handler.says("MatQuda")) << handler.text();
  };
  using P = QudaInvertParam;
  refused(kinds[0], [](P &p) { p.Ls = 5; }, {"Ls = 5", "even"});
  refused(kinds[1], [](P &p) { p.Ls = 0; }, {"Ls = 0"});
  refused(kinds[1], [](P &p) { p.Ls = 33; }, {"Ls = 33"});
  refused(kinds[1], [](P &p) { p.m5 = NAN; }, {"m5"});
  refused(kinds[1], [](P &p) { p.m5 = -5; }, {"m5 = -5"});
  refused(kinds[1], [](P &p) { p.mass = newQudaInvertParam().mass; }, {"mass"});
  refused(kinds[2], [](P &p) { p.b_5[3] = INFINITY; }, {"b_5"});
  refused(kinds[2], [](P &p) { p.c_5[4] = newQudaInvertParam().c_5[4]; }, {"c_5"});
  refused(kinds[2], [](P &p) { p.b_5[1] = -1 / (4 + p.m5); }, {"b_5[1]", "m5"});
  refused(kinds[5], [](P &p) { p.b_5[2] = 1.75; }, {"b_5[2] = 1.75"});
  refused(kinds[5], [](P &p) { p.mq2 = NAN; }, {"mq2"});
  refused(kinds[5], [](P &p) { p.eofa_shift = newQudaInvertParam().eofa_shift; }, {"eofa_shift"});
  const auto no_surface = [&](const Kind &kind, void *four, int midpoint, const char *word) {
    QudaInvertParam param = on.parameters(kind);
    handler.forget();
    domainWallQuarkQuda(four, b.data(), midpoint, &param);
    EXPECT_TRUE(handler.says(word) && handler.says("domainWallQuarkQuda")) << handler.text();
  };
  no_surface(kinds[2], x.data(), 1, "Ls = 5");
  no_surface(kinds[1], x.data(), 2, "midpoint = 2");
  no_surface(kinds[1], nullptr, 0, "h_quark = null");
  no_surface({"Wilson", QUDA_WILSON_DSLASH, 4}, x.data(), 0, "QUDA_WILSON_DSLASH");
  QudaInvertParam param = on.parameters(kinds[1]);
  handler.forget();
  domainWallSourceQuda(nullptr, x.data(), &param);
  EXPECT_TRUE(handler.says("domainWallSourceQuda: h_fifth = null")) << handler.text();
  refused(kinds[5], [](P &p) { p.b_5[0] = p.b_5[1] = p.b_5[2] = p.b_5[3] = -2; }, {"b_5[0] = -2", "c_5"});
}

} // namespace
