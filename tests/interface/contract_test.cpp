/// contractQuda through the C interface, against the plain reference: bases, precisions, types; what it refuses.

#include "c_api.h"
#include "session.h"

#include "reference/contract/sitewise.h"

#include <gtest/gtest.h>

#include <functional>

namespace
{

using reference::Basis;
using reference::Complex;
using reference::Spinors;
using test::Handler;
using test::Session;

const auto corrected = static_cast<QudaContractType>(QUDA_CONTRACT_TYPE_DR_CORRECTED);

template <class real> constexpr QudaPrecision precision_of = sizeof(real) == 8 ? QUDA_DOUBLE_PRECISION
                                                                               : QUDA_SINGLE_PRECISION;

/// Nothing is set but what the call reads.
QudaInvertParam contract_param(QudaPrecision precision, Basis basis = Basis::degrand_rossi)
{
  QudaInvertParam param = newQudaInvertParam();
  param.cpu_prec = precision;
  param.dirac_order = QUDA_DIRAC_ORDER;
  param.gamma_basis = static_cast<QudaGammaBasis>(basis);
  param.dslash_type = QUDA_WILSON_DSLASH;
  return param;
}

/// Two fields given in the DeGrand-Rossi basis, and their host arrays in another one.
template <class real> struct HostPair {
  reference::Lattice lattice;
  Spinors x, y;
  std::vector<real> hx, hy;

  HostPair(const reference::Coords &X, Basis basis)
      : lattice(X)
      , x(reference::random_spinors(lattice, 51))
      , y(reference::random_spinors(lattice, 52))
  {
    const reference::SpinMatrix there = reference::basis_rotation(Basis::degrand_rossi, basis);
    for (auto [psi, host] : {std::pair(&x, &hx), std::pair(&y, &hy)}) {
      *host = reference::to_host<real>(reference::applied(there, *psi), lattice, reference::Part(lattice));
      // what the call is given, to the last bit
      *psi = reference::applied(there.adjoint(), reference::from_host<real>(*host, true));
    }
  }

  std::vector<Complex> expected(QudaContractType type) const
  {
    const auto gammas = reference::contraction_gammas(type == corrected);
    std::vector<Complex> all;
    for (std::size_t site = 0; site < lattice.volume(); site++) {
      const reference::SpinMatrix open = reference::open_contraction(x[site], y[site]);
      for (int k = 0; k < 16; k++)
        all.push_back(type == QUDA_CONTRACT_TYPE_OPEN ? open.data()[k] : Complex(gammas[k].cwiseProduct(open).sum()));
    }
    return all;
  }
};

/// The largest difference in units of the root mean square.
template <class real> double deviation(const std::vector<real> &found, const std::vector<Complex> &expected)
{
  double largest = 0, squares = 0;
  for (std::size_t k = 0; k < expected.size(); k++) {
    const double here = std::abs(Complex(found[2 * k], found[2 * k + 1]) - expected[k]);
    if (!(here <= largest)) largest = here;
    squares += std::norm(expected[k]);
  }
  return largest / std::sqrt(squares / static_cast<double>(expected.size()));
}

template <class real> void every_basis_and_type(const reference::Coords &X, double allowed)
{
  for (const Basis basis : reference::all_bases) {
    const HostPair<real> pair(X, basis);
    for (const QudaContractType type : {QUDA_CONTRACT_TYPE_OPEN, QUDA_CONTRACT_TYPE_DR, corrected}) {
      QudaInvertParam param = contract_param(precision_of<real>, basis);
      constexpr std::size_t guard = 8; // written by nobody
      std::vector<real> result(32 * pair.lattice.volume() + guard, NAN);
      const auto x = pair.hx, y = pair.hy;
      contractQuda(x.data(), y.data(), result.data(), type, &param, X.data());
      EXPECT_LE(deviation(result, pair.expected(type)), allowed) << static_cast<int>(basis) << " type " << type;
      EXPECT_TRUE(test::same_bits(x, pair.hx) && test::same_bits(y, pair.hy)) << "an input was changed";
      for (std::size_t k = 0; k < guard; k++) EXPECT_TRUE(std::isnan(result[result.size() - 1 - k]));
    }
  }
}

TEST(Contract, EveryBasisAndType)
{
  Session session;
  for (const reference::Coords &X : {reference::Coords {2, 4, 6, 8}, reference::Coords {6, 2, 4, 4}}) {
    every_basis_and_type<double>(X, 1e-13);
    every_basis_and_type<float>(X, 5e-6);
  }
}

template <class real> void staggered(double allowed)
{
  const reference::Coords X {4, 6, 2, 4};
  const reference::Lattice lattice(X);
  reference::SiteRandom random(3, 1, 4);
  std::vector<real> x(6 * lattice.volume()), y(x.size());
  for (auto *field : {&x, &y})
    for (real &v : *field) v = static_cast<real>(random.uniform() - 0.5);
  std::vector<Complex> expected(lattice.volume());
  for (std::size_t site = 0; site < lattice.volume(); site++)
    for (std::size_t k = 6 * site; k < 6 * site + 6; k += 2)
      expected[site] += std::conj(Complex(x[k], x[k + 1])) * Complex(y[k], y[k + 1]);
  for (const QudaDslashType type : {QUDA_STAGGERED_DSLASH, QUDA_ASQTAD_DSLASH, QUDA_LAPLACE_DSLASH}) {
    QudaInvertParam param = contract_param(precision_of<real>);
    param.dslash_type = type;
    param.gamma_basis = QUDA_INVALID_GAMMA_BASIS; // fields of one spin have none
    std::vector<real> result(2 * lattice.volume(), NAN);
    contractQuda(x.data(), y.data(), result.data(), QUDA_CONTRACT_TYPE_STAGGERED, &param, X.data());
    EXPECT_LE(deviation(result, expected), allowed) << type;
  }
}

TEST(Contract, Staggered)
{
  Session session;
  staggered<double>(1e-13);
  staggered<float>(5e-6);
}

/// Entry 0 of the bilinears is the trace of the open ones; x may be y.
TEST(Contract, OneFieldWithItself)
{
  Session session;
  const HostPair<double> pair({4, 4, 4, 4}, Basis::ukqcd);
  QudaInvertParam param = contract_param(QUDA_DOUBLE_PRECISION, Basis::ukqcd);
  std::vector<double> result(32 * pair.lattice.volume());
  contractQuda(pair.hx.data(), pair.hx.data(), result.data(), QUDA_CONTRACT_TYPE_DR, &param, pair.lattice.X.data());
  for (std::size_t site = 0; site < pair.lattice.volume(); site++) {
    const double norm = pair.x[site].squaredNorm();
    EXPECT_NEAR(result[32 * site], norm, 1e-13 * norm);
    EXPECT_NEAR(result[32 * site + 1], 0, 1e-13 * norm);
  }
}

/// A number that is none stays with its site.
TEST(Contract, NaNComesThrough)
{
  Session session;
  HostPair<double> pair({4, 4, 4, 4}, Basis::degrand_rossi);
  pair.hx[24 * 100] = NAN;
  QudaInvertParam param = contract_param(QUDA_DOUBLE_PRECISION);
  std::vector<double> result(32 * pair.lattice.volume());
  contractQuda(pair.hx.data(), pair.hy.data(), result.data(), QUDA_CONTRACT_TYPE_OPEN, &param, pair.lattice.X.data());
  for (std::size_t k = 0; k < result.size(); k++) ASSERT_EQ(std::isnan(result[k]), k / 8 == 4 * 100) << k;
}

TEST(Contract, TimesAreListed)
{
  Handler handler;
  const HostPair<double> pair({4, 4, 4, 4}, Basis::degrand_rossi);
  test::Output output;
  initQuda(-1);
  QudaInvertParam param = contract_param(QUDA_DOUBLE_PRECISION);
  std::vector<double> result(32 * pair.lattice.volume());
  contractQuda(pair.hx.data(), pair.hy.data(), result.data(), QUDA_CONTRACT_TYPE_DR, &param, pair.lattice.X.data());
  endQuda();
  const std::string text = output.text();
  const std::size_t table = text.find("contractQuda Total time");
  ASSERT_NE(table, std::string::npos) << text;
  const std::string rows = text.substr(table, text.find("total accounted", table) - table);
  for (const char *phase : {"download", "upload", "init", "preamble", "compute"})
    EXPECT_NE(rows.find(phase), std::string::npos) << phase << " is missing in: " << rows;
}

constexpr QudaErrorKind bad = QUDA_ERROR_KIND_BAD_ARGUMENT, unsupported = QUDA_ERROR_KIND_UNSUPPORTED;

TEST(Contract, BadCallsAreRefused)
{
  Handler handler;
  Session session;
  const HostPair<double> pair({4, 4, 4, 4}, Basis::degrand_rossi);
  const void *x = pair.hx.data(), *y = pair.hy.data();
  const int *X = pair.lattice.X.data();
  std::vector<double> result(32 * pair.lattice.volume(), 3);
  const auto before = result;
  const auto good = contract_param(QUDA_DOUBLE_PRECISION);
  const auto call = [&](const void *a, const void *b, void *r, int type, QudaInvertParam *p, const int *extents) {
    contractQuda(a, b, r, static_cast<QudaContractType>(type), p, extents);
  };
  const auto with = [&](const std::function<void(QudaInvertParam &)> &spoil, int type = QUDA_CONTRACT_TYPE_DR) {
    QudaInvertParam param = good;
    spoil(param);
    call(x, y, result.data(), type, &param, X);
  };
  const auto of_type = [&](int type) { with([](QudaInvertParam &) {}, type); };
  const auto extents = [&](int d, int value) {
    QudaInvertParam param = good;
    int other[4] = {4, 4, 4, 4};
    other[d] = value;
    call(x, y, result.data(), QUDA_CONTRACT_TYPE_DR, &param, other);
  };
  QudaInvertParam right = good;
  const struct {
    std::function<void()> call;
    QudaErrorKind kind;
    std::vector<std::string> words;
  } wrong[] = {
      {[&] { call(nullptr, y, result.data(), 4, &right, X); }, bad, {"x = null"}},
      {[&] { call(x, nullptr, result.data(), 4, &right, X); }, bad, {"y = null"}},
      {[&] { call(x, y, nullptr, 4, &right, X); }, bad, {"result = null"}},
      {[&] { call(x, y, result.data(), 4, nullptr, X); }, bad, {"QudaInvertParam is null"}},
      {[&] { call(x, y, result.data(), 4, &right, nullptr); }, bad, {"X = null"}},
      {[&] { of_type(QUDA_CONTRACT_TYPE_DR_FT_T); }, unsupported, {"cType = 1 (QUDA_CONTRACT_TYPE_DR_FT_T)"}},
      {[&] { of_type(QUDA_CONTRACT_TYPE_STAGGERED_FT_T); }, unsupported, {"cType = 0", "allowed", "DR_CORRECTED"}},
      {[&] { of_type(QUDA_CONTRACT_TYPE_OPEN_SUM_Z); }, unsupported, {"QUDA_CONTRACT_TYPE_OPEN_SUM_Z"}},
      {[&] { of_type(17); }, bad, {"cType = 17", "QUDA_CONTRACT_TYPE_OPEN (5)"}},
      {[&] { of_type(QUDA_CONTRACT_TYPE_INVALID); }, bad, {"cType", "unset"}},
      {[&] { of_type(QUDA_CONTRACT_TYPE_STAGGERED); },
       bad,
       {"dslash_type = 0 (QUDA_WILSON_DSLASH)", "cType = QUDA_CONTRACT_TYPE_STAGGERED"}},
      {[&] { with([](QudaInvertParam &p) { p.dslash_type = QUDA_ASQTAD_DSLASH; }); },
       bad,
       {"QUDA_ASQTAD_DSLASH", "one spin", "QUDA_CONTRACT_TYPE_DR;"}},
      {[&] { with([](QudaInvertParam &p) { p.dslash_type = QUDA_INVALID_DSLASH; }); }, bad, {"dslash_type", "unset"}},
      {[&] { with([](QudaInvertParam &p) { p.cpu_prec = QUDA_INVALID_PRECISION; }); }, bad, {"cpu_prec", "unset"}},
      {[&] { with([](QudaInvertParam &p) { p.cpu_prec = QUDA_HALF_PRECISION; }); }, bad, {"cpu_prec = 2"}},
      {[&] { with([](QudaInvertParam &p) { p.gamma_basis = QUDA_INVALID_GAMMA_BASIS; }); },
       bad,
       {"gamma_basis", "unset"}},
      {[&] { with([](QudaInvertParam &p) { p.gamma_basis = static_cast<QudaGammaBasis>(9); }); },
       bad,
       {"gamma_basis = 9"}},
      {[&] { with([](QudaInvertParam &p) { p.dirac_order = QUDA_INVALID_DIRAC_ORDER; }); },
       bad,
       {"dirac_order", "unset"}},
      {[&] { with([](QudaInvertParam &p) { p.dirac_order = QUDA_LEX_DIRAC_ORDER; }); },
       unsupported,
       {"dirac_order", "QUDA_LEX_DIRAC_ORDER"}},
      {[&] { with([](QudaInvertParam &p) { p.struct_size = 8; }); }, bad, {"struct_size"}},
      {[&] { extents(1, 3); }, bad, {"X[1] = 3", "even"}},
      {[&] { extents(3, 0); }, bad, {"X[3] = 0"}},
      {[&] { extents(0, -4); }, bad, {"X[0] = -4"}}};
  for (const auto &one : wrong) {
    handler.forget();
    one.call();
    EXPECT_EQ(handler.calls(), 1) << one.words[0];
    EXPECT_EQ(handler.kind(), one.kind) << handler.text();
    EXPECT_TRUE(handler.says("contractQuda: ")) << handler.text();
    for (const std::string &word : one.words)
      EXPECT_TRUE(handler.says(word)) << "\"" << word << "\" is missing in: " << handler.text();
    EXPECT_TRUE(test::same_bits(result, before)) << one.words[0];
  }
  handler.forget();
  contractQuda(x, y, result.data(), QUDA_CONTRACT_TYPE_DR, &right, X);
  EXPECT_LE(deviation(result, pair.expected(QUDA_CONTRACT_TYPE_DR)), 1e-13);
}

TEST(Contract, NotBeforeTheStart)
{
  Handler handler;
  QudaInvertParam param = contract_param(QUDA_DOUBLE_PRECISION);
  double numbers[32] = {0};
  const int X[4] = {2, 2, 2, 2};
  contractQuda(numbers, numbers, numbers, QUDA_CONTRACT_TYPE_DR, &param, X);
  EXPECT_TRUE(handler.says("not initialised")) << handler.text();
}

TEST(C, AContraction)
{
  const char *fault = c_contraction();
  EXPECT_EQ(fault, nullptr) << fault;
}

} // namespace
