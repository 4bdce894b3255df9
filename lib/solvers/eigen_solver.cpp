#include "solvers/eigen_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

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

  constexpr int probe_steps = 40;       // of what finds the window
  constexpr double locked_below = 16;   // units of rounding of |A|: a residual that is rounding
  constexpr double good_below = 64;     // the same of a true residual, whatever was asked
  constexpr double tightest = 0x1p-60;  // tolerance of a recursion

  bool of_real_parts(Wanted wanted)
  {
    return wanted != Wanted::largest_imaginary && wanted != Wanted::smallest_imaginary;
  }

  bool largest(Wanted wanted) { return wanted == Wanted::largest_real || wanted == Wanted::largest_modulus; }

  /// Where `count` eigenvalues lie below, of a Hermitian operator with so many: from Ritz values, ascending, and what
  /// each has of a random vector, which is about its part of the spectrum.
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
  if (row_->hermitian && !of_real_parts(o.wanted)) refuse("imaginary parts of eigenvalues that are real");
}

void EigenSolver::find_window()
{
  const EigenOptions &o = options_;
  const long long dimension = KrylovSpace::dimension(inner_);
  KrylovSpace probe(inner_, static_cast<int>(std::min<long long>(std::max(o.space, probe_steps), dimension - 1)), 1);
  probe.begin();
  probe.grow(static_cast<int>(std::min<long long>(probe_steps, dimension - 1)));
  products_ += probe.products();
  const HermitianPairs pairs = hermitian_pairs(probe.projected());
  const Matrix rest = probe.coupling() * pairs.vectors;
  std::vector<double> values = pairs.values, weights;
  for (int i = 0; i < pairs.vectors.columns(); i++) weights.push_back(std::norm(pairs.vectors(0, i)));
  const int last = static_cast<int>(values.size()) - 1;
  const double spread = values.back() - values.front();
  double lowest = values.front() - std::abs(rest(0, 0));
  const double highest = values.back() + std::abs(rest(0, last)) + 0.01 * spread;
  if (inner_.symmetry() == Symmetry::positive) lowest = std::max(lowest, 0.0);
  const double outside = o.search + 0.25 * (o.space - o.search); // eigenvalues outside of the window
  window_ = {o.least, o.most, largest(o.wanted)};
  if (window_.above) {
    std::vector<double> mirrored, of_mirrored(weights.rbegin(), weights.rend());
    for (auto value = values.rbegin(); value != values.rend(); ++value) mirrored.push_back(-*value);
    end_found_ = -quantile(mirrored, of_mirrored, static_cast<double>(dimension), outside, -highest);
    if (o.most <= 0)
      window_.most = end_found_;
    else if (o.most >= values.back())
      throw FoundTogether(ErrorKind::bad_argument,
                          text("EigenSolver: the polynomial's window ends at %g, and no eigenvalue lies above it: the "
                               "largest are wanted, about %g",
                               o.most, values.back()));
    if (o.least == 0 || o.least > lowest) window_.least = lowest - 0.01 * spread;
  } else {
    end_found_ = quantile(values, weights, static_cast<double>(dimension), outside, lowest);
    if (o.least == 0) window_.least = end_found_;
    if (o.most < values.back()) {
      if (o.most > 0)
        warn("%s: the polynomial's window ends at %g, below the largest eigenvalue; %g is taken in its place",
             row_->name, o.most, highest);
      window_.most = highest;
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
  const bool inside = std::any_of(values.begin(), values.end(), [&](Complex value) {
    return window_.above ? value.real() <= end : value.real() >= end;
  });
  if (!inside) return false;
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
  space_ = std::make_unique<KrylovSpace>(polynomial_ ? *polynomial_ : inner_, o.space, row_->blocks ? o.block : 1);
  space_->begin(start);
  tol_ = o.tol;
  locked_ = 0;
  locked_values_.clear();
}

int EigenSolver::good_ones(const RitzPairs &ritz) const
{
  const Wanted wanted = polynomial_ ? Wanted::largest_real : options_.wanted;
  const double rounding = locked_below * unit_roundoff(inner_.precision()) * space_->scale();
  const double smallest = std::pow(2 * unit_roundoff(inner_.precision()), 2.0 / 3);
  std::vector<std::size_t> order(locked_values_.size() + ritz.values.size());
  const auto value = [&](std::size_t i) {
    return i < locked_values_.size() ? locked_values_[i] : ritz.values[i - locked_values_.size()];
  };
  std::iota(order.begin(), order.end(), std::size_t {0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return comes_before(wanted, value(a), value(b)); });
  int good = 0;
  for (const std::size_t i : order) {
    if (good == options_.pairs) break;
    if (i >= locked_values_.size()) {
      double size = std::abs(value(i));
      if (!row_->hermitian) size = std::max(size, smallest * space_->scale());
      if (!(ritz.residuals[i - locked_values_.size()] <= std::max(tol_ * size, rounding))) break;
    }
    good++;
  }
  return good;
}

void EigenSolver::restart(const RitzPairs &ritz, int good)
{
  const int n = space_->size(), block = space_->block(), active = n - locked_;
  // more than are searched for, so that what the next ones have learned is not lost
  const int more = std::min(good, options_.pairs) / 2 + (options_.space - options_.search) / 4;
  const int renewed = options_.space - std::min(options_.search + more, options_.space - block);
  const int most = (options_.space - options_.search) / block; // blocks that may be renewed
  const int kept = options_.space - std::min((renewed + block - 1) / block, most) * block;
  const int turned = kept - locked_;
  Matrix T(kept, kept);
  for (int i = 0; i < locked_; i++) T(i, i) = locked_values_[static_cast<std::size_t>(i)];
  for (int i = 0; i < turned; i++)
    for (int j = 0; j < turned; j++) T(locked_ + i, locked_ + j) = ritz.T(i, j);
  space_->restart(locked_, part(ritz.Q, 0, 0, active, turned), T);
  ritz_ = locked_values_;
  ritz_.insert(ritz_.end(), ritz.values.begin(), ritz.values.begin() + turned);
  Y_ = part(ritz.Y, 0, 0, turned, turned);
  if (!row_->hermitian) return;
  const double rounding = locked_below * unit_roundoff(inner_.precision()) * space_->scale();
  for (int i = 0; i < turned - 1 && locked_ < options_.pairs && ritz.residuals[static_cast<std::size_t>(i)] <= rounding;
       i++) {
    space_->uncouple(locked_);
    locked_values_.push_back(ritz.values[static_cast<std::size_t>(i)]);
    locked_++;
  }
}

double EigenSolver::judge(EigenReport &report)
{
  const int pairs = options_.pairs;
  const Wanted of_space = polynomial_ ? Wanted::largest_real : options_.wanted;
  // in the space's order
  order_.resize(ritz_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
    return comes_before(of_space, ritz_[static_cast<std::size_t>(a)], ritz_[static_cast<std::size_t>(b)]);
  });
  order_.resize(static_cast<std::size_t>(pairs));
  ColorSpinorField v(outer_.shape(1)), product(outer_.shape(1));
  std::optional<ColorSpinorField> combined;
  if (!row_->hermitian) combined.emplace(inner_.shape(1));
  std::vector<Complex> values(ritz_.size());
  std::vector<double> residuals(ritz_.size());
  double scale = polynomial_ ? std::max(std::abs(window_.most), std::abs(window_.least)) : space_->scale();
  for (const int i : order_) {
    const ColorSpinorField *from = &space_->vectors()[i];
    if (combined) {
      blas::zero(*combined);
      space_->vectors().add(part(Y_, 0, i, i + 1, 1), *combined);
      from = &*combined;
    }
    blas::block::convert(v, *from);
    blas::ax(1 / std::sqrt(blas::norm2(v)), v);
    Sums sums;
    outer_.apply({.out = product, .in = v, .end = {.dot_with = &v}}, &sums);
    Complex &value = values[static_cast<std::size_t>(i)];
    value = sums.dot[0];
    if (row_->hermitian) value = value.real();
    residuals[static_cast<std::size_t>(i)] = std::sqrt(blas::caxpyNorm(-value, v, product));
    scale = std::max(scale, std::abs(value));
  }
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
    return comes_before(options_.wanted, values[static_cast<std::size_t>(a)], values[static_cast<std::size_t>(b)]);
  });
  report.values.clear();
  report.residuals.clear();
  report.good = 0;
  double worst = 0;
  for (const int i : order_) {
    const double residual = residuals[static_cast<std::size_t>(i)];
    const double limit = std::max(options_.tol * std::abs(values[static_cast<std::size_t>(i)]),
                                  good_below * unit_roundoff(inner_.precision()) * scale);
    report.values.push_back(values[static_cast<std::size_t>(i)]);
    report.residuals.push_back(residual);
    report.good += residual <= limit;
    if (!(residual / limit <= worst)) worst = residual / limit;
  }
  report.converged = report.good == pairs;
  return worst;
}

void EigenSolver::turn_to_eigenvectors()
{
  if (row_->hermitian) return;
  int last = 0;
  for (const int i : order_) last = std::max(last, i);
  space_->vectors().rotate(part(Y_, 0, 0, last + 1, last + 1));
  for (int i = 0; i <= last; i++) {
    ColorSpinorField &v = space_->vectors()[i];
    blas::ax(1 / std::sqrt(blas::norm2(v)), v);
  }
}

EigenReport EigenSolver::solve(const ColorSpinorField *start)
{
  Timer timer;
  timer.start();
  const double before = inner_.flops_done() + (&outer_ == &inner_ ? 0 : outer_.flops_done());
  const EigenOptions &o = options_;
  const int block = row_->blocks ? o.block : 1;
  print(Verbosity::verbose, "%s: %d vectors and a block of %d, %.1f MB on each rank\n", row_->name, o.space, block,
        1e-6 * KrylovSpace::bytes(inner_, o.space, block));
  products_ = 0;
  if (o.degree > 0) find_window();
  begin(start);
  EigenReport report;
  const Wanted wanted = polynomial_ ? Wanted::largest_real : o.wanted;
  const auto products = [&] { return products_ + space_->products() * std::max(o.degree, 1); };
  for (;; report.restarts++) {
    space_->grow(o.space);
    const int active = o.space - locked_;
    const RitzPairs ritz = row_->ritz(part(space_->projected(), locked_, locked_, active, active),
                                      part(space_->coupling(), 0, locked_, block, active), wanted);
    const int good = good_ones(ritz);
    const int first_bad = std::clamp(good - locked_, 0, active - 1);
    print(Verbosity::verbose, "%s: restart %4d, %d of %d converged, %d locked, residual of the next %9.6e, %lld products\n",
          row_->name, report.restarts, good, o.pairs, locked_, ritz.residuals[static_cast<std::size_t>(first_bad)],
          products());
    const bool last = report.restarts >= o.restarts;
    restart(ritz, good);
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
  turn_to_eigenvectors();
  report.products = products();
  report.window = window_;
  report.flops = inner_.flops_done() + (&outer_ == &inner_ ? 0 : outer_.flops_done()) - before;
  report.seconds = timer.seconds();
  return report;
}

const ColorSpinorField &EigenSolver::vector(int i) const
{
  return space_->vectors()[order_[static_cast<std::size_t>(i)]];
}

} // namespace quda
