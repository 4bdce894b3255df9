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

  void check_order(GaugeOrder order)
  {
    switch (order) {
    case GaugeOrder::native:
    case GaugeOrder::qdp:
    case GaugeOrder::milc:
    case GaugeOrder::cps_wilson:
      return;
    default:
      break;
    }
    static const char *const names[] = {"QDPJIT", "CPS_WILSON", "MILC", "MILC_SITE", "BQCD", "TIFR", "TIFR_PADDED"};
    const int n = static_cast<int>(order);
    if (n < static_cast<int>(GaugeOrder::native) || n > static_cast<int>(GaugeOrder::tifr_padded))
      fail(ErrorKind::bad_argument,
           text("%s: order = %d is not allowed; native, QDP, MILC and CPS_WILSON are", what, n));
    fail(ErrorKind::unsupported, text("%s: order = %s is not supported; native, QDP, MILC and CPS_WILSON are", what,
                                      names[n - static_cast<int>(GaugeOrder::qdpjit)]));
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
      break;
    case Reconstruct::r13:
    case Reconstruct::r9:
      fail(ErrorKind::unsupported,
           text("%s: reconstruct = %d is not supported; 18, 12 and 8 are", what, static_cast<int>(p.reconstruct)));
    default:
      fail(ErrorKind::bad_argument,
           text("%s: reconstruct = %d is not allowed; 18, 12 and 8 are", what, static_cast<int>(p.reconstruct)));
    }
    const bool compressed = p.reconstruct == Reconstruct::r12 || p.reconstruct == Reconstruct::r8;
    if (compressed && p.order != GaugeOrder::native)
      fail(ErrorKind::bad_argument,
           text("%s: reconstruct = %d with a foreign order is not allowed; foreign arrays hold all 18 reals", what,
                static_cast<int>(p.reconstruct)));
    if (compressed && p.link_type != LinkType::su3)
      fail(ErrorKind::bad_argument, text("%s: reconstruct = %d with link_type = %s is not allowed; su3 links alone "
                                         "can be compressed",
                                         what, static_cast<int>(p.reconstruct), type));

    if (p.link_type == LinkType::momentum && p.order == GaugeOrder::cps_wilson)
      fail(ErrorKind::unsupported,
           text("%s: order = CPS_WILSON with link_type = momentum is not supported; native, QDP "
                "and MILC are",
                what));
    if (p.link_type == LinkType::momentum && p.t_boundary == TBoundary::antiperiodic)
      fail(ErrorKind::bad_argument, text("%s: t_boundary = -1 with link_type = momentum is not allowed; 1 is", what));
    if (p.precision == Precision::quarter)
      fail(ErrorKind::unsupported, text("%s: precision = 1 (quarter) is not supported; 8, 4 and 2 are", what));
    if (p.precision == Precision::half && p.link_type != LinkType::su3)
      fail(ErrorKind::unsupported, text("%s: precision = 2 (half) with link_type = %s is not supported; su3 links "
                                        "alone are at most 1",
                                        what, type));
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

  /// Of a link, as stored: of three colors what reconstruct says, which counts them.
  int reals_of(const LinkKind &kind)
  {
    return kind.reconstruct == Reconstruct::none ? 2 * kind.colors * kind.colors : static_cast<int>(kind.reconstruct);
  }

  FieldShape shape_of(const GaugeFieldParam &p)
  {
    check_order(p.order);
    check_links(p);
    const bool native = p.order == GaugeOrder::native;
    if (any(p.R) && !native)
      fail(ErrorKind::bad_argument, text("%s: border R = %d %d %d %d with a foreign order is not allowed; 0 0 0 0 is",
                                         what, p.R[0], p.R[1], p.R[2], p.R[3]));
    FieldShape shape {reals_of(p), native,
                      native                       ? Entries::outermost
                      : p.order == GaugeOrder::qdp ? Entries::separate
                                                   : Entries::innermost};
    shape.blocks = directions;
    shape.border = p.R;
    return shape;
  }

} // namespace

GaugeField::GaugeField(const GaugeFieldParam &param, SourceLocation where)
    : Field(what, {param}, shape_of(param), param.data, where)
    , kind_(param)
{
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
