/// Copies of gauge fields: `to = from` in lib/fields.

#include <algorithm>
#include <cmath>
#include <optional>

#include "fields/gauge_field.h"
#include "ops/copy/reorder.h"
#include "tune/tunable.h"

namespace quda
{

namespace
{

  ReorderEnd native_end(const GaugeField &field)
  {
    ReorderEnd end {};
    end.native = 1;
    end.field = field.view().field;
    return end;
  }

  /// The foreign arrays of a field, within the target's reach while this lives.
  class ForeignLinks
  {
  public:
    ForeignLinks(const GaugeField &field, bool load)
        : arrays_(field.order() == GaugeOrder::qdp ? 4 : 1)
        , reals_(field.reals())
        , cps_(field.order() == GaugeOrder::cps_wilson)
        , anisotropy_(field.anisotropy())
    {
      for (int i = 0; i < arrays_; i++) staged_[i].emplace(field.data(i), field.bytes() / arrays_, 1, 0, load);
    }
    void store() const
    {
      for (int i = 0; i < arrays_; i++) staged_[i]->store();
    }
    /// lattice: of the native side.
    ReorderEnd end(const LatticeView &lattice, long long volume_cb) const
    {
      ReorderEnd end {};
      end.field.lattice = lattice;
      for (int i = 0; i < arrays_; i++) end.data[i] = staged_[i]->get();
      end.separate = arrays_ == 4;
      end.field.inner_stride = end.separate ? 0 : reals_;
      end.field.record_stride = end.separate ? reals_ : 4 * reals_;
      end.field.parity_stride = volume_cb * end.field.record_stride;
      end.transposed = cps_;
      end.times = cps_ && anisotropy_ != 1 ? anisotropy_ : 0;
      return end;
    }

  private:
    int arrays_;
    int reals_;
    bool cps_;
    double anisotropy_;
    std::optional<Staged> staged_[4];
  };

  ReorderCall whole_links(const ReorderEnd &to, const ReorderEnd &from, int reals)
  {
    ReorderCall call {};
    call.to = to;
    call.from = from;
    call.parities = 2;
    call.inner = 4;
    call.reals = reals;
    return call;
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

  /// The same links with all three rows stored.
  GaugeField rebuilt(const GaugeField &from)
  {
    if (from.precision() == Precision::half) {
      GaugeField wider = other_storage(from, from.reconstruct());
      copy(wider, from);
      return rebuilt(wider);
    }
    GaugeField whole = other_storage(from, Reconstruct::none);
    rebuild_links(from.lattice(), {from.view(), whole.view().field}, from.precision());
    return whole;
  }

  /// to, of eight numbers a link, from links stored in another way.
  void compress(GaugeField &to, const GaugeField &from)
  {
    GaugeField whole = other_storage(to, Reconstruct::none);
    copy(whole, from);
    if (to.precision() == Precision::half) {
      GaugeField wider = other_storage(to, Reconstruct::r8);
      rebuild_links(to.lattice(), {whole.view(), wider.view().field}, wider.precision());
      copy(to, wider);
    } else {
      rebuild_links(to.lattice(), {whole.view(), to.view().field}, to.precision());
    }
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

  bool same_lanes(const Lattice &a, const Lattice &b)
  {
    return a.max_width() == b.max_width() && std::equal(a.S(), a.S() + 4, b.S());
  }

} // namespace

void copy(GaugeField &to, const GaugeField &from)
{
  check_same_links(to, from);
  const bool same = to.reconstruct() == from.reconstruct();
  const bool to_rows = to.reconstruct() == Reconstruct::r12 && from.reconstruct() == Reconstruct::none;
  if (!same && from.reconstruct() != Reconstruct::none) {
    copy(to, rebuilt(from));
  } else if (!same && !to_rows) {
    compress(to, from);
  } else if (to.native() && from.native() && same_lanes(to.lattice(), from.lattice())) {
    const int reals = std::min(to.reals(), from.reals());
    if (!reorder(to.lattice(), whole_links(native_end(to), native_end(from), reals), to.precision(), from.precision(),
                 "GaugeCopy"))
      fail_beyond_one(from);
  } else if (to.native() && !from.native()) {
    const ForeignLinks arrays(from, true);
    const ReorderEnd end = native_end(to);
    if (!reorder(to.lattice(), whole_links(end, arrays.end(end.field.lattice, to.lattice().volume_cb()), to.reals()),
                 to.precision(), from.precision(), "GaugeLoad"))
      fail_beyond_one(from);
  } else if (!to.native() && from.native()) {
    const ForeignLinks arrays(to, false);
    const ReorderEnd end = native_end(from);
    reorder(from.lattice(), whole_links(arrays.end(end.field.lattice, from.lattice().volume_cb()), end, to.reals()),
            to.precision(), from.precision(), "GaugeSave");
    arrays.store();
  } else {
    // two foreign orders, or two ways to lay sites over lanes: one more step
    GaugeFieldParam param = from.param();
    param.order = from.native() ? GaugeOrder::milc : GaugeOrder::native;
    param.location = from.native() ? Location::host : Location::device;
    if (param.precision == Precision::half) param.precision = Precision::single;
    if (param.reconstruct != Reconstruct::r10) param.reconstruct = Reconstruct::none;
    for (int &R : param.R) R = 0;
    GaugeField between(param);
    copy(between, from);
    copy(to, between);
  }
  to.mark_written();
}

} // namespace quda
