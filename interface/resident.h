#pragma once

/// What the library keeps between calls of a host: settings, resident fields, things that hosts hold by handles.
///
/// Reached    : by Checks::session, or as the first argument of what a call does (interface/guard.h).
/// Freed      : by endQuda(), from the last member to the first, so that what was made of links goes before these and
///              lattices go last. A host that ends without it leaves all of it: at exit MPI and the device may be gone.
/// Errors     : bad_argument if nothing is loaded, with the function. Collective: no.

#include "fields/domains.h"
#include "fields/site_field.h"
#include "fields/sub_grids.h"
#include "interface/guard.h"
#include "ops/clover/clover_set.h"
#include "ops/links/link_set.h"
#include "solvers/chronology.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace quda
{

class DeflationSpace;
class IncrementalSpace;
struct FilterForm;
struct HeldMultigrid;
struct MilcMultigrid;
struct StoutLinks;

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
  /// The same, with copies stored as those of the links before; where there were none, as the precise field.
  void load(std::unique_ptr<GaugeField> precise);
  /// Hands over the precise field; the copies wait for the next load.
  std::unique_ptr<GaugeField> release() { return set_.release(); }
  void free();

private:
  LinkSet set_;
  LinkStorage storage_[n_link_copies] {}; // reconstruct 0: never loaded, or freed
  bool one_slice_ = false;
};

/// A field that the host holds by a handle: four matrices per site, or one.
struct HeldField {
  std::unique_ptr<GaugeField> links;
  std::unique_ptr<SiteField> matrices;
};

/// Things that hosts hold by handles, which are valid until they are freed.
template <class T> class Handles
{
public:
  void *keep(std::shared_ptr<T> thing)
  {
    void *const handle = thing.get();
    all_.emplace(handle, std::move(thing));
    return handle;
  }
  /// Null if the handle is not valid.
  T *find(void *handle) const
  {
    const auto found = all_.find(handle);
    return found == all_.end() ? nullptr : found->second.get();
  }
  void free(void *handle) { all_.erase(handle); }

private:
  std::map<void *, std::shared_ptr<T>> all_;
};

/// State of MILC's session, begun anew by qudaInit() and qudaSetLayout().
struct MilcSession {
  int X[4] = {};         // on one rank; 0: no layout yet
  bool momentum = false; // qudaMomLoad() has made the momentum resident, and later calls use it
  void *space = nullptr; // low modes of the open sequence of sources (interface/milc_sequence.h)
  bool links = false;    // the pipeline of qudaUpdateUPhasedPipeline() has made the links resident, likewise
};

/// Host's links that MILC's calls have made resident: fat and long ones, or naive ones (interface/milc_operator.h).
struct MilcOperatorLinks {
  std::array<std::uint64_t, 4> digests {}; // of the host's arrays
  std::array<std::uint64_t, 2> tags {};    // of the resident fields
};
/// The same of calls on colour vectors (milc_mesons.cpp).
struct MilcVectorLinks {
  const void *from = nullptr;
  std::uint64_t tag = 0; // 0: to be loaded again
};

struct Session {
  bool device = false, memory = false; // whether these are open (init.cpp)

  Domains schwarz {};                                 // qudaSetSchwarzBlock()
  std::shared_ptr<const FilterForm> multigrid_filter; // qudaSetMultigridFilter(); null: none
  std::optional<double> hisq_filter;                  // of HISQ forces (ops/force/hisq_force.h); none: the usual one
  MilcSession milc;
  MilcOperatorLinks milc_operator;
  MilcVectorLinks milc_vectors;

  std::map<std::array<int, 4>, std::shared_ptr<const Lattice>> lattices; // by local extents
  std::map<std::array<int, 8>, std::shared_ptr<const SubGrids>> cuts;    // by local extents and parts
  Handles<IncrementalSpace> spaces;                                      // newDeflationQuda()
  Handles<DeflationSpace> low_modes;                                     // of solves with eig_param
  std::array<Chronology, 12> chronologies;                               // solutions of earlier systems, by index
  std::unique_ptr<ColorSpinorField> solution; // of the last solve, if it was asked to keep it
  CloverSet clover;
  Handles<HeldField> held; // createGaugeFieldQuda()
  std::unique_ptr<GaugeField> momentum;
  ResidentLinks wilson, fat, three, smeared, two_link;
  ResidentLinks naive;             // staggered links of MILC's calls, kept apart from the Wilson links
  std::uint64_t two_link_from = 0; // tag of the links that two_link was made from
  std::shared_ptr<StoutLinks> stout;
  Handles<HeldMultigrid> multigrids;
  Handles<MilcMultigrid> milc_multigrids;

  /// The set of a type: WILSON, ASQTAD_FAT, ASQTAD_LONG, smeared, twolink. Null for others.
  ResidentLinks *links(LinkType type);
  /// The links to measure: the smeared links if there are any; the gauge field is needed in any case.
  ResidentLinks &measured_links(const char *function);
  CloverSet &loaded_clover(const char *function);
  /// The lattice of these local extents over the default communicator; made once, and then described in the log.
  std::shared_ptr<const Lattice> lattice(const int X[4]);
  /// Such a lattice on sub-grids of ranks, likewise. Collective.
  std::shared_ptr<const SubGrids> sub_grids(const std::shared_ptr<const Lattice> &all, const std::array<int, 4> &parts);

  /// All links, and what stoutGaugeQuda() keeps of them.
  void free_links();
};

/// The field of a handle; refuses invalid handles. name: of the argument (held_fields.cpp).
HeldField &held(Session &session, const char *function, const char *name, void *handle);
void free_held(Session &session, const char *function, const char *name, void *handle);

/// Ends the session, and begins the next one.
void free_session();

/// The same on all ranks: each may have freed its smeared links on its own.
ResidentLinks &measured_links(Checks &checks);

/// Runs work, which writes a resident field in place. If it fails after the field was written, free() is called and the
/// error's message says so; if it fails before, nothing has changed. The tag tells which: writers call mark_written()
/// before a launch that overwrites, and after one that adds.
void write_or_free(const GaugeField &field, const char *function, const std::function<void()> &work,
                   const std::function<void()> &free);

} // namespace quda
