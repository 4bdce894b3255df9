#include "ops/links/link_set.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "ops/copy/redistribute.h"
#include "ops/halo/gauge_border.h"

namespace quda
{

namespace
{

  LinkStorage storage_of(const GaugeField &links) { return {links.precision(), links.reconstruct()}; }

  /// Whether a copy, in its own storage, can hold other links than those it was made from.
  bool can_hold(const GaugeField &copy, const GaugeField &links)
  {
    const GaugeFieldParam is = copy.param(), now = links.param();
    return is.lattice == now.lattice && is.t_boundary == now.t_boundary && is.anisotropy == now.anisotropy &&
           is.tadpole == now.tadpole && is.scale == now.scale && is.gauge_fix == now.gauge_fix &&
           is.link_type == now.link_type;
  }

  /// Zeroes the links that lead out of a domain, in an array of the host for each direction.
  template <class real> void cut_links(GaugeField &links, const Domains &domains, int length)
  {
    const Lattice &lattice = links.lattice();
    for (int d = 0; d < 4; d++) {
      if (!domains.several(lattice, d)) continue;
      const int extent = domains.extent(lattice, d); // divides the rank's
      auto *link = static_cast<real *>(links.data(d));
      for (long long slot = 0; slot < lattice.volume(); slot++, link += links.reals()) {
        int x[4];
        lattice.slot_coordinates(slot, x);
        if (x[d] % extent + length >= extent) std::fill_n(link, links.reals(), real(0));
      }
    }
  }

} // namespace

LinkSet::LinkSet(const GaugeField &borrowed)
{
  GaugeFieldParam param = borrowed.param();
  param.create = Create::reference;
  param.data[0] = borrowed.data();
  load(std::make_unique<GaugeField>(param));
}

GaugeField &LinkSet::precise() const
{
  if (!precise_) fail(ErrorKind::internal, "LinkSet: nothing is loaded");
  return *precise_;
}

const GaugeField &LinkSet::copy(LinkStorage storage) const
{
  const GaugeField &from = precise();
  const bool packed = fitted(storage.reconstruct) && storage.reconstruct != from.reconstruct();
  const auto misfit =
      std::find_if(misfits_.begin(), misfits_.end(), [&](const Misfit &one) { return one.storage == storage; });
  if (packed && misfit != misfits_.end() && misfit->tag == from.tag())
    return copy({storage.precision, Reconstruct::none});
  if (storage_of(from) == storage) return from;
  auto copy =
      std::find_if(copies_.begin(), copies_.end(), [&](const Copy &one) { return storage_of(*one.field) == storage; });
  if (copy != copies_.end() && copy->made_from == from.tag()) return *copy->field;
  std::unique_ptr<GaugeField> made; // one of the copies once it is filled: this build may lack the conversion
  if (copy == copies_.end()) {
    GaugeFieldParam param = from.param();
    param.precision = storage.precision;
    param.reconstruct = storage.reconstruct;
    made = std::make_unique<GaugeField>(param);
  }
  GaugeField &field = made ? *made : *copy->field;
  if (!packed) {
    field = from;
  } else if (!compress(field, from)) {
    warn("copies of links: reconstruct = %d does not hold them, they are not %s, and stores them whole",
         static_cast<int>(storage.reconstruct),
         over_their_unit(storage.reconstruct) ? "all one number times unitary matrices" : "what two rows give back");
    if (misfit == misfits_.end())
      misfits_.push_back({storage, from.tag()});
    else
      misfit->tag = from.tag();
    return this->copy({storage.precision, Reconstruct::none});
  }
  if (made) copy = copies_.insert(copies_.end(), {std::move(made), 0});
  copy->made_from = from.tag();
  return *copy->field;
}

const GaugeField &LinkSet::with_border(const int R[4]) const
{
  const GaugeField &from = precise();
  GaugeFieldParam param = from.param();
  bool there = true, deep = bordered_.field != nullptr;
  for (int d = 0; d < 4; d++) {
    if (!from.lattice().cut(d)) continue;
    there = there && from.R()[d] >= R[d];
    deep = deep && bordered_.field->R()[d] >= R[d];
    param.R[d] = std::max(R[d], bordered_.field ? bordered_.field->R()[d] : 0);
  }
  if (there) return from;
  if (deep && bordered_.made_from == from.tag()) return *bordered_.field;
  if (!deep) {
    bordered_.field.reset(); // first: it uses the larger one's memory
    bordered_.field = std::make_unique<GaugeField>(param);
  }
  *bordered_.field = from;
  exchange_border(*bordered_.field);
  bordered_.made_from = from.tag();
  return *bordered_.field;
}

const GaugeField &LinkSet::with_border(int depth) const
{
  const int R[4] = {depth, depth, depth, depth};
  return with_border(R);
}

const LinkSet &LinkSet::inside(const Domains &domains, int length) const
{
  const GaugeField &from = precise();
  if (inside_.links && inside_.domains == domains && inside_.length == length && inside_.made_from == from.tag())
    return *inside_.links;
  domains.check("LinkSet::inside", from.lattice());
  inside_.links.reset(); // first: it is as large
  GaugeFieldParam param = from.param();
  std::fill_n(param.R, 4, 0);
  // compressed forms of a zero link would not give it back, except two rows
  if (param.reconstruct != Reconstruct::r12) param.reconstruct = Reconstruct::none;
  GaugeFieldParam as_host = param;
  as_host.order = GaugeOrder::qdp;
  as_host.location = Location::host;
  as_host.reconstruct = Reconstruct::none;
  as_host.unit = 1;
  if (bytes_of(from.precision()) < 4) as_host.precision = Precision::single;
  GaugeField host(as_host);
  host = from;
  if (host.precision() == Precision::double_)
    cut_links<double>(host, domains, length);
  else
    cut_links<float>(host, domains, length);
  param.lattice = domains.closed(from.shared_lattice());
  auto links = std::make_unique<GaugeField>(param);
  *links = host;
  inside_ = {std::make_unique<LinkSet>(), domains, length, from.tag()};
  inside_.links->load(std::move(links));
  return *inside_.links;
}

const LinkSet &LinkSet::on(const std::shared_ptr<const SubGrids> &grids) const
{
  const GaugeField &from = precise();
  OnSubGrid &kept = on_sub_grid_;
  if (kept.links && kept.grids == grids && kept.made_from == from.tag()) return *kept.links;
  kept = {}; // first: it is larger
  auto links = std::make_unique<GaugeField>(redistributed(*grids, from));
  kept = {std::make_unique<LinkSet>(), grids, from.tag()};
  kept.links->load(std::move(links));
  return *kept.links;
}

void LinkSet::load(std::unique_ptr<GaugeField> precise)
{
  precise_ = std::move(precise);
  std::erase_if(copies_, [&](const Copy &copy) { return !can_hold(*copy.field, *precise_); });
  inside_.links.reset();
  on_sub_grid_ = {};
  bordered_.field.reset(); // ranks may have cleared their sets on their own: borders of one depth again
}

void LinkSet::keep(std::span<const LinkStorage> wanted)
{
  std::erase_if(copies_, [&](const Copy &copy) {
    return std::find(wanted.begin(), wanted.end(), storage_of(*copy.field)) == wanted.end();
  });
}

void LinkSet::clear()
{
  precise_.reset();
  copies_.clear();
  bordered_.field.reset();
  inside_.links.reset();
  on_sub_grid_ = {};
}

} // namespace quda
