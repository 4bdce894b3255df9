/// Products of colour vectors and quark fields summed over time slices: against the plain reference, and the same bits
/// in whatever lanes, by whatever threads and in however many launches.

#include "slices.h"

#include <gtest/gtest.h>

#include "core/environment_support.h"
#include "ops/contract/slice_products.h"
#include "reference/contract/distillation.h"
#include "support/refused.h"

using namespace quda;
using contractions::deviation;
using contractions::native;
using contractions::Numbers;

namespace
{

/// Vectors and quark fields of the plain reference, and native ones on a lattice of this process.
struct Fields {
  reference::Lattice lattice;
  reference::Propagator vectors, quarks;

  Fields(const reference::Coords &extents, int n_vectors, int n_quarks)
      : lattice(extents)
      , vectors(contractions::random_propagator(lattice, 1, n_vectors, 11))
      , quarks(contractions::random_propagator(lattice, 1, n_quarks, 311))
  {
  }

  /// sliced: on a lattice whose slices fill registers.
  Numbers products(Precision precision, bool sliced) const
  {
    support::Place place(lattice, make_single_communicator());
    if (sliced) place.lattice = Lattice::sliced(lattice.X.data(), make_single_communicator(), 3);
    return slice_products(native(place, vectors, precision, 1), native(place, quarks, precision, 4));
  }
};

} // namespace

TEST(SliceProducts, AgreeWithTheReference)
{
  const struct {
    reference::Coords extents;
    int vectors, quarks;
  } cases[] = {{{2, 4, 6, 8}, 3, 2}, {{6, 2, 4, 4}, 1, 1}, {{4, 4, 8, 2}, 5, 1}, {{8, 4, 4, 6}, 2, 3}};
  for (const auto &one : cases) {
    const Fields fields(one.extents, one.vectors, one.quarks);
    const Numbers right = reference::slice_products(fields.vectors, fields.quarks, fields.lattice);
    support::on_targets([&] {
      for (const bool sliced : {false, true}) {
        EXPECT_LE(deviation(fields.products(Precision::double_, sliced), right), 1e-14) << sliced;
        EXPECT_LE(deviation(fields.products(Precision::single, sliced), right), 1e-6) << sliced;
      }
    });
  }
}

/// Lanes, targets and the size of launches leave no trace.
TEST(SliceProducts, TheSameBitsHowever)
{
  for (const Precision precision : {Precision::double_, Precision::single}) {
    const Fields fields({2, 4, 6, 8}, 3, 2);
    Numbers first;
    support::on_targets([&] {
      for (const bool sliced : {false, true}) {
        const Numbers here = fields.products(precision, sliced);
        if (first.empty()) first = here;
        EXPECT_EQ(here, first) << sliced;
      }
      for (const char *force : {"threads=1,tile=1", "threads=2,tile=2,schedule=1", "threads=2"}) {
        const Variable forced("QUDA_TUNE_FORCE", force);
        EXPECT_EQ(fields.products(precision, true), first) << force;
      }
    });
  }
}

/// More than a launch holds: 65 vectors, 17 quark fields, 4 slices; a launch has 512 products of a vector and a quark
/// field with a slice.
TEST(SliceProducts, ManyFields)
{
  const Fields many({2, 2, 2, 4}, 65, 17);
  const Numbers right = reference::slice_products(many.vectors, many.quarks, many.lattice);
  support::on_targets([&] {
    const Numbers all = many.products(Precision::double_, true);
    EXPECT_LE(deviation(all, right), 1e-14);
    Fields one({2, 2, 2, 4}, 0, 0);
    one.vectors = {many.vectors[64]};
    one.quarks = {many.quarks[16]};
    EXPECT_EQ(one.products(Precision::double_, true), Numbers(all.end() - 16, all.end()));
  });
  const Fields narrow({2, 2, 2, 4}, 2, 260); // fields of one kind alone
  EXPECT_LE(deviation(narrow.products(Precision::double_, true),
                      reference::slice_products(narrow.vectors, narrow.quarks, narrow.lattice)),
            1e-14);
  const Fields flat({2, 2, 2, 4}, 260, 2);
  EXPECT_LE(deviation(flat.products(Precision::double_, true),
                      reference::slice_products(flat.vectors, flat.quarks, flat.lattice)),
            1e-14);
}

/// Parts of fields with more right-hand sides.
TEST(SliceProducts, OfColumns)
{
  const Fields fields({4, 4, 2, 6}, 5, 4);
  const Numbers all = fields.products(Precision::double_, true);
  support::on_targets([&] {
    support::Place place(fields.lattice, make_single_communicator());
    const ColorSpinorField vectors = native(place, fields.vectors, Precision::double_, 1),
                           quarks = native(place, fields.quarks, Precision::double_, 4);
    const Numbers some = slice_products(vectors.columns(1, 3), quarks.columns(2, 2));
    const std::size_t of_pair = 4 * 6;
    for (std::size_t q = 0; q < 2; q++)
      for (std::size_t e = 0; e < 3; e++)
        for (std::size_t i = 0; i < of_pair; i++)
          EXPECT_EQ(some[(q * 3 + e) * of_pair + i], all[((q + 2) * 5 + e + 1) * of_pair + i]) << q << e << i;
  });
}

/// NaN stays in its slice and field.
TEST(SliceProducts, NotANumber)
{
  support::on_targets([] {
    Fields fields({4, 2, 4, 8}, 3, 2);
    const Numbers right = reference::slice_products(fields.vectors, fields.quarks, fields.lattice);
    fields.vectors[1][fields.lattice.slot({3, 0, 1, 5})](0, 2) = NAN;
    for (const bool sliced : {false, true}) {
      const Numbers found = fields.products(Precision::double_, sliced);
      for (std::size_t k = 0; k < right.size(); k++)
        if (k / 4 % 8 == 5 && k / 32 % 3 == 1)
          EXPECT_TRUE(std::isnan(found[k].real()) && std::isnan(found[k].imag())) << k;
        else
          EXPECT_LE(std::abs(found[k] - right[k]), 1e-12) << k;
    }
  });
}

TEST(SliceProducts, OtherFieldsAreRefused)
{
  const Fields fields({2, 2, 2, 4}, 2, 2);
  const support::Place place(fields.lattice, make_single_communicator());
  const ColorSpinorField v = native(place, fields.vectors, Precision::double_, 1),
                         psi = native(place, fields.quarks, Precision::double_, 4),
                         rough = native(place, fields.quarks, Precision::single, 4);
  for (const auto &call : std::vector<std::function<void()>> {
           [&] { slice_products(psi, psi); }, [&] { slice_products(v, v); }, [&] { slice_products(v, rough); },
           [&] { slice_products(v.even(), psi.even()); }})
    EXPECT_NE(refused(ErrorKind::internal, call).find("slice_products"), std::string::npos);
}
