#pragma once
/// Landau and Coulomb gauge: the rotation g that makes
///   F = 1 / (3 D V) sum over x, mu < D of Re tr g(x) U_mu(x) g(x+mu)^dag,   D = 4 (Landau) or 3 (Coulomb)
/// largest. Links stay unchanged while g is found; sites of one parity at a time are relaxed, or all follow
/// the Fourier-accelerated gradient. theta = 1 / (3 V) sum of tr Delta Delta^dag, Delta the gradient.

#include <functional>
#include <memory>

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"

namespace quda
{

struct GaugeQuality {
  double functional = 0;
  double theta = 0;
};

struct GaugeFixing {
  int directions = 4;   // D
  unsigned steps = 0;   // at most
  double tolerance = 0; // 0: all steps are done
  bool by_theta = true; // tolerance of theta, or of the change of the functional
};

/// Called after each step, and at the start as step 0: the step, the quality, the change of the functional.
using GaugeFixingReport = std::function<void(unsigned step, const GaugeQuality &, double change)>;

class FourierFilter;

/// Links of any native storage in double or single precision, and the rotation, at first 1. Collective throughout.
class GaugeRotation
{
public:
  /// links: native, any storage.
  GaugeRotation(const GaugeField &links, int directions);
  ~GaugeRotation();

  GaugeQuality quality() const;
  /// One relaxation of all sites, even ones first.
  void relax(double boost);
  /// The quality, and the filtered gradient, along which descend() takes one step.
  GaugeQuality gradient();
  void descend(double alpha);

  /// out = the links rotated; native, of their storage, without border.
  void rotate(GaugeField &out) const;
  /// 1 spin, 9 colours: (row, column).
  const ColorSpinorField &rotation() const { return rotation_; }

private:
  GaugeQuality measure(const ColorSpinorField *gradient) const;

  GaugeField links_; // with a border
  int directions_;
  ColorSpinorField rotation_;
  std::unique_ptr<FourierFilter> filter_;
  std::unique_ptr<ColorSpinorField> gradient_;
};

/// Over-relaxation, boost from 1 to 2; returns the quality.
GaugeQuality relax_gauge(GaugeRotation &rotation, const GaugeFixing &what, double boost,
                         const GaugeFixingReport &report);

/// Steepest descent with Fourier acceleration. adapt: alpha shrinks by a twentieth if F falls, down to 0.01.
GaugeQuality descend_gauge(GaugeRotation &rotation, const GaugeFixing &what, double alpha, bool adapt,
                           const GaugeFixingReport &report);

} // namespace quda
