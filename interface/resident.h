#pragma once

/// What stays in the library between calls: gauge fields, one set for each type of link, momenta, solutions, and the
/// lattices they are on.
///
/// Errors     : bad_argument where nothing is loaded, naming the function. Collective: no.

#include "fields/site_field.h"
#include "ops/clover/clover_set.h"
#include "ops/links/link_set.h"
#include "solvers/chronology.h"

#include <functional>
#include <memory>
#include <optional>

namespace quda
{

class Checks;
class DeflationSpace;
class IncrementalSpace;

/// Copies that solvers use.
enum class LinkCopy : int { sloppy = 0, refinement = 1, precondition = 2, eigensolver = 3 };
constexpr int n_link_copies = 4;

/// What loadGaugeQuda was given, and how its copies are to be stored. The copies themselves: ops/links/link_set.h.
class ResidentLinks
{
public:
  bool loaded() const { return set_.loaded(); }
  GaugeField &precise(const char *function) const { return set(function).precise(); }
  /// Refuses a lattice of one time slice, but where the caller knows what that is.
  const LinkSet &set(const char *function, bool one_slice_allowed = false) const;
  /// Whether the host's lattice has one time slice, which is stored twice: links in time mean nothing then.
  bool one_slice() const { return one_slice_; }
  LinkStorage storage(LinkCopy which) const { return storage_[static_cast<int>(which)]; }

  /// Takes the place of what was loaded. wishes: how the copies are to be stored, by LinkCopy.
  void load(std::unique_ptr<GaugeField> precise, const LinkStorage (&wishes)[n_link_copies], bool one_slice = false);
  /// The same, all copies as the precise field.
  void load(std::unique_ptr<GaugeField> precise);
  /// Takes the precise field away; the copies wait for the next load.
  std::unique_ptr<GaugeField> release() { return set_.release(); }
  void free() { set_.clear(); }

private:
  LinkSet set_;
  LinkStorage storage_[n_link_copies] {};
  bool one_slice_ = false;
};

/// The set of a type: su3 (WILSON), general (ASQTAD_FAT), three (ASQTAD_LONG), smeared, twolink. Null for others.
ResidentLinks *resident_links(LinkType type);

/// What is measured on: the smeared links where there are any; the gauge field is needed all the same.
ResidentLinks &measured_links(const char *function);
/// The same on all ranks: each may have freed its smeared links on its own.
ResidentLinks &measured_links(Checks &checks);

/// The filter of HISQ forces (ops/force/hisq_force.h), where the host has chosen one.
std::optional<double> &hisq_filter();

/// Naive staggered links of MILC's calls, kept beside the Wilson links.
ResidentLinks &milc_naive_links();

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

/// Fields that the host holds by a handle: four matrices a site, or one.
struct HeldField {
  std::unique_ptr<GaugeField> links;
  std::unique_ptr<SiteField> matrices;
};

/// Keeps the field; the handle stands for it until it is freed.
void *hold(HeldField field);
/// The field of a handle; refuses what is none. name: of the argument.
HeldField &held(const char *function, const char *name, void *handle);
void free_held(const char *function, const char *name, void *handle);
void free_held_fields();

/// The clover term that stays between calls; nothing is loaded in it where there is none. function: refuses that.
CloverSet &resident_clover();
CloverSet &resident_clover(const char *function);
void free_resident_clover();

/// The solutions of the last solve that was asked to keep them; none after one that was not.
std::unique_ptr<ColorSpinorField> &resident_solution();

/// The solutions of earlier systems, in stores by index.
constexpr int n_chronologies = 12;
Chronology &chronology(int index);

/// Low modes that stay between solves, by the handles that hosts have of them: a null one becomes that of an empty
/// space. known_low_modes(): null where a handle stands for none.
DeflationSpace &held_low_modes(void *&handle);
const DeflationSpace *known_low_modes(void *handle);
void free_low_modes(void *handle);
void free_low_modes();

/// Spaces that solves add low modes to (newDeflationQuda()), by handle. known_space(): null where it stands for none.
void *hold(std::unique_ptr<IncrementalSpace> space);
IncrementalSpace *known_space(void *handle);
void free_space(void *handle);
void free_spaces();
/// Frees the multigrid hierarchies (interface/multigrid.h).
void free_multigrids();

/// Frees the solutions and empties the stores.
void free_resident_solutions();

/// The lattice of these local extents over the default communicator; made once, and described in the log then.
std::shared_ptr<const Lattice> resident_lattice(const int X[4]);

/// Forgets the lattices; those that fields use live on with them.
void forget_lattices();

} // namespace quda
