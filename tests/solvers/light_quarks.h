#pragma once
/// Light Wilson quarks on quenched links, for tests of low modes.

#include "dirac/dirac_system.h"
#include "dirac/make_dirac.h"
#include "ops/blas/blas.h"
#include "reference/gauge/links.h"
#include "solvers/dense_operator.h"
#include "support/quenched_links.h"

namespace solver_tests
{

using namespace quda;

constexpr double light = 0.1568;

struct World {
  support::Place place;
  GaugeField links;
  LinkSet set {links};

  World()
      : World(support::quenched_links(-1))
  {
  }
  explicit World(const reference::GaugeField &gauge)
      : place(gauge.lattice, make_single_communicator())
      , links(support::native_links(place, gauge, {}))
  {
  }
  World(const World &) = delete;

  std::unique_ptr<Dirac> dirac(const DiracParam &param, Precision precision = Precision::double_) const
  {
    return make_dirac(param, set, {precision, Reconstruct::none});
  }
  std::unique_ptr<DiracSystem> system(bool normal, Precision precision = Precision::double_) const
  {
    return std::make_unique<DiracSystem>(dirac(WilsonFermions {light}, precision),
                                         DiracSystemForm {.matpc = MatPC::even_even, .normal = normal});
  }
};

inline ColorSpinorField random_field(const ColorSpinorParam &shape, unsigned seed)
{
  ColorSpinorField field(shape);
  blas::zero(field);
  std::vector<double> numbers(support::host_array(field).size());
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (double &one : numbers) one = normal(random);
  support::set_from_host(field, numbers);
  return field;
}

} // namespace solver_tests
