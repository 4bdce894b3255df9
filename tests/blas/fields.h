#pragma once
/// Fields of any shape for the tests of the linear algebra, filled with numbers that depend on a seed and the global
/// site alone.

#include <array>
#include <vector>

#include "fields/color_spinor_field.h"
#include "reference/blas/blas.h"
#include "reference/random.h"
#include "support/native_fields.h"
#include "tune/tune_cache.h"

#include "core/environment_support.h"

namespace blas_tests
{

/// What a field is, but for its lattice.
struct Shape {
  int spins = 4;
  int colors = 3;
  int rhs = 1;
  int parity = -1; // -1: both
  quda::Precision precision = quda::Precision::double_;
  int fifth = 1;
  int flavours = 1;
  int inner() const { return rhs * fifth * flavours; }
};

inline quda::ColorSpinorField field_of(const support::Place &place, const Shape &shape)
{
  quda::ColorSpinorParam param;
  param.lattice = place.lattice;
  param.spins = shape.spins;
  param.colors = shape.colors;
  param.rhs = shape.rhs;
  param.fifth = shape.fifth;
  param.flavours = shape.flavours;
  param.precision = shape.precision;
  param.subset = shape.parity < 0 ? quda::SiteSubset::full : quda::SiteSubset::parity;
  param.parity = shape.parity < 0 ? 0 : shape.parity;
  return quda::ColorSpinorField(param);
}

/// On one process.
inline support::Place place_of(const reference::Coords &extents)
{
  return support::Place(reference::Lattice(extents), quda::make_single_communicator());
}

using Numbers = std::vector<double>;

/// Numbers in (-1, 1) in QUDA_DIRAC_ORDER, as single precision holds them.
inline Numbers random_numbers(const support::Place &place, const Shape &shape, std::uint64_t seed)
{
  const std::size_t half = place.part.local.half();
  Numbers numbers;
  for (const int parity : {0, 1}) {
    if (shape.parity == 1 - parity) continue;
    for (int i = 0; i < shape.inner(); i++)
      for (std::size_t x = 0; x < half; x++) {
        const std::size_t site = place.global.lexicographic(place.part.global_coords(parity * half + x));
        reference::SiteRandom random(seed, site, i);
        for (int k = 0; k < 2 * shape.spins * shape.colors; k++)
          numbers.push_back(static_cast<float>(2 * random.uniform() - 1));
      }
  }
  return numbers;
}

inline std::vector<Numbers> random_numbers(const support::Place &place, const Shape &shape, int first, int n)
{
  std::vector<Numbers> all;
  for (int f = 0; f < n; f++) all.push_back(random_numbers(place, shape, first + f));
  return all;
}

inline quda::ColorSpinorField field_with(const support::Place &place, const Shape &shape, const Numbers &numbers)
{
  quda::ColorSpinorField field = field_of(place, shape);
  support::set_from_host(field, numbers);
  return field;
}

inline quda::ColorSpinorField random_field(const support::Place &place, const Shape &shape, std::uint64_t seed)
{
  return field_with(place, shape, random_numbers(place, shape, seed));
}

inline std::vector<quda::ColorSpinorField> random_fields(const support::Place &place, const Shape &shape, int n)
{
  std::vector<quda::ColorSpinorField> fields;
  for (int f = 0; f < n; f++) fields.push_back(random_field(place, shape, f));
  return fields;
}

inline reference::blas::Vector complex_of(const Numbers &reals)
{
  reference::blas::Vector v(reals.size() / 2);
  for (std::size_t i = 0; i < v.size(); i++) v[i] = {reals[2 * i], reals[2 * i + 1]};
  return v;
}

/// Launch parameters by hand while it lives: "tile=3,prefetch=2,streaming=1"; empty for untuned launches, which take no
/// time to search.
class Launches
{
public:
  explicit Launches(const char *force)
      : tuning_("QUDA_ENABLE_TUNING", "0")
      , force_("QUDA_TUNE_FORCE", force)
  {
    quda::load_tune_cache(*communicator_);
  }
  ~Launches()
  {
    tuning_.set(nullptr);
    force_.set(nullptr);
    quda::load_tune_cache(*communicator_);
  }

private:
  std::shared_ptr<quda::Communicator> communicator_ = quda::make_single_communicator();
  Variable tuning_, force_;
};

} // namespace blas_tests
