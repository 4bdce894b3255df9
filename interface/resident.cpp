#include "interface/resident.h"

#include "core/log.h"
#include "interface/guard.h"
#include "ops/halo/gauge_border.h"

#include <array>
#include <map>
#include <utility>

namespace quda
{

namespace
{

  // never destroyed: at exit MPI and the device may be gone already
  struct Residents {
    ResidentLinks wilson, fat, three, smeared;
    std::unique_ptr<GaugeField> momentum;
    std::map<std::array<int, 4>, std::shared_ptr<const Lattice>> lattices;
  };
  Residents &residents()
  {
    static Residents &all = *new Residents;
    return all;
  }

} // namespace

GaugeField &ResidentLinks::precise(const char *function) const
{
  if (!precise_)
    fail(ErrorKind::bad_argument, text("%s: no gauge field is resident; load one with loadGaugeQuda()", function));
  return *precise_;
}

const GaugeField &ResidentLinks::copy(const char *function, LinkCopy which)
{
  const GaugeField &from = precise(function);
  Copy &copy = copies_[static_cast<int>(which)];
  if (copy.storage.precision == from.precision() && copy.storage.reconstruct == from.reconstruct()) return from;
  if (copy.field && copy.made_from == from.tag()) return *copy.field;
  if (copy.field) {
    *copy.field = from;
  } else {
    GaugeFieldParam param = from.param();
    param.precision = copy.storage.precision;
    param.reconstruct = copy.storage.reconstruct;
    auto made = std::make_unique<GaugeField>(param);
    *made = from;
    copy.field = std::move(made);
  }
  copy.made_from = from.tag();
  return *copy.field;
}

const GaugeField &ResidentLinks::extended(const char *function, int depth)
{
  const GaugeField &from = precise(function);
  bool cut = false, deep = extended_.field != nullptr;
  for (int d = 0; d < 4; d++) {
    if (!from.lattice().cut(d)) continue;
    cut = true;
    deep = deep && extended_.field->R()[d] >= depth;
  }
  if (!cut) return from;
  if (deep && extended_.made_from == from.tag()) return *extended_.field;
  if (deep) {
    *extended_.field = from;
    exchange_border(*extended_.field);
  } else {
    extended_.field.reset();
    extended_.field = std::make_unique<GaugeField>(quda::extended(from, depth));
  }
  extended_.made_from = from.tag();
  return *extended_.field;
}

void ResidentLinks::load(std::unique_ptr<GaugeField> precise, const LinkStorage (&wishes)[n_link_copies])
{
  const auto keeps = [](const Copy &copy, const GaugeField &from, const LinkStorage &wish) {
    const GaugeFieldParam is = copy.field->param(), was = from.param();
    return is.lattice == was.lattice && is.precision == wish.precision && is.reconstruct == wish.reconstruct &&
           is.t_boundary == was.t_boundary && is.anisotropy == was.anisotropy && is.tadpole == was.tadpole &&
           is.scale == was.scale && is.gauge_fix == was.gauge_fix && is.link_type == was.link_type;
  };
  precise_ = std::move(precise);
  for (int i = 0; i < n_link_copies; i++) {
    if (copies_[i].field && !keeps(copies_[i], *precise_, wishes[i])) copies_[i].field.reset();
    copies_[i].storage = wishes[i];
  }
  // ranks may have freed links on their own: borders of one depth again
  extended_.field.reset();
}

std::unique_ptr<GaugeField> ResidentLinks::release() { return std::move(precise_); }

void ResidentLinks::free()
{
  precise_.reset();
  for (Copy &copy : copies_) copy.field.reset();
  extended_.field.reset();
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
  default:
    return nullptr;
  }
}

void free_resident_links()
{
  for (const LinkType type : {LinkType::su3, LinkType::general, LinkType::three, LinkType::smeared})
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
    } catch (const guarded::FoundTogether &) {
      throw guarded::FoundTogether(error.kind(), message, where);
    } catch (...) {
      throw Error(error.kind(), message, where);
    }
  }
}

std::unique_ptr<GaugeField> &resident_momentum() { return residents().momentum; }

void free_resident_momentum() { residents().momentum.reset(); }

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
