/// The staggered part of MILC's measurements by its own calls (c_milc_quarks.c), against the plain reference: links of
/// HISQ, hops, propagators, systems, mesons, the force; new links in the same arrays are seen, and how ranks cut
/// changes no bit.

#include "c_milc_quarks.h"
#include "quark_links.h"

#include "reference/contract/propagators.h"
#include "reference/dirac/spin_taste.h"
#include "reference/dirac/staggered.h"
#include "reference/force/momentum.h"
#include "reference/force/staggered.h"
#include "reference/gauge/staggered_phase.h"
#include "reference/links/fat_links.h"

namespace
{

using namespace test;
using reference::ColorVectors;
using reference::GaugeField;
using Numbers = std::vector<double>;

const reference::Lattice global({4, 8, 4, 8});

milc_quarks run_on(const Coords &grid, const reference::Part &part, int mixed, int notifies)
{
  milc_quarks run {};
  for (int d = 0; d < 4; d++) {
    run.latsize[d] = global.X[d];
    run.machsize[d] = grid[d];
  }
  run.sites = static_cast<int>(part.local.volume());
  std::ranges::copy(reference::phased(reference::fat7_weights), run.first_level);
  std::ranges::copy(reference::phased(reference::hisq_weights), run.second_level);
  std::ranges::copy(reference::phased(reference::naik_weights), run.naik);
  run.epsilon[1] = -0.2;
  run.mass = 0.15;
  run.tol = 1e-9;
  run.width = 1.7;
  for (int k = 0; k < MILC_SHIFTS; k++) run.offset[k] = 0.05 * std::pow(2.5, k);
  run.mixed = mixed;
  run.notifies = notifies;
  return run;
}

/// Memory of what the C program reads and writes.
class Fields
{
public:
  Fields(std::size_t sites, const Numbers &source)
      : source(source)
  {
    const auto links = [&] { return reinterpret_cast<milc_matrix *>(memory_.emplace_back(72 * sites, 7.0).data()); };
    const auto vector = [&] { return reinterpret_cast<milc_vector *>(memory_.emplace_back(6 * sites, 7.0).data()); };
    memory_.reserve(64);
    f.u = links();
    f.v = links();
    f.w = links();
    for (milc_fn &fn : f.fn) {
      fn.fat = links();
      fn.straight = links();
    }
    f.source = reinterpret_cast<milc_vector *>(this->source.data());
    for (int k = 0; k < MILC_FLAVOURS; k++) {
      f.hop[k] = vector();
      f.propagator[k] = vector();
      for (milc_vector *&x : f.shifted[k]) x = vector();
      for (milc_vector *&x : f.several[k]) x = vector();
      f.sequence[k] = vector();
    }
    for (milc_vector *&x : f.moved) x = vector();
    for (milc_vector *&x : f.smeared) x = vector();
    f.tasted = vector();
    correlator.assign(2 * MILC_MOMENTA * global.X[3], NAN);
    f.correlator = correlator.data();
    momenta.assign(40 * sites, 0.25);
    f.momenta = reinterpret_cast<milc_momentum *>(momenta.data());
    sites_ = sites;
  }

  Numbers of(const milc_vector *x) const { return Numbers(&x[0][0][0], &x[0][0][0] + 6 * sites_); }
  Numbers of(const milc_matrix *x) const { return Numbers(&x[0][0][0][0], &x[0][0][0][0] + 72 * sites_); }

  milc_fields f {};
  Numbers source, correlator, momenta;

private:
  std::size_t sites_;
  std::vector<Numbers> memory_;
};

/// What is right, of links with phases.
struct Right {
  GaugeField u, v, w, fat[MILC_FLAVOURS], straight[MILC_FLAVOURS];

  Right(unsigned seed, const double *epsilon)
      : u(reference::staggered(reference::random_gauge(global, seed, reference::Kind::weak),
                               reference::StaggeredPhases::milc, -1))
      , v(reference::fat_links(u, reference::phased(reference::fat7_weights)))
      , w(reference::unitary_links(v))
      , fat {reference::fat_links(w, reference::phased(reference::hisq_weights)), GaugeField(global)}
      , straight {reference::long_links(w, reference::hisq_weights), GaugeField(global)}
  {
    const GaugeField one = reference::fat_links(w, reference::naik_weights),
                     three = reference::long_links(w, reference::naik_weights);
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < global.volume(); slot++) {
        fat[1].U[mu][slot] = fat[0].U[mu][slot] + epsilon[1] * one.U[mu][slot];
        straight[1].U[mu][slot] = straight[0].U[mu][slot] + epsilon[1] * three.U[mu][slot];
      }
  }
};

class MilcQuarks : public testing::Test
{
protected:
  void expect_links(const Fields &fields, const reference::Part &part, const Right &right)
  {
    const auto expect = [&](const milc_matrix *found, const GaugeField &links, const char *what) {
      EXPECT_LT(largest_difference(fields.of(found), reference::to_milc<double>(links, part)), 1e-12) << what;
    };
    expect(fields.f.v, right.v, "first level");
    expect(fields.f.w, right.w, "unitary");
    for (int k = 0; k < MILC_FLAVOURS; k++) {
      expect(fields.f.fn[k].fat, right.fat[k], "fat");
      expect(fields.f.fn[k].straight, right.straight[k], "long");
    }
  }

  void expect_systems(const Fields &fields, const reference::Part &part, const Right &right, const milc_quarks &run,
                      const ColorVectors &psi)
  {
    for (int k = 0; k < MILC_FLAVOURS; k++) {
      SCOPED_TRACE(testing::Message() << "flavour " << k);
      const reference::Staggered plain {right.fat[k], &right.straight[k]};
      const auto field = [&](const milc_vector *x, int parity = -1) {
        return gathered<1>(fields.of(x), global, part, parity);
      };
      EXPECT_LT(
          largest_difference(fields.of(fields.f.hop[k]), reference::to_host<double, 1>(plain.hop(psi), global, part)),
          1e-12);
      const ColorVectors x = field(fields.f.propagator[k]);
      const double from_solves = 10 / (2 * run.mass) * run.tol; // |M^dag b| / |b| < 10
      EXPECT_LT(norm<1>(reference::combined<1>(1, psi, -1, plain.matrix(x, run.mass, true))) / norm<1>(psi),
                from_solves);
      const auto residual = [&](const ColorVectors &b, const ColorVectors &y, double mass) {
        return norm<1>(reference::combined<1>(1, b, -1, plain.square(y, mass))) / norm<1>(b);
      };
      for (int i = 0; i < MILC_SOURCES; i++) {
        const milc_vector *sources[] = {fields.f.source, fields.f.hop[k], fields.f.propagator[k]};
        const double is = residual(field(sources[i], 1), field(fields.f.several[k][i], 1), run.mass);
        EXPECT_LT(is, run.tol);
        EXPECT_LT(is, 1.001 * fields.f.residual[k][2] + 1e-14);
      }
      for (int i = 0; i < MILC_SHIFTS; i++) {
        const double is =
            residual(field(fields.f.source, 0), field(fields.f.shifted[k][i], 0), std::sqrt(run.offset[i] / 4));
        EXPECT_LT(is, run.tol);
        EXPECT_NEAR(fields.f.residual_of_shift[k][i], is, 1e-3 * is + 1e-14);
        EXPECT_EQ(fields.of(fields.f.shifted[k][i]).back(), 7);
      }
      for (int i = 0; i < 3; i++) EXPECT_LT(fields.f.residual[k][i], run.tol);
      const double last = residual(field(fields.f.source, 0), field(fields.f.sequence[k], 0), run.mass);
      EXPECT_LT(last, run.tol);
      EXPECT_NEAR(fields.f.residual_in_sequence[k][MILC_SEQUENCE - 1], last, 1e-3 * last + 1e-14);
      for (int i = 0; i < MILC_SEQUENCE; i++) {
        EXPECT_LT(fields.f.residual_in_sequence[k][i], run.tol) << i;
        EXPECT_LE(fields.f.iterations_in_sequence[k][i], fields.f.iterations_in_sequence[k][0]) << i;
      }
      for (const int iterations : fields.f.iterations[k]) {
        EXPECT_GE(iterations, iterations == fields.f.iterations[k][1] ? 0 : 10);
        EXPECT_LT(iterations, 2000);
      }
    }
  }

  void expect_mesons(const Fields &fields, const reference::Part &part, const Right &right, const milc_quarks &run,
                     const ColorVectors &psi)
  {
    const auto expect = [&](const milc_vector *found, const ColorVectors &wanted, const char *what) {
      EXPECT_LT(largest_difference(fields.of(found), reference::to_host<double, 1>(wanted, global, part)), 1e-12)
          << what;
    };
    for (const int i : {1, 2, 3}) { // direction and sense
      const auto ahead = reference::carried<1>(right.u, psi, i, 1), behind = reference::carried<1>(right.u, psi, i, -1);
      expect(fields.f.moved[i - 1], reference::combined<1>(i == 3 ? 0.5 : i == 1, ahead, i == 3 ? 0.5 : i == 2, behind),
             "shift");
    }
    expect(fields.f.tasted, reference::spin_taste(right.u, psi, MILC_SPIN, MILC_TASTE), "spin and taste");
    const GaugeField products = reference::two_link(right.u);
    const double w = run.width * run.width / (16 * MILC_STEPS);
    ColorVectors smeared = psi;
    for (int i = 0; i < MILC_STEPS; i++)
      smeared = reference::combined<1>(1 - 6 * w, smeared, w, reference::neighbours<1>(products, smeared, 3, 2));
    for (const milc_vector *found : fields.f.smeared) expect(found, smeared, "smeared");
    const auto four_spins = [](const ColorVectors &x) {
      reference::Spinors all(x.size(), reference::Spinor::Zero());
      for (std::size_t i = 0; i < x.size(); i++) all[i].topRows<1>() = x[i];
      return all;
    };
    std::vector<reference::PlaneWave> waves(MILC_MOMENTA);
    for (int i = 0; i < MILC_MOMENTA; i++)
      for (int d = 0; d < 4; d++) waves[i].mode[d] = milc_momenta[i][d], waves[i].kind[d] = milc_symmetries[i][d];
    const Coords origin {milc_origin[0], milc_origin[1], milc_origin[2], milc_origin[3]};
    const ColorVectors x = gathered<1>(fields.of(fields.f.propagator[0]), global, part);
    const auto wanted = reference::sum_waves(reference::color_contraction({four_spins(x)}, {four_spins(smeared)}),
                                             global, waves, 3, origin);
    for (std::size_t i = 0; i < wanted.size(); i++) {
      EXPECT_NEAR(fields.correlator[2 * i], wanted[i].real(), 1e-10) << i;
      EXPECT_NEAR(fields.correlator[2 * i + 1], wanted[i].imag(), 1e-10) << i;
    }
  }

  /// Along one direction in the space of links.
  void expect_force(const Fields &fields, const reference::Part &part, const Right &right, const milc_quarks &run)
  {
    const milc_vector *found[MILC_TERMS] = {fields.f.hop[0], fields.f.propagator[0], fields.f.propagator[1]};
    std::vector<reference::QuarkTerm> terms;
    for (int k = 0; k < MILC_TERMS; k++)
      terms.push_back({gathered<1>(fields.of(found[k]), global, part), 2 * milc_residues[k], 0,
                       2 * milc_residues[k] * run.second_level[1]});
    const double other = 2 * milc_residues[MILC_TERMS - 1] * run.epsilon[1];
    terms.back().single = other * run.naik[0];
    terms.back().straight += other * run.naik[1];
    const GaugeField way = reference::random_momentum(global, 64);
    const double slope = reference::slope(
        [&](const GaugeField &u) {
          return reference::hisq_energy(u, terms, reference::phased(reference::fat7_weights),
                                        reference::phased(reference::hisq_weights), 5e-5);
        },
        [&](double s) { return reference::updated(right.u, way, s, 12); }, 1e-3);
    double along = 0; // Re tr(P A)
    for (std::size_t slot = 0; slot < part.local.volume(); slot++)
      for (int mu = 0; mu < 4; mu++) {
        Numbers ten(&fields.momenta[40 * slot + 10 * mu], &fields.momenta[40 * slot + 10 * mu] + 10);
        for (double &x : ten) x -= 0.25; // what was there before
        along += (way.at(mu, part.global_coords(slot)) * reference::from_ten(ten.data())).trace().real();
      }
    MPI_Allreduce(MPI_IN_PLACE, &along, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_NEAR(along / (milc_step * slope), 1, 1e-8);
  }

  const Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
};

TEST_F(MilcQuarks, MeasurementsAreTheReferences)
{
  const int ranks = test::ranks();
  const std::vector<Coords> grids = ranks == 1   ? std::vector<Coords> {{1, 1, 1, 1}}
                                    : ranks == 2 ? std::vector<Coords> {{1, 1, 1, 2}, {1, 2, 1, 1}}
                                                 : std::vector<Coords> {{1, 2, 1, 2}};
  const double epsilon[MILC_FLAVOURS] = {0, -0.2};
  const Right configurations[] = {{61, epsilon}, {62, epsilon}};
  const ColorVectors psi = reference::spins_of<1>(reference::random_spinors(global, 63));
  std::vector<Numbers> correlators[2];
  for (const Coords &grid : grids)
    for (const int mixed : {0, 2}) { // the second time the library is not told of new links
      const reference::Part part(global, grid, Here::place(grid, true));
      const milc_quarks run = run_on(grid, part, mixed, mixed == 0);
      Fields fields(part.local.volume(), reference::to_host<double, 1>(psi, global, part));
      c_milc_begin(&run);
      for (const Right &right : configurations) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[1] << grid[3] << ", mixed " << mixed << ", configuration "
                                        << &right - configurations);
        const Numbers links = reference::to_milc<double>(right.u, part);
        std::ranges::copy(links, &fields.f.u[0][0][0][0]);
        fields.momenta.assign(fields.momenta.size(), 0.25);
        c_milc_measure(&run, &fields.f);
        EXPECT_TRUE(same_bits(fields.of(fields.f.u), links));
        expect_links(fields, part, right);
        expect_systems(fields, part, right, run, psi);
        expect_mesons(fields, part, right, run, psi);
        if (mixed == 0 && &right == configurations) expect_force(fields, part, right, run);
        if (mixed == 0) correlators[&right - configurations].push_back(fields.correlator);
      }
      const char *fault = c_milc_end();
      ASSERT_EQ(fault, nullptr) << fault;
    }
  for (const auto &of_grids : correlators)
    for (const Numbers &correlator : of_grids) EXPECT_TRUE(same_bits(correlator, of_grids[0]));
}

} // namespace
