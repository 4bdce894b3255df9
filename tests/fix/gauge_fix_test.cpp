/// Landau and Coulomb gauge against the plain reference, step by step; what both ways reach; another program's links.

#include <gtest/gtest.h>

#include <cmath>

#include "ops/fix/fourier.h"
#include "ops/fix/gauge_fix.h"
#include "reference/fix/gauge_fix.h"
#include "reference/gauge/field_strength.h"
#include "reference/gauge/links.h"
#include "reference/gauge/plaquette.h"
#include "reference/gauge/polyakov.h"
#include "reference/gauge/project.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "smear/chroma_links.h"
#include "support/host_links.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

const GaugeFixingReport quiet = [](unsigned, const GaugeQuality &, double) {};

/// Whether the library was built with FFTW.
bool has_fourier()
{
  try {
    check_fourier("tests");
    return true;
  } catch (const Error &) {
    return false;
  }
}

struct Fixed {
  reference::GaugeField links;
  reference::Rotation rotation;
  GaugeQuality quality;
};

reference::Rotation rotation_of(const GaugeRotation &rotation)
{
  ColorSpinorParam param = rotation.rotation().param();
  param.precision = Precision::double_;
  param.order = DiracOrder::dirac;
  param.location = Location::host;
  ColorSpinorField host(param);
  host = rotation.rotation();
  reference::Rotation g(host.lattice().volume());
  const auto *const numbers = static_cast<const reference::Complex *>(host.data());
  for (std::size_t slot = 0; slot < g.size(); slot++)
    for (int k = 0; k < 9; k++) g[slot].data()[k] = numbers[9 * slot + k];
  return g;
}

template <class Fix> Fixed fixed(const support::Place &place, const reference::GaugeField &gauge,
                                 const support::LinkForm &form, int directions, Fix &&fix)
{
  const GaugeField links = support::native_links(place, gauge, form);
  GaugeRotation rotation(links, directions);
  const GaugeQuality quality = fix(rotation);
  GaugeField out(links.param());
  rotation.rotate(out);
  return {support::reference_links(out), rotation_of(rotation), quality};
}

/// Links near 1, rotated away from it.
reference::GaugeField smooth(const reference::Lattice &lattice)
{
  reference::GaugeField gauge(lattice);
  const reference::GaugeField noise = reference::random_gauge(lattice, 54, reference::Kind::general);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++)
      gauge.U[mu][slot] = reference::special_unitary(gauge.U[mu][slot] + 0.05 * noise.U[mu][slot]);
  reference::Rotation g(lattice.volume());
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    g[slot] = reference::special_unitary(reference::Link::Identity() + 0.2 * noise.U[0][slot]);
  return reference::transformed(gauge, g);
}

void expect_quality(const Fixed &found, int directions, double tolerance)
{
  EXPECT_NEAR(found.quality.functional, reference::gauge_functional(found.links, directions), tolerance);
  EXPECT_NEAR(found.quality.theta, reference::gauge_theta(found.links, directions), tolerance);
}

} // namespace

TEST(GaugeFix, RelaxesAsTheReference)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 51);
    for (const int directions : {3, 4})
      for (const double boost : {1.0, 1.7}) {
        reference::GaugeField expected = gauge;
        for (int i = 0; i < 3; i++) reference::over_relax(expected, directions, boost);
        const auto fix = [&](GaugeRotation &rotation) {
          return relax_gauge(rotation, {directions, 3, 0, true}, boost, quiet);
        };
        const Fixed found = fixed(place, gauge, {}, directions, fix);
        EXPECT_LT(reference::deviation(found.links, expected), 1e-12) << directions << " " << boost;
        EXPECT_LT(reference::deviation(reference::transformed(gauge, found.rotation), found.links), 1e-14);
        expect_quality(found, directions, 1e-13);
        const Fixed of_rows = fixed(place, gauge, {Precision::double_, Reconstruct::r12, 1, 1}, directions, fix);
        EXPECT_LT(reference::deviation(of_rows.links, expected), 1e-12);
        const Fixed single = fixed(place, gauge, {Precision::single}, directions, fix);
        EXPECT_LT(reference::deviation(single.links, expected), 1e-3);
        expect_quality(single, directions, 1e-5);
      }
  });
}

TEST(GaugeFix, DescendsAsTheReference)
{
  if (!has_fourier()) GTEST_SKIP() << "built without FFTW";
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 52);
    for (const int directions : {3, 4}) {
      reference::GaugeField expected = gauge;
      for (int i = 0; i < 3; i++) reference::descend(expected, directions, 0.08);
      const auto fix = [&](GaugeRotation &rotation) {
        return descend_gauge(rotation, {directions, 3, 0, true}, 0.08, false, quiet);
      };
      const Fixed found = fixed(place, gauge, {}, directions, fix);
      EXPECT_LT(reference::deviation(found.links, expected), 1e-12) << directions;
      EXPECT_LT(reference::deviation(reference::transformed(gauge, found.rotation), found.links), 1e-14);
      expect_quality(found, directions, 1e-13);
      EXPECT_LT(reference::deviation(fixed(place, gauge, {Precision::single}, directions, fix).links, expected), 1e-3);
    }
  });
}

/// Signs of the boundary and the anisotropy stay on the links that carry them.
TEST(GaugeFix, KeepsTheFactorsOfLinks)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    reference::GaugeField gauge = reference::random_gauge(lattice, 53);
    reference::set_up_links(gauge, 2.464, -1);
    reference::GaugeField expected = gauge;
    for (int i = 0; i < 2; i++) reference::over_relax(expected, 4, 1.5);
    for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
      const Fixed found =
          fixed(place, gauge, {Precision::double_, reconstruct, 2.464, -1}, 4, [&](GaugeRotation &rotation) {
            return relax_gauge(rotation, {4, 2, 0, true}, 1.5, quiet);
          });
      EXPECT_LT(reference::deviation(found.links, expected), 1e-12);
    }
  });
}

/// On a smooth field both ways end in one maximum; numbers that do not depend on the gauge stay.
TEST(GaugeFix, BothWaysReachOneFunctional)
{
  if (!has_fourier()) GTEST_SKIP() << "built without FFTW";
  choose_target();
  const reference::GaugeField gauge = smooth(reference::Lattice({4, 4, 4, 6}));
  const support::Place place(gauge.lattice, make_single_communicator());
  const double plaquette = reference::plaquette(gauge)[0];
  const auto loop = reference::polyakov_loop(gauge);
  const double charge = reference::charge(gauge).charge;
  for (const int directions : {3, 4}) {
    const GaugeFixing what {directions, 2000, 1e-13, true};
    const Fixed relaxed = fixed(place, gauge, {}, directions,
                                [&](GaugeRotation &rotation) { return relax_gauge(rotation, what, 1.6, quiet); });
    const Fixed descended = fixed(place, gauge, {}, directions, [&](GaugeRotation &rotation) {
      return descend_gauge(rotation, what, 0.08, true, quiet);
    });
    EXPECT_NEAR(relaxed.quality.functional, descended.quality.functional, 1e-10);
    for (const Fixed *one : {&relaxed, &descended}) {
      EXPECT_LT(one->quality.theta, 1e-12);
      expect_quality(*one, directions, 1e-13);
      EXPECT_NEAR(reference::plaquette(one->links)[0], plaquette, 1e-12);
      EXPECT_LT(std::abs(reference::polyakov_loop(one->links) - loop), 1e-12);
      EXPECT_NEAR(reference::charge(one->links).charge, charge, 1e-12);
    }
  }
}

/// Steps that are too long take the functional down again and again: shortened, they lead to the maximum all the same,
/// and a step down is not the end.
TEST(GaugeFix, StepsThatAreTooLong)
{
  if (!has_fourier()) GTEST_SKIP() << "built without FFTW";
  choose_target();
  const reference::GaugeField gauge = smooth(reference::Lattice({4, 4, 4, 4}));
  const support::Place place(gauge.lattice, make_single_communicator());
  const auto functional = [&](const auto &fix) { return fixed(place, gauge, {}, 4, fix).quality.functional; };
  const double most = functional([](GaugeRotation &rotation) {
    return relax_gauge(rotation, {4, 500, 1e-13, true}, 1.6, quiet);
  });
  int down = 0;
  const auto descended = [&](bool shortened) {
    down = 0;
    return functional([&](GaugeRotation &rotation) {
      return descend_gauge(rotation, {4, 600, 1e-15, false}, 0.4, shortened,
                           [&](unsigned, const GaugeQuality &, double change) { down += change < 0; });
    });
  };
  EXPECT_LT(descended(false), most - 0.1) << "as they are";
  EXPECT_NEAR(descended(true), most, 1e-12);
  EXPECT_GT(down, 10);
}

/// The mean of Re tr U / 3 to 1e-12, links to 5e-7 after one rotation of all of them.
TEST(GaugeFix, AgreesWithChroma)
{
  for (const char *name : {"weak_field.lime", "chroma/landau.lime"}) NEEDS_FILE(name);
  const reference::GaugeField gauge = smear_test::links_of_file("weak_field.lime"),
                              landau = smear_test::links_of_file("chroma/landau.lime");
  choose_target();
  const support::Place place(gauge.lattice, make_single_communicator());
  const GaugeFixing what {4, 3000, 1e-15, true};
  const auto check = [&](const Fixed &found) {
    EXPECT_NEAR(found.quality.functional, 0.997247011426955, 1e-12);
    EXPECT_LT(found.quality.theta, 1e-12);
    // of one field to the other leads the same rotation R at all sites: R <- sum of V R U^dag, made unitary, where U
    // and V are without their traces, finds it in a few steps
    const auto traceless = [](const reference::Link &u) -> reference::Link {
      return u - u.trace() / 3.0 * reference::Link::Identity();
    };
    reference::Link best = reference::Link::Identity();
    for (int i = 0; i < 50; i++) {
      reference::Link sum = reference::Link::Zero();
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t slot = 0; slot < landau.lattice.volume(); slot++)
          sum += traceless(landau.U[mu][slot]) * best * traceless(found.links.U[mu][slot]).adjoint();
      best = reference::unitary_factor(sum);
    }
    const reference::Rotation everywhere(landau.lattice.volume(), best);
    EXPECT_LT(reference::deviation(reference::transformed(found.links, everywhere), landau), 5e-7);
  };
  check(fixed(place, gauge, {}, 4, [&](GaugeRotation &rotation) { return relax_gauge(rotation, what, 1.5, quiet); }));
  if (has_fourier())
    check(fixed(place, gauge, {}, 4,
                [&](GaugeRotation &rotation) { return descend_gauge(rotation, what, 0.08, true, quiet); }));
}
