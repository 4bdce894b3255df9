#pragma once
/// A clover term and its inverse in all precisions that callers need.
///
/// The precise fields are those loaded. Copies in other precisions are made on first use, keep the
/// tag of the field they were made from, and are refilled if that has been written since.
/// References : to a copy, good until the set is loaded or cleared.
/// Errors     : internal if nothing is loaded; bad_argument for the inverse of a term that is not positive definite;
///              unsupported, not_built for a copy that this build cannot have, on request.
/// Collective : inverse() if it has to be made; on(); copies while their kernels are tuned.

#include <memory>
#include <vector>

#include "fields/clover_field.h"
#include "fields/sub_grids.h"

namespace quda
{

class CloverSet
{
public:
  /// In the full operator and the asymmetric even-odd one A is A + shift.
  double shift = 0;

  bool loaded() const { return term_.precise != nullptr; }
  const CloverField &precise() const { return *term().precise; }
  const CloverField &copy(Precision precision) const { return term().copy(precision); }
  /// Made from the term if none was loaded with it.
  const CloverField &inverse(Precision precision) const { return inverse_of(inverse_, false, 0, precision); }
  /// (A^2 + shift)^-1, kept for one shift at a time.
  const CloverField &inverse_square(double shift, Precision precision) const
  {
    return inverse_of(inverse_square_, true, shift, precision);
  }

  /// The same on this rank's sub-grid, what there is of inverses among it. Kept for one cut at a time. Collective over
  /// all ranks.
  const CloverSet &on(const std::shared_ptr<const SubGrids> &grids) const;

  /// Replaces the loaded fields; inverse: null, or another field of the term's lattice and precision.
  void load(std::unique_ptr<CloverField> term, std::unique_ptr<CloverField> inverse);
  /// In addition to a term: its inverse_square().
  void load_inverse_square(double shift, std::unique_ptr<CloverField> inverse);
  void clear() { load(nullptr, nullptr); }

private:
  struct Forms {
    struct Copy {
      std::unique_ptr<CloverField> field;
      std::uint64_t made_from = 0; // tag
    };
    std::unique_ptr<CloverField> precise;
    mutable std::vector<Copy> copies;
    double shift = 0;

    void take(std::unique_ptr<CloverField> field);

    const CloverField &copy(Precision precision) const;
  };
  const Forms &term() const;
  const CloverField &inverse_of(Forms &forms, bool square, double shift, Precision precision) const;

  Forms term_;
  mutable Forms inverse_, inverse_square_;
  struct OnSubGrid {
    std::unique_ptr<CloverSet> set;
    std::shared_ptr<const SubGrids> grids;
    std::uint64_t made_from = 0; // tag
  };
  mutable OnSubGrid on_sub_grid_;
};

} // namespace quda
