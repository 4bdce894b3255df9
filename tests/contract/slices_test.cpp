/// Contractions of propagators and their sums over slices with plane waves: against the plain reference, and against
/// what they must give.

#include "slices.h"

#include <gtest/gtest.h>

using namespace quda;
using contractions::deviation;
using contractions::native;
using contractions::Numbers;

namespace
{

const struct {
  int spins, colors;
} shapes[] = {{1, 1}, {1, 3}, {4, 1}, {4, 3}};

} // namespace

TEST(Slices, AgreeWithTheReference)
{
  for (const reference::Coords extents : {reference::Coords {2, 4, 6, 8}, {4, 4, 8, 2}})
    for (const auto &shape : shapes) {
      const reference::Lattice lattice(extents);
      const auto x = contractions::random_propagator(lattice, shape.spins, shape.colors, 61),
                 y = contractions::random_propagator(lattice, shape.spins, shape.colors, 81);
      const auto numbers = contractions::expected_products(x, y, shape.spins);
      Numbers right[4];
      for (const int direction : {2, 3})
        right[direction] =
            reference::sum_waves(numbers, lattice, contractions::plane_waves, direction, contractions::source_coords);
      support::on_targets([&] {
        const support::Place place(lattice, make_single_communicator());
        for (const Precision precision : {Precision::double_, Precision::single}) {
          const auto found = contractions::products(native(place, x, precision, shape.spins),
                                                    native(place, y, precision, shape.spins));
          for (const int direction : {2, 3})
            EXPECT_LE(deviation(sum_plane_waves(found, direction, contractions::library_waves(), contractions::source),
                                right[direction]),
                      precision == Precision::double_ ? 1e-13 : 5e-6)
                << shape.spins << " spins, " << shape.colors << " colours, direction " << direction;
        }
      });
    }
}

/// Of a plane wave only its own momentum is left; of a field with itself at momentum zero the norm.
TEST(Slices, OfAPlaneWave)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 6, 2, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::PlaneWave wave {{1, -2, 0, 3}, {3, 3, 3, 3}};
    reference::Propagator ones(1, reference::Spinors(lattice.volume(), reference::Spinor::Ones())), waves = ones;
    for (std::size_t slot = 0; slot < lattice.volume(); slot++)
      waves[0][slot] *= reference::wave_at(wave, lattice, lattice.coords(slot), contractions::source_coords);
    const auto x = native(place, waves, Precision::double_, 1), y = native(place, ones, Precision::double_, 1);
    std::vector<reference::PlaneWave> momenta;
    for (int m = 0; m < 8; m++) momenta.push_back({{1, -2, 0, m}, {3, 3, 3, 3}});
    for (int m = 0; m < 4; m++) momenta.push_back({{m, -2 + m / 3, 1, 3}, {3, 3, 3, 3}});
    const Numbers sums =
        sum_plane_waves(contractions::products(x, y), 3, contractions::library_waves(momenta), contractions::source);
    for (std::size_t m = 0; m < momenta.size(); m++) {
      std::complex<double> all = 0;
      for (int t = 0; t < 8; t++) {
        all += sums[8 * m + t];
        EXPECT_LE(std::abs(std::abs(sums[8 * m + t]) - (m < 8 ? 3.0 * 48 : 0)), 1e-10) << m << " slice " << t;
      }
      EXPECT_LE(std::abs(all - (m == 3 ? 3.0 * 48 * 8 : 0)), 1e-10) << m;
    }

    const auto psi = contractions::random_propagator(lattice, 1, 1, 7);
    double norm[8] = {};
    const auto random = native(place, psi, Precision::double_, 1);
    for (std::size_t slot = 0; slot < lattice.volume(); slot++)
      norm[lattice.coords(slot)[3]] += psi[0][slot].row(0).squaredNorm();
    const Numbers self =
        sum_plane_waves(contractions::products(random, random), 3,
                        contractions::library_waves({momenta[0], {{0, 0, 0, 0}, {3, 3, 3, 3}}}), contractions::source);
    for (int t = 0; t < 8; t++) {
      EXPECT_NEAR(self[8 + t].real(), norm[t], 1e-12 * norm[t]);
      EXPECT_LE(std::abs(self[8 + t].imag()), 1e-13 * norm[t]);
    }
  });
}

/// NaN stays in its slice and in what it enters; many sums take several launches.
TEST(Slices, NotANumberAndManySums)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 2, 2, 24});
    const support::Place place(lattice, make_single_communicator());
    auto x = contractions::random_propagator(lattice, 4, 1, 3);
    const auto y = contractions::random_propagator(lattice, 4, 1, 9);
    std::vector<reference::PlaneWave> waves(7, contractions::plane_waves[2]);
    for (std::size_t w = 0; w < waves.size(); w++) waves[w].mode[0] = static_cast<int>(w);
    const auto right =
        reference::sum_waves(contractions::expected_products(x, y, 4), lattice, waves, 3, contractions::source_coords);
    const auto sums = [&] {
      return sum_plane_waves(
          contractions::products(native(place, x, Precision::double_, 4), native(place, y, Precision::double_, 4)), 3,
          contractions::library_waves(waves), contractions::source);
    };
    EXPECT_LE(deviation(sums(), right), 1e-13);
    x[2][lattice.slot({1, 0, 1, 17})](1, 2) = NAN;
    const Numbers with_nan = sums();
    for (std::size_t k = 0; k < right.size(); k++)
      if (k / 16 % 24 == 17)
        EXPECT_TRUE(std::isnan(with_nan[k].real())) << k;
      else
        EXPECT_LE(std::abs(with_nan[k] - right[k]), 1e-11) << k;
  });
}
