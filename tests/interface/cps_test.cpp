/// Moebius quarks as CPS asks for them, by a C program, against the plain reference.

#include "c_cps.h"
#include "session.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "core/environment_support.h"
#include "reference/dirac/domain_wall.h"

namespace
{

using reference::DomainWall;
using reference::Slices;
using reference::Spinors;

constexpr int Ls = 4;

/// (parity, x_cb, mu, column, row, re/im)
std::vector<double> links_of_cps(const reference::GaugeField &links)
{
  std::vector<double> all;
  for (std::size_t slot = 0; slot < links.lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++)
      for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
          all.push_back(links.U[mu][slot](row, column).real());
          all.push_back(links.U[mu][slot](row, column).imag());
        }
  return all;
}

/// (parity, odd first, s, x_cb, spin, color, re/im), or of odd sites.
std::vector<double> field_of_cps(const Slices &psi, const reference::Lattice &lattice, bool full)
{
  std::vector<double> all;
  for (const int parity : {1, 0})
    for (const Spinors &slice : psi) {
      if (!full && parity == 0) continue;
      const auto one = reference::to_host<double>(slice, lattice, reference::Part(lattice), parity);
      all.insert(all.end(), one.begin(), one.end());
    }
  return all;
}

Slices slices_of_cps(const std::vector<double> &field, bool full)
{
  const std::size_t one = field.size() / static_cast<std::size_t>(full ? 2 * Ls : Ls);
  Slices psi;
  for (std::size_t s = 0; s < Ls; s++) {
    const auto part = [&](std::size_t parity) {
      const std::size_t first = ((full ? 1 - parity : 0) * Ls + s) * one;
      return Spinors(reference::from_host<double>({field.begin() + static_cast<std::ptrdiff_t>(first),
                                                   field.begin() + static_cast<std::ptrdiff_t>(first + one)},
                                                  false));
    };
    Spinors all = part(full ? 0 : 1);
    if (full) {
      const Spinors odd = part(1);
      all.insert(all.end(), odd.begin(), odd.end());
    }
    psi.push_back(all);
  }
  return psi;
}

struct Quarks {
  cps_quarks of;
  reference::GaugeField links;
  std::vector<double> host;

  explicit Quarks(const reference::Coords &X)
      : of {{X[0], X[1], X[2], X[3]}, Ls, 0.07, -1.8, 1.5, 0.5, 1, -0.4, 0.07, 0.03, 1}
      , links(reference::random_gauge(reference::Lattice(X), 47, reference::Kind::weak))
      , host(links_of_cps(links))
  {
  }
  DomainWall expected(bool one_flavour) const
  {
    std::optional<reference::OneFlavour> term;
    if (one_flavour) term = {of.plus != 0, of.shift, of.mq1, of.mq2, of.mq3};
    return {
        links, of.mass, of.m5, std::vector<reference::Complex>(Ls, of.b5), std::vector<reference::Complex>(Ls, of.c5),
        term};
  }
  Slices random(std::uint64_t seed) const
  {
    Slices psi;
    for (std::uint64_t s = 0; s < Ls; s++) psi.push_back(reference::random_spinors(links.lattice, seed + s));
    return psi;
  }
};

/// |a - b| / |b|
double distance(const Slices &a, const Slices &b)
{
  double difference = 0, size = 0;
  for (std::size_t s = 0; s < a.size(); s++) {
    size += reference::norm2(b[s]);
    for (std::size_t i = 0; i < a[s].size(); i++) difference += (a[s][i] - b[s][i]).squaredNorm();
  }
  return std::sqrt(difference / size);
}

} // namespace

TEST(Cps, PropagatorOfTwelveColumns)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const test::Handler handler;
  Quarks quarks({4, 2, 4, 6});
  std::vector<std::vector<double>> x, b;
  std::vector<double *> to, from;
  for (std::uint64_t column = 0; column < 12; column++) {
    b.push_back(field_of_cps(quarks.random(100 * column), quarks.links.lattice, true));
    x.emplace_back(b.back().size(), 0.01 * static_cast<double>(column)); // a guess
  }
  for (std::size_t column = 0; column < 12; column++) {
    to.push_back(x[column].data());
    from.push_back(b[column].data());
  }
  c_cps_propagator(&quarks.of, quarks.host.data(), to.data(), from.data(), 12);
  const DomainWall M = quarks.expected(false);
  for (std::size_t column = 0; column < 12; column += 5)
    EXPECT_LT(distance(M.matrix(slices_of_cps(x[column], true), false), slices_of_cps(b[column], true)), 1e-9);
}

TEST(Cps, SeveralShifts)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const test::Handler handler;
  Quarks quarks({4, 2, 4, 6});
  const double shifts[] = {0, 0.02, 0.3, 2};
  std::vector<double> b = field_of_cps(quarks.random(7), quarks.links.lattice, false);
  std::vector<std::vector<double>> x(4, std::vector<double>(b.size()));
  double *to[] = {x[0].data(), x[1].data(), x[2].data(), x[3].data()};
  c_cps_shifts(&quarks.of, quarks.host.data(), to, b.data(), shifts, 4);
  const DomainWall M = quarks.expected(false);
  for (std::size_t i = 0; i < 4; i++) {
    const Slices one = slices_of_cps(x[i], false);
    const Slices product = M.matrix_pc(1, true, M.matrix_pc(1, true, one, false), true);
    EXPECT_LT(distance(reference::sum(1, product, shifts[i], one), slices_of_cps(b, false)), 1e-9);
  }
}

TEST(Cps, OneFlavourOfBothChiralities)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const test::Handler handler;
  Quarks quarks({4, 2, 4, 6});
  for (const int plus : {0, 1}) {
    quarks.of.plus = plus;
    std::vector<double> b = field_of_cps(quarks.random(9), quarks.links.lattice, true), x(b.size());
    c_cps_one_flavour(&quarks.of, quarks.host.data(), x.data(), b.data());
    EXPECT_LT(distance(quarks.expected(true).matrix(slices_of_cps(x, true), false), slices_of_cps(b, true)), 1e-9);
  }
}

TEST(Cps, LowModes)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const test::Handler handler;
  Quarks quarks({2, 2, 2, 2});
  constexpr int n = 6;
  double found[n];
  c_cps_low_modes(&quarks.of, quarks.host.data(), found, n);
  const DomainWall M = quarks.expected(false);
  const std::size_t half = quarks.links.lattice.half();
  const auto numbers = static_cast<Eigen::Index>(12 * half * Ls);
  Eigen::MatrixXcd matrix(numbers, numbers);
  for (Eigen::Index column = 0; column < numbers; column++) {
    Slices unit(Ls, Spinors(half, reference::Spinor::Zero()));
    const auto at = static_cast<std::size_t>(column);
    unit[at / (12 * half)][at % (12 * half) / 12].data()[at % 12] = 1;
    Eigen::Index row = 0;
    for (const Spinors &slice : M.matrix_pc(1, true, unit, false))
      for (const reference::Spinor &site : slice)
        for (int i = 0; i < 12; i++) matrix(row++, column) = site.data()[i];
  }
  const Eigen::MatrixXcd square = matrix.adjoint() * matrix;
  const Eigen::VectorXd all =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(square, Eigen::EigenvaluesOnly).eigenvalues();
  for (int i = 0; i < n; i++) EXPECT_NEAR(found[i], all[i], 1e-9 * all[numbers - 1]);
}
