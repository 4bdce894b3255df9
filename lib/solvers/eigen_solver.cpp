#include "solvers/eigen_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/log.h"
#include "core/timer.h"
#include "solvers/krylov_method.h"

namespace quda
{

using blas::Complex;
using blas::Matrix;

namespace
{

  constexpr int probe_steps = 40;      // of the search for the window
  constexpr int scale_steps = 16;      // at most, to estimate only |A|
  constexpr double locked_below = 16;  // units of rounding of |A|: a residual below is rounding
  constexpr double good_below = 64;    // the same for a true residual, whatever tolerance was asked
  constexpr double tightest = 0x1p-60; // tolerance of a recursion

  bool of_real_parts(Wanted wanted)
  {
    return wanted != Wanted::largest_imaginary && wanted != Wanted::smallest_imaginary;
  }

  bool largest(Wanted wanted) { return wanted == Wanted::largest_real || wanted == Wanted::largest_modulus; }

  /// Indices of the values, the wanted ones first.
  std::vector<int> in_order(const std::vector<Complex> &values, Wanted wanted)
  {
    std::vector<int> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return comes_before(wanted, values[static_cast<std::size_t>(a)], values[static_cast<std::size_t>(b)]);
    });
    return order;
  }

  /// Value below which `count` of `dimension` eigenvalues lie: from ascending Ritz values and their weights in a random
  /// vector, each of which is about its share of the spectrum.
  double quantile(const std::vector<double> &values, const std::vector<double> &weights, double dimension, double count,
                  double lowest)
  {
    double below = 0, last = lowest, last_count = 0;
    for (std::size_t i = 0; i < values.size(); i++) {
      const double here = below + dimension * weights[i] / 2;
      if (here >= count) {
        const double part = (count - last_count) / std::max(here - last_count, 1e-300);
        return last + (values[i] - last) * (i == 0 ? std::sqrt(part) : part);
      }
      below += dimension * weights[i];
      last = values[i];
      last_count = here;
    }
    return values.back();
  }

} // namespace

EigenSolver::EigenSolver(const LinearOperator &outer, const LinearOperator &inner, const EigenOptions &options)
    : outer_(outer)
    , inner_(inner)
    , options_(options)
    , row_(find_eigen_method(static_cast<int>(options.method)))
    , tol_(options.tol)
    , roundoff_(unit_roundoff(inner.precision()))
{
  check();
}

void EigenSolver::check() const
{
  const EigenOptions &o = options_;
  const auto refuse = [](const std::string &what) { fail(ErrorKind::bad_argument, "EigenSolver: " + what); };
  if (!row_) refuse(text("method %d; allowed: those of eigen_methods()", static_cast<int>(o.method)));
  const int block = row_->blocks ? o.block : 1;
  const long long dimension = KrylovSpace::dimension(inner_);
  if (block < 1) refuse(text("a block of %d; allowed: 1 or more", block));
  if (o.pairs < 1 || o.search < o.pairs || o.space < o.search + block || o.space + block > dimension)
    refuse(text("%d pairs wanted of %d searched in a space of %d, in blocks of %d, of fields with %lld numbers; "
                "allowed: each no less than the one before, the space larger than the third by a block, and with one "
                "more no larger than the last",
                o.pairs, o.search, o.space, block, dimension));
  if (o.space % block != 0) refuse(text("a space of %d in blocks of %d; allowed: a multiple", o.space, block));
  if ((row_->hermitian || o.degree > 0) && inner_.symmetry() == Symmetry::general)
    refuse(text("%s%s of an operator that is not Hermitian", row_->name, o.degree > 0 ? " with a polynomial" : ""));
  if (!row_->hermitian && o.problems.count != 1) refuse("several problems at once that are not Hermitian");
  if (row_->hermitian && !of_real_parts(o.wanted)) refuse("imaginary parts of eigenvalues that are real");
}

Communicator &EigenSolver::together() const
{
  return options_.together ? *options_.together : inner_.shape(1).lattice->communicator();
}

double EigenSolver::rounding(int p) const
{
  return locked_below * unit_roundoff(inner_.precision()) * space_->scale(p);
}

void EigenSolver::find_window()
{
  const EigenOptions &o = options_;
  const long long dimension = KrylovSpace::dimension(inner_);
  const int steps = static_cast<int>(std::min<long long>(probe_steps, dimension - 1));
  KrylovSpace probe(inner_, steps, 1, o.problems, o.random);
  probe.begin();
  probe.grow(steps);
  products_ += probe.products();
  const double outside = o.search + 0.25 * (o.space - o.search); // eigenvalues outside the window
  const auto many = static_cast<double>(dimension);
  // bounds of the spectrum and the ends of the window, over all problems, signed so that the largest number counts
  enum { minus_lowest, highest, largest_seen, end_below, minus_end_above, numbers };
  double found[numbers];
  std::fill(std::begin(found), std::end(found), -std::numeric_limits<double>::infinity());
  for (int p = 0; p < probe.problems(); p++) {
    const HermitianPairs pairs = hermitian_pairs(probe.projected(p));
    const Matrix rest = probe.coupling(p) * pairs.vectors;
    const std::vector<double> &values = pairs.values;
    std::vector<double> weights, mirrored;
    for (int i = 0; i < pairs.vectors.columns(); i++) weights.push_back(std::norm(pairs.vectors(0, i)));
    const int last = static_cast<int>(values.size()) - 1;
    double low = values.front() - std::abs(rest(0, 0));
    const double high = values.back() + std::abs(rest(0, last)) + 0.01 * (values.back() - values.front());
    if (inner_.symmetry() == Symmetry::positive) low = std::max(low, 0.0);
    const std::vector<double> of_mirrored(weights.rbegin(), weights.rend());
    for (auto value = values.rbegin(); value != values.rend(); ++value) mirrored.push_back(-*value);
    const double here[numbers] = {-low, high, values.back(), quantile(values, weights, many, outside, low),
                                  quantile(mirrored, of_mirrored, many, outside, -high)};
    for (int i = 0; i < numbers; i++) found[i] = std::max(found[i], here[i]);
  }
  together().max(found, numbers);
  const double lowest = -found[minus_lowest], spread = found[highest] - lowest;
  window_ = {o.least, o.most, largest(o.wanted)};
  if (window_.above) {
    end_found_ = -found[minus_end_above];
    if (o.most <= 0)
      window_.most = end_found_;
    else if (o.most >= found[largest_seen])
      throw FoundTogether(ErrorKind::bad_argument,
                          text("EigenSolver: the polynomial's window ends at %g, and no eigenvalue lies above it: the "
                               "largest are wanted, about %g",
                               o.most, found[largest_seen]));
    if (o.least == 0 || o.least > lowest) window_.least = lowest - 0.01 * spread;
  } else {
    end_found_ = found[end_below];
    if (o.least == 0) window_.least = end_found_;
    if (o.most < found[largest_seen]) {
      if (o.most > 0)
        warn("%s: the polynomial's window ends at %g, below the largest eigenvalue; %g is taken in its place",
             row_->name, o.most, found[highest]);
      window_.most = found[highest];
    }
  }
  if (!(window_.least < window_.most))
    throw FoundTogether(ErrorKind::bad_argument,
                        text("EigenSolver: the polynomial's window is from %g to %g; the second must be the larger",
                             window_.least, window_.most));
}

bool EigenSolver::shrink_window(const std::vector<Complex> &values)
{
  double &end = window_.above ? window_.most : window_.least;
  const double other = window_.above ? window_.least : window_.most, before = end;
  double inside = std::any_of(values.begin(), values.end(),
                              [&](Complex value) { return window_.above ? value.real() <= end : value.real() >= end; });
  together().max(&inside, 1);
  if (inside == 0) return false;
  end = window_.above ? std::min(end_found_, end + (other - end) / 4) : std::max(end_found_, end + (other - end) / 4);
  warn("%s: wanted eigenvalues are inside of the polynomial's window, which ends at %g; %g is taken in its place",
       row_->name, before, end);
  return true;
}

void EigenSolver::begin(const ColorSpinorField *start)
{
  const EigenOptions &o = options_;
  if (space_) products_ += space_->products() * std::max(o.degree, 1);
  space_.reset();
  if (o.degree > 0) {
    polynomial_ = std::make_unique<Chebyshev>(inner_, o.degree, window_);
    print(Verbosity::verbose, "%s: Chebyshev polynomial of degree %d, small from %g to %g\n", row_->name, o.degree,
          window_.least, window_.most);
  }
  space_ = std::make_unique<KrylovSpace>(polynomial_ ? *polynomial_ : inner_, o.space, row_->blocks ? o.block : 1,
                                         o.problems, o.random);
  space_->begin(start);
  tol_ = o.tol;
  locked_ = 0;
  known_.assign(static_cast<std::size_t>(o.problems.count), {});
}

std::vector<RitzPairs> EigenSolver::ritz_pairs() const
{
  const int active = space_->size() - locked_;
  std::vector<RitzPairs> all;
  for (int p = 0; p < space_->problems(); p++)
    all.push_back(row_->ritz(part(space_->projected(p), locked_, locked_, active, active),
                             part(space_->coupling(p), 0, locked_, space_->block(), active), of_space()));
  return all;
}

int EigenSolver::good_ones(const std::vector<RitzPairs> &ritz) const
{
  const double smallest = std::pow(2 * unit_roundoff(inner_.precision()), 2.0 / 3);
  double bad = 0; // of the wanted pairs
  for (int p = 0; p < space_->problems(); p++) {
    const RitzPairs &here = ritz[static_cast<std::size_t>(p)];
    const std::vector<Complex> &locked = known_[static_cast<std::size_t>(p)].locked;
    std::vector<Complex> values = locked;
    values.insert(values.end(), here.values.begin(), here.values.end());
    int good = 0;
    for (const int i : in_order(values, of_space())) {
      if (good == options_.pairs) break;
      if (i >= locked_) {
        double size = std::abs(values[static_cast<std::size_t>(i)]);
        if (!row_->hermitian) size = std::max(size, smallest * space_->scale(p));
        if (!(here.residuals[static_cast<std::size_t>(i - locked_)] <= std::max(tol_ * size, rounding(p)))) break;
      }
      good++;
    }
    bad = std::max(bad, static_cast<double>(options_.pairs - good));
  }
  together().max(&bad, 1);
  return options_.pairs - static_cast<int>(bad);
}

int EigenSolver::expand(std::vector<RitzPairs> &ritz)
{
  const int before = space_->size(), blocks = (options_.space - before) / space_->block();
  int good = 0;
  for (const int quarters : {2, 3, 4}) { // it may be good enough before it is full
    const int to = before + blocks * quarters / 4 * space_->block();
    if (to < std::max(options_.search, before + space_->block())) continue;
    space_->grow(to);
    ritz = ritz_pairs();
    good = good_ones(ritz);
    if (good == options_.pairs) break;
  }
  return good;
}

void EigenSolver::restart(const std::vector<RitzPairs> &ritz)
{
  const int n = space_->size(), block = space_->block(), active = n - locked_;
  // half of the renewable vectors stay, so that little of what they have learned is lost
  const int spare = options_.space - options_.search, more = std::max(spare / 2 - 2, 0);
  const int renewed = options_.space - std::min(options_.search + more, options_.space - block);
  const int most = spare / block; // blocks that may be renewed
  const int kept = std::min(options_.space - std::min((renewed + block - 1) / block, most) * block, n);
  const int turned = kept - locked_;
  std::vector<Matrix> Q, T;
  for (std::size_t p = 0; p < ritz.size(); p++) {
    Known &of = known_[p];
    Matrix t(kept, kept);
    for (int i = 0; i < locked_; i++) t(i, i) = of.locked[static_cast<std::size_t>(i)];
    for (int i = 0; i < turned; i++)
      for (int j = 0; j < turned; j++) t(locked_ + i, locked_ + j) = ritz[p].T(i, j);
    Q.push_back(part(ritz[p].Q, 0, 0, active, turned));
    T.push_back(std::move(t));
    of.ritz = of.locked;
    of.ritz.insert(of.ritz.end(), ritz[p].values.begin(), ritz[p].values.begin() + turned);
    of.Y = part(ritz[p].Y, 0, 0, turned, turned);
  }
  space_->restart(locked_, Q, T);
  if (!row_->hermitian) return;
  double to_lock = std::min(turned - 1, options_.pairs - locked_); // of the problem with fewest
  for (std::size_t p = 0; p < ritz.size(); p++)
    for (int i = 0; i < to_lock; i++)
      if (!(ritz[p].residuals[static_cast<std::size_t>(i)] <= rounding(static_cast<int>(p)))) to_lock = i;
  together().min(&to_lock, 1);
  for (int i = 0; i < to_lock; i++) {
    space_->uncouple(locked_++);
    for (std::size_t p = 0; p < ritz.size(); p++)
      known_[p].locked.push_back(ritz[p].values[static_cast<std::size_t>(i)]);
  }
}

void EigenSolver::assemble(int i)
{
  const int problems = options_.problems.count;
  if (!vector_) vector_ = std::make_unique<ColorSpinorField>(inner_.shape(problems));
  for (int p = 0; p < problems; p++) {
    const Known &of = known_[static_cast<std::size_t>(p)];
    const int at = of.order[static_cast<std::size_t>(i)];
    if (!given_.empty()) {
      vector_->columns(p, 1) = given_[static_cast<std::size_t>(at)].columns(p, 1);
    } else if (row_->hermitian) {
      vector_->columns(p, 1) = space_->vectors()[at].columns(p, 1);
    } else {
      blas::zero(*vector_);
      space_->vectors().add(part(of.Y, 0, at, at + 1, 1), *vector_);
      blas::ax(1 / std::sqrt(blas::norm2(*vector_)), *vector_);
    }
  }
  vector_->mark_written();
}

double EigenSolver::scale(int p) const
{
  return polynomial_ ? std::max(std::abs(window_.most), std::abs(window_.least)) : space_->scale(p);
}

double EigenSolver::judge(EigenReport &report)
{
  const int pairs = options_.pairs, problems = options_.problems.count;
  const auto place = [&](int p, int i) { return static_cast<std::size_t>(p * pairs + i); };
  for (Known &of : known_)
    if (given_.empty()) of.order = in_order(of.ritz, of_space());
  ColorSpinorField v(outer_.shape(problems)), product(outer_.shape(problems));
  std::vector<Complex> values(place(problems, 0)), minus(static_cast<std::size_t>(problems));
  std::vector<double> residuals(values.size()), scales;
  for (int p = 0; p < problems; p++) scales.push_back(scale(p));
  for (int i = 0; i < pairs; i++) {
    assemble(i);
    blas::block::convert(v, *vector_);
    std::vector<double> factor = blas::block::norm2(v);
    for (double &one : factor) one = 1 / std::sqrt(one);
    blas::ax(factor, v);
    Sums sums;
    outer_.apply({.out = product, .in = v, .end = {.dot_with = &v}}, &sums);
    for (int p = 0; p < problems; p++) {
      const auto at = static_cast<std::size_t>(p);
      const Complex value = row_->hermitian ? sums.dot[at].real() : sums.dot[at];
      values[place(p, i)] = value;
      minus[at] = -value;
      scales[at] = std::max(scales[at], std::abs(value));
    }
    const std::vector<double> rest = blas::block::caxpyNorm(minus, v, product);
    for (int p = 0; p < problems; p++) residuals[place(p, i)] = std::sqrt(rest[static_cast<std::size_t>(p)]);
  }
  report.values.clear();
  report.residuals.clear();
  double numbers[3] = {0, 0, 0}; // bad pairs of a problem, ratio of the worst, residual of the worst
  for (int p = 0; p < problems; p++) {
    Known &of = known_[static_cast<std::size_t>(p)];
    const std::vector<Complex> mine(values.begin() + p * pairs, values.begin() + (p + 1) * pairs);
    std::vector<int> order;
    int bad = 0;
    for (const int i : in_order(mine, options_.wanted)) {
      order.push_back(of.order[static_cast<std::size_t>(i)]);
      const Complex value = values[place(p, i)];
      const double residual = residuals[place(p, i)];
      const double limit =
          std::max(options_.tol * std::abs(value), good_below * roundoff_ * scales[static_cast<std::size_t>(p)]);
      report.values.push_back(value);
      report.residuals.push_back(residual);
      bad += !(residual <= limit);
      numbers[1] = std::max(numbers[1], std::isfinite(residual) ? residual / limit : 1e300);
      numbers[2] = std::max(numbers[2], residual);
    }
    of.order = std::move(order);
    numbers[0] = std::max(numbers[0], static_cast<double>(bad));
  }
  together().max(numbers, 3);
  report.good = pairs - static_cast<int>(numbers[0]);
  report.converged = report.good == pairs;
  report.worst = numbers[2];
  return numbers[1];
}

EigenReport EigenSolver::solve(const ColorSpinorField *start)
{
  Timer timer;
  timer.start();
  const double before = inner_.flops_done() + (&outer_ == &inner_ ? 0 : outer_.flops_done());
  const EigenOptions &o = options_;
  const int block = row_->blocks ? o.block : 1;
  print(Verbosity::verbose, "%s: %d vectors and a block of %d, %.1f MB on each rank\n", row_->name, o.space, block,
        1e-6 * KrylovSpace::bytes(inner_, o.space, block, o.problems.count));
  products_ = 0;
  if (o.degree > 0) find_window();
  begin(start);
  EigenReport report;
  const auto products = [&] { return products_ + space_->products() * std::max(o.degree, 1); };
  for (;; report.restarts++) {
    std::vector<RitzPairs> ritz;
    const int good = expand(ritz);
    const int next = std::clamp(good - locked_, 0, space_->size() - locked_ - 1);
    print(Verbosity::verbose,
          "%s: restart %4d, %d of %d converged, %d locked, residual of the next %9.6e, %lld products\n", row_->name,
          report.restarts, good, o.pairs, locked_, ritz[0].residuals[static_cast<std::size_t>(next)], products());
    const bool last = report.restarts >= o.restarts;
    restart(ritz);
    if (good < o.pairs && !last) continue;
    const double worst = judge(report);
    if (polynomial_ && shrink_window(report.values)) {
      report.converged = false;
      if (last) break;
      begin(start);
      continue;
    }
    if (report.converged || last) break;
    tol_ *= std::clamp(0.5 / worst, 1e-3, 0.5);
    if (!(tol_ > tightest)) break;
    print(Verbosity::verbose, "%s: residuals are %g times too large yet\n", row_->name, worst);
  }
  report.products = products();
  report.window = window_;
  report.flops = inner_.flops_done() + (&outer_ == &inner_ ? 0 : outer_.flops_done()) - before;
  report.seconds = timer.seconds();
  return report;
}

EigenReport EigenSolver::judge_given(std::vector<ColorSpinorField> each, double roundoff)
{
  Timer timer;
  timer.start();
  const double before = inner_.flops_done() + (&outer_ == &inner_ ? 0 : outer_.flops_done());
  if (static_cast<int>(each.size()) != options_.pairs)
    fail(ErrorKind::bad_argument,
         text("EigenSolver: %zu vectors where %d pairs are wanted", each.size(), options_.pairs));
  given_ = std::move(each);
  // twice: the vectors may come from a search that found a larger |A| than these few steps do
  roundoff_ = 2 * std::max(unit_roundoff(inner_.precision()), roundoff);
  polynomial_.reset();
  const int steps = std::min(scale_steps, options_.space);
  space_ = std::make_unique<KrylovSpace>(inner_, steps, 1, options_.problems, options_.random);
  space_->begin();
  space_->grow(steps);
  Known as_they_come;
  for (int i = 0; i < options_.pairs; i++) as_they_come.order.push_back(i);
  known_.assign(static_cast<std::size_t>(options_.problems.count), as_they_come);
  EigenReport report;
  judge(report);
  report.products = space_->products() + options_.pairs;
  report.flops = inner_.flops_done() + (&outer_ == &inner_ ? 0 : outer_.flops_done()) - before;
  report.seconds = timer.seconds();
  return report;
}

const ColorSpinorField &EigenSolver::vector(int i)
{
  assemble(i);
  return *vector_;
}

} // namespace quda
