#include "solvers/shifted_systems.h"

#include <algorithm>
#include <cmath>

#include "ops/blas/block.h"

namespace quda
{

namespace
{

  constexpr double nearer = 0.9; // part of the request at which a system stops, so that the true residual is good too

  constexpr double meaningless = 1e-18; // |r| / |b|

} // namespace

ShiftedSystems::ShiftedSystems(std::vector<System> systems, std::vector<double> scale)
    : systems_(std::move(systems))
    , scale_(std::move(scale))
    , iterated_(systems_.size(), std::vector<double>(scale_.size()))
    , reached_(systems_.size(), std::vector<bool>(scale_.size(), true))
{
}

void ShiftedSystems::select_rhs(std::span<const int> numbers)
{
  if (state_ == State::waiting) numbers_.assign(numbers.begin(), numbers.end());
}

void ShiftedSystems::start(const ColorSpinorField &r, std::span<const double> norm2)
{
  if (state_ != State::waiting) return finish();
  state_ = State::running;
  const std::size_t n = norm2.size();
  source_.resize(n);
  std::transform(norm2.begin(), norm2.end(), source_.begin(), [](double rr) { return std::sqrt(rr); });
  left_.assign(n, 1);
  alpha_.assign(n, 0);
  beta_.assign(n, 0);
  work_ = std::vector<Work>(systems_.size());
  for (std::size_t k = 0; k < work_.size(); k++) {
    Work &work = work_[k];
    work.p.prepare(r.param());
    work.x.prepare(r.param());
    blas::copy(*work.p, r);
    work.columns.assign(n, {});
    for (const int number : numbers_) {
      iterated_[k][static_cast<std::size_t>(number)] = 1;
      reached_[k][static_cast<std::size_t>(number)] = false;
    }
  }
}

void ShiftedSystems::residuals(const std::vector<double> &alpha, std::span<const double> norm2)
{
  if (state_ != State::running) return;
  for (std::size_t k = 0; k < work_.size(); k++) {
    Work &work = work_[k];
    work.a.assign(alpha.size(), 0);
    work.moves = std::any_of(work.columns.begin(), work.columns.end(), [](const Column &c) { return c.moves; });
    for (std::size_t j = 0; work.moves && j < alpha.size(); j++) {
      Column &column = work.columns[j];
      if (!column.moves || alpha[j] == 0 || !std::isfinite(alpha[j])) continue;
      const double before = alpha_[j] == 0 ? 0 : (1 - column.rho) * alpha[j] * beta_[j] / alpha_[j];
      column.rho = 1 / (1 + systems_[k].shift * alpha[j] + before);
      column.zeta *= column.rho;
      work.a[j] = column.rho * alpha[j];
      const auto number = static_cast<std::size_t>(numbers_[j]);
      const double residual = column.zeta * std::sqrt(norm2[j]);
      iterated_[k][number] = residual / source_[j];
      const auto below = [&](double part) {
        return iterated_[k][number] < part * systems_[k].relative ||
               residual * scale_[number] < part * systems_[k].absolute;
      };
      reached_[k][number] = below(1);
      column.moves = !below(nearer);
    }
  }
  for (std::size_t j = 0; j < alpha.size(); j++) left_[j] = std::sqrt(norm2[j]) / source_[j];
  alpha_ = alpha;
}

void ShiftedSystems::directions(const std::vector<double> &beta)
{
  for (Work &work : work_) {
    work.b.assign(beta.size(), 0);
    work.c.assign(beta.size(), 1);
    for (std::size_t j = 0; j < beta.size(); j++) {
      const Column &column = work.columns[j];
      if (!column.moves) continue;
      work.b[j] = column.zeta;
      work.c[j] = column.rho * column.rho * beta[j];
    }
  }
  beta_ = beta;
}

void ShiftedSystems::step(const ColorSpinorField &r, const std::vector<double> &beta)
{
  if (state_ != State::running) return;
  directions(beta);
  for (Work &work : work_) {
    if (!work.moves) continue;
    if (work.x.same_precision()) {
      blas::axpyBzpcx(work.a, *work.p, *work.x, work.b, r, work.c);
    } else {
      work.x.add(work.a, *work.p);
      blas::axpby(work.b, r, work.c, *work.p);
    }
  }
}

void ShiftedSystems::step()
{
  if (state_ != State::running) return;
  for (Work &work : work_)
    if (work.moves) work.x.add(work.a, *work.p);
}

void ShiftedSystems::reorthogonalise(const ColorSpinorField &r, const std::vector<double> &beta)
{
  if (state_ != State::running) return;
  directions(beta);
  for (Work &work : work_)
    if (work.moves) blas::axpby(work.b, r, work.c, *work.p);
}

void ShiftedSystems::hand_over(std::size_t k, std::size_t column)
{
  const int number = numbers_[column];
  ColorSpinorField to = systems_[k].x->columns(number, 1);
  blas::block::axpy_mixed(scale_[static_cast<std::size_t>(number)], (*work_[k].x).columns(static_cast<int>(column), 1),
                          to);
}

void ShiftedSystems::adopt_directions(const ColorSpinorParam &shape)
{
  if (state_ != State::running) return;
  for (std::size_t k = 0; k < work_.size(); k++) {
    for (std::size_t j = 0; j < numbers_.size(); j++) hand_over(k, j);
    ActiveColumns before = std::move(work_[k].p);
    work_[k].p = {};
    work_[k].p.prepare(shape);
    blas::block::convert(*work_[k].p, *before);
    work_[k].x.prepare(shape);
  }
}

void ShiftedSystems::drop(int i)
{
  if (state_ != State::running) return;
  for (std::size_t k = 0; k < work_.size(); k++) {
    hand_over(k, static_cast<std::size_t>(i));
    work_[k].p.drop(i);
    work_[k].x.drop(i);
    drop_from(work_[k].columns, i);
  }
  for (std::vector<double> *list : {&source_, &left_, &alpha_}) drop_from(*list, i);
  drop_from(numbers_, i);
}

bool ShiftedSystems::wants_more(std::size_t column) const
{
  if (state_ != State::running || !(left_[column] > meaningless)) return false;
  for (std::size_t k = 0; k < systems_.size(); k++)
    if ((systems_[k].relative > 0 || systems_[k].absolute > 0) &&
        !reached_[k][static_cast<std::size_t>(numbers_[column])])
      return true;
  return false;
}

void ShiftedSystems::finish()
{
  if (state_ == State::running)
    for (std::size_t k = 0; k < work_.size(); k++)
      for (std::size_t j = 0; j < numbers_.size(); j++) hand_over(k, j);
  work_.clear();
  state_ = State::ended;
}

} // namespace quda
