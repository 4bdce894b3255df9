#include "dirac/chain.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "ops/blas/blas.h"

namespace quda
{

namespace
{

  enum { walk_0, walk_1, beside_0, beside_1, unfinished }; // scratch fields

  bool same(const ColorSpinorField *a, const ColorSpinorField *b) { return a && b && a->data() == b->data(); }

  /// factor times the coefficient of each right-hand side (or of all), times another one; a list goes to `list`.
  blas::Coefficients multiplied(double factor, const blas::Coefficients &each, std::vector<double> &list,
                                const blas::Coefficients &added = 0.0)
  {
    list.resize(std::max(each.size(), added.size()));
    for (std::size_t j = 0; j < list.size(); j++) list[j] = factor * each[j] + added[j];
    return list.size() == 1 ? blas::Coefficients(list[0]) : blas::Coefficients(list);
  }

  Steps::const_iterator last_hop(const Steps &steps)
  {
    return std::find_if(steps.rbegin(), steps.rend(), [](const Step &step) { return step.is_hop(); }).base() - 1;
  }

  /// The diagonals after the last hop, none or one, are part of its kernel.
  bool ends_in_one_kernel(const ChainParts &parts, const Steps &steps)
  {
    const auto after = last_hop(steps) + 1;
    const auto count = steps.end() - after;
    return count == 0 || (count == 1 && parts.fuses({.sum = &*after}));
  }

  ColorSpinorParam moved(ColorSpinorParam shape)
  {
    if (shape.subset == SiteSubset::parity) shape.parity = 1 - shape.parity;
    return shape;
  }

  /// Steps of a term before its last hop, from `in` to the field that this hop reads.
  class ToLastHop
  {
  public:
    ToLastHop(const ChainParts &parts, const Steps &steps, const ColorSpinorField &in)
        : at_(&in)
    {
      const auto last = last_hop(steps);
      for (auto step = steps.begin(); step != last; ++step) {
        const ColorSpinorField &from = *at_;
        if (step->is_hop()) {
          const auto next = step + 1;
          Beside beside;
          if (next != last && !next->is_hop() && parts.fuses({.sum = &*next})) beside.sum = &*next;
          parts.hop(place(parts, moved(from.param())), from, step->dagger, beside, {}, nullptr);
          if (beside.sum) ++step;
        } else {
          parts.diagonal(at_ == &in ? place(parts, in.param()) : *field_[turn_], from, *step);
        }
      }
    }
    const ColorSpinorField &field() const { return *at_; }

  private:
    ColorSpinorField &place(const ChainParts &parts, const ColorSpinorParam &shape)
    {
      turn_ = 1 - turn_;
      at_ = &field_[turn_].emplace(parts.scratch(turn_ ? walk_1 : walk_0, shape));
      return *field_[turn_];
    }

    const ColorSpinorField *at_;
    std::optional<ColorSpinorField> field_[2];
    int turn_ = 1;
  };

} // namespace

Steps operator+(Steps first, const Steps &then)
{
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

Steps adjoint(const Steps &steps)
{
  Steps backwards(steps.rbegin(), steps.rend());
  for (Step &step : backwards) step.dagger = !step.dagger;
  return backwards;
}

Chain adjoint(Chain chain)
{
  for (Term &term : chain) term.steps = adjoint(term.steps);
  return chain;
}

bool in_one_kernel(const ChainParts &parts, const Chain &chain, const Epilogue &end, const ColorSpinorField &here)
{
  const std::size_t own = chain.size() - 1;
  if (!ends_in_one_kernel(parts, chain.back().steps) || own == 2) return false; // x's place is taken
  if (end.y && own > 0 && !(same(end.y, &here) && chain[0].steps.empty())) return false;
  for (std::size_t j = 0; end.change && j < end.a.size(); j++)
    if (end.a[j] != 1) return false;
  return true;
}

void apply_chain(const ChainParts &parts, const Chain &chain, ColorSpinorField &out, const Sources &in,
                 const Epilogue &end, Sums *sums)
{
  const Steps &steps = chain.back().steps;
  const auto hops = std::count_if(steps.begin(), steps.end(), [](const Step &step) { return step.is_hop(); });
  const ToLastHop walk(parts, steps, hops % 2 ? in.other : in.here);
  const Step &hop = *last_hop(steps);
  const Steps after(last_hop(steps) + 1, steps.end());
  const bool one_kernel = ends_in_one_kernel(parts, steps);

  // the terms that do not hop are y and x of the last one
  Epilogue last = end;
  Beside beside {.sum = one_kernel && !after.empty() ? &after[0] : nullptr};
  std::vector<double> of_term[3];
  std::optional<ColorSpinorField> made[2];
  for (std::size_t n = 0; n + 1 < chain.size(); n++) {
    const auto &[factor, own] = chain[n];
    auto last_own = own.end();
    if (one_kernel && !own.empty()) {
      Beside with = beside;
      (n == 0 ? with.y : with.x) = &own.back();
      if (parts.fuses(with)) beside = with, --last_own;
    }
    const ColorSpinorField *field = &in.here;
    if (last_own != own.begin()) {
      const bool in_out = n == 0 && !same(end.x, &out) && !same(end.y, &out);
      made[n].emplace(in_out ? out.columns(0, out.rhs()) : parts.scratch(n == 0 ? beside_0 : beside_1, out.param()));
      for (auto step = own.begin(); step != last_own; ++step) {
        parts.diagonal(*made[n], *field, *step);
        field = &*made[n];
      }
    }
    const bool meets_y = n == 0 && end.y; // which then is in.here
    (n == 0 ? last.c : last.a) = multiplied(factor, end.b, of_term[n], meets_y ? end.c : 0.0);
    (n == 0 ? last.y : last.x) = field;
  }
  last.b = multiplied(chain.back().factor, end.b, of_term[2]);

  if (one_kernel) return parts.hop(out, walk.field(), hop.dagger, beside, last, sums);
  const auto finish = [&](ColorSpinorField &product) {
    for (const Step &step : after) parts.diagonal(product, product, step);
  };
  if (!last.y) {
    parts.hop(out, walk.field(), hop.dagger, {}, {.b = last.b}, nullptr);
    return finish(out);
  }
  // y + A^-1 D in = A^-1 (A y + D in)
  Step forward = after[0];
  forward.inverse = false;
  if (after.size() == 1 && after[0].inverse && chain[0].steps.empty() && !same(last.y, &out) && !last.x &&
      parts.fuses({.y = &forward})) {
    parts.hop(out, walk.field(), hop.dagger, {.y = &forward}, last, nullptr);
    return finish(out);
  }
  ColorSpinorField product = parts.scratch(unfinished, out.param());
  parts.hop(product, walk.field(), hop.dagger, {}, {.b = last.b}, nullptr);
  finish(product);
  blas::axpbyz(last.c, *last.y, 1.0, product, out);
  if (last.x) blas::axpy(last.a, *last.x, out);
}

// ---- operators ----

double ChainOperator::flops(int rhs) const
{
  const ColorSpinorParam one = shape(1);
  const double volume = static_cast<double>(one.subset == SiteSubset::full ? one.lattice->volume()
                                                                           : one.lattice->volume_cb()),
               numbers = 2.0 * one.spins * one.colors;
  double flops = 0;
  for (const Chain &chain : chains_) {
    flops += 2 * numbers * static_cast<double>(chain.size() - 1);
    for (const Term &term : chain)
      for (const Step &step : term.steps) flops += parts_.cost(step).flops;
  }
  return flops / static_cast<double>(chains_.size()) * volume * one.fifth * one.flavours * rhs;
}

double ChainOperator::bytes(int rhs) const
{
  const ColorSpinorParam one = shape(1);
  const double volume =
      static_cast<double>(one.subset == SiteSubset::full ? one.lattice->volume() : one.lattice->volume_cb());
  const int bytes = bytes_of(one.precision), scale = bytes < 4 ? 4 : 0;
  const double spinor = (2.0 * one.spins * one.colors * bytes + scale) * one.fifth * one.flavours * rhs;
  double all = 0;
  for (const Chain &chain : chains_) {
    all += static_cast<double>(chain.size() - 1) * spinor;
    for (const Term &term : chain)
      for (const Step &step : term.steps) all += parts_.cost(step).reals * bytes + (step.is_hop() ? 2 * spinor : 0);
  }
  return all / static_cast<double>(chains_.size()) * volume;
}

void ChainOperator::plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  const std::vector<Chain> &chains = dagger ? adjoints_ : chains_;
  if (chains.size() == 1) return apply_chain(parts_, chains[0], out, {in, in});
  for (int parity = 0; parity < 2; parity++) {
    ColorSpinorField half = out.half(parity);
    apply_chain(parts_, chains[static_cast<std::size_t>(parity)], half, {in.half(parity), in.half(1 - parity)});
  }
  out.mark_written();
}

bool ChainOperator::fused(const Apply &call, Sums *sums) const
{
  const Chain &chain = (call.dagger ? adjoints_ : chains_)[0];
  if (chains_.size() > 1 || !in_one_kernel(parts_, chain, call.end, call.in)) return false;
  apply_chain(parts_, chain, call.out, {call.in, call.in}, call.end, sums);
  return true;
}

} // namespace quda
