#include "multigrid/level.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "dirac/dirac_coarse.h"
#include "fields/field_together.h"
#include "multigrid/random_rows.h"
#include "ops/blas/block.h"
#include "solvers/chebyshev.h"
#include "solvers/krylov_basis.h"

namespace quda
{

namespace
{

  /// Calls work() on the right-hand sides of `field` in groups of at most `together`, 0: all at once.
  template <class Work> void in_groups(const ColorSpinorField &field, int together, Work &&work)
  {
    const int most = together > 0 ? together : field.rhs();
    for (int first = 0; first < field.rhs(); first += most) work(first, std::min(most, field.rhs() - first));
  }

  /// Rows of a coarse grid's operator; 0 for other operators.
  int rows_of(const Dirac &dirac)
  {
    const auto *const coarse = dynamic_cast<const DiracOnRows *>(&dirac);
    return coarse ? coarse->rows() : 0;
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
    const bool within_; // inside another timer
  };

} // namespace

void Level::set_operator(std::unique_ptr<Dirac> dirac, LinkStorage smoothing, const ColorSpinorField &random)
{
  forget_sides(); // they refer to it
  dirac_ = std::move(dirac);
  smoothing_ = smoothing;
  sloppy_ = dirac_->clone(smoothing)->shape(-1, 1).precision;
  schur_ = whole() ? dirac_->full() : dirac_->schur(form_.matpc);
  start_ = std::make_unique<ColorSpinorField>(shape(parity(), 1));
  blas::block::convert(*start_, here(random.columns(0, 1)));
  side(false);
}

DiracSystemForm Level::system_form(bool dagger) const
{
  DiracSystemForm form {.dagger = dagger};
  if (!whole()) form.matpc = form_.matpc;
  return form;
}

ColorSpinorField Level::here(const ColorSpinorField &field) const
{
  return whole() ? field.columns(0, field.rhs()) : field.half(parity());
}

void Level::prepare(ColorSpinorField &c, const ColorSpinorField &b, bool dagger) const
{
  if (whole())
    blas::copy(c, b);
  else
    dirac_->prepare(c, b, form_.matpc, dagger);
}

void Level::reconstruct(ColorSpinorField &x, const ColorSpinorField &b, bool dagger) const
{
  if (!whole()) dirac_->reconstruct(x, b, form_.matpc, dagger);
}

void Level::renew_methods()
{
  forget_sides();
  side(false);
  if (low_modes_.size() > 0) side(false).solver->deflate(&low_modes_, false);
}

void Level::forget_sides()
{
  for (std::unique_ptr<Side> &one : sides_) {
    if (!one) continue;
    flops_ += one->flops_done();
    if (one->solver) iterations_ += one->solver->steps_done();
    one.reset();
  }
}

Level::Side &Level::side(bool dagger)
{
  std::unique_ptr<Side> &one = sides_[dagger];
  if (!one) one = make_side(dagger);
  return *one;
}

std::unique_ptr<Level::Side> Level::make_side(bool dagger)
{
  auto made = std::make_unique<Side>();
  if (dagger) made->adjoint = std::make_unique<Adjoint>(*schur_);
  if (!last()) {
    const SmootherForm &smoother = how().smoother;
    const auto make = [&](int steps) {
      if (steps == 0) return std::unique_ptr<DiracPreconditioner>();
      return std::make_unique<DiracPreconditioner>(*dirac_, system_form(dagger), System::direct,
                                                   DiracPreconditionerForm {.method = smoother.method,
                                                                            .options = smoother.options,
                                                                            .steps = steps,
                                                                            .cycles = smoother.cycles,
                                                                            .storage = smoothing_,
                                                                            .schwarz = smoother.schwarz},
                                                   smoothing_, *start_);
    };
    made->before = make(smoother.before);
    made->after = make(smoother.after);
  }
  if (number_ == 0) return made;
  const CoarseForm &solve = how().solve;
  MethodOptions options = solve.options;
  const MethodRow &row = row_of(solve.method);
  estimate_spectrum(options, row, row.system, system(*made), *start_);
  if (!last()) {
    if (!row.reads(MethodRow::preconditioner) && recursive())
      fail(ErrorKind::bad_argument,
           text("multigrid: coarse solver of level %d = %s, which takes no preconditioner; GCR and PCG do, or a cycle "
                "that is not recursive",
                number_, row.name));
    made->cycle = std::make_unique<Cycle>(*this, dagger);
    options.preconditioner = made->cycle.get();
  }
  // in one cycle
  if (solve.method == Method::gcr) options.krylov = std::clamp(solve.steps, 1, most_directions);
  made->solver = std::make_unique<InnerIteration>(
      system(*made), [&row, options](const LinearOperator &A) { return row.make(A, options); }, row.system, solve.steps,
      solve.tolerance);
  if (dagger && low_modes_.size() > 0) made->solver->deflate(&low_modes_, true);
  return made;
}

void Level::set_transfer(std::unique_ptr<Transfer> P, Level &next)
{
  P_ = std::move(P);
  next_ = &next;
  next.gathering_ = P_->gathering();
}

void Level::normalise()
{
  std::vector<double> inverse = blas::block::norm2(*vectors);
  for (std::size_t i = 0; i < inverse.size(); i++) {
    if (!(inverse[i] > 0) || !std::isfinite(inverse[i]))
      throw FoundTogether(ErrorKind::bad_argument,
                          text("multigrid: the square of the norm of vector %zu of level %d is %g after the set-up; "
                               "finite numbers above 0 make a vector of P",
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
    return std::make_unique<DiracSystem>(dirac_->clone({precision, smoothing_.reconstruct}), system_form(false));
  });
  MethodOptions options = setup.options;
  estimate_spectrum(options, row, row.system, *schur_, here(*vectors));
  KrylovSolver solver(
      operators, [&](const LinearOperator &A) { return row.make(A, options); }, sloppy_, row.system);
  in_groups(*vectors, setup.together, [&](int first, int count) {
    ColorSpinorField v = vectors->columns(first, count), own = here(v), y = scratch_(0, shape(parity(), count)),
                     e = scratch_(1, shape(parity(), count)), b = scratch_(2, shape(-1, count));
    if (setup.inverse) {
      blas::copy(b, v);
      prepare(y, b, false);
    } else {
      blas::zero(b);
      (*schur_)(y, own);
    }
    const SolveReport report =
        solver.solve(e, y, {.relative = setup.tolerance}, {.iterations = steps, .reliable_delta = 0.1});
    flops_ += report.flops;
    if (setup.inverse)
      blas::copy(own, e);
    else
      blas::axpy(-1.0, e, own);
    reconstruct(v, b, false);
  });
  vectors->mark_written();
  normalise();
}

void Level::filter()
{
  const FilterForm &form = how().setup.filter;
  const VerbosityScope printing(how().verbosity);
  const Normal A(*schur_);
  const double most = largest_eigenvalue(A, *start_),
               reach = 4.0 / form.order; // cosh(2 order sqrt(t)) > 1000 at t = reach^2
  const SpectralWindow window {.least = most * reach * reach, .most = most};
  const Chebyshev first(A, form.order, window), next(A, form.step, window);
  const int sources = std::min(form.sources, vectors->rhs());
  ColorSpinorField v = scratch_(0, shape(parity(), sources)), w = scratch_(1, v.param()),
                   none = scratch_(2, shape(-1, sources));
  blas::zero(none);
  blas::block::convert(v, here(vectors->columns(0, sources)));
  for (int done = 0; done < vectors->rhs(); done += sources) {
    const LinearOperator &polynomial = done == 0 ? first : next;
    polynomial(w, v);
    flops_ += polynomial.flops(sources);
    std::vector<double> inverse = blas::block::norm2(w);
    for (double &norm2 : inverse) norm2 = norm2 > 0 ? 1 / std::sqrt(norm2) : 0;
    blas::block::convert(v, w, inverse);
    const int count = std::min(sources, vectors->rhs() - done);
    ColorSpinorField made = vectors->columns(done, count), own = here(made);
    blas::block::convert(own, v.columns(0, count));
    reconstruct(made, none.columns(0, count), false);
  }
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

void Level::take_low_modes()
{
  DeflationSpace modes;
  find_modes(modes);
  const ColorSpinorField none = scratch_(2, shape(-1, 1));
  for (int i = 0; i < vectors->rhs(); i++) {
    ColorSpinorField v = vectors->columns(i, 1), own = here(v), zero = none.columns(0, 1);
    blas::zero(zero);
    blas::block::convert(own, modes.vectors().columns(i, 1));
    reconstruct(v, zero, false);
  }
  vectors->mark_written();
  normalise();
}

void Level::find_modes(DeflationSpace &modes)
{
  const LowModeForm &form = *how().low_modes;
  const VerbosityScope printing(how().verbosity);
  const Normal H(*schur_);
  EigenOptions options = form.options;
  if (const int n = rows_of(*dirac_); n > 0) {
    const long long numbers = n * lattice().global_volume() / (whole() ? 1 : 2);
    const int block = find_eigen_method(static_cast<int>(options.method))->blocks ? options.block : 1;
    if (options.space + block > numbers)
      throw FoundTogether(
          ErrorKind::bad_argument,
          text("multigrid: low modes of level %d in a space of %d vectors, whose operator has %lld rows; "
               "allowed: up to %lld",
               number_, options.space, numbers, numbers - block));
    options.random = [n](ColorSpinorField &field, unsigned stream) { random_rows(field, n, stream); };
  }
  const EigenReport report = modes.find(H, H, options, form.kept, text("M_pc^dag M_pc of level %d", number_));
  flops_ += report.flops;
  print(
      Verbosity::summarize,
      "Multigrid: level %d: %d of %d low modes converged after %d restarts and %lld products, residuals up to %9.6e\n",
      number_, report.good, options.pairs, report.restarts, report.products, report.worst);
  if (report.converged) return;
  const std::string what =
      text("multigrid: level %d: %d of %d low modes have converged after %d restarts, residuals are "
           "up to %g",
           number_, report.good, options.pairs, report.restarts, report.worst);
  if (form.required)
    throw FoundTogether(ErrorKind::bad_argument, what + "; allowed: more restarts, a larger space or tolerance, or to "
                                                        "require no convergence");
  warn("%s", what.c_str());
}

void Level::deflate(bool keep)
{
  if (!last()) return;
  sides_[1].reset();
  side(false).solver->deflate(nullptr, false);
  if (!how().low_modes) return low_modes_.clear();
  Timer timer;
  timer.start();
  const LowModeForm &form = *how().low_modes;
  if (keep && low_modes_.size() == form.options.pairs)
    low_modes_.project(Normal(*schur_));
  else
    find_modes(low_modes_);
  low_modes_.keep_images(*schur_);
  low_modes_.use(form.used > 0 ? form.used : low_modes_.size());
  side(false).solver->deflate(&low_modes_, false);
  setup_seconds += timer.seconds();
}

/// With dagger the unknown of M_pc^dag is A_t times the solution on that parity (dirac/dirac.h).
void Level::cycle(ColorSpinorField &z, const ColorSpinorField &r, bool dagger)
{
  const RunningTimer running(timer_);
  Side &on = side(dagger);
  const int n = r.rhs();
  ColorSpinorField left = scratch_(3, shape(parity(), n)), b = next_->scratch_(4, next_->shape(-1, n)),
                   x = next_->scratch_(5, next_->shape(-1, n)), change = scratch_(6, shape(parity(), n));
  const auto residual = [&] {
    const RunningTimer part(in_operators_);
    system(on).apply({.out = left, .in = z, .end = {.x = &r, .b = -1.0}});
    flops_ += schur_->flops(n);
  };
  const auto smooth = [&](DiracPreconditioner &smoother, ColorSpinorField &to, const ColorSpinorField &from) {
    const RunningTimer part(in_smoothers_);
    smoother.apply(to, from);
  };
  if (on.before) {
    smooth(*on.before, z, r);
    residual();
  } else {
    blas::copy(left, r);
  }
  if (!whole()) {
    const RunningTimer part(in_operators_);
    dirac_->residual_of_full(left, form_.matpc, dagger);
  }
  {
    const RunningTimer part(in_transfers_);
    P_->restrict(b, left);
    // R here and P below map from and to one parity: each number of a site with each vector of its chirality
    const ColorSpinorParam site = shape(parity(), 1);
    const int numbers = rows_of(*dirac_) > 0 ? rows_of(*dirac_) : site.spins * site.colors;
    const auto sites = static_cast<double>(whole() ? lattice().volume() : lattice().volume_cb());
    if (vectors) flops_ += 2 * 8.0 * numbers * (P_->rows() / 2) * sites * n;
  }
  timer_.stop();
  next_->solve(x, b, dagger);
  timer_.start();
  {
    const RunningTimer part(in_transfers_);
    if (!dagger)
      P_->prolong(z, x, on.before != nullptr);
    else
      P_->prolong(change, x);
  }
  if (dagger) {
    const RunningTimer part(in_operators_);
    if (!whole()) dirac_->prepare_guess(change, form_.matpc, true);
    if (on.before)
      blas::axpy(1.0, change, z);
    else
      blas::copy(z, change);
  }
  if (!on.after) return;
  residual();
  smooth(*on.after, change, left);
  blas::axpy(1.0, change, z);
}

void Level::cycle_of_full(ColorSpinorField &z, const ColorSpinorField &r, bool dagger)
{
  ColorSpinorField c = scratch_(7, shape(parity(), r.rhs())), own = here(z);
  prepare(c, r, dagger);
  cycle(own, c, dagger);
  reconstruct(z, r, dagger);
}

void Level::solve(ColorSpinorField &x, const ColorSpinorField &b, bool dagger)
{
  const VerbosityScope printing(how().verbosity);
  const RunningTimer running(timer_);
  solves_++;
  if (gathering_)
    gathering_->by_first(x, rows_of(*dirac_), [&] { solve_here(x, b, dagger); });
  else
    solve_here(x, b, dagger);
}

void Level::solve_here(ColorSpinorField &x, const ColorSpinorField &b, bool dagger)
{
  if (!last() && !recursive()) return cycle_of_full(x, b, dagger);
  ColorSpinorField c = scratch_(8, shape(parity(), b.rhs())), own = here(x);
  {
    const RunningTimer part(in_operators_);
    prepare(c, b, dagger);
  }
  side(dagger).solver->apply(own, c);
  const RunningTimer part(in_operators_);
  reconstruct(x, b, dagger);
}

double Level::flops_done() const
{
  double flops = flops_ + (next_ ? next_->flops_done() : 0);
  for (const std::unique_ptr<Side> &one : sides_)
    if (one) flops += one->flops_done();
  return flops;
}

LevelReport Level::report() const
{
  LevelReport report;
  report.lattice = lattice().description();
  if (const Copies *const copies = copies_of(lattice()))
    report.lattice += text(", on one of %d ranks", copies->all->size() / lattice().communicator().size());
  report.setup = setup_seconds;
  report.products = products;
  report.cycles = timer_.seconds();
  report.smoothers = in_smoothers_.seconds();
  report.operators = in_operators_.seconds();
  report.transfers = in_transfers_.seconds();
  report.solves = solves_;
  report.iterations = iterations_;
  for (const std::unique_ptr<Side> &one : sides_)
    if (one && one->solver) report.iterations += one->solver->steps_done();
  report.flops = flops_done() - (next_ ? next_->flops_done() : 0);
  if (vectors) report.bytes += static_cast<double>(vectors->bytes());
  if (low_modes_.size() > 0) {
    report.bytes += 2 * static_cast<double>(low_modes_.vectors().bytes()); // and their images
    report.low_modes = low_modes_.values();
  }
  return report;
}

} // namespace quda
