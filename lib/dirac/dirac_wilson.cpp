#include "dirac/dirac_wilson.h"

#include <optional>

#include "ops/dirac/wilson.h"

namespace quda
{

namespace
{

  constexpr double hop_flops = 1320, sum_flops = 48; // a site

  double hop_bytes(const ColorSpinorParam &shape, LinkStorage links, int spinors)
  {
    const double sites = static_cast<double>(shape.lattice->volume()) / (shape.subset == SiteSubset::full ? 1 : 2);
    const int bytes = bytes_of(shape.precision), scale = bytes < 4 ? 4 : 0;
    return sites * (8 * static_cast<int>(links.reconstruct) * bytes + (24 * bytes + scale) * spinors * shape.rhs);
  }

  double sites(const ColorSpinorParam &shape)
  {
    return static_cast<double>(shape.subset == SiteSubset::full ? shape.lattice->volume() : shape.lattice->volume_cb());
  }

  /// b where nothing but b (A in) is asked for, one b for all right-hand sides: a hop's own form.
  std::optional<double> only_factor(const Apply &call)
  {
    if (call.x || call.y || call.sums()) return {};
    for (std::size_t j = 1; j < call.b.size(); j++)
      if (call.b[j] != call.b[0]) return {};
    return call.b[0];
  }

} // namespace

class DiracWilson::Full : public LinearOperator
{
public:
  explicit Full(const DiracWilson &dirac)
      : dirac_(dirac)
  {
  }
  ColorSpinorParam shape(int rhs) const override { return dirac_.shape(-1, rhs); }
  double flops(int rhs) const override { return (hop_flops + sum_flops) * sites(shape(1)) * rhs; }
  double bytes(int rhs) const override { return hop_bytes(shape(rhs), dirac_.storage(), 3); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    times(1, out, in, dagger);
  }
  bool fused(const Apply &call, Sums *) const override
  {
    const auto b = only_factor(call);
    if (b) times(*b, call.out, call.in, call.dagger);
    return b.has_value();
  }

private:
  void times(double b, ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
  {
    wilson_hop(out, in, dirac_.links(), dagger, -b * dirac_.param().kappa, b, &in);
  }

  const DiracWilson &dirac_;
};

class DiracWilson::Schur : public LinearOperator
{
public:
  Schur(const DiracWilson &dirac, MatPC matpc)
      : dirac_(dirac)
      , parity_(parity_of(matpc))
  {
  }
  ColorSpinorParam shape(int rhs) const override { return dirac_.shape(parity_, rhs); }
  double flops(int rhs) const override { return (2 * hop_flops + sum_flops) * sites(shape(1)) * rhs; }
  double bytes(int rhs) const override
  {
    return hop_bytes(shape(rhs), dirac_.storage(), 2) + hop_bytes(shape(rhs), dirac_.storage(), 3);
  }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    times(1, out, in, dagger);
  }
  bool fused(const Apply &call, Sums *) const override
  {
    const auto b = only_factor(call);
    if (b) times(*b, call.out, call.in, call.dagger);
    return b.has_value();
  }

private:
  void times(double b, ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
  {
    const double kappa = dirac_.param().kappa;
    ColorSpinorField other = scratch(0, dirac_.shape(1 - parity_, in.rhs()));
    wilson_hop(other, in, dirac_.links(), dagger, 1);
    wilson_hop(out, other, dirac_.links(), dagger, -b * kappa * kappa, b, &in);
  }

  const DiracWilson &dirac_;
  int parity_;
};

std::unique_ptr<LinearOperator> DiracWilson::full() const { return std::make_unique<Full>(*this); }

std::unique_ptr<LinearOperator> DiracWilson::schur(MatPC matpc) const { return std::make_unique<Schur>(*this, matpc); }

void DiracWilson::dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  wilson_hop(out, in, links(), dagger, 1);
}

double DiracWilson::dslash_flops(int rhs) const { return hop_flops * sites(shape(0, 1)) * rhs; }

void DiracWilson::prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const int parity = parity_of(matpc);
  const ColorSpinorField here = b.half(parity), other = b.half(1 - parity);
  wilson_hop(c, other, links(), dagger, param().kappa, 1, &here);
}

void DiracWilson::reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const int parity = parity_of(matpc);
  const ColorSpinorField here = x.half(parity), given = b.half(1 - parity);
  ColorSpinorField other = x.half(1 - parity);
  wilson_hop(other, here, links(), dagger, param().kappa, 1, &given);
  x.mark_written();
}

} // namespace quda
