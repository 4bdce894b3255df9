/// eigensolveQuda on the host's fields, against the plain reference: pairs of every form of the matrix, singular
/// vectors, vectors left out, smeared links, ends without convergence.

#include "eigen_call.h"

#include <complex>

#include "core/environment_support.h"
#include "reference/dirac/gamma.h"
#include "reference/dirac/staggered.h"

namespace
{

using namespace test;
using reference::Complex;
using reference::Coords;

/// Launches are not tuned: fields are small, and results never depend on it.
class Eigensolve : public ::testing::Test
{
private:
  Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
  Session session_;
};

Case small_case() { return Case(reference::random_gauge(reference::Lattice({2, 2, 2, 4}), 17)); }

Spinors times(Spinors psi, Complex factor)
{
  for (reference::Spinor &s : psi) s *= factor;
  return psi;
}

double distance(const Spinors &a, const Spinors &b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); i++) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum);
}

enum class Form { itself, adjoint, normal, normal_error, gamma5 };

/// What the parameters ask for, by the reference.
Spinors applied(const Case &on, const Spinors &v, Form form, int parity)
{
  const auto M = [&](const Spinors &in, bool dagger) {
    return parity < 0 ? on.wilson.matrix(in, kappa, dagger) : on.wilson.matrix_pc(parity, in, kappa, dagger);
  };
  switch (form) {
  case Form::itself:
    return M(v, false);
  case Form::adjoint:
    return M(v, true);
  case Form::normal:
    return M(M(v, false), true);
  case Form::normal_error:
    return M(M(v, true), false);
  case Form::gamma5:
    return reference::applied(reference::gamma5(reference::Basis::degrand_rossi), M(v, false));
  }
  return {};
}

void set(EigenCall &call, Form form, int parity)
{
  const auto flag = [](bool yes) { return yes ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE; };
  call.param.use_norm_op = flag(form == Form::normal || form == Form::normal_error);
  call.param.use_dagger = flag(form == Form::adjoint || form == Form::normal_error);
  call.param.compute_gamma5 = flag(form == Form::gamma5);
  call.param.use_pc = flag(parity >= 0);
  call.invert.matpc_type = parity == 1 ? QUDA_MATPC_ODD_ODD : QUDA_MATPC_EVEN_EVEN;
}

} // namespace

TEST_F(Eigensolve, GivesPairsOfEveryFormOfTheMatrix)
{
  const Case on = small_case();
  for (const int parity : {-1, 0, 1})
    for (const Form form : {Form::itself, Form::adjoint, Form::normal, Form::normal_error, Form::gamma5}) {
      SCOPED_TRACE(testing::Message() << "form " << static_cast<int>(form) << ", parity " << parity);
      EigenCall call;
      set(call, form, parity);
      const bool general = form == Form::itself || form == Form::adjoint;
      if (general) call.param.eig_type = QUDA_EIG_IR_ARNOLDI;
      if (general) call.param.spectrum = QUDA_SPECTRUM_LR_EIG;
      const std::size_t sites = parity < 0 ? on.lattice.volume() : on.lattice.half();
      call.run(24 * sites);
      std::vector<Spinors> vectors;
      for (int i = 0; i < 4; i++) {
        const Complex value = call.values[static_cast<std::size_t>(i)];
        vectors.push_back(reference::from_host<double>(call.vectors[static_cast<std::size_t>(i)], parity < 0));
        EXPECT_NEAR(norm(vectors.back()), 1, 1e-12);
        EXPECT_LE(distance(applied(on, vectors.back(), form, parity), times(vectors.back(), value)), 2e-10);
        if (i > 0) {
          const double before = call.values[static_cast<std::size_t>(i - 1)].real();
          EXPECT_LE(general ? value.real() : before, general ? before : value.real());
        }
        for (int j = 0; j < i && !general; j++)
          EXPECT_LE(std::abs(reference::inner_product(vectors[static_cast<std::size_t>(j)], vectors.back())), 1e-12);
      }
      EXPECT_GT(call.invert.gflops, 0);
      EXPECT_GT(call.invert.secs, 0);
    }
}

TEST_F(Eigensolve, SingularVectorsFitEachOther)
{
  const Case on = small_case();
  for (const int parity : {-1, 0}) {
    EigenCall call;
    set(call, Form::normal, parity);
    call.param.compute_svd = QUDA_BOOLEAN_TRUE;
    call.run(24 * (parity < 0 ? on.lattice.volume() : on.lattice.half()));
    for (std::size_t i = 0; i < 4; i++) {
      const Spinors right = reference::from_host<double>(call.vectors[i], parity < 0);
      const Spinors left = reference::from_host<double>(call.vectors[4 + i], parity < 0);
      EXPECT_GT(call.values[i].real(), 0);
      EXPECT_EQ(call.values[i].imag(), 0);
      EXPECT_NEAR(norm(left), 1, 1e-12);
      EXPECT_LE(distance(applied(on, right, Form::itself, parity), times(left, call.values[i])), 1e-12);
      EXPECT_LE(distance(applied(on, left, Form::adjoint, parity), times(right, call.values[i])), 1e-9);
    }
  }
}

TEST_F(Eigensolve, VectorsMayBeLeftOut)
{
  const Case on = small_case();
  const std::size_t reals = 24 * on.lattice.volume();
  EigenCall all, none, some;
  all.run(reals);
  none.run(reals, false);
  EXPECT_TRUE(same_bits(all.values, none.values));
  EXPECT_EQ(norm(reference::from_host<double>(none.vectors[0], true)), 0);
  some.param.invert_param = &some.invert;
  some.values.resize(4);
  std::vector<double> third(reals);
  void *pointers[4] = {nullptr, nullptr, third.data(), nullptr};
  eigensolveQuda(pointers, reinterpret_cast<double _Complex *>(some.values.data()), &some.param);
  EXPECT_TRUE(same_bits(some.values, all.values));
  EXPECT_TRUE(same_bits(third, all.vectors[2]));
}

TEST_F(Eigensolve, TheWindowThatWasFoundIsToldAndGivesTheSame)
{
  const Case on = small_case();
  EigenCall plain, with;
  plain.run(24 * on.lattice.volume());
  with.param.use_poly_acc = QUDA_BOOLEAN_TRUE;
  with.param.poly_deg = 10;
  with.run(24 * on.lattice.volume());
  EXPECT_LE(largest_difference(std::vector<double> {plain.values[0].real(), plain.values[3].real()},
                               std::vector<double> {with.values[0].real(), with.values[3].real()}),
            1e-11);
  EXPECT_GT(with.param.a_max, with.values[3].real());
}

TEST_F(Eigensolve, TheFirstVectorIsWhereTheSearchStarts)
{
  const Case on = small_case();
  const std::size_t reals = 24 * on.lattice.volume();
  EigenCall first(1), second(1);
  first.run(reals);
  second.param.block_size = 1;
  second.param.max_restarts = 0;
  second.param.invert_param = &second.invert;
  second.values.resize(1);
  void *pointer = first.vectors[0].data();
  Handler handler;
  eigensolveQuda(&pointer, reinterpret_cast<double _Complex *>(second.values.data()), &second.param);
  EXPECT_NEAR(second.values[0].real(), first.values[0].real(), 1e-12);
}

TEST_F(Eigensolve, LowerPrecisionsAndHostsOfSinglePrecision)
{
  const Case on = small_case();
  EigenCall exact, lower;
  exact.run(24 * on.lattice.volume());
  for (const QudaPrecision precision : {QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION}) {
    lower.invert.cuda_prec_eigensolver = precision;
    lower.param.tol = 1e-4;
    lower.run(24 * on.lattice.volume());
    for (std::size_t i = 0; i < 4; i++) {
      EXPECT_NEAR(lower.values[i].real(), exact.values[i].real(), 1e-7);
      const double off = std::abs(norm(reference::from_host<double>(lower.vectors[i], true)) - 1);
      EXPECT_LE(off, 1e-6);
      EXPECT_GE(off, 1e-14); // it was in single precision
    }
  }
}

TEST_F(Eigensolve, LinksByEightNumbersAreReadByTwelve)
{
  const Case on = small_case();
  HostLinks<double> host(on.links, on.part, QUDA_QDP_GAUGE_ORDER);
  EigenCall by[2];
  for (const bool eight : {false, true}) {
    QudaGaugeParam gauge = gauge_param(on.part.local.X, {QUDA_DOUBLE_PRECISION, QUDA_DOUBLE_PRECISION,
                                                         QUDA_RECONSTRUCT_NO, QUDA_QDP_GAUGE_ORDER, 1, -1});
    gauge.reconstruct_eigensolver = eight ? QUDA_RECONSTRUCT_8 : QUDA_RECONSTRUCT_12;
    loadGaugeQuda(host.pointer(), &gauge);
    by[eight].invert.cuda_prec_eigensolver = QUDA_SINGLE_PRECISION;
    by[eight].param.tol = 1e-4;
    by[eight].run(24 * on.lattice.volume());
  }
  EXPECT_TRUE(same_bits(by[0].values, by[1].values));
}

TEST_F(Eigensolve, ColorVectorsOnSmearedLinks)
{
  const reference::Lattice lattice({2, 4, 2, 4});
  reference::GaugeField gauge = reference::random_gauge(lattice, 23, reference::Kind::weak);
  HostLinks<double> host(gauge, reference::Part(lattice), QUDA_QDP_GAUGE_ORDER), smeared = host;
  QudaGaugeParam links = gauge_param(lattice.X);
  loadGaugeQuda(host.pointer(), &links);
  QudaGaugeSmearParam stout = newQudaGaugeSmearParam();
  stout.smear_type = QUDA_GAUGE_SMEAR_STOUT;
  stout.n_steps = 2;
  stout.meas_interval = 2;
  stout.rho = 0.1;
  stout.dir_ignore = 3;
  QudaGaugeObservableParam observables[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
  performGaugeSmearQuda(&stout, observables);
  links.type = QUDA_SMEARED_LINKS;
  saveGaugeQuda(smeared.pointer(), &links);
  links.type = QUDA_WILSON_LINKS;
  const auto laplace = [&](EigenCall &call, int dimensions, bool on_smeared) {
    call.invert.dslash_type = QUDA_LAPLACE_DSLASH;
    call.invert.laplace3D = dimensions;
    call.invert.kappa = 0.125;
    call.param.use_norm_op = QUDA_BOOLEAN_FALSE;
    call.param.use_smeared_gauge = on_smeared;
    call.run(6 * lattice.volume());
  };
  for (const int dimensions : {3, 4}) {
    EigenCall on_smeared, on_loaded, on_thin;
    if (dimensions == 4) on_smeared.param.spectrum = QUDA_SPECTRUM_LR_EIG;
    laplace(on_smeared, dimensions, true);
    laplace(on_thin, dimensions, false);
    loadGaugeQuda(smeared.pointer(), &links);
    on_loaded.param.spectrum = on_smeared.param.spectrum;
    laplace(on_loaded, dimensions, false);
    EXPECT_TRUE(same_bits(on_smeared.values, on_loaded.values));
    EXPECT_GT(largest_difference(std::vector<double> {on_smeared.values[0].real()},
                                 std::vector<double> {on_thin.values[0].real()}),
              1e-6);
    // M v = v - kappa sum of neighbours
    const reference::GaugeField as_saved = reference::from_qdp(lattice, [&] {
      reference::QdpLinks<double> arrays;
      for (int mu = 0; mu < 4; mu++)
        arrays[mu].assign(smeared.direction(mu), smeared.direction(mu) + 18 * lattice.volume());
      return arrays;
    }());
    for (std::size_t i = 0; i < 4; i++) {
      reference::SpinVectors<1> v(lattice.volume());
      for (std::size_t slot = 0; slot < v.size(); slot++)
        for (int c = 0; c < 3; c++) {
          const std::size_t at = 6 * slot + 2 * static_cast<std::size_t>(c);
          v[slot](0, c) = {on_smeared.vectors[i][at], on_smeared.vectors[i][at + 1]};
        }
      const auto sum = reference::neighbours(as_saved, v, dimensions);
      double rest = 0, size = 0;
      for (std::size_t slot = 0; slot < v.size(); slot++) {
        rest += (v[slot] - 0.125 * sum[slot] - on_smeared.values[i] * v[slot]).squaredNorm();
        size += v[slot].squaredNorm();
      }
      EXPECT_NEAR(size, 1, 1e-12);
      EXPECT_LE(std::sqrt(rest), 1e-10) << "pair " << i << " in " << dimensions << " dimensions";
    }
    loadGaugeQuda(host.pointer(), &links);
  }
}

/// All slices at once, and each by itself as a lattice on which the links in time are zero.
TEST_F(Eigensolve, SlicesHaveTheirOwnPairs)
{
  const reference::Lattice lattice({4, 2, 2, 4});
  reference::GaugeField gauge = reference::random_gauge(lattice, 29);
  HostLinks<double> host(gauge, reference::Part(lattice), QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam links = gauge_param(lattice.X);
  loadGaugeQuda(host.pointer(), &links);
  EigenCall call;
  call.invert.dslash_type = QUDA_LAPLACE_DSLASH;
  call.invert.laplace3D = 3;
  call.invert.kappa = 1.0 / 6;
  call.param.eig_type = QUDA_EIG_TR_LANCZOS_3D;
  call.param.use_norm_op = QUDA_BOOLEAN_FALSE;
  call.param.ortho_dim = 3;
  call.param.ortho_dim_size_local = 4;
  call.param.invert_param = &call.invert;
  call.param.n_kr = 20;
  call.values.resize(16);
  std::vector<void *> pointers;
  call.vectors.assign(4, std::vector<double>(6 * lattice.volume()));
  for (std::vector<double> &v : call.vectors) pointers.push_back(v.data());
  eigensolveQuda(pointers.data(), reinterpret_cast<double _Complex *>(call.values.data()), &call.param);
  for (std::size_t i = 0; i < 4; i++) {
    reference::SpinVectors<1> v(lattice.volume());
    for (std::size_t slot = 0; slot < v.size(); slot++)
      for (int c = 0; c < 3; c++) {
        const std::size_t at = 6 * slot + 2 * static_cast<std::size_t>(c);
        v[slot](0, c) = {call.vectors[i][at], call.vectors[i][at + 1]};
      }
    const auto sum = reference::neighbours(gauge, v, 3);
    double size[4] = {}, rest[4] = {};
    for (std::size_t slot = 0; slot < v.size(); slot++) {
      const auto t = static_cast<std::size_t>(lattice.coords(slot)[3]);
      rest[t] += (v[slot] - sum[slot] / 6 - call.values[4 * t + i] * v[slot]).squaredNorm();
      size[t] += v[slot].squaredNorm();
    }
    for (std::size_t t = 0; t < 4; t++) {
      EXPECT_NEAR(size[t], 1, 1e-12);
      EXPECT_LE(std::sqrt(rest[t]), 1e-10) << "pair " << i << " of slice " << t;
      EXPECT_TRUE(i == 0 || call.values[4 * t + i - 1].real() <= call.values[4 * t + i].real());
    }
  }
}

/// As PyQUDA's users do: slice by slice, each a lattice of X[3] = 1, and all of them at once.
TEST_F(Eigensolve, ALatticeOfOneSlice)
{
  const reference::Lattice lattice({4, 2, 2, 4});
  const reference::GaugeField gauge = reference::random_gauge(lattice, 29);
  const std::size_t half = 4 * 2 * 2 / 2; // sites of one parity of a slice
  HostLinks<double> host(gauge, reference::Part(lattice), QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam links = gauge_param(lattice.X), of_slice = links;
  of_slice.X[3] = 1;
  const auto prepare = [&](EigenCall &call, QudaEigType type) {
    call.invert.dslash_type = QUDA_LAPLACE_DSLASH;
    call.invert.laplace3D = 3;
    call.invert.kappa = 1.0 / 6;
    call.param.eig_type = type;
    call.param.use_norm_op = QUDA_BOOLEAN_FALSE;
    call.param.ortho_dim = 3;
    call.param.n_kr = 20;
  };
  loadGaugeQuda(host.pointer(), &links);
  EigenCall all;
  prepare(all, QUDA_EIG_TR_LANCZOS_3D);
  std::vector<Complex> values(16);
  all.param.invert_param = &all.invert;
  eigensolveQuda(nullptr, reinterpret_cast<double _Complex *>(values.data()), &all.param);
  for (std::size_t t = 0; t < 4; t++) {
    // even sites of the slice, x + y + z even, then odd ones
    std::vector<double> slice[4];
    void *pointers[4];
    for (int mu = 0; mu < 4; mu++) {
      for (std::size_t odd = 0; odd < 2; odd++) {
        const double *const from = host.direction(mu) + 18 * (((t + odd) % 2) * lattice.half() + t * half);
        slice[mu].insert(slice[mu].end(), from, from + 18 * half);
      }
      pointers[mu] = slice[mu].data();
    }
    loadGaugeQuda(pointers, &of_slice);
    EXPECT_EQ(of_slice.X[3], 1);
    for (const QudaEigType type : {QUDA_EIG_TR_LANCZOS, QUDA_EIG_TR_LANCZOS_3D}) {
      EigenCall one;
      prepare(one, type);
      one.param.ortho_dim_size_local = 1;
      one.run(6 * 2 * half);
      for (std::size_t i = 0; i < 4; i++) {
        EXPECT_NEAR(one.values[i].real(), values[4 * t + i].real(), 1e-11) << "slice " << t << ", pair " << i;
        reference::SpinVectors<1> v(lattice.volume(), reference::SpinVector<1>::Zero());
        for (std::size_t k = 0; k < 2 * half; k++) {
          const std::size_t slot = (t + k / half) % 2 * lattice.half() + t * half + k % half;
          for (int c = 0; c < 3; c++) {
            const std::size_t at = 6 * k + 2 * static_cast<std::size_t>(c);
            v[slot](0, c) = {one.vectors[i][at], one.vectors[i][at + 1]};
          }
        }
        const auto sum = reference::neighbours(gauge, v, 3);
        double size = 0, rest = 0;
        for (std::size_t slot = 0; slot < v.size(); slot++) {
          rest += (v[slot] - sum[slot] / 6 - one.values[i] * v[slot]).squaredNorm();
          size += v[slot].squaredNorm();
        }
        EXPECT_NEAR(size, 1, 1e-12);
        EXPECT_LE(std::sqrt(rest), 1e-10);
        // M v = lambda v by the call that applies M, and its square
        double value = one.values[i].real();
        for (const auto apply : {MatQuda, MatDagMatQuda}) {
          std::vector<double> product(6 * 2 * half, NAN);
          apply(product.data(), one.vectors[i].data(), &one.invert);
          for (std::size_t k = 0; k < product.size(); k++)
            ASSERT_NEAR(product[k], value * one.vectors[i][k], 2e-10) << "pair " << i << ", number " << k;
          value *= value;
        }
      }
      EigenCall again(1); // from the vector that was found
      prepare(again, type);
      again.param.block_size = 1;
      again.param.max_restarts = 0;
      again.param.invert_param = &again.invert;
      again.values.resize(1);
      void *start = one.vectors[0].data();
      eigensolveQuda(&start, reinterpret_cast<double _Complex *>(again.values.data()), &again.param);
      EXPECT_NEAR(again.values[0].real(), one.values[0].real(), 1e-11);
    }
  }
  Handler handler;
  const auto refused = [&](const char *word) {
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_UNSUPPORTED);
    EXPECT_TRUE(handler.says("X[3] = 1") && handler.says(word)) << handler.text();
    handler.forget();
  };
  double plaquette[3];
  plaqQuda(plaquette);
  refused("plaqQuda");
  saveGaugeQuda(host.pointer(), &links);
  refused("saveGaugeQuda");
  EigenCall wrong;
  prepare(wrong, QUDA_EIG_BLK_TR_LANCZOS);
  wrong.param.block_size = 2;
  wrong.run(96);
  refused("eig_type");
  std::vector<double> in(24 * 2 * half), out(in.size());
  wrong.invert.laplace3D = 4;
  MatQuda(out.data(), in.data(), &wrong.invert);
  refused("MatQuda");
  wrong.invert.laplace3D = 3;
  wrong.invert.solution_type = QUDA_MATPC_SOLUTION;
  MatDagMatQuda(out.data(), in.data(), &wrong.invert);
  refused("MatDagMatQuda");
  wrong.invert.solution_type = QUDA_MAT_SOLUTION;
  wrong.invert.dslash_type = QUDA_WILSON_DSLASH;
  MatQuda(out.data(), in.data(), &wrong.invert);
  refused("MatQuda");
  of_slice.gauge_order = QUDA_MILC_GAUGE_ORDER;
  loadGaugeQuda(host.direction(0), &of_slice);
  refused("gauge_order");
  loadGaugeQuda(host.pointer(), &links); // as before
  plaqQuda(plaquette);
}

TEST_F(Eigensolve, StaggeredPairsAreThoseOfMAndOfItsSquare)
{
  const Case on = small_case();
  EigenCall square, itself;
  for (EigenCall *call : {&square, &itself}) {
    call->invert.dslash_type = QUDA_STAGGERED_DSLASH;
    call->invert.mass = 0.1;
    call->param.use_norm_op = QUDA_BOOLEAN_FALSE;
    call->param.n_kr = 18;
  }
  square.param.use_pc = QUDA_BOOLEAN_TRUE;
  square.run(6 * on.lattice.half());
  itself.param.eig_type = QUDA_EIG_IR_ARNOLDI;
  itself.param.spectrum = QUDA_SPECTRUM_SM_EIG; // 2 m +- i l, by |l|
  itself.param.n_kr = 40;
  itself.run(6 * on.lattice.volume());
  for (std::size_t i = 0; i < 4; i++) {
    EXPECT_NEAR(std::norm(itself.values[i]), square.values[i / 2].real(), 1e-10);
    EXPECT_NEAR(itself.values[i].real(), 0.2, 1e-10);
  }
}

TEST_F(Eigensolve, ItIsSaidWhatHasNotConverged)
{
  const Case on = small_case();
  Handler handler;
  EigenCall call;
  call.param.max_restarts = 1;
  call.param.n_kr = 12;
  call.run(24 * on.lattice.volume());
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_TRUE(handler.says("eigensolveQuda") && handler.says("max_restarts = 1") && handler.says("of 4 pairs"))
      << handler.text();
  EXPECT_TRUE(std::isnan(call.values[0].real()));
  handler.forget();
  call.param.require_convergence = QUDA_BOOLEAN_FALSE;
  Output output;
  call.run(24 * on.lattice.volume());
  EXPECT_FALSE(std::isnan(call.values[0].real()));
}

TEST_F(Eigensolve, ProgressIsTold)
{
  const Case on = small_case();
  EigenCall call;
  call.invert.verbosity = QUDA_VERBOSE;
  Output output;
  call.run(24 * on.lattice.volume());
  for (const char *words : {"TR-Lanczos: restart", "of 4 converged", "products", "eigenvalue    3", "MB on each rank"})
    EXPECT_TRUE(output.says(words)) << output.text();
}
