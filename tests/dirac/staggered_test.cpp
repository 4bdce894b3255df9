/// Staggered hops and matrices against the plain reference, and the identities they must obey.

#include "dirac_checks.h"

#include "ops/dirac/staggered.h"
#include "reference/dirac/staggered.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "support/host_links.h"
#include "support/untuned.h"

using namespace quda;
using namespace dirac_test;
using reference::ColorVectors;

namespace
{

constexpr double mass = 0.07;

ColorVectors random_colors(const reference::Lattice &lattice, std::uint64_t seed)
{
  return reference::spins_of<1>(reference::random_spinors(lattice, seed));
}

/// Links in the library and in the plain reference; without long links naive staggered fermions.
struct Case {
  Case(const reference::Coords &shape, bool improved, Reconstruct reconstruct = Reconstruct::none)
      : Case(improved ? reference::random_fat_links(reference::Lattice(shape), 11)
                      : prepared(reference::Lattice(shape)),
             reference::random_long_links(reference::Lattice(shape), 12), improved, reconstruct)
  {
  }
  Case(reference::GaugeField near, reference::GaugeField far, bool improved,
       Reconstruct reconstruct = Reconstruct::none, Reconstruct of_long = Reconstruct::none)
      : global(near.lattice)
      , place(global, make_single_communicator())
      , links(std::move(near))
      , long_links(std::move(far))
      , plain {links, improved ? &long_links : nullptr}
      , reconstruct(reconstruct)
      , of_long(of_long)
  {
    const auto load = [&](LinkSet &into, const reference::GaugeField &from, LinkType type, Reconstruct stored) {
      const int t_boundary = reconstruct == Reconstruct::none ? 1 : -1;
      into.load(std::make_unique<GaugeField>(
          support::native_links(place, from, {Precision::double_, stored, 1, t_boundary, type})));
    };
    load(set, links, improved ? LinkType::general : LinkType::su3, Reconstruct::none);
    if (improved) load(long_set, long_links, LinkType::three, of_long);
  }
  static reference::GaugeField prepared(const reference::Lattice &lattice)
  {
    reference::GaugeField gauge = reference::random_gauge(lattice, 11);
    reference::set_up_links(gauge, 1, -1);
    return gauge;
  }

  std::unique_ptr<Dirac> dirac(Precision precision = Precision::double_, double of_mass = mass) const
  {
    return make_dirac(StaggeredFermions {of_mass, plain.long_links ? &long_set : nullptr, of_long}, set,
                      {precision, reconstruct});
  }
  std::vector<double> host(const ColorVectors &psi, int parity = -1) const
  {
    return reference::to_host<double, 1>(psi, global, place.part, parity);
  }
  ColorSpinorField native(const Dirac &dirac, const ColorVectors &psi, int parity = -1) const
  {
    ColorSpinorField field(dirac.shape(parity, 1));
    support::set_from_host(field, host(psi, parity));
    return field;
  }
  /// D psi by the library.
  std::vector<double> hop(const ColorVectors &psi) const
  {
    const auto D = dirac();
    const ColorSpinorField in = native(*D, psi);
    ColorSpinorField out(in.param());
    D->dslash(out, in, false);
    return support::host_array(out);
  }

  const reference::Lattice global;
  const support::Place place;
  const reference::GaugeField links, long_links;
  const reference::Staggered plain;
  const Reconstruct reconstruct, of_long;
  LinkSet set, long_set;
};

void compare(const Case &on, Precision precision, double bar)
{
  const auto dirac = on.dirac(precision);
  const ColorVectors psi = random_colors(on.global, 5), D = on.plain.hop(psi), M = on.plain.matrix(psi, mass),
                     Md = on.plain.matrix(psi, mass, true), square = on.plain.square(psi, mass);
  double worst = 0;
  const auto check = [&](const ColorSpinorField &field, const ColorVectors &expected, int parity = -1) {
    worst = std::max(worst, reference::deviation(support::host_array(field), on.host(expected, parity)));
  };
  for (const bool dagger : {false, true}) {
    for (int parity = 0; parity < 2; parity++) {
      ColorSpinorField out(dirac->shape(parity, 1));
      dirac->dslash(out, on.native(*dirac, psi, 1 - parity), dagger);
      check(out, reference::combined<1>(dagger ? -1 : 1, D, 0, D), parity);
      (*dirac->schur(static_cast<MatPC>(parity)))(out, on.native(*dirac, psi, parity), dagger);
      check(out, square, parity);
    }
    ColorSpinorField out(dirac->shape(-1, 1));
    (*dirac->full())(out, on.native(*dirac, psi), dagger);
    check(out, dagger ? Md : M);
  }
  const auto full = dirac->full();
  ColorSpinorField out(dirac->shape(-1, 1));
  Normal {*full}(out, on.native(*dirac, psi));
  check(out, square);
  std::printf("  %2d %2d %2d %2d  %-10s %d bytes recon %d%s: %.2e\n", on.global.X[0], on.global.X[1], on.global.X[2],
              on.global.X[3], target_name(target().kind()), bytes_of(precision),
              static_cast<int>(on.plain.long_links ? on.of_long : on.reconstruct),
              on.plain.long_links ? " improved" : "", worst);
  EXPECT_LE(worst, bar);
}

const std::pair<Precision, double> precisions[] = {
    {Precision::double_, 1e-12}, {Precision::single, 5e-6}, {Precision::half, 1e-3}};

} // namespace

TEST(Staggered, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 4}}) {
      const Case improved(shape, true), naive(shape, false), two_rows(shape, false, Reconstruct::r12);
      const reference::Lattice lattice(shape);
      const auto packed = [&](Reconstruct of_long) {
        return Case(reference::random_fat_links(lattice, 11), reference::random_unitary_long_links(lattice, 13), true,
                    Reconstruct::none, of_long);
      };
      const Case thirteen = packed(Reconstruct::r13), nine = packed(Reconstruct::r9);
      for (const auto &[precision, bar] : precisions) {
        for (const Case *on : {&improved, &naive, &two_rows, &thirteen, &nine}) compare(*on, precision, bar);
        const Reconstruct stored =
            nine.long_set.copy({precision, precision == Precision::double_ ? Reconstruct::r9 : Reconstruct::r13})
                .reconstruct();
        EXPECT_EQ(stored, precision == Precision::double_ ? Reconstruct::r9 : Reconstruct::r13);
      }
    }
  });
}

TEST(Staggered, OperatorsKeepTheirPromises)
{
  choose_target(); // fibers are slow
  for (const bool improved : {false, true}) {
    const Case on({4, 4, 4, 6}, improved);
    const auto dirac = on.dirac();
    const auto M = dirac->full(), Mpc = dirac->schur(MatPC::odd_odd);
    EXPECT_EQ(M->symmetry(), Symmetry::general);
    EXPECT_EQ(Mpc->symmetry(), Symmetry::positive);
    for (const LinearOperator *A : {M.get(), Mpc.get()}) expect_adjoint(*A, on.place);
    expect_epilogues(*M, on.place, 2);
    expect_epilogues(*Mpc, on.place, 3);
    for (const int rhs : {1, 3}) expect_even_odd(*dirac, on.place, rhs, false);
    const double volume = static_cast<double>(on.global.volume()), flops = improved ? 1146 : 570;
    EXPECT_EQ(dirac->dslash_flops(2), flops * volume);
    EXPECT_EQ(M->flops(3), 3 * (flops + 12) * volume);
  }
}

TEST(Staggered, RightHandSidesDoNotMix)
{
  for (const Precision precision : {Precision::double_, Precision::half}) {
    const Case on({2, 4, 6, 8}, true);
    expect_columns_alone(*on.dirac(precision)->full(), on.place);
  }
}

/// Of unit links with phases, long ones weighted: D D of a plane wave is - sum_mu (2 sin p_mu + 2 c sin 3 p_mu)^2.
TEST(Staggered, FreeField)
{
  const reference::Lattice lattice({4, 6, 8, 8});
  reference::GaugeField fat(lattice), of_long(lattice);
  const double weight = -1.0 / 24;
  for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
    const reference::Coords x = lattice.coords(slot);
    const int sum[4] = {x[3], x[3] + x[0], x[3] + x[0] + x[1], 0};
    for (int mu = 0; mu < 4; mu++) {
      fat.U[mu][slot] *= sum[mu] % 2 ? -1 : 1;
      of_long.U[mu][slot] *= sum[mu] % 2 ? -weight : weight;
    }
  }
  for (const bool improved : {false, true}) {
    const Case on(fat, of_long, improved);
    const auto dirac = on.dirac();
    for (const reference::Coords k : {reference::Coords {0, 0, 0, 0}, {1, 2, 3, 4}, {3, 5, 1, 7}}) {
      double p[4], eigenvalue = 4 * mass * mass;
      for (int mu = 0; mu < 4; mu++) {
        p[mu] = 2 * M_PI * k[mu] / lattice.X[mu];
        const double lambda = 2 * std::sin(p[mu]) + (improved ? 2 * weight * std::sin(3 * p[mu]) : 0);
        eigenvalue += lambda * lambda;
      }
      ColorVectors wave(lattice.volume());
      for (std::size_t slot = 0; slot < wave.size(); slot++) {
        const reference::Coords x = lattice.coords(slot);
        const double phase = p[0] * x[0] + p[1] * x[1] + p[2] * x[2] + p[3] * x[3];
        for (int c = 0; c < 3; c++) wave[slot](0, c) = std::polar(1.0 + c, phase);
      }
      const auto full = dirac->full();
      const ColorSpinorField in = on.native(*dirac, wave);
      ColorSpinorField out(in.param());
      Normal {*full}(out, in);
      const std::vector<double> expected = on.host(reference::combined<1>(eigenvalue, wave, 0, wave));
      EXPECT_LE(reference::deviation(support::host_array(out), expected), 1e-12) << k[0] << k[1] << k[2] << k[3];
    }
  }
}

TEST(Staggered, Covariance)
{
  const reference::Lattice lattice({4, 4, 6, 8});
  const reference::GaugeField fat = reference::random_fat_links(lattice, 21),
                              of_long = reference::random_long_links(lattice, 22);
  const reference::Rotation g = reference::random_rotation(lattice, 23);
  const auto rotated = [&](const ColorVectors &psi) {
    ColorVectors out(psi.size());
    for (std::size_t slot = 0; slot < psi.size(); slot++) out[slot] = psi[slot] * g[slot].transpose();
    return out;
  };
  for (const bool improved : {false, true}) {
    const Case on(fat, of_long, improved),
        there(reference::transformed(fat, g), reference::transformed(of_long, g, 3), improved);
    const ColorVectors psi = random_colors(lattice, 24);
    EXPECT_LE(reference::deviation(there.hop(rotated(psi)), on.host(rotated(on.plain.hop(psi)))), 1e-12);
  }
}

/// Doubling: with the links of a direction negated, D carries (-1)^x_mu psi to (-1)^x_mu times what D made of psi.
TEST(Staggered, Doubling)
{
  const reference::Lattice lattice({4, 4, 6, 8});
  for (const bool improved : {false, true})
    for (int mu = 0; mu < 4; mu++) {
      reference::GaugeField fat = reference::random_fat_links(lattice, 21),
                            of_long = reference::random_long_links(lattice, 22);
      const Case on(fat, of_long, improved);
      for (reference::GaugeField *links : {&fat, &of_long})
        for (reference::Link &u : links->U[mu]) u = -u;
      const Case there(fat, of_long, improved);
      const auto alternated = [&](ColorVectors psi) {
        for (std::size_t slot = 0; slot < psi.size(); slot++)
          if (lattice.coords(slot)[mu] % 2) psi[slot] = -psi[slot];
        return psi;
      };
      const ColorVectors psi = random_colors(lattice, 24);
      EXPECT_LE(reference::deviation(there.hop(alternated(psi)), on.host(alternated(on.plain.hop(psi)))), 1e-12) << mu;
    }
}

/// Half precision holds what is larger than one, in a unit of each field's own; there and back.
TEST(Staggered, HalfPrecisionOfFatLinks)
{
  const Case on({4, 4, 4, 6}, true);
  const GaugeField &half = on.set.copy({Precision::half, Reconstruct::none});
  EXPECT_GT(half.unit(), 1.5);
  EXPECT_LT(on.long_set.copy({Precision::half, Reconstruct::none}).unit(), 0.5);
  GaugeField back(on.set.precise().param());
  back = half;
  EXPECT_EQ(back.unit(), 1);
  const auto expected = support::host_links(on.set.precise()), got = support::host_links(back);
  double largest = 0, error = 0;
  for (std::size_t mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < expected[mu].size(); i++) {
      largest = std::max(largest, std::abs(expected[mu][i]));
      error = std::max(error, std::abs(expected[mu][i] - got[mu][i]));
    }
  EXPECT_NEAR(half.unit(), largest, 1e-6 * largest);
  EXPECT_LE(error, 0.51 * largest / 32767);
  GaugeField again(half.param());
  again = half;
  EXPECT_EQ(again.unit(), half.unit());
  back = again;
  EXPECT_EQ(support::host_links(back), got);
}

/// b - M x of an x that was reconstructed: nothing on the other parity, and on this one what is made of c - M_pc x_t.
TEST(Staggered, ResidualsOnOneParityBecomeThoseOnAll)
{
  const Case on({4, 4, 6, 8}, true);
  for (const double of_mass : {mass, -mass})
    for (const MatPC matpc : {MatPC::even_even, MatPC::odd_odd}) {
      const auto dirac = on.dirac(Precision::double_, of_mass);
      const int t = parity_of(matpc);
      const ColorSpinorField b = on.native(*dirac, random_colors(on.global, 31));
      ColorSpinorField x = on.native(*dirac, random_colors(on.global, 32)), r(b.param());
      ColorSpinorField c(dirac->shape(t, 1)), product(c.param()), here(c.param());
      here = x.half(t);
      dirac->prepare(c, b, matpc, false);
      (*dirac->schur(matpc))(product, here);
      blas::xpay(c, -1.0, product);
      dirac->residual_of_full(product, matpc, false);
      dirac->reconstruct(x, b, matpc, false);
      (*dirac->full())(r, x);
      blas::xpay(b, -1.0, r);
      EXPECT_LE(reference::deviation(support::host_array(r.half(t)), support::host_array(product)), 1e-12);
      EXPECT_LE(blas::norm2(r.half(1 - t)), 1e-24 * blas::norm2(r));
    }
}

TEST(Staggered, RefusesWhatDoesNotFit)
{
  const Case on({4, 4, 4, 6}, true);
  const LinkSet empty;
  EXPECT_THROW(make_dirac(StaggeredFermions {mass, &empty}, on.set, {Precision::double_, Reconstruct::none}), Error);
}
