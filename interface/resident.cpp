#include "interface/resident.h"

#include "core/log.h"

#include <algorithm>
#include <utility>

namespace quda
{

namespace
{

  Session *&current()
  {
    static Session *now = new Session;
    return now;
  }

} // namespace

Session &guarded::session() { return *current(); }

void free_session() { delete std::exchange(current(), new Session); }

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
  LinkStorage wishes[n_link_copies];
  for (int i = 0; i < n_link_copies; i++)
    wishes[i] =
        storage_[i] == LinkStorage {} ? LinkStorage {precise->precision(), precise->reconstruct()} : storage_[i];
  load(std::move(precise), wishes);
}

void ResidentLinks::free()
{
  set_.clear();
  std::fill(std::begin(storage_), std::end(storage_), LinkStorage {});
}

ResidentLinks *Session::links(LinkType type)
{
  switch (type) {
  case LinkType::su3:
    return &wilson;
  case LinkType::general:
    return &fat;
  case LinkType::three:
    return &three;
  case LinkType::smeared:
    return &smeared;
  case LinkType::twolink:
    return &two_link;
  default:
    return nullptr;
  }
}

ResidentLinks &Session::measured_links(const char *function)
{
  wilson.precise(function);
  return smeared.loaded() ? smeared : wilson;
}

ResidentLinks &measured_links(Checks &checks)
{
  checks.same("whether smeared links are resident", checks.session.smeared.loaded());
  return checks.session.measured_links(checks.function);
}

CloverSet &Session::loaded_clover(const char *function)
{
  if (!clover.loaded())
    fail(ErrorKind::bad_argument, text("%s: no clover term is resident; load one with loadCloverQuda()", function));
  return clover;
}

std::shared_ptr<const Lattice> Session::lattice(const int X[4])
{
  auto &known = lattices[{X[0], X[1], X[2], X[3]}];
  if (!known) {
    known = Lattice::create(X, default_communicator());
    print(Verbosity::summarize, "Lattice %s\n", known->description().c_str());
  }
  return known;
}

std::shared_ptr<const SubGrids> Session::sub_grids(const std::shared_ptr<const Lattice> &all,
                                                   const std::array<int, 4> &parts)
{
  auto &known = cuts[{all->X(0), all->X(1), all->X(2), all->X(3), parts[0], parts[1], parts[2], parts[3]}];
  if (!known || known->all() != all) {
    known = std::make_shared<const SubGrids>(all, parts);
    print(Verbosity::summarize, "%d sub-grids of ranks, each with %s\n", known->count(),
          known->lattice()->description().c_str());
  }
  return known;
}

void Session::free_links()
{
  stout.reset();
  for (ResidentLinks *const links : {&naive, &wilson, &fat, &three, &smeared, &two_link}) links->free();
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

} // namespace quda
