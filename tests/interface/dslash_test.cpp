/// The Wilson operators through the C interface, against the plain reference.

#include "operators.h"

#include <gtest/gtest.h>

namespace
{

using reference::Spinors;
using test::Handler;
using test::HostLinks;
using test::Session;
using test::Storage;

constexpr double kappa = 0.1234;

/// One lattice with its links loaded, and what the reference makes of it.
struct Case {
  reference::Lattice lattice;
  reference::GaugeField links;
  Spinors source;

  Case(const reference::Coords &X, const Storage &storage)
      : lattice(X)
      , links(reference::random_gauge(lattice, 41))
      , source(reference::random_spinors(lattice, 42))
  {
    reference::set_up_links(links, storage.anisotropy, storage.t_boundary);
    if (storage.precision == QUDA_SINGLE_PRECISION) {
      links = reference::rounded_to_single(links);
      source = reference::rounded_to_single(source);
    } else if (storage.precision == QUDA_HALF_PRECISION) {
      links = reference::rounded_to_half(links);
      source = reference::rounded_to_half(source);
    }
    test::load_links(links, storage);
    if (storage.reconstruct == QUDA_RECONSTRUCT_12)
      links = reference::reconstructed_12(links, storage.anisotropy, storage.t_boundary);
  }
};

/// A call's result as the reference has spinors. parity: -1 for both.
template <class real, class Call>
Spinors result_of(const Case &on, const Spinors &source, int parity_in, int parity_out, const Call &call)
{
  auto in = reference::to_host<real>(source, on.lattice, reference::Part(on.lattice), parity_in);
  const auto before = in;
  std::vector<real> out((parity_out < 0 ? 24 : 12) * on.lattice.volume(), NAN);
  call(out.data(), in.data());
  EXPECT_TRUE(test::same_bits(in, before)) << "the input was changed";
  return reference::from_host<real>(out, parity_out < 0);
}

test::PlainOperator plain(const reference::Wilson &wilson)
{
  using test::Fields;
  return {kappa, [&](const Fields &psi, bool dagger) { return Fields {wilson.matrix(psi[0], kappa, dagger)}; },
          [&](int parity, bool, const Fields &half, bool dagger) {
            return Fields {wilson.matrix_pc(parity, half[0], kappa, dagger)};
          },
          [&](int parity, bool, const Fields &other, bool dagger) {
            return Fields {wilson.hop_to(parity, other[0], dagger)};
          }};
}

double allowed(QudaPrecision precision)
{
  return precision == QUDA_DOUBLE_PRECISION ? 1e-12 : precision == QUDA_SINGLE_PRECISION ? 5e-6 : 3e-4;
}

using Dslash = test::Begun;

TEST_F(Dslash, HopAsTheReference)
{
  for (const reference::Coords &X : {reference::Coords {2, 4, 6, 8}, reference::Coords {6, 6, 6, 6}})
    for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION})
      for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12}) {
        Storage storage {QUDA_DOUBLE_PRECISION, precision, reconstruct, QUDA_QDP_GAUGE_ORDER, 2.464, -1};
        const Case on(X, storage);
        const reference::Wilson wilson(on.links);
        for (const int parity : {0, 1})
          for (const bool dagger : {false, true}) {
            QudaInvertParam param = test::wilson_param(precision);
            param.cpu_prec = QUDA_DOUBLE_PRECISION;
            param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
            const Spinors found = result_of<double>(on, on.source, 1 - parity, parity, [&](double *out, double *in) {
              dslashQuda(out, in, &param, parity ? QUDA_ODD_PARITY : QUDA_EVEN_PARITY);
            });
            const Spinors expected = wilson.hop_to(parity, reference::half_of(on.source, 1 - parity), dagger);
            EXPECT_LE(reference::deviation(found, expected), allowed(precision))
                << X[0] << " precision " << precision << " recon " << reconstruct << " parity " << parity << dagger;
            EXPECT_GT(param.secs, 0);
            EXPECT_DOUBLE_EQ(param.gflops, 1e-9 * 1320 * static_cast<double>(on.lattice.half()));
          }
      }
}

/// On the second lattice in double precision alone.
TEST_F(Dslash, MatricesAsTheReference)
{
  for (const reference::Coords &X : {reference::Coords {4, 4, 4, 10}, {4, 4, 4, 6}})
    for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION}) {
      if (X[3] == 6 && precision != QUDA_DOUBLE_PRECISION) continue;
      Storage storage;
      storage.precision = precision;
      const Case on(X, storage);
      const reference::Wilson wilson(on.links);
      QudaInvertParam param = test::wilson_param(precision, kappa);
      param.cpu_prec = QUDA_DOUBLE_PRECISION;
      expect_operator(plain(wilson), param, {on.source}, allowed(precision),
                      precision == QUDA_DOUBLE_PRECISION ? 1e-12 : 0);
      const auto flops = static_cast<double>((1320 + 48) * on.lattice.volume());
      std::vector<double> in(24 * on.lattice.volume(), 1), out(in);
      for (const QudaDagType dagger : {QUDA_DAG_NO, QUDA_DAG_YES})
        for (const QudaMassNormalization normalisation : test::all_normalisations)
          for (const QudaSolutionType solution : {QUDA_MAT_SOLUTION, QUDA_MATDAG_MAT_SOLUTION}) {
            param.dagger = dagger;
            param.mass_normalization = normalisation;
            param.solution_type = solution;
            MatQuda(out.data(), in.data(), &param);
            EXPECT_DOUBLE_EQ(param.gflops, 1e-9 * flops);
            MatDagMatQuda(out.data(), in.data(), &param);
            EXPECT_DOUBLE_EQ(param.gflops, 2e-9 * flops);
          }
    }
}

/// Several fields at once are what they are one by one, to the bit.
TEST_F(Dslash, SeveralSources)
{
  for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION}) {
    Storage storage;
    storage.precision = precision;
    const Case on({4, 4, 4, 6}, storage);
    QudaInvertParam param = test::wilson_param(precision);
    param.cpu_prec = QUDA_DOUBLE_PRECISION;
    std::vector<test::Fields> halves;
    for (int n = 0; n < 5; n++)
      halves.push_back({reference::half_of(reference::random_spinors(on.lattice, 60 + n), 0)});
    test::expect_several_sources({}, param, halves);

    param.num_src = 5;
    std::vector<double> field(24 * on.lattice.half());
    std::vector<void *> ins(5, field.data()), outs(ins);
    const auto refused = [&](const char *words) {
      dslashMultiSrcQuda(outs.data(), ins.data(), &param, QUDA_ODD_PARITY);
      EXPECT_EQ(handler.calls(), 1) << words;
      EXPECT_TRUE(handler.says(words)) << handler.text();
      handler.forget();
    };
    ins[3] = nullptr;
    refused("dslashMultiSrcQuda: _hp_in[3] = null");
    ins[3] = field.data();
    param.split_grid[2] = 2;
    refused("dslashMultiSrcQuda: QudaInvertParam.split_grid[2] = 2 on 1 rank in that direction; allowed: 1");
    param.split_grid[2] = 1;
    param.num_src = 129;
    refused("dslashMultiSrcQuda: QudaInvertParam.num_src = 129");
  }
}

/// The hop has no preconditioner, and the full matrix neither: matpc_type is not read.
TEST_F(Dslash, NeedsNoMatpcType)
{
  const Case on({4, 4, 6, 4}, {});
  QudaInvertParam param = test::wilson_param();
  const auto hop = [&](double *out, double *in) { dslashQuda(out, in, &param, QUDA_ODD_PARITY); };
  const auto matrix = [&](double *out, double *in) { MatQuda(out, in, &param); };
  const Spinors hopped = result_of<double>(on, on.source, 0, 1, hop);
  const Spinors multiplied = result_of<double>(on, on.source, -1, -1, matrix);
  param.matpc_type = newQudaInvertParam().matpc_type;
  EXPECT_EQ(reference::deviation(result_of<double>(on, on.source, 0, 1, hop), hopped), 0);
  EXPECT_EQ(reference::deviation(result_of<double>(on, on.source, -1, -1, matrix), multiplied), 0);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  param.solution_type = QUDA_MATPC_SOLUTION;
  std::vector<double> field(24 * on.lattice.half());
  MatQuda(field.data(), field.data(), &param);
  EXPECT_TRUE(handler.says("matpc_type = -2147483648 (unset)")) << handler.text();
}

TEST_F(Dslash, FourBases)
{
  const Case on({4, 4, 6, 4}, {});
  for (const reference::Basis basis : reference::all_bases) {
    const reference::Wilson wilson(on.links, basis);
    QudaInvertParam param = test::wilson_param(QUDA_DOUBLE_PRECISION, kappa);
    param.gamma_basis = static_cast<QudaGammaBasis>(basis);
    const Spinors hop = result_of<double>(
        on, on.source, 1, 0, [&](double *out, double *in) { dslashQuda(out, in, &param, QUDA_EVEN_PARITY); });
    EXPECT_LE(reference::deviation(hop, wilson.hop_to(0, reference::half_of(on.source, 1))), 1e-12)
        << static_cast<int>(basis);
    const Spinors matrix =
        result_of<double>(on, on.source, -1, -1, [&](double *out, double *in) { MatQuda(out, in, &param); });
    EXPECT_LE(reference::deviation(matrix, wilson.matrix(on.source, kappa)), 1e-12) << static_cast<int>(basis);
  }
}

TEST_F(Dslash, HostFieldsInSinglePrecision)
{
  const Case on({4, 4, 4, 4}, {});
  const Spinors source = reference::rounded_to_single(on.source);
  QudaInvertParam param = test::wilson_param();
  param.cpu_prec = QUDA_SINGLE_PRECISION;
  const Spinors found =
      result_of<float>(on, source, 0, 1, [&](float *out, float *in) { dslashQuda(out, in, &param, QUDA_ODD_PARITY); });
  // computed in double, rounded once
  const Spinors expected =
      reference::rounded_to_single(reference::Wilson(on.links).hop_to(1, reference::half_of(source, 0)));
  EXPECT_LE(reference::deviation(found, expected), 3e-7);
}

/// What a call does not read may be anything.
TEST_F(Dslash, UnreadParametersAreNotChecked)
{
  const Case on({4, 4, 4, 4}, {});
  QudaInvertParam param = test::wilson_param();
  param.kappa = NAN;
  param.mass_normalization = QUDA_INVALID_NORMALIZATION;
  param.solution_type = QUDA_INVALID_SOLUTION;
  param.inv_type = QUDA_INVALID_INVERTER;
  result_of<double>(on, on.source, 1, 0,
                    [&](double *out, double *in) { dslashQuda(out, in, &param, QUDA_EVEN_PARITY); });
}

TEST_F(Dslash, ParametersArePrintedWhenAskedFor)
{
  const Case on({4, 4, 4, 4}, {});
  QudaInvertParam param = test::wilson_param();
  std::vector<double> in(12 * on.lattice.volume()), out(in.size());
  {
    test::Output output(QUDA_VERBOSE);
    dslashQuda(out.data(), in.data(), &param, QUDA_EVEN_PARITY);
    EXPECT_FALSE(output.says("kappa = ")) << output.text();
    param.verbosity = QUDA_DEBUG_VERBOSE;
    dslashQuda(out.data(), in.data(), &param, QUDA_EVEN_PARITY);
    EXPECT_TRUE(output.says("kappa = ")) << output.text();
    param.verbosity = QUDA_SILENT;
  }
  {
    test::Output output(QUDA_DEBUG_VERBOSE);
    dslashQuda(out.data(), in.data(), &param, QUDA_EVEN_PARITY);
    EXPECT_FALSE(output.says("kappa = ")) << output.text();
    const Case again({4, 4, 4, 4}, {});
    EXPECT_TRUE(output.says("gauge_order = ")) << output.text();
  }
}

TEST_F(Dslash, InPlaceOnTheHost)
{
  const Case on({4, 4, 4, 4}, {});
  QudaInvertParam param = test::wilson_param(QUDA_DOUBLE_PRECISION, kappa);
  auto field = reference::to_host<double>(on.source, on.lattice, reference::Part(on.lattice));
  MatQuda(field.data(), field.data(), &param);
  const Spinors expected = reference::Wilson(on.links).matrix(on.source, kappa);
  EXPECT_LE(reference::deviation(reference::from_host<double>(field, true), expected), 1e-12);
}

} // namespace
