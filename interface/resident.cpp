#include "interface/resident.h"

#include "core/log.h"
#include "interface/guard.h"
#include "solvers/incremental.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace quda
{

namespace
{

  // never destroyed: at exit MPI and the device may be gone already
  struct Residents {
    ResidentLinks wilson, fat, three, smeared, two_link, naive;
    std::unique_ptr<GaugeField> momentum;
    std::map<void *, std::unique_ptr<HeldField>> held;
    CloverSet clover;
    std::unique_ptr<ColorSpinorField> solution;
    std::array<Chronology, n_chronologies> chronologies;
    std::map<void *, std::unique_ptr<DeflationSpace>> low_modes;
    std::map<void *, std::unique_ptr<IncrementalSpace>> spaces;
    std::map<std::array<int, 4>, std::shared_ptr<const Lattice>> lattices;
  };
  Residents &residents()
  {
    static Residents &all = *new Residents;
    return all;
  }

} // namespace

const LinkSet &ResidentLinks::set(const char *function, bool one_slice_allowed) const
{
  if (!loaded())
    fail(ErrorKind::bad_argument, text("%s: no gauge field is resident; load one with loadGaugeQuda()", function));
  if (one_slice_ && !one_slice_allowed)
    fail(ErrorKind::unsupported,
         text("%s: the resident gauge field has X[3] = 1; allowed: even extents. One time slice is for MatQuda(), "
              "MatDagMatQuda() and eigensolveQuda() with QUDA_LAPLACE_DSLASH, laplace3D = 3, on all sites",
              function));
  return set_;
}

void ResidentLinks::load(std::unique_ptr<GaugeField> precise, const LinkStorage (&wishes)[n_link_copies],
                         bool one_slice)
{
  one_slice_ = one_slice;
  set_.load(std::move(precise));
  set_.keep(wishes);
  std::copy(std::begin(wishes), std::end(wishes), storage_);
}

void ResidentLinks::load(std::unique_ptr<GaugeField> precise)
{
  const LinkStorage same {precise->precision(), precise->reconstruct()};
  load(std::move(precise), {same, same, same, same});
}

ResidentLinks *resident_links(LinkType type)
{
  switch (type) {
  case LinkType::su3:
    return &residents().wilson;
  case LinkType::general:
    return &residents().fat;
  case LinkType::three:
    return &residents().three;
  case LinkType::smeared:
    return &residents().smeared;
  case LinkType::twolink:
    return &residents().two_link;
  default:
    return nullptr;
  }
}

ResidentLinks &measured_links(const char *function)
{
  resident_links(LinkType::su3)->precise(function);
  ResidentLinks *smeared = resident_links(LinkType::smeared);
  return smeared->loaded() ? *smeared : *resident_links(LinkType::su3);
}

ResidentLinks &measured_links(Checks &checks)
{
  checks.same("whether smeared links are resident", resident_links(LinkType::smeared)->loaded());
  return measured_links(checks.function);
}

ResidentLinks &milc_naive_links() { return residents().naive; }

std::optional<double> &hisq_filter()
{
  static std::optional<double> filter;
  return filter;
}

void free_resident_links()
{
  milc_naive_links().free();
  for (const LinkType type : {LinkType::su3, LinkType::general, LinkType::three, LinkType::smeared, LinkType::twolink})
    resident_links(type)->free();
}

void write_or_free(const GaugeField &field, const char *function, const std::function<void()> &work,
                   const std::function<void()> &free)
{
  const std::uint64_t before = field.tag();
  try {
    work();
  } catch (...) {
    if (field.tag() == before) throw;
    free();
    const Error error = guarded::caught(function);
    const std::string message = text("%s; the resident field, half written, has been freed", error.what());
    const SourceLocation where {error.file(), error.line(), error.function()};
    try {
      throw;
    } catch (const FoundTogether &) {
      throw FoundTogether(error.kind(), message, where);
    } catch (...) {
      throw Error(error.kind(), message, where);
    }
  }
}

std::unique_ptr<GaugeField> &resident_momentum() { return residents().momentum; }

void free_resident_momentum() { residents().momentum.reset(); }

void *hold(HeldField field)
{
  auto kept = std::make_unique<HeldField>(std::move(field));
  void *const handle = kept.get();
  residents().held.emplace(handle, std::move(kept));
  return handle;
}

HeldField &held(const char *function, const char *name, void *handle)
{
  const auto found = residents().held.find(handle);
  if (found == residents().held.end())
    fail(ErrorKind::bad_argument, text("%s: %s = %p; allowed: a handle of createGaugeFieldQuda() that has not been "
                                       "freed",
                                       function, name, handle));
  return *found->second;
}

void free_held(const char *function, const char *name, void *handle)
{
  held(function, name, handle);
  residents().held.erase(handle);
}

void free_held_fields() { residents().held.clear(); }

CloverSet &resident_clover() { return residents().clover; }

CloverSet &resident_clover(const char *function)
{
  if (!resident_clover().loaded())
    fail(ErrorKind::bad_argument, text("%s: no clover term is resident; load one with loadCloverQuda()", function));
  return resident_clover();
}

void free_resident_clover() { residents().clover.clear(); }

std::unique_ptr<ColorSpinorField> &resident_solution() { return residents().solution; }

Chronology &chronology(int index) { return residents().chronologies[static_cast<std::size_t>(index)]; }

DeflationSpace &held_low_modes(void *&handle)
{
  if (!handle) {
    auto space = std::make_unique<DeflationSpace>();
    handle = space.get();
    residents().low_modes.emplace(handle, std::move(space));
  }
  return *residents().low_modes.at(handle);
}

const DeflationSpace *known_low_modes(void *handle)
{
  const auto found = residents().low_modes.find(handle);
  return found == residents().low_modes.end() ? nullptr : found->second.get();
}

void free_low_modes(void *handle) { residents().low_modes.erase(handle); }

void free_low_modes() { residents().low_modes.clear(); }

void *hold(std::unique_ptr<IncrementalSpace> space)
{
  void *const handle = space.get();
  residents().spaces.emplace(handle, std::move(space));
  return handle;
}

IncrementalSpace *known_space(void *handle)
{
  const auto found = residents().spaces.find(handle);
  return found == residents().spaces.end() ? nullptr : found->second.get();
}

void free_space(void *handle) { residents().spaces.erase(handle); }

void free_spaces() { residents().spaces.clear(); }

void free_resident_solutions()
{
  residents().solution.reset();
  for (Chronology &one : residents().chronologies) one.clear();
}

std::shared_ptr<const Lattice> resident_lattice(const int X[4])
{
  auto &known = residents().lattices[{X[0], X[1], X[2], X[3]}];
  if (!known) {
    known = Lattice::create(X, default_communicator());
    print(Verbosity::summarize, "Lattice %s\n", known->description().c_str());
  }
  return known;
}

void forget_lattices() { residents().lattices.clear(); }

} // namespace quda
