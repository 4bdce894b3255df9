#include "solvers/krylov_work.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/built.h"
#include "core/error.h"
#include "core/log.h"
#include "ops/blas/block.h"
#include "solvers/scale.h"

namespace quda
{

namespace
{

  constexpr int waiting_part = 3; // one of this number waits: worth a product in the outer precision

} // namespace

void KrylovWork::show(int from, int count)
{
  first = from;
  shown = count;
  if (count == 0) return;
  for (ActiveColumns *field : {&x, &b, &r, &adjoint_r, &correction})
    if (!field->empty()) field->view(from, count);
  operators.select_rhs(numbers());
}

void KrylovWork::exchange(int i, int j, bool with_r)
{
  if (i == j) return;
  std::swap(columns[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
  x.exchange(i, j);
  b.exchange(i, j);
  if (with_r) r.exchange(i, j);
  if (i < here && j < here) iteration->exchange(i, j);
}

void KrylovWork::set_level(Precision precision)
{
  if (iteration && level == precision) return;
  level = precision;
  iteration.reset();
  const LinearOperator &A = operators.at(precision);
  normal = seen_by_method(system, A);
  iteration = method(normal ? *normal : A);
  check_symmetry(*iteration, normal ? *normal : A);
}

void KrylovWork::true_residual()
{
  const ColorSpinorField &source = *b;
  Sums sums;
  outer().apply({.out = *r, .in = *x, .end = {.x = &source, .b = -1.0, .norm = true}}, &sums);
  report.flops += outer().flops(shown);
  for (Column &c : in_view()) {
    c.measured(std::sqrt(sums.norm[static_cast<std::size_t>(&c - in_view().data())]));
    report.rhs[static_cast<std::size_t>(c.number)].replacements++;
  }
}

void KrylovWork::deflate()
{
  low_modes->correct(*x, positive() ? *r : adjoint_residual());
  if (!positive()) report.flops += outer().flops(shown);
  true_residual();
  for (Column &c : in_view()) c.corrected(deflate_again);
}

void KrylovWork::deflate_direction()
{
  ColorSpinorField *const p = system == System::normal_error ? nullptr : iteration->direction();
  if (!p) return;
  for (ActiveColumns *field : {&direction, &product}) field->prepare(outer().shape(shown));
  blas::block::convert(*direction, *p);
  outer()(*product, *direction);
  if (!positive()) outer()(*adjoint_r, *product, true);
  report.flops += (positive() ? 1 : 2) * outer().flops(shown);
  ColorSpinorField &s = positive() ? *product : *adjoint_r;
  blas::ax(-1.0, s);
  low_modes->correct(*direction, s);
  blas::block::convert(*p, *direction);
}

const ColorSpinorField &KrylovWork::residual_for_the_method()
{
  const ColorSpinorField *from = &*r;
  std::vector<double> norm;
  if (system == System::normal_residual) {
    Sums sums;
    from = &adjoint_residual(&sums);
    for (const double square : sums.norm) norm.push_back(std::sqrt(square));
  } else {
    for (const Column &c : in_view()) norm.push_back(c.residual);
  }
  for (std::size_t j = 0; j < norm.size(); j++)
    in_view()[j].set_aim(norm[j], system == System::normal_residual, outer().precision());
  if (outermost()) return *from;
  sloppy_r.view(0, shown);
  blas::block::convert(*sloppy_r, *from);
  return *sloppy_r;
}

void KrylovWork::take_correction()
{
  if (system != System::normal_error) {
    iteration->add_correction_to(*x);
    return;
  }
  blas::zero(*correction);
  iteration->add_correction_to(*correction);
  const ColorSpinorField &before = *x;
  outer().apply({.out = *x, .in = *correction, .dagger = true, .end = {.x = &before}});
  report.flops += outer().flops(shown);
}

void KrylovWork::decide(Column &c, Outcome outcome)
{
  RhsReport &one = of(c);
  one.outcome = outcome;
  one.iterations = std::max(c.steps, 1);
  one.residual = c.residual / c.source;
}

bool KrylovWork::good(int j)
{
  Column &c = in_view()[static_cast<std::size_t>(j)];
  if (!(c.residual < c.target)) return false;
  const double asked = tolerance(c).heavy_quark;
  if (!(asked > 0)) return true;
  const double hq = of(c).heavy_quark = heavy_quark(j);
  if (hq < asked) return true;
  c.target = c.residual * std::max(0.1, 0.5 * asked / hq);
  return false;
}

void KrylovWork::judge(int j)
{
  Column &c = in_view()[static_cast<std::size_t>(j)];
  const bool enough = good(j);
  if (enough && !(companion && companion->wants_more(static_cast<std::size_t>(first + j))))
    return decide(c, Outcome::converged);
  std::optional<Outcome> outcome = c.judge(c.outcome, c.iterated, c.cycle_steps, outermost());
  if (outcome == Outcome::stagnated) {
    const double solution = std::sqrt(blas::block::norm2(x->columns(j, 1))[0]);
    if (c.residual <= rounding_limit(level, c.source, solution)) outcome = Outcome::precision_limit;
  }
  if (!outcome && c.steps >= limits.iterations) outcome = Outcome::iterations;
  if (outcome) decide(c, enough ? Outcome::converged : *outcome);
}

void KrylovWork::leave(int i, ColorSpinorField &to)
{
  const int last = static_cast<int>(columns.size()) - 1;
  exchange(i, last, true);
  x.view(last, 1);
  ColorSpinorField out = to.columns(columns.back().number, 1);
  blas::copy(out, *x);
  blas::ax(columns.back().scale, out);
  columns.pop_back();
}

/// Makes scaled copies of the nonzero sources, and the first residual.
void KrylovWork::begin(const ColorSpinorField &source, const ColorSpinorField *guess,
                       const std::vector<double> &largest, std::size_t solutions)
{
  columns.clear();
  here = 0;
  for (std::size_t j = 0; j < solutions; j++)
    if (const double one = largest[j % largest.size()]; one > 0)
      columns.push_back({{}, static_cast<int>(j), power_above(one)});
  if (columns.empty()) return;
  const int n = static_cast<int>(columns.size());
  const ColorSpinorParam shape = outer().shape(n);
  for (ActiveColumns *field : {&x, &b, &r}) field->prepare(shape);
  if (system == System::normal_residual || (low_modes && !positive())) adjoint_r.prepare(shape);
  if (system == System::normal_error) correction.prepare(shape);
  show(0, n);
  for (int i = 0; i < n; i++) {
    const Column &c = columns[static_cast<std::size_t>(i)];
    const double inverse = 1 / c.scale;
    ColorSpinorField to = b->columns(i, 1);
    blas::block::convert(to, source.columns(c.number % source.rhs(), 1), inverse);
    if (!guess) continue;
    ColorSpinorField first_x = x->columns(i, 1);
    blas::block::convert(first_x, guess->columns(c.number, 1), inverse);
  }
  const std::vector<double> b2 = blas::block::norm2(*b);
  for (std::size_t j = 0; j < columns.size(); j++) {
    Column &c = columns[j];
    c.source = std::sqrt(b2[j]);
    c.target = std::numeric_limits<double>::infinity();
    const Tolerance &asked = tolerance(c);
    if (asked.relative > 0) c.target = std::min(c.target, asked.relative * c.source);
    if (asked.absolute > 0) c.target = std::min(c.target, asked.absolute / c.scale);
    if (std::isinf(c.target)) c.target = asked.heavy_quark * c.source;
    c.residual = c.best = c.source;
  }
  if (guess) {
    true_residual();
  } else {
    blas::zero(*x);
    blas::copy(*r, *b);
  }
}

/// Removes the columns in view whose outcome is known. Columns after them, if any, are not the method's.
void KrylovWork::release(ColorSpinorField &to)
{
  for (int i = first + shown; i-- > first;) {
    if (!decided(columns[static_cast<std::size_t>(i)])) continue;
    shown--;
    const bool of_method = i < here;
    if (of_method) set_aside(i);
    leave(of_method ? here : i, to);
  }
}

void KrylovWork::run(ColorSpinorField &to)
{
  for (int j = 0; j < shown; j++) {
    Column &c = columns[static_cast<std::size_t>(j)];
    if (!std::isfinite(c.residual)) throw NotFinite(iteration->name(), true, c.number);
    of(c).iterated = c.residual / c.source;
    if (good(j))
      decide(c, Outcome::converged);
    else if (limits.iterations <= 0)
      decide(c, Outcome::iterations);
  }
  release(to);
  if (columns.empty()) return;
  if (low_modes) {
    show(0, shown);
    deflate();
    for (int j = 0; j < shown; j++)
      if (good(j)) decide(columns[static_cast<std::size_t>(j)], Outcome::converged);
    release(to);
  }
  while (!columns.empty()) {
    enter(0, static_cast<int>(columns.size()), Entry::start);
    at_work = here;
    work(to);
    if (columns.empty()) break;
    const Precision next = std::min(next_better(level), outer().precision(),
                                    [](Precision a, Precision b) { return bytes_of(a) < bytes_of(b); });
    print(Verbosity::verbose, "%s: the true residual no longer falls in %d-byte reals, going on with %d\n",
          iteration->name(), bytes_of(level), bytes_of(next));
    set_level(next);
    report.escalations++;
    for (Column &c : columns) c.idle = c.breakdowns = 0;
  }
}

/// Puts `count` columns from `from` on back to work, with the residuals that they have.
void KrylovWork::enter(int from, int count, Entry how)
{
  show(from, count);
  bool of_level = how == Entry::start;
  const Precision allowed = relaxation.part > 0 ? relaxation.level(farthest()) : level;
  if (report.escalations == 0 && bytes_of(allowed) < bytes_of(level)) {
    const std::unique_ptr<KrylovMethod> before = std::move(iteration);
    set_level(allowed);
    if (how == Entry::start || !iteration->adopt_directions(*before)) how = Entry::start;
    of_level = true;
  }
  if (of_level && !outermost()) sloppy_r.prepare(operators.at(level).shape(count));
  const ColorSpinorField &residual = residual_for_the_method();
  if (how == Entry::start) {
    if (companion) companion->select_rhs(numbers());
    iteration->start(residual);
    here = count;
  } else {
    iteration->view(from, count);
    if (how == Entry::restart)
      iteration->restart(residual);
    else
      iteration->replace(residual);
  }
  for (Column &c : in_view()) {
    c.cycle_steps = 0;
    c.outcome = Outcome::running;
  }
}

/// Counts the steps of a run, and moves the columns that came back behind those that go on. Returns how many came back.
int KrylovWork::come_back(const CycleResult &cycle)
{
  std::vector<bool> back;
  bool any = false;
  for (std::size_t j = 0; j < cycle.norm.size(); j++) {
    Column &c = columns[j];
    c.steps += cycle.steps;
    c.cycle_steps += cycle.steps;
    c.iterated = cycle.norm[j];
    c.outcome = cycle.outcome[j];
    of(c).iterated = c.iterated / c.source;
    back.push_back(cycle.back[j] || c.outcome != Outcome::running || !std::isfinite(c.iterated) ||
                   c.cycle_steps >= most_cycle_steps || c.steps >= limits.iterations);
    any = any || back.back();
  }
  if (!any || coupled()) back.assign(back.size(), true); // the method has ended for all
  const int before = at_work;
  for (int i = before; i-- > 0;)
    if (back[static_cast<std::size_t>(i)]) exchange(i, --at_work, false);
  return before - at_work;
}

/// Works until all columns have left, or wait for a better precision.
void KrylovWork::work(ColorSpinorField &to)
{
  int run_steps = 0; // of all runs
  while (here > 0) {
    view(0, at_work);
    CycleTarget goal;
    goal.delta = delta();
    goal.steps = most_cycle_steps;
    for (const Column &c : in_view()) {
      goal.norm.push_back(c.back_at);
      goal.steps = std::min({goal.steps, most_cycle_steps - c.cycle_steps, limits.iterations - c.steps});
    }
    if (log_prints(Verbosity::verbose))
      goal.progress = [&](int step, std::span<const double> rr) {
        double worst = 0, worst_rr = 0;
        for (std::size_t j = 0; j < rr.size(); j++) {
          const double relative = std::sqrt(rr[j]) / in_view()[j].source;
          if (!(relative <= worst)) worst = relative, worst_rr = rr[j];
        }
        print(Verbosity::verbose, "%s: %5d iterations, <r,r> = %9.6e, |r|/|b| = %9.6e\n", iteration->name(),
              run_steps + step, worst_rr, worst);
      };
    const CycleResult cycle = iteration->run(goal);
    run_steps += cycle.steps;
    report.flops += cycle.steps * iteration->applications() * (normal ? 2 : 1) * operators.at(level).flops(shown);
    const int came = come_back(cycle), waiting = here - at_work;
    view(at_work, came);
    iteration->wait();
    if (at_work > 0) {
      view(0, at_work);
      iteration->go_on();
      if (iteration->together() == Together::turn || waiting_part * waiting < here) continue;
    }
    settle(to);
  }
}

/// Moves the columns between `from` and `to` for which `behind` holds behind the others; returns where they begin.
template <class Is> int KrylovWork::part(int from, int to, bool with_r, const Is &behind)
{
  for (int i = to; i-- > from;)
    if (behind(columns[static_cast<std::size_t>(i)])) exchange(i, --to, with_r);
  return to;
}

/// Computes true residuals of the columns that wait, and decides: they leave, are set aside, or go on.
void KrylovWork::settle(ColorSpinorField &to)
{
  const auto waiting = [&] { return std::span(columns).subspan(at_work, here - at_work); };
  const auto any_waits = [&](auto &&is) { return std::ranges::any_of(waiting(), is); };

  // nothing is kept of a cycle that is not finite
  const auto spoiled = [](const Column &c) { return !std::isfinite(c.iterated); };
  const bool all_lost = coupled() && any_waits(spoiled);
  const int lost = part(at_work, here, false, [&](const Column &c) { return all_lost || spoiled(c); });
  for (Column &c : waiting()) c.next = Next::replace;
  if (lost > at_work) {
    view(at_work, lost - at_work);
    take_correction();
    true_residual();
    for (int j = 0; j < shown; j++) {
      Column &c = in_view()[static_cast<std::size_t>(j)];
      if (std::isfinite(c.residual)) {
        judge(j);
        continue;
      }
      ColorSpinorField one = x->columns(j, 1);
      blas::zero(one);
      c.residual = c.source;
      decide(c, Outcome::not_finite);
    }
  }
  if (lost < here) {
    show(lost, here - lost);
    outer().apply({.out = *r, .in = *x, .end = {.x = &*b, .b = -1.0}}); // restored
    report.flops += outer().flops(shown);
    for (Column &c : in_view()) {
      c.next = outermost() ? Next::anew : Next::aside;
      if (outermost() && spoiled(c))
        decide(c, Outcome::not_finite);
      else if (c.steps >= limits.iterations)
        decide(c, Outcome::iterations);
    }
  }
  for (Column &c : waiting()) {
    if (c.outcome == Outcome::breakdown && c.next == Next::replace) c.next = Next::anew;
    if (!outermost() && !decided(c) && c.stuck(c.outcome)) c.next = Next::aside;
  }
  const auto stands_aside = [](const Column &c) { return c.next == Next::aside; };
  if (coupled() && any_waits([&](const Column &c) { return !decided(c) && stands_aside(c); }))
    for (Column &c : waiting()) c.next = Next::aside;
  view(at_work, here - at_work);
  release(to);

  const auto due = [](const Column &c) { return c.due(); };
  const bool all_due = coupled() && any_waits(due);
  const int with_modes = part(at_work, here, true, [&](const Column &c) { return all_due || due(c); });
  if (with_modes < here) {
    show(with_modes, here - with_modes);
    deflate();
    for (int j = 0; j < shown; j++) {
      Column &c = in_view()[static_cast<std::size_t>(j)];
      if (good(j)) decide(c, Outcome::converged);
      // a recursion can go on from these only if its matrix leaves the span of the modes invariant
      if (c.next == Next::replace) c.next = normal || positive() ? Next::without_modes : Next::anew;
    }
    release(to);
  }

  for (int i = here; i-- > at_work;)
    if (stands_aside(columns[static_cast<std::size_t>(i)])) set_aside(i);
  if (at_work == here) return;
  const auto begins = [](const Column &c) { return c.next == Next::anew; };
  const auto changed = [](const Column &c) { return c.next == Next::without_modes; };
  if (iteration->together() != Together::none || coupled()) { // all are here
    const bool anew = any_waits(begins);
    if (!anew && any_waits(changed)) {
      view(0, here);
      deflate_direction();
    }
    enter(0, here, anew ? Entry::start : Entry::replace);
  } else {
    const int anew = part(at_work, here, true, begins), without_modes = part(at_work, anew, true, changed);
    if (without_modes > at_work) enter(at_work, without_modes - at_work, Entry::replace);
    if (anew > without_modes) {
      view(without_modes, anew - without_modes);
      deflate_direction();
      enter(without_modes, anew - without_modes, Entry::replace);
    }
    if (here > anew) enter(anew, here - anew, Entry::restart);
  }
  at_work = here;
}

} // namespace quda
