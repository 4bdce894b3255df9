/// Operator objects: what solvers may rely on, on every target.

#include "dirac_checks.h"

#include "reference/dirac/gamma.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/refused.h"
#include "targets/target.h"

using namespace quda;
using namespace dirac_test;

namespace
{

constexpr double kappa = 0.135, xi = 2.464;

/// A Wilson operator on links of random SU(3) matrices.
struct Case {
  explicit Case(const reference::Coords &shape, Precision precision = Precision::double_)
      : global(shape)
      , place(global, make_single_communicator())
      , gauge(prepared(global))
  {
    set.load(std::make_unique<GaugeField>(
        support::native_links(place, gauge, {Precision::double_, Reconstruct::none, xi, -1})));
    dirac = make_dirac(WilsonFermions {kappa}, set, {precision, Reconstruct::none});
  }
  static reference::GaugeField prepared(const reference::Lattice &lattice)
  {
    reference::GaugeField gauge = reference::random_gauge(lattice, 11);
    reference::set_up_links(gauge, xi, -1);
    return gauge;
  }

  reference::Lattice global;
  support::Place place;
  reference::GaugeField gauge;
  LinkSet set;
  std::unique_ptr<Dirac> dirac;
};

/// Every operator of a Dirac, and what is made of it.
template <class Body> void on_operators(const Dirac &dirac, const Body &body)
{
  std::vector<std::pair<std::string, std::unique_ptr<LinearOperator>>> operators;
  operators.emplace_back("full", dirac.full());
  for (const MatPC matpc : all_matpc)
    operators.emplace_back("schur " + std::to_string(static_cast<int>(matpc)), dirac.schur(matpc));
  for (const auto &[name, A] : operators) {
    const Normal normal(*A);
    const NormalError error(*A);
    const Adjoint adjoint(*A);
    const Shifted shifted(normal, 0.3), of_general(*A, -0.2);
    const std::pair<const char *, const LinearOperator *> made[] = {
        {"", A.get()},           {", normal", &normal},           {", normal error", &error},
        {", adjoint", &adjoint}, {", normal, shifted", &shifted}, {", shifted", &of_general}};
    for (const auto &[suffix, one] : made) {
      SCOPED_TRACE(name + suffix);
      body(*one);
    }
  }
}

} // namespace

TEST(Operators, AdjointsAndFactors)
{
  support::on_targets([] {
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const Case on({4, 4, 4, 6}, precision);
      on_operators(*on.dirac, [&](const LinearOperator &A) {
        expect_adjoint(A, on.place);
        if (A.factor().R) expect_factor(A, on.place);
      });
    }
  });
}

TEST(Operators, ProductsAndWhatIsDoneWithThem)
{
  const Case on({2, 4, 4, 4});
  const auto M = on.dirac->full(), Mpc = on.dirac->schur(MatPC::odd_odd);
  expect_epilogues(*M, on.place, 1);
  expect_epilogues(*Mpc, on.place, 3);
  expect_epilogues(Normal(*Mpc), on.place, 2);
  expect_epilogues(Adjoint(*Mpc), on.place, 1);
  const Normal normal(*M);
  expect_epilogues(Shifted(normal, 0.3), on.place, 2);
}

TEST(Operators, MadeOfOthersToTheBit)
{
  const Case on({2, 4, 6, 4});
  for (const bool pc : {false, true}) {
    const auto A = pc ? on.dirac->schur(MatPC::odd_odd) : on.dirac->full();
    const ColorSpinorField x = random_field(A->shape(2), on.place, 7);
    ColorSpinorField between(A->shape(2)), expected(A->shape(2)), got(A->shape(2));
    (*A)(between, x);
    (*A)(expected, between, true);
    Normal {*A}(got, x);
    EXPECT_EQ(deviation(got, expected), 0);
    (*A)(between, x, true);
    (*A)(expected, between);
    NormalError {*A}(got, x);
    EXPECT_EQ(deviation(got, expected), 0);
    Adjoint {*A}(got, x);
    EXPECT_EQ(deviation(got, between), 0);
    // symmetric and asymmetric Wilson forms are one
    if (!pc) continue;
    (*on.dirac->schur(MatPC::odd_odd_asymmetric))(got, x, true);
    EXPECT_EQ(deviation(got, between), 0);
  }
}

/// gamma5 M gamma5 = M^dag.
TEST(Operators, Gamma5)
{
  const Case on({4, 4, 4, 6});
  const auto times_gamma5 = [&](const ColorSpinorField &field) {
    const bool full = field.parities() == 2;
    reference::Spinors psi = reference::from_host<double>(support::host_array(field), full);
    for (auto &s : psi) s = (reference::gamma5(reference::Basis::degrand_rossi) * s).eval();
    ColorSpinorField turned(field.param());
    support::set_from_host(
        turned, full ? reference::to_host<double>(psi, on.global, on.place.part) : [&] {
          reference::Spinors all(on.global.volume(), reference::Spinor::Zero());
          reference::set_half(all, field.parity(), psi);
          return reference::to_host<double>(all, on.global, on.place.part, field.parity());
        }());
    return turned;
  };
  for (const bool pc : {false, true}) {
    const auto A = pc ? on.dirac->schur(MatPC::odd_odd) : on.dirac->full();
    const ColorSpinorField x = random_field(A->shape(1), on.place, 7);
    ColorSpinorField Ag(A->shape(1)), Ad(A->shape(1));
    (*A)(Ag, times_gamma5(x));
    (*A)(Ad, x, true);
    EXPECT_LE(deviation(times_gamma5(Ag), Ad), 1e-15);
  }
}

TEST(EvenOdd, PrepareAndReconstruct)
{
  support::on_targets([] {
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const Case on({2, 4, 6, 8}, precision);
      for (const int rhs : {1, 3}) expect_even_odd(*on.dirac, on.place, rhs);
    }
  });
}

TEST(Operators, RightHandSidesDoNotMix)
{
  const Case on({2, 4, 6, 8});
  on_operators(*on.dirac, [&](const LinearOperator &A) { expect_columns_alone(A, on.place); });
}

/// A second application of a size takes no memory.
TEST(Operators, KeepTheirScratch)
{
  const Case on({2, 4, 6, 8});
  on_operators(*on.dirac, [&](const LinearOperator &A) {
    const ColorSpinorField x = random_field(A.shape(3), on.place, 7), y = random_field(A.shape(3), on.place, 8);
    ColorSpinorField out(A.shape(3));
    Sums sums;
    const auto work = [&] {
      A(out, x);
      A.apply({.out = out, .in = x, .end = {.x = &out, .y = &y, .norm = true, .change = true}}, &sums);
      ColorSpinorField fewer = out.columns(0, 1);
      A(fewer, x.columns(2, 1), true);
    };
    work();
    const PoolCounts before = device_pool().counts();
    work();
    EXPECT_EQ(device_pool().counts().live_blocks, before.live_blocks);
  });
}

TEST(Operators, SeeLinksThatWereWritten)
{
  Case on({2, 4, 6, 8});
  const auto M = on.dirac->full();
  const auto sloppy = on.dirac->clone({Precision::single, Reconstruct::r12});
  const auto Ms = sloppy->full();
  const ColorSpinorField x = random_field(M->shape(1), on.place, 7), xs = random_field(Ms->shape(1), on.place, 7);
  const auto compare = [&](const GaugeField &links) {
    const LinkSet other(links);
    const auto expected_of = make_dirac(WilsonFermions {kappa}, other, on.dirac->storage());
    ColorSpinorField expected(M->shape(1)), got(M->shape(1)), low(Ms->shape(1)), raised(M->shape(1));
    (*expected_of->full())(expected, x);
    (*M)(got, x);
    EXPECT_EQ(deviation(got, expected), 0);
    (*Ms)(low, xs);
    raised = low;
    EXPECT_LE(deviation(raised, expected), 1e-5);
  };
  compare(on.set.precise());
  reference::GaugeField gauge = reference::random_gauge(on.global, 12);
  reference::set_up_links(gauge, xi, -1);
  const GaugeField links = support::native_links(on.place, gauge, {Precision::double_, Reconstruct::none, xi, -1});
  on.set.precise() = links; // in place
  compare(links);
  on.set.clear();
  ColorSpinorField got(x.param());
  EXPECT_THROW((*M)(got, x), Error);
}

TEST(Operators, CountTheirWork)
{
  const Case on({2, 4, 6, 8});
  const double volume = static_cast<double>(on.global.volume());
  const auto M = on.dirac->full();
  EXPECT_EQ(M->flops(3), 3 * (1320 + 48) * volume);
  EXPECT_EQ(on.dirac->schur(MatPC::odd_odd)->flops(1), (2 * 1320 + 48) * volume / 2);
  EXPECT_EQ(on.dirac->dslash_flops(2), 1320 * volume);
  EXPECT_EQ(Normal(*M).flops(1), 2 * (1320 + 48) * volume);
  EXPECT_EQ(Shifted(*M, 1).flops(1), (1320 + 48 + 48) * volume);
  const ColorSpinorField x = random_field(M->shape(1), on.place, 7);
  ColorSpinorField out(M->shape(1));
  for (int n = 0; n < 3; n++) (*M)(out, x, n == 1);
  EXPECT_EQ(M->flops_done(), 3 * M->flops(1));
}

TEST(Operators, RefuseWhatDoesNotFit)
{
  const Case on({2, 4, 6, 8});
  const auto M = on.dirac->full(), Mpc = on.dirac->schur(MatPC::even_even);
  ColorSpinorField x = random_field(M->shape(2), on.place, 7), out(M->shape(2));
  const auto refuses = [&](const LinearOperator &A, const Apply &call, const char *words, Sums *sums = nullptr) {
    expect_refused(ErrorKind::internal, {words}, [&] { A.apply(call, sums); });
  };
  const std::vector<double> one {1};
  refuses(*Mpc, {.out = out, .in = x}, "shape");
  refuses(*M, {.out = out, .in = out}, "out is in");
  refuses(*M, {.out = out, .in = x, .end = {.y = &out}}, "out is in, y");
  refuses(*M, {.out = out, .in = x, .end = {.b = one}}, "1 coefficients for 2");
  refuses(*M, {.out = out, .in = x, .end = {.norm = true}}, "no place for sums");
  Sums sums;
  refuses(*M, {.out = out, .in = x, .end = {.change = true}}, "a change from nothing", &sums);
  refuses(*M, {.out = out, .in = x, .end = {.dot_with = &out, .norm = true}}, "scalar product", &sums);
  ColorSpinorField single(on.dirac->clone({Precision::single, Reconstruct::none})->shape(-1, 2));
  refuses(*M, {.out = single, .in = x}, "precision");
}
