#pragma once
/// A gauge field in all the forms that callers need.
///
/// The precise field is the loaded one. Copies of it in other precisions and storage, and the copy with a border, are
/// made on first use, keep the tag of the field they were made from, and are refilled if that has
/// been written since: links that were changed in place never meet a copy of the old ones. A copy that would equal the
/// precise field to the bit is that field. A copy by 12, 13 or 9 numbers is made if the links allow it; else it is
/// whole, with a warning.
/// References : to a copy, good until the set is loaded, released or cleared, and current until the links are written.
/// Errors     : internal if nothing is loaded; not_built, unsupported for a copy that this build cannot have, on
///              request.
/// Collective : with_border() in directions that are cut; on(); copy() while its kernels are tuned.

#include "fields/domains.h"
#include "fields/gauge_field.h"
#include "fields/sub_grids.h"

#include <memory>
#include <span>
#include <vector>

namespace quda
{

/// Storage of links.
struct LinkStorage {
  Precision precision;
  Reconstruct reconstruct;
  bool operator==(const LinkStorage &) const = default;
};

class LinkSet
{
public:
  LinkSet() = default;
  /// A set on the caller's native links, which must not be written meanwhile.
  explicit LinkSet(const GaugeField &borrowed);

  bool loaded() const { return precise_ != nullptr; }
  GaugeField &precise() const;
  const GaugeField &copy(LinkStorage) const;
  /// With a border of at least R_d sites (even) in the directions that are cut between ranks; the precise field if
  /// it has one. A deeper border replaces a shallower one.
  const GaugeField &with_border(const int R[4]) const;
  /// The same, equally deep everywhere.
  const GaugeField &with_border(int depth) const;
  /// The links inside of domains, on their closed lattice: if `length` steps along a link's direction lead out of a
  /// domain the link is zero. Kept for one kind of domains at a time; errors: as Domains::check().
  const LinkSet &inside(const Domains &domains, int length) const;
  /// The links on this rank's sub-grid. Kept for one cut at a time. Collective over all ranks.
  const LinkSet &on(const std::shared_ptr<const SubGrids> &grids) const;

  /// Replaces the loaded field. Copies of the same kind of field keep their memory, and are refilled on
  /// request.
  void load(std::unique_ptr<GaugeField> precise);
  /// Frees all other copies.
  void keep(std::span<const LinkStorage> wanted);
  /// Gives the precise field away; the copies wait for the next load.
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
  struct Misfit {
    LinkStorage storage;
    std::uint64_t tag; // of links that it cannot hold
  };
  mutable std::vector<Misfit> misfits_;
  struct Inside {
    std::unique_ptr<LinkSet> links;
    Domains domains;
    int length = 0;
    std::uint64_t made_from = 0; // tag
  };
  mutable Inside inside_;
  struct OnSubGrid {
    std::unique_ptr<LinkSet> links;
    std::shared_ptr<const SubGrids> grids;
    std::uint64_t made_from = 0; // tag
  };
  mutable OnSubGrid on_sub_grid_;
};

} // namespace quda
