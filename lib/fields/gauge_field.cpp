#include "fields/gauge_field.h"

#include <cmath>
#include <utility>

#include "core/error.h"

namespace quda
{

namespace
{

  constexpr const char *what = "GaugeField";
  constexpr int directions = 4;
  constexpr std::size_t native_alignment = 64;

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

} // namespace

GaugeField::GaugeField(const GaugeFieldParam &param, SourceLocation where)
    : param_(param)
    , tag_(next_tag())
{
  check_lattice(what, param.lattice);
  check_precision(what, param.precision, native());
  check_order(param.order);
  check_location(what, param.location, native());
  check_create(what, param.create);
  check_links(param);
  if (any(param.R) && !native())
    fail(ErrorKind::bad_argument, text("%s: border R = %d %d %d %d with a foreign order is not allowed; 0 0 0 0 is",
                                       what, param.R[0], param.R[1], param.R[2], param.R[3]));

  const int arrays = param.order == GaugeOrder::qdp ? directions : 1;
  std::size_t distance = 0; // from one array to the next
  if (native()) {
    field_ = native_storage(lattice(), param.precision, directions, static_cast<int>(param.reconstruct), 2, param.R,
                            InnerOrder::outermost, false, bytes_);
  } else {
    bytes_ = bytes_needed(what, {lattice().volume(), directions, reals(), bytes_of(param.precision)});
    distance = bytes_ / arrays;
  }

  if (param.create == Create::reference) {
    const std::size_t alignment = native() ? native_alignment : static_cast<std::size_t>(bytes_of(param.precision));
    for (int i = 0; i < arrays; i++)
      check_pointer(what, arrays == 1 ? "data" : text("data[%d]", i).c_str(), param.data[i], alignment);
  } else {
    memory_ = FieldMemory(bytes_, param.location, starts_at_zero(param.create, field_, param.location), where);
    for (int i = 0; i < arrays; i++) param_.data[i] = static_cast<char *>(memory_.get()) + i * distance;
  }
  for (int i = arrays; i < directions; i++) param_.data[i] = nullptr;
  field_.data = native() ? param_.data[0] : nullptr;
}

GaugeField::GaugeField(GaugeField &&other) noexcept = default;
GaugeField::~GaugeField() = default;

GaugeField &GaugeField::operator=(const GaugeField &from)
{
  if (this == &from) return *this;
  copy(*this, from);
  return *this;
}

void swap(GaugeField &a, GaugeField &b) noexcept
{
  std::swap(a.param_, b.param_);
  std::swap(a.field_, b.field_);
  std::swap(a.bytes_, b.bytes_);
  std::swap(a.memory_, b.memory_);
  std::swap(a.tag_, b.tag_);
}

GaugeFieldParam GaugeField::param() const
{
  GaugeFieldParam p = param_;
  p.create = Create::allocate;
  for (void *&data : p.data) data = nullptr;
  return p;
}

bool GaugeField::extended() const { return any(param_.R); }

GaugeView GaugeField::view() const
{
  if (!native()) fail(ErrorKind::internal, text("%s: view() of a field in a foreign order", what));
  return {field_, static_cast<int>(param_.reconstruct), param_.anisotropy, static_cast<int>(param_.t_boundary)};
}

void GaugeField::mark_written() { tag_ = next_tag(); }

std::optional<LinkDifference> difference(const GaugeField &a, const GaugeField &b)
{
  const Lattice &at = a.lattice(), &bt = b.lattice();
  for (int d = 0; d < 4; d++)
    if (at.X(d) != bt.X(d)) return {{text("X[%d]", d), text("%d", at.X(d)), text("%d", bt.X(d))}};
  if (!same_sites(at, bt))
    for (int d = 0; d < 4; d++)
      if (at.global_X()[d] != bt.global_X()[d] || at.origin()[d] != bt.origin()[d])
        return {{"their place among the ranks",
                 text("%lld + %d of %lld along %d", at.origin()[d], at.X(d), at.global_X()[d], d),
                 text("%lld + %d of %lld along %d", bt.origin()[d], bt.X(d), bt.global_X()[d], d)}};
  if (a.link_type() != b.link_type()) return {{"link_type", link_name(a.link_type()), link_name(b.link_type())}};
  if (a.gauge_fix() != b.gauge_fix())
    return {{"gauge_fix", a.gauge_fix() ? "yes" : "no", b.gauge_fix() ? "yes" : "no"}};
  if (a.t_boundary() != b.t_boundary())
    return {{"t_boundary", text("%d", static_cast<int>(a.t_boundary())), text("%d", static_cast<int>(b.t_boundary()))}};
  if (a.anisotropy() != b.anisotropy())
    return {{"anisotropy", text("%.17g", a.anisotropy()), text("%.17g", b.anisotropy())}};
  if (a.tadpole() != b.tadpole()) return {{"tadpole", text("%.17g", a.tadpole()), text("%.17g", b.tadpole())}};
  return {};
}

void check_same_links(const GaugeField &to, const GaugeField &from)
{
  if (const auto found = difference(to, from))
    fail(ErrorKind::bad_argument, text("%s: copy between fields that differ in %s: %s (to) and %s (from)", what,
                                       found->name.c_str(), found->a.c_str(), found->b.c_str()));
}

} // namespace quda
