#include "dirac/dirac_even_odd.h"

#include "core/error.h"
#include "ops/blas/blas.h"
#include "ops/links/link_set.h"

namespace quda
{

LinkStorage DiracEvenOdd::storage() const { return {shape(-1, 1).precision, Reconstruct::none}; }

std::unique_ptr<Dirac> DiracEvenOdd::clone(LinkStorage) const
{
  fail(ErrorKind::unsupported, "Dirac: this kind of operator has no other storage");
}

std::unique_ptr<Dirac> DiracEvenOdd::inside(const Domains &, LinkStorage, bool) const
{
  fail(ErrorKind::unsupported, "Dirac: this kind of operator has no form inside of domains");
}

Steps DiracEvenOdd::diagonal_steps(int number, bool inverse, bool dagger) const
{
  return form().has_local ? Steps {{number, inverse, dagger}} : Steps {};
}

Steps DiracEvenOdd::hop_steps(bool dagger) const
{
  const Steps steps = form().has_before ? Steps {{before_hop}, {}} : Steps {Step {}};
  return dagger ? adjoint(steps) : steps;
}

Steps DiracEvenOdd::joined(const Steps &steps) const
{
  if (!form().has_before_inverse) return steps;
  Steps all;
  for (const Step &step : steps) {
    const bool dagger = step.dagger;
    const int first = dagger ? before_hop : local, then = dagger ? local : before_hop;
    if (!all.empty() && all.back().diagonal == first && all.back().inverse == (first == local) &&
        all.back().dagger == dagger && step.diagonal == then && step.inverse == (then == local))
      all.back() = {before_inverse, false, dagger};
    else
      all.push_back(step);
  }
  return all;
}

Chain DiracEvenOdd::chain_of_full() const
{
  const Form of = form();
  return {{of.site, diagonal_steps(of.of_full, false, false)}, {-of.hop, hop_steps(false)}};
}

Chain DiracEvenOdd::chain_of_schur(MatPC matpc) const
{
  const Form of = form();
  const Steps O = hop_steps(false), R = diagonal_steps(local, true, false);
  if (symmetric(matpc)) return {{of.site * of.site, {}}, {-of.hop * of.hop, joined(O + R + O + R)}};
  return {{of.site * of.site, diagonal_steps(of.of_schur, false, false)}, {-of.hop * of.hop, joined(O + R + O)}};
}

std::unique_ptr<LinearOperator> DiracEvenOdd::full() const
{
  const ChainParts &parts = *this;
  return std::make_unique<ChainOperator>(parts, -1, chain_of_full(), form().of_matrix);
}

std::unique_ptr<LinearOperator> DiracEvenOdd::schur(MatPC matpc) const
{
  const ChainParts &parts = *this;
  return std::make_unique<ChainOperator>(parts, parity_of(matpc), chain_of_schur(matpc), form().of_pc);
}

void DiracEvenOdd::dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  const Steps O = hop_steps(dagger), R = diagonal_steps(local, true, dagger);
  apply_chain(*this, {{1, dagger && form().inverse_first ? R + O : O + R}}, out, {in, in});
}

double DiracEvenOdd::dslash_flops(int rhs) const
{
  double flops = 0;
  for (const Step &step : hop_steps(false) + diagonal_steps(local, true, false)) flops += cost(step).flops;
  const ColorSpinorParam one = shape(0, 1);
  return flops * static_cast<double>(one.lattice->volume_cb()) * one.fifth * one.flavours * rhs;
}

void DiracEvenOdd::prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const Form of = form();
  const int parity = parity_of(matpc);
  const Steps O = hop_steps(dagger), R = diagonal_steps(local, true, dagger);
  const Steps last = symmetric(matpc) && !dagger ? R : Steps {};
  apply_chain(*this, {{of.site, last}, {of.hop, joined(R + O + last)}}, c, {b.half(parity), b.half(1 - parity)});
}

void DiracEvenOdd::prepare_guess(ColorSpinorField &x_t, MatPC matpc, bool dagger) const
{
  if (!symmetric(matpc) || !dagger) return;
  for (const Step &A : diagonal_steps(local, false, true)) diagonal(x_t, x_t, A);
}

void DiracEvenOdd::residual_of_full(ColorSpinorField &r_t, MatPC matpc, bool dagger) const
{
  if (const double site = form().site; site != 1) blas::ax(1 / site, r_t); // prepare() has multiplied by it
  if (!symmetric(matpc) || dagger) return;
  for (const Step &A : diagonal_steps(local, false, false)) diagonal(r_t, r_t, A);
}

void DiracEvenOdd::reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const Form of = form();
  const int parity = parity_of(matpc);
  const Steps O = hop_steps(dagger), R = diagonal_steps(local, true, dagger);
  ColorSpinorField here = x.half(parity), other = x.half(1 - parity);
  if (symmetric(matpc) && dagger)
    for (const Step &inverse : R) diagonal(here, here, inverse);
  apply_chain(*this, {{1 / of.site, R}, {of.hop / of.site, joined(O + R)}}, other, {b.half(1 - parity), here});
  x.mark_written();
}

double DiracEvenOdd::gradient_pair(ColorSpinorField &left, ColorSpinorField &right, std::optional<MatPC> matpc) const
{
  const Form of = form();
  if (matpc) {
    const int parity = parity_of(*matpc);
    const Steps R = diagonal_steps(local, true, true);
    ColorSpinorField l = left.half(parity), r = right.half(parity), l_o = left.half(1 - parity),
                     r_o = right.half(1 - parity);
    if (symmetric(*matpc))
      for (const Step &inverse : R) diagonal(l, l, inverse);
    apply_chain(*this, {{1, hop_steps(false) + diagonal_steps(local, true, false)}}, r_o, {r, r});
    apply_chain(*this, {{1, hop_steps(true) + R}}, l_o, {l, l});
  }
  if (of.has_before) diagonal(right, right, {before_hop});
  left.mark_written();
  right.mark_written();
  return matpc ? -of.hop * of.hop : -of.hop;
}

} // namespace quda
