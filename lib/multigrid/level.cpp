#include "multigrid/level.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "ops/blas/block.h"

namespace quda
{

namespace
{

  /// Right-hand sides of `field` in groups of at most `together`, 0: all at once.
  template <class Work> void in_groups(const ColorSpinorField &field, int together, Work &&work)
  {
    const int most = together > 0 ? together : field.rhs();
    for (int first = 0; first < field.rhs(); first += most) work(first, std::min(most, field.rhs() - first));
  }

  class RunningTimer
  {
  public:
    explicit RunningTimer(Timer &timer)
        : timer_(timer)
        , within_(timer.running())
    {
      timer_.start();
    }
    ~RunningTimer()
    {
      if (!within_) timer_.stop();
    }
    RunningTimer(const RunningTimer &) = delete;
    RunningTimer &operator=(const RunningTimer &) = delete;

  private:
    Timer &timer_;
    const bool within_; // another's time
  };

} // namespace

void Level::set_operator(std::unique_ptr<Dirac> dirac, LinkStorage smoothing, const ColorSpinorField &random)
{
  dirac_ = std::move(dirac);
  smoothing_ = smoothing;
  schur_ = dirac_->schur(form_.matpc);
  before_ = nullptr;
  after_ = nullptr;
  solver_ = nullptr;
  const ColorSpinorField start = random.half(parity());
  if (!last()) {
    const SmootherForm &smoother = how().smoother;
    const auto make = [&](int steps) {
      if (steps == 0) return std::unique_ptr<DiracPreconditioner>();
      return std::make_unique<DiracPreconditioner>(*dirac_, DiracSystemForm {.matpc = form_.matpc}, System::direct,
                                                   DiracPreconditionerForm {.method = smoother.method,
                                                                            .options = smoother.options,
                                                                            .steps = steps,
                                                                            .cycles = smoother.cycles,
                                                                            .storage = smoothing,
                                                                            .schwarz = smoother.schwarz},
                                                   smoothing, start);
    };
    before_ = make(smoother.before);
    after_ = make(smoother.after);
  }
  if (number_ == 0) return;
  const CoarseForm &solve = how().solve;
  MethodOptions options = solve.options;
  const MethodRow &row = row_of(solve.method);
  estimate_spectrum(options, row, row.system, *schur_, start);
  if (!last()) {
    if (!row.reads(MethodRow::preconditioner) && recursive())
      fail(ErrorKind::bad_argument,
           text("multigrid: coarse solver of level %d = %s, which takes no preconditioner; GCR and PCG do, or a cycle "
                "that is not recursive",
                number_, row.name));
    options.preconditioner = &cycle_;
  }
  // in one cycle
  if (solve.method == Method::gcr) options.krylov = std::clamp(solve.steps, 1, most_directions);
  solver_ = std::make_unique<InnerIteration>(
      *schur_, [&](const LinearOperator &A) { return row.make(A, options); }, row.system, solve.steps, solve.tolerance);
}

void Level::set_transfer(std::unique_ptr<Transfer> P, Level &next)
{
  P_ = std::move(P);
  next_ = &next;
}

void Level::normalise()
{
  std::vector<double> inverse = blas::block::norm2(*vectors);
  for (std::size_t i = 0; i < inverse.size(); i++) {
    if (!(inverse[i] > 0) || !std::isfinite(inverse[i]))
      fail(ErrorKind::bad_argument,
           text("multigrid: the square of the norm of vector %zu of level %d is %g after the set-up; finite numbers "
                "above 0 make a vector of P",
                i, number_, inverse[i]));
    inverse[i] = 1 / std::sqrt(inverse[i]);
  }
  blas::ax(inverse, *vectors);
}

void Level::relax(int steps)
{
  const SetupForm &setup = how().setup;
  const VerbosityScope printing(how().verbosity);
  const MethodRow &row = row_of(setup.method);
  OperatorByPrecision operators(*schur_, [&](Precision precision) {
    return std::make_unique<DiracSystem>(dirac_->clone({precision, smoothing_.reconstruct}),
                                         DiracSystemForm {.matpc = form_.matpc});
  });
  MethodOptions options = setup.options;
  estimate_spectrum(options, row, row.system, *schur_, vectors->half(parity()));
  KrylovSolver solver(
      operators, [&](const LinearOperator &A) { return row.make(A, options); }, smoothing_.precision, row.system);
  in_groups(*vectors, setup.together, [&](int first, int count) {
    ColorSpinorField v = vectors->columns(first, count), here = v.half(parity()),
                     y = scratch_(0, shape(parity(), count)), e = scratch_(1, shape(parity(), count)),
                     b = scratch_(2, shape(-1, count));
    if (setup.inverse) {
      blas::copy(b, v);
      dirac_->prepare(y, b, form_.matpc, false);
    } else {
      blas::zero(b);
      (*schur_)(y, here);
    }
    const SolveReport report =
        solver.solve(e, y, {.relative = setup.tolerance}, {.iterations = steps, .reliable_delta = 0.1});
    flops_ += report.flops;
    if (setup.inverse)
      blas::copy(here, e);
    else
      blas::axpy(-1.0, e, here);
    dirac_->reconstruct(v, b, form_.matpc, false);
  });
  vectors->mark_written();
  normalise();
}

void Level::bootstrap()
{
  const VerbosityScope printing(Verbosity::silent);
  in_groups(*vectors, how().setup.together, [&](int first, int count) {
    ColorSpinorField v = vectors->columns(first, count), b = scratch_(2, shape(-1, count));
    blas::copy(b, v);
    cycle_of_full(v, b);
  });
  vectors->mark_written();
  normalise();
}

void Level::cycle(ColorSpinorField &z, const ColorSpinorField &r)
{
  const RunningTimer running(timer_);
  const int n = r.rhs();
  ColorSpinorField left = scratch_(3, shape(parity(), n)), b = next_->scratch_(4, next_->shape(-1, n)),
                   x = next_->scratch_(5, next_->shape(-1, n));
  const auto residual = [&] { schur_->apply({.out = left, .in = z, .end = {.x = &r, .b = -1.0}}); };
  if (before_) {
    before_->apply(z, r);
    residual();
  } else {
    blas::copy(left, r);
  }
  dirac_->residual_of_full(left, form_.matpc, false);
  P_->restrict(b, left);
  timer_.stop();
  next_->solve(x, b);
  timer_.start();
  P_->prolong(z, x, before_ != nullptr);
  if (!after_) return;
  residual();
  ColorSpinorField change = scratch_(6, shape(parity(), n));
  after_->apply(change, left);
  blas::axpy(1.0, change, z);
}

void Level::cycle_of_full(ColorSpinorField &z, const ColorSpinorField &r)
{
  ColorSpinorField c = scratch_(7, shape(parity(), r.rhs())), here = z.half(parity());
  dirac_->prepare(c, r, form_.matpc, false);
  cycle(here, c);
  dirac_->reconstruct(z, r, form_.matpc, false);
}

void Level::solve(ColorSpinorField &x, const ColorSpinorField &b)
{
  const VerbosityScope printing(how().verbosity);
  solves_++;
  if (!last() && !recursive()) return cycle_of_full(x, b);
  const RunningTimer running(timer_);
  ColorSpinorField c = scratch_(8, shape(parity(), b.rhs())), here = x.half(parity());
  dirac_->prepare(c, b, form_.matpc, false);
  solver_->apply(here, c);
  dirac_->reconstruct(x, b, form_.matpc, false);
}

double Level::flops_done() const
{
  return flops_ + (solver_ ? solver_->flops_done() : 0) + (before_ ? before_->flops_done() : 0) +
         (after_ ? after_->flops_done() : 0) + (next_ ? next_->flops_done() : 0);
}

LevelReport Level::report() const
{
  LevelReport report;
  report.lattice = lattice().description();
  report.setup = setup_seconds;
  report.cycles = timer_.seconds();
  report.solves = solves_;
  report.iterations = solver_ ? solver_->steps_done() : 0;
  if (vectors) report.bytes += static_cast<double>(vectors->bytes());
  return report;
}

} // namespace quda
