#include "multigrid/tune.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/timer.h"
#include "multigrid/gathering.h"
#include "ops/random/spinors.h"

namespace quda
{

namespace
{

  constexpr unsigned long long seed = 2357; // of the sources
  constexpr double worthwhile = 0.98;       // times the seconds before
  constexpr int smallest_aggregate = 64;    // in sites, if there are larger ones
  constexpr int vectors_tried[] = {16, 24, 32}, smoothing_tried[] = {2, 4, 6, 8, 10, 12, 16},
                before_tried[] = {0, 2, 4}, steps_tried[] = {4, 8, 12, 16, 24, 32, 48, 64};
  constexpr double tolerances_tried[] = {0.05, 0.1, 0.15, 0.25, 0.35, 0.5};
  constexpr int blocks_tried[][4] = {{3, 3, 3, 3}, {4, 4, 4, 4}, {4, 4, 4, 8}, {6, 6, 6, 6}, {8, 8, 8, 8}};

  using Block = std::array<int, 4>;

  int sites_of(const Block &block) { return block[0] * block[1] * block[2] * block[3]; }
  std::string text_of(const Block &block) { return text("%d %d %d %d", block[0], block[1], block[2], block[3]); }

  /// The largest extents that fit, none above `most`.
  Block fitting(const int most[4], const GridOfRanks &grid)
  {
    Block block;
    for (int d = 0; d < 4; d++) {
      int &extent = block[static_cast<std::size_t>(d)];
      extent = std::min(most[d], grid.X[static_cast<std::size_t>(d)]);
      while (extent > 1 && grid.together(d, extent) == 0) extent--;
    }
    return block;
  }

  /// Values to try, beginning at `own`: upwards as long as that helps, else downwards.
  template <class T> std::vector<T> with(const T *begin, const T *end, T own)
  {
    std::vector<T> all(begin, end);
    all.push_back(own);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  class Search
  {
  public:
    Search(const DiracParam &fine, const LinkSet &links, const Dirac &outer, const MultigridForm &start,
           const TuneSearch &how)
        : fine_(fine)
        , links_(links)
        , outer_(outer)
        , how_(how)
        , lattice_(links.precise().lattice())
        , b_(source_shape())
        , x_(b_.param())
    {
      timer_.start();
      tuned_.form = start;
      gaussian_spinors(b_, seed);
    }

    Tuned result()
    {
      seek();
      for (MultigridLevel &level : tuned_.form.levels) level.verbosity = Verbosity::silent;
      TuneTrial first = trial("as it was", tuned_.form, true);
      if (!first.converged)
        throw FoundTogether(ErrorKind::bad_argument,
                            text("multigrid: no convergence in %d iterations with the parameters that a search begins "
                                 "with; allowed: those that solve a system",
                                 first.iterations));
      keep(first, tuned_.form);
      tuned_.first = tuned_.best;
      blocks();
      vectors();
      levels();
      for (int pass = 0; pass < 2; pass++) {
        const bool better = methods();
        if (!better) break;
      }
      for (std::size_t n = 0; n < tuned_.form.levels.size(); n++) tuned_.form.levels[n].given.reset();
      return std::move(tuned_);
    }

  private:
    ColorSpinorParam source_shape() const
    {
      const DiracSystemForm &system = how_.solve.system;
      return outer_.shape(system.matpc ? parity_of(*system.matpc) : -1, how_.rhs);
    }

    Communicator &all() const { return lattice_.communicator(); }

    bool out_of_time()
    {
      if (how_.longest <= 0) return false;
      double late = timer_.seconds() > how_.longest;
      all().max(&late, 1);
      return late != 0;
    }

    /// Seeks vectors of the finest level for all trials.
    void seek()
    {
      Timer timer;
      timer.start();
      MultigridForm form = tuned_.form;
      Block block;
      std::copy(form.levels[0].block, form.levels[0].block + 4, block.begin());
      int most = form.levels[0].vectors;
      for (const int n : vectors_tried)
        if (n <= 6 * sites_of(block)) most = std::max(most, n);
      // two levels suffice to seek them
      form.levels[0].vectors = most;
      form.levels = {form.levels.front(), form.levels.back()};
      form.verify = false;
      form.levels[1].low_modes.reset();
      const Multigrid hierarchy(fine_, links_, form);
      ColorSpinorParam shape = hierarchy.vectors().param();
      shape.create = Create::allocate;
      shape.data = nullptr;
      vectors_ = std::make_unique<ColorSpinorField>(shape);
      *vectors_ = hierarchy.vectors();
      double seconds = timer.seconds();
      all().max(&seconds, 1);
      tuned_.vectors = seconds;
      tuned_.sought = most;
    }

    /// A solve with a hierarchy of this form. anew: more than its methods changed.
    TuneTrial trial(const std::string &what, MultigridForm form, bool anew)
    {
      TuneTrial one;
      one.what = what;
      if (anew) {
        form.levels[0].given = std::make_shared<const ColorSpinorField>(vectors_->columns(0, form.levels[0].vectors));
        Timer timer;
        timer.start();
        hierarchy_.reset();
        hierarchy_ = std::make_unique<Multigrid>(fine_, links_, form);
        one.setup = timer.seconds();
      } else {
        hierarchy_->set_methods(form);
      }
      DiracSolve how = how_.solve;
      how.preconditioner = hierarchy_.get();
      how.guess = false;
      if (tuned_.best.iterations > 0) // a trial that is much worse need not finish
        how.limits.iterations = std::min(how.limits.iterations, 3 * tuned_.best.iterations + 10);
      const int repeats = how_.by_flops ? 1 : 2;
      for (int k = 0; k < repeats; k++) {
        const VerbosityScope printing(Verbosity::silent);
        Timer timer;
        timer.start();
        const SolveReport report = solve(outer_, how, x_, b_);
        double most[2] = {timer.seconds(), one.setup};
        all().max(most, 2);
        one.setup = most[1];
        one.seconds = k == 0 ? most[0] : std::min(one.seconds, most[0]);
        one.flops = report.flops;
        all().sum(&one.flops, 1);
        one.iterations = report.iterations;
        one.converged = report.converged();
        if (!one.converged) break;
      }
      return one;
    }

    bool better(const TuneTrial &one) const
    {
      if (!one.converged) return false;
      return how_.by_flops ? one.flops < tuned_.best.flops : one.seconds < worthwhile * tuned_.best.seconds;
    }

    void keep(TuneTrial &one, const MultigridForm &form)
    {
      one.taken = true;
      const double setup = one.setup > 0 ? one.setup : tuned_.best.setup;
      tuned_.best = one;
      tuned_.best.setup = setup;
      tuned_.form = form;
      if (how_.tell) how_.tell(one);
    }

    /// Tries a form and returns whether it was taken; the hierarchy then has this form, else another.
    bool attempt(const std::string &what, const MultigridForm &form, bool anew)
    {
      if (out_of_time()) return false;
      TuneTrial one = trial(what, form, anew);
      if (better(one)) {
        keep(one, form);
        return true;
      }
      if (how_.tell) how_.tell(one);
      return false;
    }

    void blocks()
    {
      const GridOfRanks X(lattice_);
      const MultigridLevel &own = tuned_.form.levels[0];
      std::vector<Block> seen(1);
      std::copy(own.block, own.block + 4, seen[0].begin());
      int largest = 0;
      for (const auto &most : blocks_tried) largest = std::max(largest, sites_of(fitting(most, X)));
      for (const auto &most : blocks_tried) {
        const Block block = fitting(most, X);
        const int sites = sites_of(block);
        if (std::find(seen.begin(), seen.end(), block) != seen.end() || sites < std::min(largest, smallest_aggregate) ||
            6 * sites < tuned_.form.levels[0].vectors)
          continue;
        seen.push_back(block);
        MultigridForm form = tuned_.form;
        std::copy(block.begin(), block.end(), form.levels[0].block);
        if (fit_lower(form)) attempt("blocks " + text_of(block), form, true);
      }
    }

    /// Makes the blocks of coarser levels fit; false if they cannot.
    bool fit_lower(MultigridForm &form) const
    {
      GridOfRanks grid(lattice_);
      for (std::size_t n = 0; n + 1 < form.levels.size(); n++) {
        MultigridLevel &level = form.levels[n];
        if (n > 0) {
          const Block block = fitting(level.block, grid);
          std::copy(block.begin(), block.end(), level.block);
          if (sites_of(block) < 2) return false;
          level.vectors = std::min(level.vectors, sites_of(block) * form.levels[n - 1].vectors);
        }
        grid.coarsen(level.block);
      }
      return true;
    }

    void vectors()
    {
      const int own = tuned_.form.levels[0].vectors;
      for (const int n : vectors_tried) {
        Block block;
        std::copy(tuned_.form.levels[0].block, tuned_.form.levels[0].block + 4, block.begin());
        if (n == own || n > vectors_->rhs() || n > 6 * sites_of(block)) continue;
        MultigridForm form = tuned_.form;
        form.levels[0].vectors = n;
        if (fit_lower(form)) attempt(text("vectors %d", n), form, true);
      }
    }

    void levels()
    {
      MultigridForm form = tuned_.form;
      if (form.levels.size() == 2) {
        MultigridLevel middle = form.levels[0];
        middle.solve = {.method = Method::gcr, .options = {.krylov = 16}, .tolerance = 0.25, .steps = 16};
        std::fill(middle.block, middle.block + 4, 2);
        middle.stored = form.precision;
        middle.low_modes.reset();
        middle.mu_factor = 1;
        middle.smoother.schwarz.reset();
        middle.setup = {};
        middle.setup.steps = 100;
        form.levels.insert(form.levels.begin() + 1, middle);
      } else {
        form.levels.erase(form.levels.end() - 2);
      }
      if (fit_lower(form)) attempt(text("levels %zu", form.levels.size()), form, true);
    }

    /// Varies one number along the values to try; returns whether a change was taken.
    template <class T, class Set>
    bool along(const std::vector<T> &values, T own, const std::string &what, const char *format, Set set)
    {
      const auto begin = std::find(values.begin(), values.end(), own) - values.begin();
      bool any = false;
      for (const int step : {1, -1}) {
        for (auto i = begin + step; i >= 0 && i < static_cast<std::ptrdiff_t>(values.size()); i += step) {
          MultigridForm form = tuned_.form;
          set(form, values[static_cast<std::size_t>(i)]);
          if (!attempt(what + text(format, values[static_cast<std::size_t>(i)]), form, false)) break;
          any = true;
        }
        if (any) break;
      }
      return any;
    }

    bool methods()
    {
      // the hierarchy of the best form, which the last trial may have replaced
      const MultigridForm best = tuned_.form;
      if (!out_of_time()) {
        MultigridForm again = best;
        again.levels[0].given = std::make_shared<const ColorSpinorField>(vectors_->columns(0, again.levels[0].vectors));
        hierarchy_.reset();
        hierarchy_ = std::make_unique<Multigrid>(fine_, links_, again);
      }
      bool any = false;
      const auto smoothing = [](MultigridForm &form, int before, int after) {
        for (std::size_t n = 0; n + 1 < form.levels.size(); n++) {
          SmootherForm &smoother = form.levels[n].smoother;
          smoother.before = before;
          smoother.after = after;
          if (row_of(smoother.method).reads(MethodRow::polynomials))
            smoother.options.krylov = equal_part(std::max(before, after), smoother.options.polynomials);
        }
      };
      const SmootherForm &first = tuned_.form.levels[0].smoother;
      any |= along(with(std::begin(smoothing_tried), std::end(smoothing_tried), first.after), first.after,
                   "smoothing steps after ", "%d",
                   [&](MultigridForm &form, int n) { smoothing(form, form.levels[0].smoother.before, n); });
      any |= along(with(std::begin(before_tried), std::end(before_tried), first.before), first.before,
                   "smoothing steps before ", "%d",
                   [&](MultigridForm &form, int n) { smoothing(form, n, form.levels[0].smoother.after); });
      for (std::size_t level = 1; level < tuned_.form.levels.size(); level++) {
        const CoarseForm &own = tuned_.form.levels[level].solve;
        any |= along(with(std::begin(tolerances_tried), std::end(tolerances_tried), own.tolerance), own.tolerance,
                     text("coarse tolerance of level %zu ", level), "%g",
                     [&](MultigridForm &form, double to) { form.levels[level].solve.tolerance = to; });
        any |= along(with(std::begin(steps_tried), std::end(steps_tried), own.steps), own.steps,
                     text("coarse steps of level %zu ", level), "%d", [&](MultigridForm &form, int n) {
                       CoarseForm &solve = form.levels[level].solve;
                       solve.steps = n;
                       if (solve.method == Method::gcr) solve.options.krylov = n;
                     });
      }
      return any;
    }

    const DiracParam &fine_;
    const LinkSet &links_;
    const Dirac &outer_;
    const TuneSearch &how_;
    const Lattice &lattice_;
    ColorSpinorField b_, x_;
    Timer timer_;
    std::unique_ptr<ColorSpinorField> vectors_;
    std::unique_ptr<Multigrid> hierarchy_;
    Tuned tuned_;
  };

} // namespace

Tuned tune(const DiracParam &fine, const LinkSet &links, const Dirac &outer, const MultigridForm &start,
           const TuneSearch &search)
{
  return Search(fine, links, outer, start, search).result();
}

} // namespace quda
