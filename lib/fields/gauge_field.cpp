#include "fields/gauge_field.h"

#include <cmath>

namespace quda
{

namespace
{

  constexpr const char *what = "GaugeField";
  constexpr int directions = 4;

  const char *link_name(LinkType type)
  {
    switch (type) {
    case LinkType::su3:
      return "su3";
    case LinkType::general:
      return "general";
    case LinkType::three:
      return "three";
    case LinkType::momentum:
      return "momentum";
    case LinkType::coarse:
      return "coarse";
    case LinkType::smeared:
      return "smeared";
    case LinkType::twolink:
      return "twolink";
    }
    return nullptr;
  }

  bool in_range(GaugeOrder order)
  {
    return static_cast<int>(order) >= static_cast<int>(GaugeOrder::native) &&
           static_cast<int>(order) <= static_cast<int>(GaugeOrder::tifr_padded);
  }

  void check_order(const GaugeFieldParam &p)
  {
    if (!in_range(p.order))
      fail(ErrorKind::bad_argument,
           text("%s: order = %d is not allowed; 0 (native) to 8 (TIFR padded) are", what, static_cast<int>(p.order)));
    if (p.order != GaugeOrder::milc_site) return;
    const long long least = 4LL * (p.link_type == LinkType::momentum ? 10 : 18) * bytes_of(p.precision);
    if (p.create != Create::reference)
      fail(ErrorKind::bad_argument, text("%s: order = MILC site without the caller's memory is not allowed", what));
    if (p.site_bytes < least || p.site_bytes % bytes_of(p.precision))
      fail(ErrorKind::bad_argument, text("%s: site_bytes = %lld is not allowed; multiples of %d from %lld on are", what,
                                         p.site_bytes, bytes_of(p.precision), least));
  }

  void check_links(const GaugeFieldParam &p)
  {
    const char *type = link_name(p.link_type);
    if (!type)
      fail(ErrorKind::bad_argument, text("%s: link_type = %d is not allowed", what, static_cast<int>(p.link_type)));
    if (p.link_type == LinkType::coarse)
      fail(ErrorKind::unsupported, text("%s: link_type = %s is not supported", what, type));
    if (p.colors != 3)
      fail(ErrorKind::unsupported,
           text("%s: colors = %d with link_type = %s is not supported; 3 is", what, p.colors, type));
    if ((p.link_type == LinkType::momentum) != (p.reconstruct == Reconstruct::r10))
      fail(ErrorKind::bad_argument, text("%s: reconstruct = %d with link_type = %s is not allowed; momenta, and they "
                                         "alone, are stored by 10 reals",
                                         what, static_cast<int>(p.reconstruct), type));

    switch (p.reconstruct) {
    case Reconstruct::none:
    case Reconstruct::r12:
    case Reconstruct::r10:
    case Reconstruct::r8:
    case Reconstruct::r13:
    case Reconstruct::r9:
      break;
    default:
      fail(ErrorKind::bad_argument,
           text("%s: reconstruct = %d is not allowed; 18, 12 and 8, of long links 13 and 9 are", what,
                static_cast<int>(p.reconstruct)));
    }
    const bool compressed = p.reconstruct == Reconstruct::r12 || p.reconstruct == Reconstruct::r8,
               of_long = over_their_unit(p.reconstruct);
    if ((compressed || of_long) && p.order != GaugeOrder::native)
      fail(ErrorKind::bad_argument,
           text("%s: reconstruct = %d with a foreign order is not allowed; foreign arrays hold all 18 reals", what,
                static_cast<int>(p.reconstruct)));
    if (compressed && p.link_type != LinkType::su3)
      fail(ErrorKind::bad_argument, text("%s: reconstruct = %d with link_type = %s is not allowed; su3 links alone "
                                         "can be compressed",
                                         what, static_cast<int>(p.reconstruct), type));

    if (of_long && p.link_type != LinkType::three)
      fail(ErrorKind::bad_argument, text("%s: reconstruct = %d with link_type = %s is not allowed; long links (three) "
                                         "alone can be stored so",
                                         what, static_cast<int>(p.reconstruct), type));

    const bool plain = p.order == GaugeOrder::native || p.order == GaugeOrder::qdp || p.order == GaugeOrder::milc ||
                       p.order == GaugeOrder::milc_site;
    if (p.link_type == LinkType::momentum && !plain)
      fail(ErrorKind::unsupported, text("%s: order = %d with link_type = momentum is not supported; native, QDP, MILC "
                                        "and MILC site are",
                                        what, static_cast<int>(p.order)));
    if (p.phases.applied && compressed)
      fail(ErrorKind::bad_argument, text("%s: reconstruct = %d of links with staggered phases is not allowed; 18 is",
                                         what, static_cast<int>(p.reconstruct)));
    if (p.link_type == LinkType::momentum && p.t_boundary == TBoundary::antiperiodic)
      fail(ErrorKind::bad_argument, text("%s: t_boundary = -1 with link_type = momentum is not allowed; 1 is", what));
    if (p.precision == Precision::quarter)
      fail(ErrorKind::unsupported, text("%s: precision = 1 (quarter) is not supported; 8, 4 and 2 are", what));
    if (p.precision == Precision::half && p.link_type == LinkType::momentum)
      fail(ErrorKind::unsupported,
           text("%s: precision = 2 (half) with link_type = %s is not supported; 8 and 4 are", what, type));
    if (p.t_boundary != TBoundary::periodic && p.t_boundary != TBoundary::antiperiodic)
      fail(ErrorKind::bad_argument,
           text("%s: t_boundary = %d is not allowed; 1 and -1 are", what, static_cast<int>(p.t_boundary)));
    if (!std::isfinite(p.anisotropy) || p.anisotropy == 0)
      fail(ErrorKind::bad_argument, text("%s: anisotropy = %g must be a number other than 0", what, p.anisotropy));
    if (p.anisotropy != 1 && p.link_type != LinkType::su3)
      fail(ErrorKind::bad_argument,
           text("%s: anisotropy = %g with link_type = %s is not allowed; 1 is", what, p.anisotropy, type));
    if (p.gauge_fix && p.link_type != LinkType::su3)
      fail(ErrorKind::bad_argument, text("%s: gauge_fix = yes with link_type = %s is not allowed", what, type));
  }

  bool any(const int R[4]) { return R[0] || R[1] || R[2] || R[3]; }

  /// Real numbers of a link, as stored; reconstruct counts them for three colors.
  int reals_of(const LinkKind &kind)
  {
    return kind.reconstruct == Reconstruct::none ? 2 * kind.colors * kind.colors : static_cast<int>(kind.reconstruct);
  }

  HostStrides strides_of(const GaugeFieldParam &p)
  {
    if (!p.lattice) return {}; // refused later
    const Lattice &lattice = *p.lattice;
    const int *X = lattice.X();
    const long long volume_cb = lattice.volume_cb(), reals = reals_of(p);
    const auto by_direction = [&](long long stored_cb) {
      return HostStrides {stored_cb * reals, reals, 2 * stored_cb * reals, 8 * stored_cb * reals};
    };
    switch (p.order) {
    case GaugeOrder::milc_site: {
      const long long site = p.site_bytes / bytes_of(p.precision);
      return {volume_cb * site, site, reals, (2 * volume_cb - 1) * site + directions * reals};
    }
    case GaugeOrder::qdpjit:
      return {volume_cb, 1, 0, directions * 2 * volume_cb * reals};
    case GaugeOrder::tifr:
      return by_direction(volume_cb);
    case GaugeOrder::tifr_padded:
      return by_direction(volume_cb / X[2] * (X[2] + 2 * tifr_padding));
    case GaugeOrder::bqcd:
      return by_direction((X[0] / 2 + 2LL) * (X[1] + 2) * (X[2] + 2) * (X[3] + 2));
    default:
      return {};
    }
  }

  FieldShape shape_of(const GaugeFieldParam &p)
  {
    check_order(p);
    check_links(p);
    const bool native = p.order == GaugeOrder::native;
    if (any(p.R) && !native)
      fail(ErrorKind::bad_argument, text("%s: border R = %d %d %d %d with a foreign order is not allowed; 0 0 0 0 is",
                                         what, p.R[0], p.R[1], p.R[2], p.R[3]));
    FieldShape shape {reals_of(p), native,
                      native                     ? Entries::outermost
                      : separate_arrays(p.order) ? Entries::separate
                                                 : Entries::innermost};
    shape.blocks = directions;
    shape.border = p.R;
    shape.strides = strides_of(p);
    return shape;
  }

} // namespace

GaugeField::GaugeField(const GaugeFieldParam &param, SourceLocation where)
    : Field(what, {param}, shape_of(param), param.data, where)
    , kind_(param)
{
  if (param.precision != Precision::half && !over_their_unit(param.reconstruct)) kind_.unit = 1;
}

GaugeField &GaugeField::operator=(const GaugeField &from)
{
  if (this != &from) copy(*this, from);
  return *this;
}

bool GaugeField::extended() const { return any(kind_.R); }

GaugeView GaugeField::view() const
{
  return {native_layout(what), static_cast<int>(kind_.reconstruct), kind_.anisotropy,
          static_cast<int>(kind_.t_boundary)};
}

std::optional<Difference> difference(const GaugeField &a, const GaugeField &b)
{
  if (auto found = difference(static_cast<const Field &>(a), static_cast<const Field &>(b))) return found;
  if (a.link_type() != b.link_type()) return {{"link_type", link_name(a.link_type()), link_name(b.link_type())}};
  if (a.colors() != b.colors()) return {{"colors", text("%d", a.colors()), text("%d", b.colors())}};
  if (a.gauge_fix() != b.gauge_fix())
    return {{"gauge_fix", a.gauge_fix() ? "yes" : "no", b.gauge_fix() ? "yes" : "no"}};
  if (a.t_boundary() != b.t_boundary())
    return {{"t_boundary", text("%d", static_cast<int>(a.t_boundary())), text("%d", static_cast<int>(b.t_boundary()))}};
  if (a.anisotropy() != b.anisotropy())
    return {{"anisotropy", text("%.17g", a.anisotropy()), text("%.17g", b.anisotropy())}};
  if (a.tadpole() != b.tadpole()) return {{"tadpole", text("%.17g", a.tadpole()), text("%.17g", b.tadpole())}};
  return {};
}

void check_same_links(const char *function, const GaugeField &to, const GaugeField &from)
{
  check_alike(function, difference(to, from));
}

} // namespace quda
