/// Systems with several shifts through the C interface, judged by the plain reference: kinds of system, precisions,
/// ends that a host can read, and what is refused.

#include "files/gauge_file.h"
#include "reference/test_data.h"
#include "solves.h"

#include <gtest/gtest.h>

#include <complex>
#include <filesystem>

namespace
{

using namespace test;

constexpr int shifts = 10;

QudaInvertParam shift_param(QudaSolutionType solution = QUDA_MATPCDAG_MATPC_SOLUTION,
                            QudaPrecision sloppy = QUDA_DOUBLE_PRECISION)
{
  const bool pc = solution == QUDA_MATPCDAG_MATPC_SOLUTION;
  QudaInvertParam param =
      solve_param(QUDA_CG_INVERTER, solution, pc ? QUDA_NORMOP_PC_SOLVE : QUDA_NORMOP_SOLVE, sloppy);
  param.cuda_prec_refinement_sloppy = sloppy;
  param.num_offset = shifts;
  for (int k = 0; k < shifts; k++) {
    param.offset[k] = 1e-3 * std::pow(2.2, k);
    param.tol_offset[k] = tol;
    param.residue[k] = 1.0 / (k + 1);
  }
  param.tol = std::nan(""); // not read
  return param;
}

/// |b - (A + s) x| / |b|.
double shifted_residual(const Case &on, const Spinors &x, const Spinors &b, double shift, const QudaInvertParam &param)
{
  Spinors r = on.applied(x, param);
  for (std::size_t i = 0; i < r.size(); i++) r[i] = b[i] - r[i] - shift * x[i];
  return norm(r) / norm(b);
}

struct Arrays {
  std::vector<double> b;
  std::vector<std::vector<double>> x;
  std::vector<void *> pointers;

  Arrays(const Case &on, const Spinors &source, const QudaInvertParam &param)
  {
    const bool full = source.size() == on.lattice.volume();
    const int parity = full ? -1 : param.matpc_type % 2;
    Spinors whole = source;
    if (!full) {
      whole.assign(on.lattice.volume(), reference::Spinor::Zero());
      std::copy(source.begin(), source.end(), whole.begin() + static_cast<std::ptrdiff_t>(parity * on.lattice.half()));
    }
    b = on.host(whole, parity);
    x.assign(static_cast<std::size_t>(param.num_offset), std::vector<double>(b.size(), std::nan("")));
    for (auto &one : x) pointers.push_back(one.data());
  }
  Spinors solution(int k, bool full) const
  {
    return reference::from_host<double>(x[static_cast<std::size_t>(k)], full);
  }
};

TEST(MultiShift, KindsOfSystemAndPrecisions)
{
  Session session;
  const Case on;
  for (const QudaSolutionType solution : {QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_MATDAG_MAT_SOLUTION})
    for (const QudaPrecision sloppy : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION})
      for (const bool dagger : {false, true}) {
        SCOPED_TRACE(testing::Message() << "solution " << solution << ", sloppy " << sloppy
                                        << (dagger ? ", dagger" : ""));
        QudaInvertParam param = shift_param(solution, sloppy);
        param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
        if (dagger) param.matpc_type = QUDA_MATPC_ODD_ODD;
        if (dagger) param.mass_normalization = QUDA_MASS_NORMALIZATION;
        const bool full = solution == QUDA_MATDAG_MAT_SOLUTION;
        const double n = dagger ? std::pow(2 * kappa, full ? 2 : 4) : 1;
        const Spinors b = source_for(on, param, 7);
        Arrays host(on, b, param);
        param.compute_action = 1;
        invertMultiShiftQuda(host.pointers.data(), host.b.data(), &param);
        std::complex<double> action = 0;
        for (int k = 0; k < shifts; k++) {
          const Spinors x = host.solution(k, full);
          const double is = shifted_residual(on, x, reference::scaled(b, n), n * param.offset[k], param);
          EXPECT_LT(is, 1.01 * tol) << k;
          EXPECT_NEAR(param.true_res_offset[k], is, 1e-3 * is + 1e-14) << k;
          EXPECT_GT(param.iter_res_offset[k], 0) << k;
          EXPECT_EQ(param.true_res_hq_offset[k], 0) << k;
          for (std::size_t i = 0; i < b.size(); i++)
            for (int s = 0; s < 4; s++)
              for (int c = 0; c < 3; c++) action += param.residue[k] * n * std::conj(b[i](s, c)) * x[i](s, c);
        }
        EXPECT_NEAR(param.action[0], action.real(), 1e-9 * std::abs(action));
        EXPECT_NEAR(param.action[1], action.imag(), 1e-9 * std::abs(action));
        EXPECT_LT(param.iter, param.maxiter);
        EXPECT_GT(param.secs, 0);
        EXPECT_GT(param.gflops, 0);
      }
}

/// On 8 8 8 8: each as asked, from the Krylov space of the smallest shift alone.
TEST(MultiShift, TenShiftsOnASampleLattice)
{
  const std::string path = reference::test_data("lat.sample.l8888");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path << " (QUDA_TEST_DATA)";
  Session session;
  const quda_files::GaugeFile file = quda_files::inspect(path);
  const Case on(reference::from_qdp<double>(reference::Lattice(file.dims), quda_files::read_gauge(file)));
  QudaInvertParam param = shift_param();
  param.kappa = 0.1515;
  const Spinors b = source_for(on, param, 5);
  Arrays host(on, b, param);
  invertMultiShiftQuda(host.pointers.data(), host.b.data(), &param);
  for (int k = 0; k < shifts; k++) {
    EXPECT_LT(shifted_residual(on, host.solution(k, false), b, param.offset[k], param), 1.01 * tol) << k;
    EXPECT_LT(param.true_res_offset[k], tol);
  }
  for (const int k : {0, 4}) {
    QudaInvertParam one = param;
    one.num_offset = 1;
    one.offset[0] = param.offset[k];
    Arrays alone(on, b, one);
    invertMultiShiftQuda(alone.pointers.data(), alone.b.data(), &one);
    EXPECT_LE(reference::deviation(alone.solution(0, false), host.solution(k, false)), 1e-9) << k;
    if (k == 0) {
      EXPECT_EQ(one.iter, param.iter);
    }
    std::printf("shift %g by itself: %d iterations; ten shifts: %d\n", one.offset[0], one.iter, param.iter);
  }
}

TEST(MultiShift, SeveralSources)
{
  Session session;
  const Case on;
  constexpr int sources = 3;
  QudaInvertParam param = shift_param(QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_SINGLE_PRECISION);
  param.num_src = sources;
  std::vector<Arrays> host;
  std::vector<void *> x, b;
  for (unsigned j = 0; j < sources; j++) {
    host.emplace_back(on, source_for(on, param, 30 + j), param);
    for (auto &one : host.back().x) x.push_back(one.data());
    b.push_back(host.back().b.data());
  }
  param.compute_action = 1;
  invertMultiSrcMultiShiftQuda(x.data(), b.data(), &param);
  EXPECT_LT(param.iter, param.maxiter);
  std::complex<double> action = 0; // of the first source
  for (int k = 0; k < shifts; k++)
    for (std::size_t i = 0; i < host[0].b.size(); i += 2)
      action += param.residue[k] * std::conj(std::complex<double>(host[0].b[i], host[0].b[i + 1])) *
                std::complex<double>(host[0].x[k][i], host[0].x[k][i + 1]);
  EXPECT_NEAR(param.action[0], action.real(), 1e-9 * std::abs(action));
  EXPECT_NEAR(param.action[1], action.imag(), 1e-9 * std::abs(action));
  for (unsigned j = 0; j < sources; j++)
    for (int k = 0; k < shifts; k++)
      EXPECT_LT(shifted_residual(on, host[j].solution(k, false), source_for(on, param, 30 + j), param.offset[k], param),
                1.01 * tol)
          << "source " << j << ", shift " << k;
  for (int k = 0; k < shifts; k++) EXPECT_LT(param.true_res_offset[k], tol);
}

TEST(MultiShift, EndsThatAHostCanRead)
{
  Session session;
  const Case on;
  QudaInvertParam param = shift_param();
  const Spinors b = source_for(on, param, 7), none = reference::scaled(b, 0);
  {
    Arrays host(on, none, param);
    param.verbosity = QUDA_SUMMARIZE;
    Output output;
    invertMultiShiftQuda(host.pointers.data(), host.b.data(), &param);
    EXPECT_EQ(norm(host.solution(3, false)), 0);
    EXPECT_EQ(param.true_res_offset[3], 0);
    EXPECT_LT(param.iter, param.maxiter);
    EXPECT_TRUE(output.says("source 0 is zero")) << output.text();
  }
  param = shift_param();
  param.maxiter = 1;
  Arrays host(on, b, param);
  invertMultiShiftQuda(host.pointers.data(), host.b.data(), &param);
  EXPECT_GE(param.iter, param.maxiter);
  EXPECT_GT(param.true_res_offset[0], tol);

  param = shift_param(QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_SINGLE_PRECISION);
  param.compute_true_res = 0;
  for (double &one : param.tol_offset) one = 1e-5;
  invertMultiShiftQuda(host.pointers.data(), host.b.data(), &param);
  EXPECT_LT(param.iter, param.maxiter);
  for (int k = 0; k < shifts; k++) {
    EXPECT_EQ(param.true_res_offset[k], 0);
    EXPECT_LT(param.iter_res_offset[k], 1e-5);
    EXPECT_LT(shifted_residual(on, host.solution(k, false), b, param.offset[k], param), 1.2e-5);
  }

  param = shift_param();
  param.residual_type = static_cast<QudaResidualType>(QUDA_L2_RELATIVE_RESIDUAL | QUDA_HEAVY_QUARK_RESIDUAL);
  for (double &one : param.tol_hq_offset) one = 1e-9;
  invertMultiShiftQuda(host.pointers.data(), host.b.data(), &param);
  for (int k = 0; k < shifts; k++) {
    EXPECT_GT(param.true_res_hq_offset[k], 0);
    EXPECT_LT(param.true_res_hq_offset[k], 1e-9);
  }

  // kept in the library, the host's arrays are left alone
  const auto before = host.x;
  param = shift_param();
  param.make_resident_solution = 1;
  invertMultiShiftQuda(host.pointers.data(), host.b.data(), &param);
  for (int k = 0; k < shifts; k++) EXPECT_TRUE(same_bits(host.x[k], before[k]));
}

TEST(MultiShift, WhatCannotBeIsRefusedByName)
{
  Handler handler;
  Session session;
  const Case on;
  const QudaInvertParam good = shift_param();
  Arrays host(on, source_for(on, good, 7), good);
  const auto refused = [&](const std::function<void(QudaInvertParam &)> &spoil, std::vector<std::string> words) {
    QudaInvertParam param = good;
    spoil(param);
    handler.forget();
    invertMultiShiftQuda(host.pointers.data(), host.b.data(), &param);
    EXPECT_EQ(handler.calls(), 1);
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT) << handler.text();
    words.push_back("invertMultiShiftQuda");
    for (const std::string &word : words)
      EXPECT_TRUE(handler.says(word)) << word << " is missing in " << handler.text();
    for (const auto &one : host.x) EXPECT_TRUE(std::isnan(one[0])) << "written";
  };
  refused([](auto &p) { p.num_offset = 0; }, {"num_offset = 0", "1 to 32"});
  refused([](auto &p) { p.num_offset = QUDA_MAX_MULTI_SHIFT + 1; }, {"num_offset = 33"});
  refused([](auto &p) { p.num_offset = -1; }, {"num_offset = -1"});
  refused([](auto &p) { p.offset[3] = -0.25; }, {"offset[3] = -0.25", "0 or more"});
  refused([](auto &p) { p.offset[3] = std::nan(""); }, {"offset", "nan"});
  refused([](auto &p) { p.tol_offset[9] = -1; }, {"tol_offset", "-1"});
  refused([](auto &p) { p.inv_type = QUDA_BICGSTAB_INVERTER; }, {"inv_type", "QUDA_BICGSTAB_INVERTER"});
  refused([](auto &p) { p.solution_type = QUDA_MATPC_SOLUTION; }, {"solution_type", "QUDA_MATPC_SOLUTION"});
  refused([](auto &p) { p.solve_type = QUDA_DIRECT_PC_SOLVE; }, {"solve_type", "QUDA_DIRECT_PC_SOLVE"});
  refused([](auto &p) { p.solve_type = QUDA_NORMOP_SOLVE; }, {"solve_type", "QUDA_NORMOP_PC_SOLVE"});
  refused([](auto &p) { p.cuda_prec = QUDA_SINGLE_PRECISION; }, {"cuda_prec"});
  refused([](auto &p) { p.maxiter = -1; }, {"maxiter = -1"});
  refused([](auto &p) { p.residue[1] = INFINITY, p.compute_action = 1; }, {"residue"});
  void *const third = host.pointers[2];
  host.pointers[2] = nullptr;
  refused([](auto &) {}, {"_hp_x[2] = null"});
  host.pointers[2] = third;
  host.b[11] = std::nan("");
  refused([](auto &) {}, {"_hp_b", "NaN"});
  handler.forget();
  QudaInvertParam param = good;
  invertMultiShiftQuda(host.pointers.data(), nullptr, &param);
  EXPECT_TRUE(handler.says("_hp_b = null")) << handler.text();
  handler.forget();
  invertMultiShiftQuda(nullptr, host.b.data(), &param);
  EXPECT_TRUE(handler.says("_hp_x = null")) << handler.text();
  handler.forget();
  invertMultiShiftQuda(host.pointers.data(), host.b.data(), nullptr);
  EXPECT_TRUE(handler.says("QudaInvertParam")) << handler.text();
  freeGaugeQuda();
  refused([](auto &) {}, {"loadGaugeQuda"});
}

} // namespace
