/// laphSinkProject through the C interface, against the plain reference, on every way to cut a small lattice: tiles that
/// do not divide, precisions, and the same bits whatever the tiles, the grid and the rank.

#include "on_grids.h"

#include "reference/contract/distillation.h"

namespace
{

using reference::Complex;
using reference::Coords;
using test::same_bits;

const reference::Lattice global({4, 8, 4, 16});
constexpr int n_quark = 3, n_evec = 5;

/// Fields on the whole lattice; as a host of this precision has them, to the last bit.
template <class real> struct Fields {
  reference::Propagator quarks, vectors;

  Fields()
  {
    const auto fields = [](int n, int seed) {
      reference::Propagator all;
      for (int i = 0; i < n; i++)
        all.push_back(reference::from_host<real>(
            reference::to_host<real>(reference::random_spinors(global, seed + i), global, reference::Part(global)),
            true));
      return all;
    };
    quarks = fields(n_quark, 71);
    vectors = fields(n_evec, 91);
  }
};

/// The arrays of one rank.
template <class real> struct HostFields {
  std::vector<std::vector<real>> quarks, vectors;

  HostFields(const Fields<real> &fields, const reference::Part &part)
  {
    for (const auto &psi : fields.quarks) quarks.push_back(reference::to_host<real>(psi, global, part));
    for (const auto &psi : fields.vectors) {
      const auto four = reference::to_host<real>(psi, global, part);
      vectors.emplace_back();
      for (std::size_t i = 0; i < four.size(); i++)
        if (i % 24 < 6) vectors.back().push_back(four[i]); // spin 0
    }
  }
  static std::vector<void *> pointers(std::vector<std::vector<real>> &arrays)
  {
    std::vector<void *> all;
    for (auto &array : arrays) all.push_back(array.data());
    return all;
  }
};

QudaInvertParam projection_param(int host_bytes, QudaPrecision precision)
{
  QudaInvertParam param = newQudaInvertParam(); // nothing else need be set
  param.cpu_prec = static_cast<QudaPrecision>(host_bytes);
  param.cuda_prec = precision;
  param.dirac_order = QUDA_DIRAC_ORDER;
  return param;
}

struct Tiles {
  int quarks, vectors;
};

constexpr std::size_t guard = 8; // numbers behind the result, written by nobody

template <class real> std::vector<double> projected(const Fields<real> &fields, const reference::Part &part,
                                                    QudaPrecision precision, const Tiles &tiles)
{
  HostFields<real> host(fields, part);
  const auto quarks = host.quarks, vectors = host.vectors;
  std::vector<void *> q = host.pointers(host.quarks), e = host.pointers(host.vectors);
  QudaInvertParam param = projection_param(sizeof(real), precision);
  std::vector<double> sinks(8UL * n_quark * n_evec * global.X[3] + guard, NAN);
  laphSinkProject(reinterpret_cast<double _Complex *>(sinks.data()), q.data(), n_quark, tiles.quarks, e.data(), n_evec,
                  tiles.vectors, &param, part.local.X.data());
  EXPECT_TRUE(host.quarks == quarks && host.vectors == vectors) << "an input was changed";
  EXPECT_GT(param.secs, 0);
  EXPECT_DOUBLE_EQ(param.gflops, 96e-9 * n_quark * n_evec * static_cast<double>(global.volume()));
  for (std::size_t i = 0; i < guard; i++) EXPECT_TRUE(std::isnan(sinks[sinks.size() - 1 - i]));
  sinks.resize(sinks.size() - guard);
  return sinks;
}

/// The largest difference in units of the root mean square.
double deviation(const std::vector<double> &found, const std::vector<Complex> &expected)
{
  if (found.size() != 2 * expected.size()) return INFINITY;
  double largest = 0, squares = 0;
  for (std::size_t k = 0; k < expected.size(); k++) {
    const double here = std::abs(Complex(found[2 * k], found[2 * k + 1]) - expected[k]);
    if (!(here <= largest)) largest = here;
    squares += std::norm(expected[k]);
  }
  return largest / std::sqrt(squares / static_cast<double>(expected.size()));
}

template <class real>
void as_the_reference(QudaPrecision precision, double allowed, const std::vector<Tiles> &all_tiles = {{2, 3}})
{
  const Fields<real> fields;
  const auto expected = reference::slice_products(fields.vectors, fields.quarks, global);
  std::vector<double> first;
  test::on_grids(global, [&](const reference::Part &part) {
    for (const Tiles &tiles : all_tiles) {
      const std::vector<double> found = projected(fields, part, precision, tiles);
      EXPECT_LE(deviation(found, expected), allowed) << tiles.quarks << " " << tiles.vectors;
      if (first.empty()) first = found;
      EXPECT_TRUE(same_bits(found, first)) << tiles.quarks << " " << tiles.vectors;
    }
  });
  std::vector<double> lowest = first, highest = first;
  MPI_Allreduce(MPI_IN_PLACE, lowest.data(), static_cast<int>(first.size()), MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, highest.data(), static_cast<int>(first.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_TRUE(same_bits(lowest, highest)) << "ranks differ";
}

TEST(Distillation, SinksAsTheReference)
{
  test::Handler handler;
  as_the_reference<double>(QUDA_DOUBLE_PRECISION, 1e-14, {{n_quark, n_evec}, {2, 3}, {1, 4}, {2, 1}, {100, 2}});
  as_the_reference<double>(QUDA_SINGLE_PRECISION, 1e-6);
  as_the_reference<float>(QUDA_DOUBLE_PRECISION, 1e-14);
  as_the_reference<float>(QUDA_SINGLE_PRECISION, 1e-6);
}

/// Vectors of unit length that live on a slice each give the identity there.
TEST(Distillation, OfOrthonormalVectors)
{
  test::Handler handler;
  Fields<double> fields;
  const Coords corners[] = {{0, 0, 0, 3}, {1, 2, 0, 3}, {3, 7, 3, 15}, {0, 1, 0, 0}, {2, 5, 1, 8}};
  for (int e = 0; e < n_evec; e++) {
    reference::Spinors &psi = fields.vectors[e];
    psi.assign(psi.size(), reference::Spinor::Zero());
    psi[global.slot(corners[e])](0, e % 3) = Complex(0, 1);
  }
  for (int q = 0; q < n_quark; q++) {
    fields.quarks[q].assign(fields.vectors[0].size(), reference::Spinor::Zero());
    for (int e = 0; e < n_evec; e++)
      for (std::size_t slot = 0; slot < global.volume(); slot++)
        fields.quarks[q][slot].row((q + e) % 4) += (q + 1) * fields.vectors[e][slot].row(0);
  }
  test::on_grids(global, [&](const reference::Part &part) {
    const std::vector<double> found = projected(fields, part, QUDA_DOUBLE_PRECISION, {2, 2});
    for (int q = 0; q < n_quark; q++)
      for (int e = 0; e < n_evec; e++)
        for (int t = 0; t < global.X[3]; t++)
          for (int s = 0; s < 4; s++) {
            const std::size_t k = 2 * (((q * n_evec + e) * global.X[3] + t) * 4UL + s);
            EXPECT_EQ(found[k], t == corners[e][3] && s == (q + e) % 4 ? q + 1 : 0) << q << e << t << s;
            EXPECT_EQ(found[k + 1], 0);
          }
  });
}

/// Ranks that disagree are told so.
TEST(Distillation, RanksMustAgree)
{
  if (test::ranks() < 2) GTEST_SKIP() << "one rank agrees with itself";
  test::Handler handler;
  const Fields<double> fields;
  test::on_grids(global, [&](const reference::Part &part) {
    HostFields<double> host(fields, part);
    std::vector<void *> q = host.pointers(host.quarks), e = host.pointers(host.vectors);
    QudaInvertParam param = projection_param(8, QUDA_DOUBLE_PRECISION);
    std::vector<double> sinks(8UL * n_quark * n_evec * global.X[3], 7.5);
    const auto before = sinks;
    handler.forget();
    laphSinkProject(reinterpret_cast<double _Complex *>(sinks.data()), q.data(), n_quark, 2, e.data(),
                    test::rank() == 1 ? n_evec - 1 : n_evec, 2, &param, part.local.X.data());
    EXPECT_TRUE(handler.calls() == 1 && handler.says("laphSinkProject: ") && handler.says("n_evec")) << handler.text();
    EXPECT_TRUE(same_bits(sinks, before));
  });
}

} // namespace
