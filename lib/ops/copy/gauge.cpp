/// Copies of gauge fields: `to = from` in lib/fields.

#include <algorithm>
#include <cmath>
#include <cstring>

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

  /// What strides do not tell (fields/gauge_field.h).
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

  /// Whether kernels would have to be sent all of a host's structures for the links in them.
  bool out_of_reach(const GaugeField &field)
  {
    return field.order() == GaugeOrder::milc_site && !target().can_read(field.data());
  }

  /// For the links of such a field only.
  GaugeField array_of(const GaugeField &sites)
  {
    GaugeFieldParam param = sites.param();
    param.order = GaugeOrder::milc;
    param.location = Location::host;
    return GaugeField(param);
  }

  /// A field for the same links, native, in double or single precision, stored in another way.
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

  /// to, of eight numbers a link, from links stored in another way.
  void compress(GaugeField &to, const GaugeField &from)
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

  /// How far links, over their unit, may be from unitary.
  double unitary_tolerance(Precision precision) { return precision == Precision::double_ ? 1e-10 : 5e-6; }

  /// Whether half precision counts in a unit of the field's own.
  bool ranged(const GaugeField &to)
  {
    return to.precision() == Precision::half && to.link_type() != LinkType::su3 && !over_their_unit(to.reconstruct());
  }

  /// The unit of such a field, which is to hold these links.
  void find_range(GaugeField &to, const GaugeField &from)
  {
    if (from.precision() == Precision::half) return to.set_unit(from.unit());
    const double largest = blas::block::amax(from);
    to.set_unit(largest > 0 ? largest : 1);
  }

  /// The element that links of half precision cannot hold, by name.
  [[noreturn]] void fail_beyond_one(const GaugeField &from)
  {
    const LaunchesAlone alone;
    GaugeFieldParam param = from.param();
    param.precision = Precision::double_;
    param.order = GaugeOrder::milc;
    param.location = Location::host;
    param.reconstruct = Reconstruct::none;
    param.create = Create::allocate;
    for (int &R : param.R) R = 0;
    GaugeField host(param);
    copy(host, from);
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

bool compress_long(GaugeField &to, const GaugeField &from)
{
  if (to.precision() == Precision::half) {
    GaugeField wider = other_storage(to, to.reconstruct());
    if (!compress_long(wider, from)) return false;
    copy(to, wider);
    return true;
  }
  GaugeField whole = other_storage(to, Reconstruct::none);
  copy(whole, from);
  const double links = 4.0 * static_cast<double>(to.lattice().global_volume()),
               unit = std::sqrt(link_norm2(whole) / (3 * links));
  if (!(unit > 0)) return false;
  to.set_unit(unit);
  const RebuildCall call = {whole.view(), to.view().field, unit, unitary_tolerance(to.precision()), nullptr};
  if (rebuild_links(to.lattice(), call, to.precision()) > 0) return false;
  to.set_phases(from.phases());
  to.mark_written();
  return true;
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
    if (!compress_long(to, from))
      fail(ErrorKind::bad_argument,
           text("copy of links: reconstruct = %d of links that are not all one number times unitary matrices; 18 is "
                "allowed",
                static_cast<int>(to.reconstruct())));
  } else if (!same && !to_rows) {
    compress(to, from);
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
