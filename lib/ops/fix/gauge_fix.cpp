#include "ops/fix/gauge_fix.h"

#include <cmath>
#include <optional>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/fix/fix_call.h"
#include "ops/fix/fourier.h"
#include "ops/halo/exchange.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(RelaxCall, relax_gauge)
QUDA_KERNELS(GaugeQualityCall, gauge_quality)
QUDA_KERNELS(RotateLinksCall, rotate_links)
QUDA_KERNELS(DescendCall, descend_gauge)

namespace
{

  constexpr const char *function = "gauge fixing";
  constexpr int border = 2; // even

  ColorSpinorField matrices(const GaugeField &links, int colors)
  {
    ColorSpinorParam param;
    param.lattice = links.shared_lattice();
    param.precision = links.precision();
    param.spins = 1;
    param.colors = colors;
    return ColorSpinorField(param);
  }

  /// The sites of a field from other ranks, while it exists.
  class Brought
  {
  public:
    explicit Brought(const ColorSpinorField &field)
        : halo_(function, field.lattice(), {halo_shape(field, 1, field.precision())})
    {
      halo_.pack(field);
      halo_.send();
      halo_.finish();
    }
    const HaloView &slots() const { return halo_.slots(); }

  private:
    HaloExchange halo_;
  };

  bool cut(const Lattice &lattice) { return lattice.cut(0) || lattice.cut(1) || lattice.cut(2) || lattice.cut(3); }

  /// The rotation's view for kernels, with the sites of `parity` on other ranks that they read, or of both (-1).
  struct Seen {
    std::optional<Brought> brought;
    SpinorView view;

    explicit Seen(const ColorSpinorField &rotation, int parity = -1)
        : view(rotation.view())
    {
      if (!cut(rotation.lattice())) return;
      if (parity < 0)
        brought.emplace(rotation);
      else
        brought.emplace(rotation.half(parity));
      view.halo = brought->slots();
    }
  };

  long long rotation_bytes(const ColorSpinorField &rotation) { return rotation.sites() * rotation.record_bytes(); }

  /// Whether to stop.
  bool reached(const GaugeFixing &what, const GaugeQuality &now, double change)
  {
    return what.tolerance > 0 && (what.by_theta ? now.theta : std::abs(change)) < what.tolerance;
  }

} // namespace

GaugeRotation::GaugeRotation(const GaugeField &links, int directions)
    : links_(extended(links, border))
    , directions_(directions)
    , rotation_(matrices(links, 9))
{
  descend(0);
}

GaugeRotation::~GaugeRotation() = default;

GaugeQuality GaugeRotation::measure(const ColorSpinorField *gradient) const
{
  const Lattice &lattice = links_.lattice();
  const Seen rotation(rotation_);
  ExactLimbs sums[2];
  GaugeQualityCall call {};
  call.links = links_.view();
  call.rotation = rotation.view;
  call.directions = directions_;
  if (gradient) call.gradient = gradient->view().field;
  call.sums = sums;
  launch({.name = "GaugeQuality",
          .lattice = lattice,
          .extent = {registers(links_), 2},
          .aux = links_text(links_, ",directions=", directions_, gradient ? ",gradient" : ""),
          .flops = (180 + 828LL * directions_ + 60) * lattice.volume(),
          .bytes = link_bytes(links_) / 4 * directions_ + rotation_bytes(rotation_) +
                   (gradient ? rotation_bytes(*gradient) : 0),
          .sums = sums},
         instance(gauge_quality_kernels(), function, links_), call);
  sum_limbs(lattice.communicator(), sums, 2);
  const double volume = 3.0 * static_cast<double>(lattice.global_volume());
  return {exact_value(sums[0]) / (2 * directions_ * volume), exact_value(sums[1]) / volume};
}

GaugeQuality GaugeRotation::quality() const { return measure(nullptr); }

void GaugeRotation::relax(double boost)
{
  const Lattice &lattice = links_.lattice();
  for (int parity = 0; parity < 2; parity++) {
    const Seen rotation(rotation_, 1 - parity);
    RelaxCall call {};
    call.links = links_.view();
    call.rotation = rotation.view;
    call.parity = parity;
    call.directions = directions_;
    call.boost = boost;
    launch({.name = "RelaxGauge",
            .lattice = lattice,
            .extent = {registers(links_)},
            .aux = links_text(links_, ",directions=", directions_),
            .flops = (1137 + 828LL * directions_) * lattice.volume_cb(),
            .bytes = link_bytes(links_) / 4 * directions_ + 3 * rotation_bytes(rotation_) / 2,
            .in_place = memory_of(rotation_)},
           instance(relax_gauge_kernels(), function, links_), call);
    rotation_.mark_written();
  }
}

GaugeQuality GaugeRotation::gradient()
{
  if (!filter_) {
    filter_ = std::make_unique<FourierFilter>(links_.shared_lattice(), directions_, 4);
    gradient_ = std::make_unique<ColorSpinorField>(matrices(links_, 4));
  }
  const GaugeQuality quality = measure(gradient_.get());
  gradient_->mark_written();
  return quality;
}

void GaugeRotation::descend(double alpha)
{
  DescendCall call {};
  call.rotation = rotation_.view().field;
  call.alpha = alpha;
  call.start = !gradient_;
  if (gradient_) {
    ColorSpinorParam param = gradient_->param();
    param.precision = Precision::double_;
    param.order = DiracOrder::dirac;
    param.location = Location::host;
    ColorSpinorField host(param);
    host = *gradient_;
    filter_->apply(static_cast<std::complex<double> *>(host.data()));
    host.mark_written();
    *gradient_ = host;
    call.gradient = gradient_->view().field;
  }
  const Lattice &lattice = links_.lattice();
  launch({.name = "DescendGauge",
          .lattice = lattice,
          .extent = {registers(links_), 2},
          .aux = key_text("prec=", bytes_of(links_.precision()), gradient_ ? "" : ",start"),
          .flops = gradient_ ? 550 * lattice.volume() : 0,
          .bytes = gradient_ ? 2 * rotation_bytes(rotation_) + rotation_bytes(*gradient_) : rotation_bytes(rotation_),
          .in_place = gradient_ ? memory_of(rotation_) : MemorySpan {}},
         descend_gauge_kernels().find(function, bytes_of(links_.precision())), call);
  rotation_.mark_written();
}

void GaugeRotation::rotate(GaugeField &out) const
{
  const Lattice &lattice = links_.lattice();
  check_same_links(function, out, links_);
  if (!out.native() || out.extended() || out.precision() != links_.precision() ||
      out.reconstruct() != links_.reconstruct())
    fail(ErrorKind::internal, text("%s: the rotated links must be native and stored like the others", function));
  const Seen rotation(rotation_);
  RotateLinksCall call {};
  call.links = links_.view();
  call.rotation = rotation.view;
  call.out = out.view();
  launch({.name = "RotateLinks",
          .lattice = lattice,
          .extent = {registers(links_), 2},
          .aux = links_text(links_),
          .flops = 1584 * lattice.volume(),
          .bytes = 2 * link_bytes(links_) + rotation_bytes(rotation_)},
         instance(rotate_links_kernels(), function, links_), call);
  out.mark_written();
}

namespace
{

  /// step(change of F in the last one) does a step and measures, until the quality is reached.
  template <class Step>
  GaugeQuality improve(GaugeQuality now, const GaugeFixing &what, const GaugeFixingReport &report, const Step &step)
  {
    report(0, now, 0);
    double change = 0;
    for (unsigned n = 1; n <= what.steps; n++) {
      const GaugeQuality next = step(change);
      change = next.functional - now.functional;
      now = next;
      report(n, now, change);
      if (reached(what, now, change)) break;
    }
    return now;
  }

} // namespace

GaugeQuality relax_gauge(GaugeRotation &rotation, const GaugeFixing &what, double boost,
                         const GaugeFixingReport &report)
{
  return improve(rotation.quality(), what, report, [&](double) {
    rotation.relax(boost);
    return rotation.quality();
  });
}

GaugeQuality descend_gauge(GaugeRotation &rotation, const GaugeFixing &what, double alpha, bool adapt,
                           const GaugeFixingReport &report)
{
  return improve(rotation.gradient(), what, report, [&](double change) {
    if (adapt && change < -1e-14 && alpha > 0.01) alpha *= 0.95;
    rotation.descend(alpha);
    return rotation.gradient();
  });
}

} // namespace quda
