#include "dirac/dirac_hop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ops/blas/blas.h"

namespace quda
{

namespace
{

  double sites(const ColorSpinorParam &shape)
  {
    return static_cast<double>(shape.subset == SiteSubset::full ? shape.lattice->volume() : shape.lattice->volume_cb());
  }

  /// factor times a coefficient of each right-hand side, or one of all, and another one added.
  std::vector<double> multiplied(double factor, const blas::Coefficients &list, const blas::Coefficients &added = 0.0)
  {
    std::vector<double> all(std::max(list.size(), added.size()));
    for (std::size_t j = 0; j < all.size(); j++) all[j] = factor * list[j] + added[j];
    return all;
  }
  blas::Coefficients coefficients(const std::vector<double> &list)
  {
    return list.size() == 1 ? blas::Coefficients(list[0]) : blas::Coefficients(list);
  }

} // namespace

class DiracHop::Matrix : public LinearOperator
{
public:
  /// parity: -1 for both. hops: in one product.
  Matrix(const DiracHop &dirac, int parity, int hops)
      : dirac_(dirac)
      , parity_(parity)
      , hops_(hops)
  {
  }
  ColorSpinorParam shape(int rhs) const override { return dirac_.shape(parity_, rhs); }
  double flops(int rhs) const override
  {
    const Cost cost = dirac_.cost();
    return (hops_ * (cost.hop + cost.local) + 2.0 * cost.numbers) * sites(shape(1)) * rhs;
  }
  double bytes(int rhs) const override
  {
    const int bytes = bytes_of(dirac_.storage().precision), scale = bytes < 4 ? 4 : 0;
    const Cost cost = dirac_.cost();
    const double beside =
        cost.links * static_cast<int>(dirac_.storage().reconstruct) + cost.more_link_reals + cost.local_reals;
    return sites(shape(1)) * (hops_ * beside * bytes + (1.0 * cost.numbers * bytes + scale) * (2 * hops_ + 1) * rhs);
  }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    times({.a = 0.0}, out, in, dagger);
  }
  /// All but a third field beside in and x.
  bool fused(const Apply &call, Sums *sums) const override
  {
    if (!in_one_kernel(call.dagger) || (call.y && (call.y->data() != call.in.data() || !adds_in()))) return false;
    for (std::size_t j = 0; call.change && j < call.a.size(); j++)
      if (call.a[j] != 1) return false;
    HopSums hop {.norm = call.norm, .change = call.change, .dot_with = call.dot_with};
    times({.b = call.b, .a = call.y ? call.c : 0.0, .c = call.a, .y = call.x, .sums = call.sums() ? &hop : nullptr},
          call.out, call.in, call.dagger);
    if (call.norm) sums->norm = std::move(hop.norms);
    if (call.change) sums->change = std::move(hop.changes);
    if (call.dot_with) sums->dot = std::move(hop.dots);
    return true;
  }
  /// Whether what comes last knows y and sums.
  virtual bool in_one_kernel(bool dagger) const = 0;
  /// Whether times() knows a.
  virtual bool adds_in() const = 0;
  /// out = a in + b A in + c y, and sums.
  virtual void times(HopEnd end, ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const = 0;

  const DiracHop &dirac_;
  const int parity_, hops_;
};

class DiracHop::Full : public Matrix
{
public:
  explicit Full(const DiracHop &dirac)
      : Matrix(dirac, -1, 1)
  {
  }

protected:
  bool in_one_kernel(bool) const override { return dirac_.one_kernel(false); }
  bool adds_in() const override { return !dirac_.has_local(); }
  void times(HopEnd end, ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    const Factors factors = dirac_.factors();
    const std::vector<double> a = multiplied(factors.site, end.b, end.a), b = multiplied(-factors.hop, end.b);
    end.a = coefficients(a);
    end.x = &in;
    end.b = coefficients(b);
    dirac_.local_and_hop(out, in, dagger, end);
  }
};

class DiracHop::Schur : public Matrix
{
public:
  Schur(const DiracHop &dirac, MatPC matpc)
      : Matrix(dirac, parity_of(matpc), 2)
      , symmetric_(symmetric(matpc))
  {
  }
  Symmetry symmetry() const override { return dirac_.schur_symmetry(); }

protected:
  bool in_one_kernel(bool dagger) const override
  {
    return (symmetric_ && dagger) || dirac_.one_kernel(symmetric_); // the last one is a hop, or one with A
  }
  bool adds_in() const override { return symmetric_ || !dirac_.has_local(); }
  void times(HopEnd end, ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    const auto [site, hop] = dirac_.factors();
    const std::vector<double> a = multiplied(site * site, end.b, end.a), b = multiplied(-hop * hop, end.b);
    end.a = coefficients(a);
    end.x = &in;
    end.b = coefficients(b);
    ColorSpinorField other = scratch(0, dirac_.shape(1 - parity_, in.rhs()));
    if (symmetric_ && dagger && dirac_.has_local()) {
      ColorSpinorField first = scratch(1, shape(in.rhs()));
      dirac_.apply_local(first, in, true, dagger);
      dirac_.inverse_hop(other, first, dagger, {});
      dirac_.hop(out, other, dagger, end);
      return;
    }
    dirac_.inverse_hop(other, in, dagger, {});
    if (symmetric_)
      dirac_.inverse_hop(out, other, dagger, end);
    else
      dirac_.local_and_hop(out, other, dagger, end);
  }

private:
  bool symmetric_;
};

void DiracHop::local_and_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const
{
  if (!has_local()) return hop(out, in, dagger, end);
  ColorSpinorField local(out.param());
  apply_local(local, *end.x, false, dagger);
  HopEnd with_local = end;
  with_local.x = &local;
  hop(out, in, dagger, with_local);
}

void DiracHop::inverse_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const
{
  if (!has_local()) return hop(out, in, dagger, end);
  if (!end.x) {
    hop(out, in, dagger, {.b = end.b});
    apply_local(out, out, true, dagger);
    return;
  }
  ColorSpinorField product(out.param());
  hop(product, in, dagger, {.b = end.b});
  apply_local(product, product, true, dagger);
  blas::axpbyz(end.a, *end.x, 1.0, product, out);
}

std::unique_ptr<LinearOperator> DiracHop::full() const { return std::make_unique<Full>(*this); }

std::unique_ptr<LinearOperator> DiracHop::schur(MatPC matpc) const { return std::make_unique<Schur>(*this, matpc); }

void DiracHop::dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  inverse_hop(out, in, dagger, {});
}

double DiracHop::dslash_flops(int rhs) const { return (cost().hop + cost().local) * sites(shape(0, 1)) * rhs; }

void DiracHop::prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const int parity = parity_of(matpc);
  const Factors f = factors();
  const ColorSpinorField here = b.half(parity), other = b.half(1 - parity);
  if (!has_local()) {
    hop(c, other, dagger, {.b = f.hop, .a = f.site, .x = &here});
    return;
  }
  ColorSpinorField source(shape(1 - parity, b.rhs()));
  apply_local(source, other, true, dagger);
  if (symmetric(matpc) && !dagger) {
    apply_local(c, here, true, dagger);
    inverse_hop(c, source, dagger, {.b = f.hop, .x = &c});
  } else {
    hop(c, source, dagger, {.b = f.hop, .x = &here});
  }
}

void DiracHop::prepare_guess(ColorSpinorField &x_t, MatPC matpc, bool dagger) const
{
  if (local_is_last(matpc, dagger)) apply_local(x_t, x_t, false, dagger);
}

void DiracHop::reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const int parity = parity_of(matpc);
  const Factors f = factors();
  const ColorSpinorField given = b.half(1 - parity);
  ColorSpinorField here = x.half(parity), other = x.half(1 - parity);
  if (has_local()) {
    if (local_is_last(matpc, dagger)) apply_local(here, here, true, dagger);
    apply_local(other, given, true, dagger);
    inverse_hop(other, here, dagger, {.b = f.hop, .x = &other});
  } else {
    hop(other, here, dagger, {.b = f.hop / f.site, .a = 1 / f.site, .x = &given});
  }
  x.mark_written();
}

} // namespace quda
