#pragma once

/// The gauge fields that stay in the library between calls: one set for each type of link, and the lattices they are
/// on.
///
/// The precise field is what loadGaugeQuda was given. Its copies in other precisions and storage, and the copy with a
/// border, are made when somebody asks for them, remember the tag of the field they were made from, and are made anew
/// when it has been written since. A copy that would be the precise field itself is that field.
/// Errors     : bad_argument where nothing is loaded, naming the function; not_built, unsupported for a copy that this
///              build cannot have, when it is asked for.
/// Collective : extended() with a cut direction; else no.

#include "fields/gauge_field.h"

#include <functional>
#include <memory>

namespace quda
{

/// Copies that solvers use.
enum class LinkCopy : int { sloppy = 0, refinement = 1, precondition = 2, eigensolver = 3 };
constexpr int n_link_copies = 4;

/// How a copy is to be stored.
struct LinkStorage {
  Precision precision;
  Reconstruct reconstruct;
};

class ResidentLinks
{
public:
  bool loaded() const { return precise_ != nullptr; }
  GaugeField &precise(const char *function) const;
  const GaugeField &copy(const char *function, LinkCopy which);
  /// With a border of `depth` (even) in the directions that are cut between ranks; the precise field where none is.
  const GaugeField &extended(const char *function, int depth);

  /// Takes the place of what was loaded. wishes: how the copies are to be stored, by LinkCopy.
  void load(std::unique_ptr<GaugeField> precise, const LinkStorage (&wishes)[n_link_copies]);
  /// Takes the precise field away; the copies wait for the next load.
  std::unique_ptr<GaugeField> release();
  void free();

private:
  struct Copy {
    std::unique_ptr<GaugeField> field;
    std::uint64_t made_from = 0; // tag
    LinkStorage storage {};
  };

  std::unique_ptr<GaugeField> precise_;
  Copy copies_[n_link_copies];
  Copy extended_;
};

/// The set of a type: su3 (WILSON), general (ASQTAD_FAT), three (ASQTAD_LONG), smeared. Null for others.
ResidentLinks *resident_links(LinkType type);

/// Frees all sets.
void free_resident_links();

/// Runs work, which writes a resident field in place. Where it fails once the field has been written, free() is called
/// and the error's message says so; where it fails before, all is as it was. The tag tells: who writes calls
/// mark_written() before a launch that overwrites, after one that adds.
void write_or_free(const GaugeField &field, const char *function, const std::function<void()> &work,
                   const std::function<void()> &free);

/// The momenta that stay between calls; null where there are none. Freed by free_resident_momentum(), not with links.
std::unique_ptr<GaugeField> &resident_momentum();
void free_resident_momentum();

/// The lattice of these local extents over the default communicator; made once, and described in the log then.
std::shared_ptr<const Lattice> resident_lattice(const int X[4]);

/// Forgets the lattices; those that fields use live on with them.
void forget_lattices();

} // namespace quda
