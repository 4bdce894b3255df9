#pragma once
/// A gauge field in all the forms that are wanted of it.
///
/// The precise field is what was loaded. Copies of it in other precisions and storage, and the copy with a border, are
/// made when they are asked for first, keep the tag of the field they were made from, and are filled anew when that has
/// been written since: links that were changed in place never meet a copy of the old ones. What would be a copy of the
/// precise field to the bit is that field. A copy by 13 or 9 numbers is so where the links allow it; else it is whole,
/// with a warning.
/// References : to a copy, good until the set is loaded, released or cleared, and current until the links are written.
/// Errors     : internal where nothing is loaded; not_built, unsupported for a copy that this build cannot have, when
///              it is asked for.
/// Collective : with_border() in directions that are cut; copy() while its kernels are tuned.

#include "fields/domains.h"
#include "fields/gauge_field.h"

#include <memory>
#include <span>
#include <vector>

namespace quda
{

/// How links are stored.
struct LinkStorage {
  Precision precision;
  Reconstruct reconstruct;
  bool operator==(const LinkStorage &) const = default;
};

class LinkSet
{
public:
  LinkSet() = default;
  /// A set on the caller's native links, which are not written meanwhile.
  explicit LinkSet(const GaugeField &borrowed);

  bool loaded() const { return precise_ != nullptr; }
  GaugeField &precise() const;
  const GaugeField &copy(LinkStorage) const;
  /// With a border of at least R_d sites (even) in the directions that are cut between ranks; the precise field where
  /// it has them. A deeper border takes the place of one that is not as deep.
  const GaugeField &with_border(const int R[4]) const;
  /// The same, as deep everywhere.
  const GaugeField &with_border(int depth) const;
  /// The links inside of domains, on their closed lattice: where `length` steps along a link's direction lead out of a
  /// domain the link is zero. Kept for one kind of domains at a time; errors: as Domains::check().
  const LinkSet &inside(const Domains &domains, int length) const;

  /// Takes the place of what was loaded. Copies of the same kind of field stay as memory, and are filled when asked
  /// for.
  void load(std::unique_ptr<GaugeField> precise);
  /// Frees the copies but those.
  void keep(std::span<const LinkStorage> wanted);
  /// Takes the precise field away; the copies wait for the next load.
  std::unique_ptr<GaugeField> release() { return std::move(precise_); }
  void clear();

private:
  struct Copy {
    std::unique_ptr<GaugeField> field;
    std::uint64_t made_from = 0; // tag
  };

  std::unique_ptr<GaugeField> precise_;
  mutable std::vector<Copy> copies_;
  mutable Copy bordered_;
  mutable std::uint64_t whole_alone_ = 0; // tag of links that reconstruct 13 and 9 cannot hold
  struct Inside {
    std::unique_ptr<LinkSet> links;
    Domains domains;
    int length = 0;
    std::uint64_t made_from = 0; // tag
  };
  mutable Inside inside_;
};

} // namespace quda
