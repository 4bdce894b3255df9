#include "solvers/incremental.h"

#include <algorithm>
#include <optional>

#include "core/built.h"
#include "core/log.h"
#include "solvers/gmres_dr.h"
#include "solvers/lanczos_window.h"

namespace quda
{

namespace
{

  void add(SolveReport &all, const SolveReport &one)
  {
    all.rhs.insert(all.rhs.end(), one.rhs.begin(), one.rhs.end());
    all.iterations += one.iterations;
    all.replacements += one.replacements;
    all.escalations += one.escalations;
    all.flops += one.flops;
    all.seconds += one.seconds;
  }

  double megabytes(const LinearOperator &A, Precision precision, int vectors)
  {
    ColorSpinorParam shape = A.shape(1);
    shape.precision = at_least(precision);
    std::size_t one = 0;
    native_storage(shape, one);
    return 1e-6 * static_cast<double>(one) * vectors;
  }

} // namespace

void IncrementalSpace::tell_memory(const char *name, const LinearOperator &H, const DiracSolve &how) const
{
  print(Verbosity::summarize, "%s: a space of %d vectors (%.1f MB on this rank) and a window of %d (%.1f MB)\n", name,
        most_, megabytes(H, kept_, most_), how.options.space,
        megabytes(H, how.sloppy ? how.sloppy->precision : H.precision(), how.options.space));
}

void IncrementalSpace::gather(const char *name, const LinearOperator &H, const ColorSpinorField *fresh, int restarts,
                              const IncrementalOptions &options, const std::string &of)
{
  const int taken = fresh ? modes_.append(H, *fresh, most_, kept_, of) : 0;
  print(Verbosity::summarize, "%s: %d low modes after %d restarts of the window, %d of %d in the space\n", name, taken,
        restarts, modes_.size(), most_);
  if (full() && !options.alone) {
    const std::vector<double> residuals = modes_.turn(H);
    const auto bad =
        std::find_if(residuals.begin(), residuals.end(), [&](double one) { return !(one <= options.good_enough); });
    const auto good = static_cast<int>(bad - residuals.begin());
    modes_.use(std::max(good, 1));
    const std::vector<double> values = modes_.values();
    print(Verbosity::summarize,
          "%s: the space is full, %d of %d low modes are in use, eigenvalues %9.6e .. %9.6e, residuals up to %9.6e\n",
          name, modes_.used(), most_, values.front(), values[static_cast<std::size_t>(modes_.used() - 1)],
          *std::max_element(residuals.begin(), residuals.begin() + modes_.used()));
  }
  if (verify_)
    print(Verbosity::summarize, "%s: |V^dag V - 1| of the space up to %9.6e\n", name, modes_.off_orthonormal());
}

SolveReport IncrementalSpace::solve(const Dirac &dirac, const DiracSolve &how, const IncrementalOptions &options,
                                    ColorSpinorField &x, const ColorSpinorField &b, const std::string &of)
{
  const bool by_window = row_of(how.method).reads(MethodRow::window);
  const char *const name = by_window ? "eigCG" : row_of(how.method).name;
  if (modes_.size() > 0 && !options.alone && !modes_.holds(of, 1))
    print(Verbosity::summarize,
          "%s: the low modes that were kept are of other links or another operator; they are gathered anew\n", name);
  if (options.alone || !modes_.holds(of, 1)) modes_.clear();
  std::optional<ColorSpinorField> known;
  const auto recycling = [&](HarmonicModes *left) {
    known.reset();
    return Recycling {modes_.size() > 0 ? &known.emplace(modes_.vectors().columns(0, modes_.used())) : nullptr, left};
  };
  DiracSolve now = how;
  SolveReport report;
  int j = 0; // those before are solved
  // sources and guesses, all before the first solve: a bad one among the last costs nothing
  const std::vector<double> largest = finite_amax(name, b);
  if (how.guess) finite_amax(name, x, true);
  const auto solve_next = [&](int count) {
    ColorSpinorField some = x.columns(j, count);
    now.largest = std::span(largest).subspan(static_cast<std::size_t>(j), static_cast<std::size_t>(count));
    try {
      add(report, quda::solve(dirac, now, some, b.columns(j, count)));
    } catch (const NotFinite &found) {
      throw NotFinite(found.by, found.guess, j + found.rhs);
    }
  };
  now.deflate_again = options.again;
  if (options.alone || !full()) {
    const auto H = low_mode_system(dirac, how, dirac.storage());
    if (now.sloppy && bytes_of(now.sloppy->precision) < bytes_of(Precision::single))
      now.sloppy->precision = next_better(Precision::half);
    if (modes_.size() == 0) tell_memory(name, *H, now);
    for (; j < b.rhs() && (options.alone || !full()); j++) {
      std::optional<LanczosWindow> window;
      HarmonicModes harmonic;
      if (by_window)
        now.options.window = &window.emplace(now.options.space, each_);
      else
        now.options.recycling = recycling(&harmonic);
      now.low_modes = by_window && modes_.size() > 0 && !options.alone ? &modes_ : nullptr;
      solve_next(1);
      if (options.alone) modes_.clear();
      if (by_window)
        gather(name, *H, window->ritz().get(), window->restarts(), options, of);
      else
        gather(name, *H, harmonic.vectors.get(), harmonic.restarts, options, of);
    }
    report.flops += H->flops_done();
    x.mark_written();
  }
  if (j == b.rhs()) return report;
  now.sloppy = how.sloppy;
  now.options.window = nullptr;
  if (by_window)
    now.low_modes = &modes_;
  else
    now.options.recycling = recycling(nullptr);
  solve_next(b.rhs() - j);
  x.mark_written();
  return report;
}

} // namespace quda
