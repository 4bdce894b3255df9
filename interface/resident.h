#pragma once

/// Resident fields, which stay in the library between calls: gauge fields, one set for each type of link, momenta,
/// solutions, and the lattices they are on.
///
/// Errors     : bad_argument if nothing is loaded, with the function. Collective: no.

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

/// Links of loadGaugeQuda, and the storage of their copies. The copies themselves: ops/links/link_set.h.
class ResidentLinks
{
public:
  bool loaded() const { return set_.loaded(); }
  GaugeField &precise(const char *function) const { return set(function).precise(); }
  /// Refuses a lattice of one time slice, unless the caller supports it.
  const LinkSet &set(const char *function, bool one_slice_allowed = false) const;
  /// Whether the host's lattice has one time slice, which is stored twice: links in time then have no meaning.
  bool one_slice() const { return one_slice_; }
  LinkStorage storage(LinkCopy which) const { return storage_[static_cast<int>(which)]; }

  /// Replaces the loaded field. wishes: storage of the copies, by LinkCopy.
  void load(std::unique_ptr<GaugeField> precise, const LinkStorage (&wishes)[n_link_copies], bool one_slice = false);
  /// The same, with all copies as the precise field.
  void load(std::unique_ptr<GaugeField> precise);
  /// Hands over the precise field; the copies wait for the next load.
  std::unique_ptr<GaugeField> release() { return set_.release(); }
  void free() { set_.clear(); }

private:
  LinkSet set_;
  LinkStorage storage_[n_link_copies] {};
  bool one_slice_ = false;
};

/// The set of a type: su3 (WILSON), general (ASQTAD_FAT), three (ASQTAD_LONG), smeared, twolink. Null for others.
ResidentLinks *resident_links(LinkType type);

/// The links to measure: the smeared links if there are any; the gauge field is needed in any case.
ResidentLinks &measured_links(const char *function);
/// The same on all ranks: each may have freed its smeared links on its own.
ResidentLinks &measured_links(Checks &checks);

/// The filter of HISQ forces (ops/force/hisq_force.h), if the host has chosen one.
std::optional<double> &hisq_filter();

/// Naive staggered links of MILC's calls, kept apart from the Wilson links.
ResidentLinks &milc_naive_links();

/// Frees all sets.
void free_resident_links();

/// Runs work, which writes a resident field in place. If it fails after the field was written, free() is called and the
/// error's message says so; if it fails before, nothing has changed. The tag tells which: writers call mark_written()
/// before a launch that overwrites, and after one that adds.
void write_or_free(const GaugeField &field, const char *function, const std::function<void()> &work,
                   const std::function<void()> &free);

/// The resident momenta; null if there are none. Freed by free_resident_momentum(), not with links.
std::unique_ptr<GaugeField> &resident_momentum();
void free_resident_momentum();

/// A field that the host holds by a handle: four matrices per site, or one.
struct HeldField {
  std::unique_ptr<GaugeField> links;
  std::unique_ptr<SiteField> matrices;
};

/// Keeps the field; the handle stands for it until it is freed.
void *hold(HeldField field);
/// The field of a handle; refuses invalid handles. name: of the argument.
HeldField &held(const char *function, const char *name, void *handle);
void free_held(const char *function, const char *name, void *handle);
void free_held_fields();

/// The resident clover term; empty if none is loaded. function: refuses that.
CloverSet &resident_clover();
CloverSet &resident_clover(const char *function);
void free_resident_clover();

/// The kept solutions of the last solve; none after a solve that was not asked to keep them.
std::unique_ptr<ColorSpinorField> &resident_solution();

/// The solutions of earlier systems, in stores by index.
constexpr int n_chronologies = 12;
Chronology &chronology(int index);

/// Low modes that stay between solves, by the hosts' handles: a null one becomes that of an empty space.
/// known_low_modes(): null if a handle is not valid.
DeflationSpace &held_low_modes(void *&handle);
const DeflationSpace *known_low_modes(void *handle);
void free_low_modes(void *handle);
void free_low_modes();

/// Spaces that solves add low modes to (newDeflationQuda()), by handle. known_space(): null if it is not valid.
void *hold(std::unique_ptr<IncrementalSpace> space);
IncrementalSpace *known_space(void *handle);
void free_space(void *handle);
void free_spaces();
/// Frees the multigrid hierarchies (interface/multigrid.h).
void free_multigrids();

/// Frees the solutions and empties the stores.
void free_resident_solutions();

/// The lattice of these local extents over the default communicator; made once, and then described in the log.
std::shared_ptr<const Lattice> resident_lattice(const int X[4]);

/// Forgets the lattices; those in use live on with their fields.
void forget_lattices();

} // namespace quda
