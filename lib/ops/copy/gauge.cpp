/// Copies of gauge fields: `to = from` in lib/fields.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "fields/gauge_field.h"
#include "ops/blas/block.h"
#include "ops/copy/reorder.h"
#include "targets/target.h"
#include "tune/tunable.h"

namespace quda
{

namespace
{

  constexpr CopyNames names = {"GaugeCopy", "GaugeLoad", "GaugeSave"};

  /// Properties of an order that strides do not contain (fields/gauge_field.h).
  void set_order(ReorderEnd &end, const GaugeField &field)
  {
    const GaugeOrder order = field.order();
    end.range = over_their_unit(field.reconstruct()) ? 1 : field.unit();
    if (order == GaugeOrder::qdpjit) end.plane = 2 * field.lattice().volume_cb();
    const bool tifr = order == GaugeOrder::tifr || order == GaugeOrder::tifr_padded;
    end.transposed = order == GaugeOrder::cps_wilson || order == GaugeOrder::bqcd || tifr;
    const double factor = tifr ? field.scale() : order == GaugeOrder::cps_wilson ? field.anisotropy() : 1;
    end.times = factor != 1 ? factor : 0;
    if (order != GaugeOrder::tifr_padded) return;
    end.stored[2] = field.lattice().X(2) + 2 * tifr_padding;
    end.offset[2] = tifr_padding;
  }

  /// Copies links between a host's structures and a plain array of links. into: into the structures.
  void copy_sites(const GaugeField &sites, const GaugeField &array, bool into)
  {
    const std::size_t bytes = 4 * sites.record_bytes(), pitch = static_cast<std::size_t>(sites.param().site_bytes);
    char *site = static_cast<char *>(sites.data()), *links = static_cast<char *>(array.data());
    for (long long n = 0; n < sites.lattice().volume(); n++)
      std::memcpy(into ? site + n * pitch : links + n * bytes, into ? links + n * bytes : site + n * pitch, bytes);
  }

  /// Whether kernels would need a transfer of all a host's structures to reach the links in them.
  bool out_of_reach(const GaugeField &field)
  {
    return field.order() == GaugeOrder::milc_site && !target().can_read(field.data());
  }

  /// A plain array for the links of such a field.
  GaugeField array_of(const GaugeField &sites)
  {
    GaugeFieldParam param = sites.param();
    param.order = GaugeOrder::milc;
    param.location = Location::host;
    return GaugeField(param);
  }

  /// A field for the same links, native, in double or single precision, in another storage.
  GaugeField other_storage(const GaugeField &links, Reconstruct reconstruct)
  {
    GaugeFieldParam param = links.param();
    if (param.precision == Precision::half) param.precision = Precision::single;
    param.order = GaugeOrder::native;
    param.location = Location::device;
    param.reconstruct = reconstruct;
    return GaugeField(param);
  }

  /// The same links, native, in double or single precision, without a border.
  GaugeField in_native_order(const GaugeField &from)
  {
    GaugeFieldParam param = from.param();
    param.order = GaugeOrder::native;
    param.location = Location::device;
    for (int &R : param.R) R = 0;
    GaugeField native(param);
    copy(native, from);
    return native;
  }

  /// The same links with all three rows stored.
  GaugeField rebuilt(const GaugeField &from)
  {
    if (from.precision() == Precision::half) {
      GaugeField wider = other_storage(from, from.reconstruct());
      copy(wider, from);
      return rebuilt(wider);
    }
    GaugeField whole = other_storage(from, Reconstruct::none);
    rebuild_links(from.lattice(), {from.view(), whole.view().field, from.unit(), 0, nullptr}, from.precision());
    return whole;
  }

  /// Compresses links in another storage to eight numbers a link.
  void compress_8(GaugeField &to, const GaugeField &from)
  {
    GaugeField whole = other_storage(to, Reconstruct::none);
    copy(whole, from);
    if (to.precision() == Precision::half) {
      GaugeField wider = other_storage(to, Reconstruct::r8);
      rebuild_links(to.lattice(), {whole.view(), wider.view().field, 1, 0, nullptr}, wider.precision());
      copy(to, wider);
    } else {
      rebuild_links(to.lattice(), {whole.view(), to.view().field, 1, 0, nullptr}, to.precision());
    }
  }

  /// Allowed distance of links, over their unit, from their reconstruction: some roundings of six or more numbers.
  double misfit_tolerance(const GaugeField &to)
  {
    if (to.precision() == Precision::double_) return over_their_unit(to.reconstruct()) ? 1e-10 : 1e-12;
    return to.precision() == Precision::half && !over_their_unit(to.reconstruct()) ? 2e-4 : 5e-6;
  }

  bool compress_within(double tolerance, GaugeField &to, const GaugeField &from)
  {
    if (to.precision() == Precision::half) {
      GaugeField wider = other_storage(to, to.reconstruct());
      if (!compress_within(tolerance, wider, from)) return false;
      copy(to, wider);
      return true;
    }
    std::optional<GaugeField> own;
    const bool as_it_is = from.native() && from.reconstruct() == Reconstruct::none && in_one_step(to, from) &&
                          from.precision() == to.precision() && !from.extended() && !to.extended();
    if (!as_it_is) copy(own.emplace(other_storage(to, Reconstruct::none)), from);
    const GaugeField &whole = as_it_is ? from : *own;
    double unit = 1;
    if (over_their_unit(to.reconstruct())) {
      unit = std::sqrt(link_norm2(whole) / (12.0 * static_cast<double>(to.lattice().global_volume())));
      if (!(unit > 0)) return false;
      to.set_unit(unit);
    }
    const RebuildCall call = {whole.view(), to.view().field, unit, tolerance, nullptr};
    if (rebuild_links(to.lattice(), call, to.precision()) > 0) return false;
    to.set_phases(from.phases());
    to.mark_written();
    return true;
  }

  /// All numbers of the links in the host's memory: (site, mu, 18 reals).
  GaugeField on_host(const GaugeField &links)
  {
    GaugeFieldParam param = links.param();
    param.precision = Precision::double_;
    param.order = GaugeOrder::milc;
    param.location = Location::host;
    param.reconstruct = Reconstruct::none;
    param.create = Create::allocate;
    param.unit = 1;
    for (int &R : param.R) R = 0;
    GaugeField host(param);
    copy(host, links);
    return host;
  }

  /// Whether half precision has a unit of the field's own.
  bool ranged(const GaugeField &to)
  {
    return to.precision() == Precision::half && to.link_type() != LinkType::su3 && !over_their_unit(to.reconstruct());
  }

  /// Sets the unit of such a field for these links.
  void find_range(GaugeField &to, const GaugeField &from)
  {
    if (from.precision() == Precision::half) return to.set_unit(from.unit());
    const double largest = blas::block::amax(from);
    to.set_unit(largest > 0 ? largest : 1);
  }

  /// Names the element that links of half precision cannot hold.
  [[noreturn]] void fail_beyond_one(const GaugeField &from)
  {
    const LaunchesAlone alone;
    const GaugeField host = on_host(from);
    const double *const links = static_cast<const double *>(host.data(0));
    const long long reals = 72 * host.lattice().volume();
    long long at = 0;
    while (at + 1 < reals && std::abs(static_cast<float>(links[at])) <= 1 + 0.5f / 32767) at++;
    int x[4];
    host.lattice().slot_coordinates(at / 72, x);
    fail(ErrorKind::bad_argument,
         text("copy of links to half precision: direction %d, site %d %d %d %d of this rank has %g, real %d of the "
              "matrix; from -1 to 1 is allowed",
              static_cast<int>(at / 18 % 4), x[0], x[1], x[2], x[3], links[at], static_cast<int>(at % 18)));
  }

} // namespace

bool compress(GaugeField &to, const GaugeField &from) { return compress_within(misfit_tolerance(to), to, from); }

LinkDifference largest_difference(const GaugeField &a, const GaugeField &b)
{
  const GaugeField hosts[2] = {on_host(a), on_host(b)};
  const double *const u = static_cast<const double *>(hosts[0].data(0)), *const v = static_cast<const double *>(
                                                                             hosts[1].data(0));
  const Lattice &lattice = a.lattice();
  LinkDifference most {-1, 0, {}};
  long long at = 0;
  for (long long i = 0; i < 72 * lattice.volume(); i++)
    if (const double by = std::abs(u[i] - v[i]); !(by <= most.by)) most.by = by, at = i;
  most.direction = static_cast<int>(at / 18 % 4);
  lattice.slot_coordinates(at / 72, most.x);
  Communicator &ranks = lattice.communicator();
  for (int d = 0; d < 4; d++) most.x[d] += ranks.grid().coordinate[d] * lattice.X(d);
  double largest = most.by;
  ranks.max(&largest, 1);
  long long there = most.by == largest ? ranks.rank() : 0;
  ranks.max(&there, 1);
  ranks.broadcast(&most, sizeof most, static_cast<int>(there));
  return most;
}

void copy(GaugeField &to, const GaugeField &from)
{
  check_same_links("copy of links", to, from);
  const bool to_long = over_their_unit(to.reconstruct());
  if (from.phases().applied && to.reconstruct() != Reconstruct::none && !to_long &&
      to.link_type() != LinkType::momentum)
    fail(ErrorKind::bad_argument, text("copy of links: reconstruct = %d (to) of links with staggered phases (from); 18 "
                                       "is allowed",
                                       static_cast<int>(to.reconstruct())));
  const bool same = to.reconstruct() == from.reconstruct();
  const bool to_rows = to.reconstruct() == Reconstruct::r12 && from.reconstruct() == Reconstruct::none;
  if (out_of_reach(from)) {
    const GaugeField array = array_of(from);
    copy_sites(from, array, false);
    copy(to, array);
  } else if (out_of_reach(to)) {
    GaugeField array = array_of(to);
    copy(array, from);
    copy_sites(to, array, true);
  } else if (!same && from.reconstruct() != Reconstruct::none) {
    copy(to, rebuilt(from));
  } else if (!same && to_long) {
    if (!compress(to, from))
      fail(ErrorKind::bad_argument,
           text("copy of links: reconstruct = %d of links that are not all one number times unitary matrices; 18 is "
                "allowed",
                static_cast<int>(to.reconstruct())));
  } else if (!same && !to_rows) {
    compress_8(to, from);
  } else if (ranged(to) && from.precision() != Precision::half && (!from.native() || from.extended())) {
    copy(to, in_native_order(from));
  } else if (in_one_step(to, from)) {
    if (ranged(to)) find_range(to, from);
    if (to_long) to.set_unit(from.unit());
    ReorderCall call {};
    call.reals = std::min(to.reals(), from.reals());
    set_order(call.to, to);
    set_order(call.from, from);
    if (!reorder(to, from, call, names)) fail_beyond_one(from);
  } else {
    GaugeFieldParam param = from.param();
    set_between(param, from);
    param.order = from.native() ? GaugeOrder::milc : GaugeOrder::native;
    if (param.reconstruct != Reconstruct::r10) param.reconstruct = Reconstruct::none;
    for (int &R : param.R) R = 0;
    GaugeField between(param);
    copy(between, from);
    copy(to, between);
  }
  to.set_phases(from.phases());
  to.mark_written();
}

} // namespace quda
