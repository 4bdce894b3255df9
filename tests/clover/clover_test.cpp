/// Clover terms, their inverses and determinants against the plain reference; copies of them; what a set keeps.

#include <gtest/gtest.h>

#include <cmath>

#include "ops/clover/clover_set.h"
#include "ops/clover/term.h"
#include "ops/dirac/clover.h"
#include "reference/dirac/clover.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;
using reference::SiteMatrices;
using reference::Spinors;

namespace
{

const reference::Coords shapes[] = {{2, 4, 6, 8}, {6, 6, 6, 6}};
constexpr double xi = 1.3, c = 0.2;

reference::GaugeField prepared(const reference::Lattice &lattice)
{
  reference::GaugeField gauge = reference::random_gauge(lattice, 11);
  reference::set_up_links(gauge, xi, -1);
  return gauge;
}

double largest(const std::vector<double> &a, const std::vector<double> &b)
{
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); i++)
    if (!(std::abs(a[i] - b[i]) <= most)) most = std::abs(a[i] - b[i]);
  return most;
}

std::vector<double> packed(const SiteMatrices &A, const support::Place &place)
{
  return reference::to_packed<double>(A, place.global, place.part);
}

CloverField native(const SiteMatrices &A, const support::Place &place, Precision precision)
{
  CloverField field = support::native_clover(place, precision);
  support::set_from_host(field, packed(A, place));
  return field;
}

} // namespace

TEST(Clover, TermInverseAndDeterminantAgreeWithTheReference)
{
  std::vector<double> first; // bits are those of the first target
  support::on_targets([&] {
    std::vector<double> bits;
    for (const auto &shape : shapes) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          const bool single = precision == Precision::single;
          reference::GaugeField gauge = prepared(lattice);
          if (single) gauge = reference::rounded_to_single(gauge);
          const GaugeField links = support::native_links(place, gauge, {precision, reconstruct, xi, -1});
          if (reconstruct == Reconstruct::r12) gauge = reference::reconstructed_12(gauge, xi, -1);
          const SiteMatrices A = reference::clover_term(gauge, c);
          CloverField term = support::native_clover(place, precision),
                      inverse = support::native_clover(place, precision);
          clover_term(term, links, c);
          const double bar = single ? 1e-6 : 1e-14;
          EXPECT_LE(largest(support::host_array(term), packed(A, place)), bar);
          const CloverDeterminants found = clover_inverse(&inverse, term), alone = clover_inverse(nullptr, term);
          EXPECT_LE(largest(support::host_array(inverse), packed(reference::inverse(A), place)), 10 * bar);
          EXPECT_EQ(found.not_positive, 0);
          EXPECT_EQ(found.blocks, 2 * static_cast<long long>(lattice.volume()));
          for (int parity = 0; parity < 2; parity++) {
            EXPECT_NEAR(found.log[parity], reference::log_determinant(A, parity),
                        bar * std::sqrt(static_cast<double>(lattice.volume())));
            EXPECT_EQ(found.log[parity], alone.log[parity]);
            bits.push_back(found.log[parity]);
          }
          for (const CloverField *field : {&term, &inverse}) {
            const auto all = support::host_array(*field);
            bits.insert(bits.end(), all.begin(), all.end());
          }
        }
    }
    if (first.empty()) first = bits;
    EXPECT_TRUE(bits == first) << "other bits than on another target";
  });
}

TEST(Clover, BlocksThatAreNotPositiveAreCounted)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 4, 6});
    const support::Place place(lattice, make_single_communicator());
    const SiteMatrices A = reference::clover_term(reference::random_gauge(lattice, 12), 1.2);
    const long long negative = reference::blocks_not_positive(A);
    ASSERT_GT(negative, 0);
    ASSERT_LT(negative, 2 * static_cast<long long>(lattice.volume()));
    EXPECT_EQ(clover_inverse(nullptr, native(A, place, Precision::double_)).not_positive, negative);

    CloverSet set;
    set.load(std::make_unique<CloverField>(native(A, place, Precision::double_)), nullptr);
    EXPECT_THROW(set.inverse(Precision::double_), Error);
  });
}

/// Constant flux of U(1) matrices diag(e^i theta, e^-i theta, 1) through each (x, y) plane: F_xy = i sin theta diag(1,
/// -1, 0), nothing else.
TEST(Clover, OfAConstantField)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 6, 4, 4});
    const support::Place place(lattice, make_single_communicator());
    const double theta = 2 * M_PI / (4 * 6), charge[3] = {1, -1, 0}, s = std::sin(theta);
    reference::GaugeField gauge(lattice);
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const reference::Coords x = lattice.coords(slot);
      for (int q = 0; q < 3; q++) {
        gauge.at(1, x)(q, q) = std::polar(1.0, theta * charge[q] * x[0]);
        if (x[0] == lattice.X[0] - 1) gauge.at(0, x)(q, q) = std::polar(1.0, -theta * charge[q] * lattice.X[0] * x[1]);
      }
    }
    CloverField term = support::native_clover(place, Precision::double_);
    clover_term(term, support::native_links(place, gauge, {}), c);
    // -c gamma_y gamma_x F_yx = -c gamma_x gamma_y F_xy = -i c sin theta charge gamma_x gamma_y, which is diagonal
    const reference::SpinMatrix g =
        reference::gamma(reference::Basis::degrand_rossi, 0) * reference::gamma(reference::Basis::degrand_rossi, 1);
    reference::SiteMatrix a = reference::SiteMatrix::Identity();
    for (int spin = 0; spin < 4; spin++)
      for (int q = 0; q < 3; q++)
        a(3 * spin + q, 3 * spin + q) -= reference::Complex(0, c * s * charge[q]) * g(spin, spin);
    EXPECT_LE(largest(support::host_array(term), packed(SiteMatrices(lattice.volume(), a), place)), 1e-14);
    const double log_det = 4 * std::log(1 - c * c * s * s) * static_cast<double>(lattice.half());
    const CloverDeterminants found = clover_inverse(nullptr, term);
    EXPECT_NEAR(found.log[0], log_det, 1e-11);
    EXPECT_NEAR(found.log[1], log_det, 1e-11);
  });
}

TEST(Clover, AppliedToSpinors)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const SiteMatrices A = reference::clover_term(prepared(lattice), c);
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const double bar = precision == Precision::double_ ? 1e-13 : 2e-6;
      const CloverField term = native(A, place, precision);
      const Spinors psi = reference::random_spinors(lattice, 5);
      for (const int parity : {-1, 0, 1}) {
        const Spinors in = parity < 0 ? psi : reference::half_of(psi, parity);
        ColorSpinorField field = support::native_spinors(place, precision, parity, 3), out(field.param());
        for (int n = 0; n < 3; n++) {
          ColorSpinorField one = support::native_spinors(place, precision, parity);
          support::set_from(one, place, psi);
          field.columns(n, 1) = one;
        }
        apply_clover(out, field, term);
        apply_clover(field, field, term);
        for (int n = 0; n < 3; n++)
          for (const ColorSpinorField *result : {&out, &field}) {
            ColorSpinorField one = support::native_spinors(place, precision, parity);
            one = result->columns(n, 1);
            EXPECT_LE(reference::deviation(reference::from_host<double>(support::host_array(one), parity < 0),
                                           reference::times(A, in, parity)),
                      bar);
          }
      }
    }
  });
}

TEST(Clover, CopiesBetweenPrecisionsAndOrders)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const SiteMatrices A = reference::clover_term(prepared(lattice), c);
    const std::vector<double> expected = packed(A, place);
    const CloverField precise = native(A, place, Precision::double_);
    EXPECT_TRUE(support::host_array(precise) == expected);
    for (const auto &[precision, bar] : {std::pair(Precision::single, 1e-7), std::pair(Precision::half, 2.5e-5)}) {
      CloverField copy = support::native_clover(place, precision),
                  back = support::native_clover(place, Precision::double_);
      copy = precise;
      EXPECT_LE(largest(support::host_array(copy), expected), bar);
      back = copy;
      EXPECT_TRUE(support::host_array(copy) == support::host_array(back));
      // a half is a field of its own
      CloverField odd = precise.half(1);
      const std::vector<double> of_odd(expected.begin() + static_cast<std::ptrdiff_t>(expected.size() / 2),
                                       expected.end());
      EXPECT_TRUE(support::host_array(odd) == of_odd);
    }
    // the host's array in single precision
    std::vector<float> numbers = reference::to_packed<float>(A, lattice, place.part);
    CloverParam param = precise.param();
    param.native = false;
    param.precision = Precision::single;
    param.location = Location::host;
    param.create = Create::reference;
    param.data = numbers.data();
    CloverField native_one = support::native_clover(place, Precision::double_);
    native_one = CloverField(param);
    EXPECT_LE(largest(support::host_array(native_one), expected), 1e-7);
    EXPECT_THROW(native_one = precise.half(0), Error);
  });
}

TEST(CloverSet, CopiesFollowWhatTheyWereMadeFrom)
{
  choose_target();
  const reference::Lattice lattice({4, 4, 4, 6});
  const support::Place place(lattice, make_single_communicator());
  CloverSet set;
  EXPECT_FALSE(set.loaded());
  EXPECT_THROW(set.precise(), Error);
  EXPECT_THROW(set.inverse(Precision::double_), Error);
  for (const int seed : {1, 2}) {
    const SiteMatrices A = reference::clover_term(reference::random_gauge(lattice, seed), c);
    set.load(std::make_unique<CloverField>(native(A, place, Precision::double_)), nullptr);
    const std::vector<double> inverse = packed(reference::inverse(A), place);
    EXPECT_EQ(&set.copy(Precision::double_), &set.precise());
    EXPECT_LE(largest(support::host_array(set.copy(Precision::single)), packed(A, place)), 1e-6);
    EXPECT_EQ(&set.copy(Precision::single), &set.copy(Precision::single));
    EXPECT_LE(largest(support::host_array(set.inverse(Precision::double_)), inverse), 1e-13);
    EXPECT_LE(largest(support::host_array(set.inverse(Precision::single)), inverse), 1e-6);
    EXPECT_LE(largest(support::host_array(set.inverse(Precision::half)), inverse), 5e-5);
  }
  const SiteMatrices A = reference::clover_term(reference::random_gauge(lattice, 3), c);
  set.load(std::make_unique<CloverField>(native(A, place, Precision::double_)),
           std::make_unique<CloverField>(native(A, place, Precision::double_))); // a host's inverse is taken as it is
  EXPECT_LE(largest(support::host_array(set.inverse(Precision::single)), packed(A, place)), 1e-6);
  set.clear();
  EXPECT_FALSE(set.loaded());
}
