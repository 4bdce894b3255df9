/// MILC's systems of staggered quarks, called as MILC calls them, against the plain reference: residuals as asked and
/// as reported, on both parities, in all its precisions; no link is ever a stale one.

#include "core/environment_support.h"
#include "interface/resident.h"
#include "quark_links.h"
#include "quda_milc_interface.h"
#include "reference/dirac/staggered.h"
#include "reference/gauge/staggered_phase.h"
#include "support/quenched_links.h"

namespace
{

using namespace test;
using reference::ColorVectors;
using reference::GaugeField;
using support::quenched_links;

constexpr double mass = 0.3, tol = 1e-10;

/// |b - (4 m^2 - D D) x| / |b|
double residual(const reference::Staggered &plain, const ColorVectors &x, const ColorVectors &b, double m)
{
  return norm<1>(reference::combined<1>(1, b, -1, plain.square(x, m))) / norm<1>(b);
}

double heavy_quark(const reference::Staggered &plain, const ColorVectors &x, const ColorVectors &b, int parity)
{
  const ColorVectors r = reference::combined<1>(1, b, -1, plain.square(x, mass));
  const std::size_t half = x.size() / 2;
  double sum = 0;
  for (std::size_t i = parity * half; i < (parity + 1) * half; i++) sum += r[i].squaredNorm() / x[i].squaredNorm();
  return std::sqrt(sum / static_cast<double>(half));
}

/// As MILC fills it: the other members hold anything.
QudaInvertArgs_t args_of(int parity, int mixed)
{
  QudaInvertArgs_t args;
  std::memset(&args, 0x5a, sizeof args);
  args.max_iter = 2000;
  args.evenodd = parity ? QUDA_ODD_PARITY : QUDA_EVEN_PARITY;
  args.mixed_precision = mixed;
  args.naik_epsilon = 0;
  args.tadpole = 1;
  return args;
}

GaugeField scaled(GaugeField links, double factor)
{
  for (auto &direction : links.U)
    for (reference::Link &u : direction) u *= factor;
  return links;
}

/// MILC on this rank's part; its ranks are numbered with x fastest.
class Milc
{
public:
  Milc(const reference::Lattice &lattice, const Coords &grid)
      : Milc(reference::random_gauge(lattice, 70), grid)
  {
  }
  Milc(const GaugeField &naive, const Coords &grid)
      : lattice(naive.lattice)
      , part(lattice, grid, Here::place(grid, true))
      , one(naive)
      , fat(scaled(reference::random_gauge(lattice, 71), 1.2))
      , longs(scaled(reference::random_gauge(lattice, 72), -1.0 / 24))
      , host_one(one, part, QUDA_MILC_GAUGE_ORDER)
      , host_fat(fat, part, QUDA_MILC_GAUGE_ORDER)
      , host_long(longs, part, QUDA_MILC_GAUGE_ORDER)
      , psi(reference::spins_of<1>(reference::random_spinors(lattice, 73)))
  {
    const int size[] = {lattice.X[0], lattice.X[1], lattice.X[2], lattice.X[3]};
    qudaInit({QUDA_SILENT, {size, grid.data(), -1}});
  }
  ~Milc() { qudaFinalize(); }
  Milc(const Milc &) = delete;

  reference::Staggered plain(bool improved) const
  {
    return improved ? reference::Staggered {fat, &longs} : reference::Staggered {one};
  }
  void *fat_pointer(bool improved) { return improved ? host_fat.pointer() : host_one.pointer(); }
  void *long_pointer(bool improved) { return improved ? host_long.pointer() : nullptr; }
  template <class real> std::vector<real> array(const ColorVectors &field) const
  {
    return reference::to_host<real, 1>(field, lattice, part);
  }
  template <class real> ColorVectors gather(const std::vector<real> &host, int parity) const
  {
    return gathered<1>(host, lattice, part, parity);
  }
  ColorVectors half(const ColorVectors &field, int parity) const { return gather(array<double>(field), parity); }

  const reference::Lattice lattice;
  const reference::Part part;
  GaugeField one, fat, longs; // one: naive
  HostLinks<double> host_one, host_fat, host_long;
  const ColorVectors psi;
};

class MilcSolves : public testing::Test
{
protected:
  template <class Body> void
  on_grids(const Body &body, const GaugeField &naive = reference::random_gauge(reference::Lattice({4, 8, 4, 8}), 70))
  {
    const std::vector<Coords> some = ranks() == 1   ? std::vector<Coords> {{1, 1, 1, 1}}
                                     : ranks() == 2 ? std::vector<Coords> {{1, 1, 1, 2}, {1, 2, 1, 1}}
                                                    : std::vector<Coords> {{1, 2, 1, 2}};
    for (const Coords &grid : some) {
      SCOPED_TRACE(support::named(grid));
      Milc milc(naive, grid);
      body(milc);
    }
  }
  const Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
  Handler handler_;
};

/// Long links by all their numbers, by 13 and by 9.
TEST_F(MilcSolves, Hop)
{
  on_grids([](Milc &milc) {
    for (const char *reals : {"18", "13", "9"})
      for (const int parity : {0, 1})
        for (const int precision : {2, 1})
          for (const bool improved : {true, false}) {
            if (!improved && *reals != '1') continue;
            const Variable of_long("QUDA_MILC_HISQ_RECONSTRUCT", reals);
            SCOPED_TRACE(testing::Message() << "improved " << improved << ", long links by " << reals << ", parity "
                                            << parity << ", " << precision);
            std::vector<double> in = milc.array<double>(milc.psi), out(in.size(), 7);
            int iterations = 0;
            qudaDslash(2, precision, args_of(parity, 0), milc.fat_pointer(improved), milc.long_pointer(improved),
                       in.data(), out.data(), &iterations);
            if (improved) {
              EXPECT_EQ(static_cast<int>(quda::guarded::session().three.precise("test").reconstruct()),
                        std::atoi(reals));
            }
            const std::vector<double> right = milc.array<double>(milc.plain(improved).hop(milc.psi));
            const std::size_t half = out.size() / 2;
            double worst = 0;
            for (std::size_t i = 0; i < out.size(); i++) {
              const bool here = i / half == static_cast<std::size_t>(parity);
              worst = std::max(worst, std::abs(out[i] - (here ? right[i] : 7)));
            }
            EXPECT_LT(worst, precision == 1 ? 1e-4 : *reals == '9' ? 1e-11 : 1e-13);
          }
  });
}

TEST_F(MilcSolves, Inversions)
{
  on_grids([](Milc &milc) {
    for (const bool improved : {true, false})
      for (const int parity : {0, 1})
        for (const int mixed : {0, 1, 2}) {
          const Variable copies("QUDA_MILC_HISQ_RECONSTRUCT_SLOPPY", parity ? "13" : "9");
          SCOPED_TRACE(testing::Message() << "improved " << improved << ", parity " << parity << ", mixed " << mixed);
          const reference::Staggered plain = milc.plain(improved);
          const ColorVectors b = milc.half(milc.psi, parity);
          std::vector<double> in = milc.array<double>(milc.psi), out = milc.array<double>(plain.hop(milc.psi));
          const std::vector<double> guess = out;
          double relative = -1, fermilab = -1;
          int iterations = 0;
          qudaInvert(2, 2, mass, args_of(parity, mixed), tol, 0, milc.fat_pointer(improved),
                     milc.long_pointer(improved), in.data(), out.data(), &relative, &fermilab, &iterations);
          const double is = residual(plain, milc.gather(out, parity), b, mass);
          EXPECT_LT(relative, tol);
          EXPECT_NEAR(relative, is, 1e-3 * is + 1e-14);
          EXPECT_EQ(fermilab, 0);
          EXPECT_GT(iterations, 10);
          EXPECT_LT(iterations, 2000);
          const std::size_t half = out.size() / 2, other = (1 - parity) * half;
          EXPECT_TRUE(std::equal(out.begin() + other, out.begin() + other + half, guess.begin() + other));
        }
  });
}

/// Each meets the target, later ones in fewer iterations; a new sequence begins anew.
TEST_F(MilcSolves, SourcesInSequence)
{
  constexpr double light = 0.02;
  QudaEigArgs_t args;
  std::memset(&args, 0x5a, sizeof args);
  args.prec_ritz = QUDA_DOUBLE_PRECISION;
  args.nev = 8;
  args.max_search_dim = 24;
  args.deflation_grid = 3;
  args.tol_restart = 1e-3;
  args.max_restart_num = 3;
  args.inc_tol = 1e-2;
  args.eigenval_tol = 0.1;
  args.vec_infile = args.vec_outfile = nullptr;
  const auto body = [&](Milc &milc) {
    const reference::Staggered plain = milc.plain(false);
    std::vector<int> iterations;
    for (int j = 0; j < 6; j++) {
      const ColorVectors psi = reference::spins_of<1>(reference::random_spinors(milc.lattice, 80 + j % 5));
      std::vector<double> in = milc.array<double>(psi), out(in.size());
      double relative = -1, fermilab = -1;
      iterations.push_back(0);
      qudaEigCGInvert(2, 2, light, args_of(1, 1), tol, 0, milc.fat_pointer(false), nullptr, in.data(), out.data(), args,
                      j == 5 ? 0 : j, j >= 4, &relative, &fermilab, &iterations.back());
      const double is = residual(plain, milc.gather(out, 1), milc.half(psi, 1), light);
      EXPECT_LT(relative, tol);
      EXPECT_NEAR(relative, is, 1e-3 * is + 1e-14);
      EXPECT_EQ(quda::guarded::session().spaces.find(quda::guarded::session().milc.space) != nullptr, j < 4);
    }
    if (rank() == 0)
      std::printf("  iterations %d %d %d %d %d, anew %d\n", iterations[0], iterations[1], iterations[2], iterations[3],
                  iterations[4], iterations[5]);
    EXPECT_LT(iterations[1], 0.75 * iterations[0]);
    EXPECT_LT(iterations[4], 0.56 * iterations[0]);
    EXPECT_EQ(iterations[5], iterations[0]) << "of the first source again";
    std::vector<double> in = milc.array<double>(milc.psi), out(in.size());
    double relative = 0, fermilab = 0;
    int n = 0;
    qudaEigCGInvert(2, 2, mass, args_of(1, 1), tol, 0, milc.fat_pointer(false), nullptr, in.data(), out.data(), args, 1,
                    0, &relative, &fermilab, &n);
    EXPECT_TRUE(handler_.says("qudaEigCGInvert: rhs_idx = 1")) << handler_.text();
    handler_.forget();
  };
  on_grids(body, reference::staggered(quenched_links(), reference::StaggeredPhases::milc, -1));
}

TEST_F(MilcSolves, FermilabResiduals)
{
  on_grids([](Milc &milc) {
    const reference::Staggered plain = milc.plain(true);
    for (const double target : {1e-4, 0.0}) {
      std::vector<double> in = milc.array<double>(milc.psi), out(in.size());
      double relative = 0, fermilab = 0;
      int iterations = 0;
      qudaInvert(2, 2, mass, args_of(1, 1), target, 1e-9, milc.host_fat.pointer(), milc.long_pointer(true), in.data(),
                 out.data(), &relative, &fermilab, &iterations);
      const double is = heavy_quark(plain, milc.gather(out, 1), milc.half(milc.psi, 1), 1);
      EXPECT_LT(fermilab, 1e-9);
      EXPECT_NEAR(fermilab, is, 1e-3 * is + 1e-14);
      EXPECT_LT(iterations, 2000);
    }
  });
}

TEST_F(MilcSolves, SinglePrecisionOfTheHost)
{
  on_grids([](Milc &milc) {
    HostLinks<float> fat(milc.fat, milc.part, QUDA_MILC_GAUGE_ORDER),
        longs(milc.longs, milc.part, QUDA_MILC_GAUGE_ORDER);
    std::vector<float> in = milc.array<float>(milc.psi), out(in.size());
    double relative = 0, fermilab = 0;
    int iterations = 0;
    qudaInvert(1, 1, mass, args_of(0, 0), 1e-5, 0, fat.pointer(), longs.pointer(), in.data(), out.data(), &relative,
               &fermilab, &iterations);
    EXPECT_LT(relative, 1e-5);
    EXPECT_LT(residual(milc.plain(true), milc.gather(out, 0), milc.half(milc.psi, 0), mass), 2e-5);
  });
}

TEST_F(MilcSolves, SeveralSources)
{
  on_grids([](Milc &milc) {
    const reference::Staggered plain = milc.plain(true);
    std::vector<std::vector<double>> in, out;
    std::vector<ColorVectors> sources;
    for (unsigned j = 0; j < 3; j++) {
      sources.push_back(reference::spins_of<1>(reference::random_spinors(milc.lattice, 80 + j)));
      in.push_back(milc.array<double>(sources[j]));
      out.emplace_back(in[j].size());
    }
    void *b[] = {in[0].data(), in[1].data(), in[2].data()}, *x[] = {out[0].data(), out[1].data(), out[2].data()};
    for (const double target : {0.0, 1e-8})     // of Fermilab's residual
      for (const bool turned : {false, true}) { // the first is not always the worst
        double relative = 0, fermilab = 0, worst[2] = {};
        int iterations = 0;
        qudaInvertMsrc(2, 2, mass, args_of(0, 2), target > 0 ? 0 : tol, target, milc.host_fat.pointer(),
                       milc.long_pointer(true), b, x, &relative, &fermilab, &iterations, 3);
        for (unsigned j = 0; j < 3; j++) {
          const ColorVectors found = milc.gather(out[turned ? 2 - j : j], 0),
                             source = milc.half(sources[turned ? 2 - j : j], 0);
          worst[0] = std::max(worst[0], residual(plain, found, source, mass));
          worst[1] = std::max(worst[1], heavy_quark(plain, found, source, 0));
        }
        EXPECT_NEAR(relative, worst[0], 1e-3 * worst[0]);
        if (target > 0) {
          EXPECT_LT(fermilab, target);
          EXPECT_NEAR(fermilab, worst[1], 1e-3 * worst[1]);
        } else {
          EXPECT_LT(relative, tol);
        }
        std::swap(b[0], b[2]);
        std::swap(x[0], x[2]);
        for (auto &one : out) one.assign(one.size(), 0);
      }
  });
}

TEST_F(MilcSolves, TenShifts)
{
  on_grids([](Milc &milc) {
    constexpr int shifts = 10;
    for (const bool improved : {true, false})
      for (const int mixed : {0, 1, 2}) {
        SCOPED_TRACE(testing::Message() << "improved " << improved << ", mixed " << mixed);
        const int parity = mixed == 1 ? 1 : 0;
        const reference::Staggered plain = milc.plain(improved);
        std::vector<double> in = milc.array<double>(milc.psi);
        std::vector<std::vector<double>> out(shifts, std::vector<double>(in.size(), 7));
        std::vector<void *> x;
        double offset[shifts], targets[shifts], fermilab[shifts] = {}, found[shifts], found_fermilab[shifts];
        for (int k = 0; k < shifts; k++) {
          x.push_back(out[k].data());
          offset[k] = 0.05 * std::pow(1.7, k);
          targets[k] = k % 3 == 2 ? 1e-8 : tol;
        }
        if (mixed == 0) targets[4] = 0; // as it comes
        int iterations = 0;
        qudaMultishiftInvert(2, 2, shifts, offset, args_of(parity, mixed), targets, fermilab,
                             milc.fat_pointer(improved), milc.long_pointer(improved), in.data(), x.data(), found,
                             found_fermilab, &iterations);
        for (int k = 0; k < shifts; k++) {
          const double is =
              residual(plain, milc.gather(out[k], parity), milc.half(milc.psi, parity), std::sqrt(offset[k] / 4));
          EXPECT_LT(found[k], targets[k] > 0 ? targets[k] : tol) << k;
          EXPECT_NEAR(found[k], is, 1e-3 * is + 1e-14) << k;
          EXPECT_EQ(out[k][(1 - parity) * in.size() / 2], 7);
        }
        EXPECT_LT(iterations, 2000);
        if (rank() == 0) std::printf("improved %d, mixed %d: %d iterations\n", improved, mixed, iterations);
      }
  });
}

/// Contents change behind the same pointers, other links are loaded in between: what is computed with is the host's.
TEST_F(MilcSolves, LinksAreNeverStale)
{
  on_grids([](Milc &milc) {
    std::vector<double> in = milc.array<double>(milc.psi), out(in.size());
    const auto check = [&](bool improved, int num_iters, const char *when) {
      int iterations = num_iters;
      qudaDslash(2, 2, args_of(0, 0), milc.fat_pointer(improved), milc.long_pointer(improved), in.data(), out.data(),
                 &iterations);
      const std::vector<double> right = milc.array<double>(milc.plain(improved).hop(milc.psi));
      double worst = 0;
      for (std::size_t i = 0; i < out.size() / 2; i++) worst = std::max(worst, std::abs(out[i] - right[i]));
      EXPECT_LT(worst, 1e-12) << when;
    };
    check(true, 0, "first");
    check(true, 0, "again");
    check(true, -1, "told to load");
    const auto renew = [&](GaugeField &links, HostLinks<double> &host, unsigned seed, double factor) {
      links = scaled(reference::random_gauge(milc.lattice, seed), factor);
      HostLinks<double> fresh(links, milc.part, QUDA_MILC_GAUGE_ORDER);
      std::copy_n(static_cast<double *>(fresh.pointer()), 72 * milc.part.local.volume(),
                  static_cast<double *>(host.pointer()));
    };
    renew(milc.longs, milc.host_long, 90, 0.05);
    check(true, 0, "new long links");
    renew(milc.fat, milc.host_fat, 91, 1.1);
    check(true, 0, "new fat links");
    // one number of one rank
    if (rank() == ranks() - 1) static_cast<double *>(milc.host_fat.pointer())[5] += 0.5;
    {
      const Coords x = milc.part.global_coords(0);
      double at[4] = {double(x[0]), double(x[1]), double(x[2]), double(x[3])};
      MPI_Bcast(at, 4, MPI_DOUBLE, ranks() - 1, MPI_COMM_WORLD);
      const Coords there {int(at[0]), int(at[1]), int(at[2]), int(at[3])};
      milc.fat.U[0][milc.lattice.slot(there)](0, 2) += reference::Complex(0, 0.5);
    }
    check(true, 0, "one number");
    check(false, 0, "naive");
    check(true, 0, "improved again");
    renew(milc.one, milc.host_one, 93, 1);
    check(false, 0, "new naive links");
    // other fat links from elsewhere
    QudaGaugeParam param = gauge_param(milc.part.local.X);
    param.gauge_order = QUDA_MILC_GAUGE_ORDER;
    param.type = QUDA_ASQTAD_FAT_LINKS;
    HostLinks<double> others(reference::random_gauge(milc.lattice, 92), milc.part, QUDA_MILC_GAUGE_ORDER);
    loadGaugeQuda(others.pointer(), &param);
    check(true, 0, "others loaded");
    freeGaugeQuda();
    check(true, 0, "freed");
    // Wilson links stay what they are beside naive ones
    param.type = QUDA_WILSON_LINKS;
    loadGaugeQuda(others.pointer(), &param);
    double before[3], after[3];
    plaqQuda(before);
    check(false, 0, "naive beside Wilson");
    check(false, 0, "naive again");
    plaqQuda(after);
    EXPECT_TRUE(std::equal(before, before + 3, after));
  });
}

TEST_F(MilcSolves, WhatCannotBeIsRefusedByName)
{
  if (ranks() > 2) GTEST_SKIP() << "as on two ranks";
  Milc milc(reference::Lattice({4, 4, 4, 8}), {1, 1, 1, ranks()});
  std::vector<double> in = milc.array<double>(milc.psi), out(in.size(), 7);
  double relative = 0, fermilab = 0;
  int iterations = 0;
  const auto refused = [&](const char *word) {
    EXPECT_EQ(handler_.calls(), 1) << word;
    EXPECT_EQ(handler_.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT) << handler_.text();
    EXPECT_TRUE(handler_.says("qudaInvert: ") || handler_.says("qudaMultishiftInvert: ") ||
                handler_.says("qudaDslash: ") || handler_.says("qudaInvertMsrc: "))
        << handler_.text();
    EXPECT_TRUE(handler_.says(word)) << word << " is missing in " << handler_.text();
    EXPECT_EQ(out, std::vector<double>(out.size(), 7));
    handler_.forget();
  };
  struct Call {
    int external = 2, inner = 2;
    double mass = 0.3;
    QudaInvertArgs_t args = args_of(0, 0);
    double tol = 1e-8, tol_hq = 0;
    bool fat = true, source = true;
  };
  const auto invert = [&](const Call &c, const char *word) {
    qudaInvert(c.external, c.inner, c.mass, c.args, c.tol, c.tol_hq, c.fat ? milc.host_fat.pointer() : nullptr,
               milc.host_long.pointer(), c.source ? in.data() : nullptr, out.data(), &relative, &fermilab, &iterations);
    refused(word);
  };
  {
    const Variable of_long("QUDA_MILC_HISQ_RECONSTRUCT_SLOPPY", "12");
    invert({}, "QUDA_MILC_HISQ_RECONSTRUCT_SLOPPY = 12; allowed: 18, 13, 9");
  }
  invert({.external = 3}, "precision = 3");
  invert({.inner = 0}, "quda_precision = 0");
  invert({.mass = NAN}, "mass");
  invert({.tol = 0}, "target_fermilab_residual = 0");
  invert({.tol = -1}, "target_residual = -1");
  invert({.fat = false}, "milc_fatlink = null");
  invert({.source = false}, "source = null");
  invert({.args = args_of(0, 3)}, "mixed_precision = 3");
  QudaInvertArgs_t args = args_of(0, 0);
  args.max_iter = -1;
  invert({.args = args}, "max_iter = -1");
  args = args_of(0, 0);
  args.evenodd = QUDA_INVALID_PARITY;
  invert({.args = args}, "evenodd");
  double offset[2] = {0.1, -0.1}, targets[2] = {1e-8, 1e-8}, none[2] = {}, found[2], hq[2];
  void *x[2] = {out.data(), out.data()};
  const auto shifts = [&](int n, const char *word) {
    qudaMultishiftInvert(2, 2, n, offset, args_of(0, 0), targets, none, milc.host_fat.pointer(),
                         milc.host_long.pointer(), in.data(), x, found, hq, &iterations);
    refused(word);
  };
  shifts(0, "num_offsets = 0");
  shifts(33, "num_offsets = 33");
  shifts(2, "offset = -0.1");
  offset[1] = 0.2;
  targets[0] = 0;
  shifts(2, "target_residual[0] = 0");
  qudaDslash(2, 2, args_of(0, 0), milc.host_fat.pointer(), nullptr, nullptr, out.data(), &iterations);
  refused("source = null");
  qudaInvertMsrc(2, 2, mass, args_of(0, 0), 1e-8, 0, milc.host_fat.pointer(), nullptr, x, x, &relative, &fermilab,
                 &iterations, 0);
  refused("num_src = 0");
}

} // namespace
