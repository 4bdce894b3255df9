#include "multigrid/multigrid.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/error.h"
#include "dirac/dirac_coarse.h"
#include "dirac/make_dirac.h"
#include "fields/field_together.h"
#include "multigrid/fine_transfer.h"
#include "multigrid/galerkin.h"
#include "multigrid/kaehler_dirac.h"
#include "multigrid/level.h"
#include "multigrid/operator_copy.h"
#include "multigrid/random_rows.h"
#include "multigrid/row_transfer.h"
#include "ops/blas/block.h"
#include "ops/multigrid/hypercubes.h"
#include "ops/multigrid/rows.h"
#include "ops/random/spinors.h"
#include "solvers/scale.h"

namespace quda
{

namespace
{

  constexpr unsigned long long seed = 1234;

  /// The twist of one flavour.
  double twist_of(const DiracParam &dirac)
  {
    const TwistedFermions *twisted = std::get_if<TwistedFermions>(&dirac);
    return twisted ? twisted->twist.mu : 0;
  }

  std::vector<double> norms(const ColorSpinorField &x)
  {
    std::vector<double> all = blas::block::norm2(x);
    for (double &norm : all) norm = std::sqrt(norm);
    return all;
  }

  /// The stream of a level's random rows.
  constexpr unsigned long long stream_of(int level) { return 1000003ull * static_cast<unsigned>(level); }

} // namespace

struct Multigrid::Hierarchy {
  MultigridForm form;
  std::shared_ptr<const Lattice> outer;  // of the caller's fields
  std::shared_ptr<const Lattice> finest; // the same sites, with whole aggregates in a lane
  OperatorCopy copy;
  std::vector<std::unique_ptr<Level>> levels;
  std::vector<std::optional<CoarsePieces>> pieces; // of each level's operator except the finest; none on hypercubes
  bool pieces_serve = false;                       // whether they belong to the present links
  double term = 1;                                 // factor of the clover term relative to that of the pieces

  Level &level(int n) { return *levels[static_cast<std::size_t>(n)]; }
  int rows(int n) const
  {
    return on_hypercubes(n) ? hypercube_rows : 2 * form.levels[static_cast<std::size_t>(n) - 1].vectors;
  }
  /// Whether level n has no P but hypercubes above it.
  bool on_hypercubes(int n) const { return form.kaehler_dirac && n == 1; }

  void check() const;
  void take(const DiracParam &dirac, const LinkSet &set);
  void set_finest();
  void seek(int n);
  void descend(int n, bool keep_transfer, bool keep_pieces = false);
  CoarseMatrices below(int n, bool mirrored);
  double twist(int n) const;
  void set_up();
  void verify(int n);
  /// The grid of level n + 1, kept as long as the transfer exists.
  CoarseGrid grid_below(int n) const;
};

void Multigrid::Hierarchy::check() const
{
  if (form.levels.size() < 2)
    fail(ErrorKind::bad_argument, text("multigrid: %zu levels; 2 and more make a hierarchy", form.levels.size()));
  if (!symmetric(form.matpc))
    fail(ErrorKind::bad_argument, "multigrid: matpc is asymmetric; its levels work on the symmetric Schur complement");
  for (std::size_t n = form.kaehler_dirac ? 1 : 0; n + 1 < form.levels.size(); n++)
    if (form.levels[n].vectors < 1)
      fail(ErrorKind::bad_argument,
           text("multigrid: %d vectors of level %zu; at least 1 is allowed", form.levels[n].vectors, n));
}

/// Copies the finest operator in the working precision to the finest level's lattice.
void Multigrid::Hierarchy::take(const DiracParam &dirac, const LinkSet &set)
{
  const std::optional<double> times = copy.take(dirac, set, finest, form.precision);
  pieces_serve = pieces_serve && times;
  if (times) term *= *times;
}

void Multigrid::Hierarchy::set_finest()
{
  Level &first = level(0);
  const LinkStorage own {form.precision, Reconstruct::none};
  auto dirac = make_dirac(copy.dirac(), copy.links(), own);
  if (form.kaehler_dirac) {
    ColorSpinorField random(dirac->shape(-1, 1));
    gaussian_spinors(random, seed);
    return first.set_operator(std::move(dirac), form.smoothing, random);
  }
  if (!first.vectors) {
    ColorSpinorParam param = dirac->shape(-1, form.levels[0].vectors);
    first.vectors = std::make_unique<ColorSpinorField>(field_together(param));
    if (form.levels[0].given)
      *first.vectors = *form.levels[0].given;
    else
      gaussian_spinors(*first.vectors, seed);
  }
  first.set_operator(std::move(dirac), form.smoothing, *first.vectors);
}

/// The transfer's grid, if there is a transfer: vectors and low modes of the level below stay on it.
CoarseGrid Multigrid::Hierarchy::grid_below(int n) const
{
  if (levels[static_cast<std::size_t>(n)]->has_transfer())
    return levels[static_cast<std::size_t>(n)]->transfer().grid();
  const Lattice &from = n == 0 ? *finest : levels[static_cast<std::size_t>(n)]->lattice();
  return coarse_grid(from, on_hypercubes(n + 1) ? hypercube : form.levels[static_cast<std::size_t>(n)].block);
}

/// Seeks the vectors of level n, whose operator exists.
void Multigrid::Hierarchy::seek(int n)
{
  if (on_hypercubes(n + 1)) return;
  Level &at = level(n);
  Timer timer;
  timer.start();
  const SetupForm &setup = at.how().setup;
  const bool restricted_alone = n > (form.kaehler_dirac ? 1 : 0) && !form.all_levels,
             given = at.how().given || at.how().given_rows;
  if (n > 0 && given) {
    at.vectors = std::make_unique<ColorSpinorField>(field_together(at.shape(-1, at.how().vectors)));
    from_host(*at.vectors, rows(n), *at.how().given_rows);
  } else if (n > 0) {
    Level &finer = level(n - 1);
    const int own = at.how().vectors, from = on_hypercubes(n) ? 0 : std::min(own, finer.how().vectors);
    if (restricted_alone && own > from)
      fail(ErrorKind::bad_argument,
           text("multigrid: %d vectors of level %d, which are those of level %d restricted; at most %d are allowed",
                own, n, n - 1, from));
    at.vectors = std::make_unique<ColorSpinorField>(field_together(at.shape(-1, own)));
    if (own > from || setup.rounds > 0) random_rows(*at.vectors, rows(n), stream_of(n));
    for (int first = 0; first < from; first++) {
      ColorSpinorField to = at.vectors->columns(first, 1);
      finer.transfer().restrict(to, finer.vectors->columns(first, 1));
    }
    at.vectors->mark_written();
  }
  if (at.how().low_modes && !given)
    at.take_low_modes();
  else if (!restricted_alone && !given && setup.filter.order > 0)
    at.filter();
  else if (!restricted_alone && !given)
    for (int round = 0; round < setup.rounds; round++) at.relax(setup.steps);
  at.setup_seconds += timer.seconds();
}

/// Makes the operators below level n. keep_pieces: the pieces that they are sums of exist.
void Multigrid::Hierarchy::descend(int n, bool keep_transfer, bool keep_pieces)
{
  Level &at = level(n);
  if (at.last()) return;
  Level &next = level(n + 1);
  Timer timer;
  timer.start();
  const LinkStorage working {form.precision, Reconstruct::none};
  const LinkStorage stored = form.narrow() ? LinkStorage {Precision::half, Reconstruct::none} : working;
  const auto put = [&](const Dirac &made) {
    auto dirac = made.clone(stored);
    ColorSpinorField random(dirac->shape(-1, 1));
    random_rows(random, rows(n + 1), stream_of(n + 1));
    next.set_operator(std::move(dirac), stored, random);
    at.setup_seconds += timer.seconds();
  };
  if (on_hypercubes(n + 1)) {
    const auto &fermions = std::get<StaggeredFermions>(copy.dirac());
    const CoarseGrid coarse = grid_below(n);
    if (coarse.gathering) fail(ErrorKind::internal, "multigrid: hypercubes are not gathered");
    KaehlerDirac on_them = form.long_links ? long_kaehler_dirac(fermions, copy.links(), coarse.lattice, form.precision)
                                           : kaehler_dirac(fermions.mass, copy.links(), coarse.lattice, form.precision);
    at.set_transfer(std::move(on_them.P), next);
    return put(*on_them.dirac);
  }
  if (!keep_transfer || !at.has_transfer()) {
    const MultigridLevel &how = at.how();
    const CoarseGrid coarse = grid_below(n);
    std::unique_ptr<Transfer> P;
    if (n == 0)
      P = std::make_unique<FineTransfer>(*at.vectors, how.block, coarse, how.stored);
    else
      P = std::make_unique<RowTransfer>(
          RowTransfer::TestVectors {at.vectors->shared_lattice(), rows(n), how.vectors, to_host(*at.vectors, rows(n))},
          coarse, how.block, form.precision);
    at.set_transfer(std::move(P), next);
  }
  if (form.kaehler_dirac) {
    next.products++;
    return put(
        DiracCoarse(std::make_shared<const CoarseMatrices>(below(n, false)), [this, n] { return below(n, true); }));
  }
  auto &made = pieces[static_cast<std::size_t>(n) + 1];
  if (!keep_pieces) {
    made.reset();
    const auto finer =
        n == 0 ? fine_pieces(copy.dirac(), copy.links(), working, static_cast<const FineTransfer &>(at.transfer()))
               : coarse_pieces(*pieces[static_cast<std::size_t>(n)], static_cast<const RowTransfer &>(at.transfer()));
    made.emplace(galerkin_product(*finer, at.transfer(), form.precision));
    next.products++;
    if (n == 0) {
      pieces_serve = true;
      term = 1;
    }
  }
  PieceFactors factors = factors_of(copy.dirac(), term);
  factors.twist = twist(n + 1);
  put(DiracCoarse(sum_of(*made, factors)));
}

/// M or M' of the operator below level n, computed from the present level n; for staggered quarks.
CoarseMatrices Multigrid::Hierarchy::below(int n, bool mirrored)
{
  const auto &P = static_cast<const RowTransfer &>(level(n).transfer());
  const auto made =
      form.whole(n) ? long_pieces(std::get<StaggeredFermions>(copy.dirac()), copy.links(),
                                  static_cast<const KaehlerDiracTransfer &>(level(n - 1).transfer()), P, mirrored)
                    : coarse_pieces(static_cast<const DiracCoarse &>(level(n).dirac()).shared_matrices(mirrored), P);
  return CoarseMatrices(galerkin_product(*made, P, form.precision).hops, rows(n + 1));
}

/// The twist of level n's operator.
double Multigrid::Hierarchy::twist(int n) const
{
  return twist_of(copy.dirac()) * (n == 0 ? 1 : form.levels[static_cast<std::size_t>(n)].mu_factor);
}

void Multigrid::Hierarchy::set_up()
{
  const int last = static_cast<int>(form.levels.size()) - 1;
  for (int n = 0; n < last; n++) {
    seek(n);
    descend(n, false);
    // the levels below are made anew from better vectors in each round
    for (int round = 0; round < level(n).how().setup.bootstrap; round++) {
      for (int below = n + 1; below < last; below++) {
        seek(below);
        descend(below, false);
      }
      Timer timer;
      timer.start();
      level(n).bootstrap();
      level(n).setup_seconds += timer.seconds();
      descend(n, false);
    }
  }
  level(last).deflate(false);
  if (form.verify)
    for (int n = 0; n < last; n++) verify(n);
}

/// |(1 - P P^dag) v|, |(1 - P^dag P) c|, |(M_c - P^dag M P) c| and |(M_c^dag - P^dag M^dag P) c|, relative.
void Multigrid::Hierarchy::verify(int n)
{
  if (on_hypercubes(n + 1)) return; // for a unitary P, and an operator that is not P^dag M P
  Level &at = level(n), &next = level(n + 1);
  const auto lower = [](Precision a, Precision b) { return bytes_of(a) < bytes_of(b) ? a : b; };
  const Precision worst = lower(lower(at.how().stored, next.dirac().storage().precision), form.precision);
  const double most = worst == Precision::double_ ? 1e-8 : worst == Precision::single ? 2e-3 : 5e-2;
  const auto judge = [&](const char *what, double deviation) {
    print(at.how().verbosity >= Verbosity::verbose ? Verbosity::summarize : Verbosity::verbose,
          "Multigrid: level %d: %s = %9.6e\n", n, what, deviation);
    if (!(deviation <= most))
      fail(ErrorKind::internal,
           text("multigrid: level %d: %s = %g after the set-up; at most %g is right", n, what, deviation, most));
  };
  {
    const ColorSpinorField v = at.vectors->columns(0, 1);
    ColorSpinorField whole(at.shape(-1, 1)), coarse(next.shape(-1, 1));
    blas::copy(whole, v);
    const double norm = norms(whole)[0];
    at.transfer().restrict(coarse, whole);
    ColorSpinorField back(at.shape(-1, 1));
    at.transfer().prolong(back, coarse, false);
    blas::axpy(-1.0, back, whole);
    judge("|(1 - P P^dag) v| / |v|", norms(whole)[0] / norm);
  }
  ColorSpinorField c(next.shape(-1, 1)), fine_c(at.shape(-1, 1)), product(at.shape(-1, 1)), by_fine(next.shape(-1, 1)),
      by_coarse(next.shape(-1, 1));
  random_rows(c, rows(n + 1), stream_of(100 + n));
  at.transfer().prolong(fine_c, c, false);
  at.transfer().restrict(by_fine, fine_c);
  blas::axpy(-1.0, c, by_fine);
  judge("|(1 - P^dag P) c| / |c|", norms(by_fine)[0] / norms(c)[0]);
  // mu_factor adds no part of P^dag M P, and M_c has no hops beyond the next aggregate
  const int *const block = at.transfer().block();
  if (twist(n + 1) != twist(n) || (form.whole(n) && *std::min_element(block, block + 4) < 2)) return;
  const auto M = at.dirac().full(), M_c = next.dirac().full();
  for (const bool dagger : {false, true}) {
    (*M)(product, fine_c, dagger);
    at.transfer().restrict(by_fine, product);
    (*M_c)(by_coarse, c, dagger);
    const double size = norms(by_coarse)[0];
    blas::axpy(-1.0, by_coarse, by_fine);
    judge(dagger ? "|(M_c^dag - P^dag M^dag P) c| / |M_c^dag c|" : "|(M_c - P^dag M P) c| / |M_c c|",
          norms(by_fine)[0] / size);
  }
}

namespace
{

  /// A hierarchy as preconditioner for a system of the outer operator.
  class Around final : public Preconditioner
  {
  public:
    Around(Level &finest, DiracSystemForm form, MatPC matpc)
        : finest_(finest)
        , form_(std::move(form))
        , matpc_(matpc)
    {
    }

    /// Scales each right-hand side to size 1, where the range of single precision suffices. A^dag A takes A^-dag, then
    /// A^-1.
    void apply(ColorSpinorField &z, const ColorSpinorField &r) override
    {
      const double before = finest_.flops_done();
      if (form_.normal) {
        ColorSpinorField y = scratch_(4, r.param());
        solve(y, r, !form_.dagger);
        solve(z, y, form_.dagger);
      } else {
        solve(z, r, form_.dagger);
      }
      flops_ += finest_.flops_done() - before;
    }
    double flops_done() const override { return flops_; }

  private:
    void solve(ColorSpinorField &z, const ColorSpinorField &r, bool dagger)
    {
      std::vector<double> up = blas::block::amax(r), down(up.size());
      for (std::size_t j = 0; j < up.size(); j++) {
        up[j] = power_above(up[j]);
        down[j] = 1 / up[j];
      }
      const int n = r.rhs();
      if (form_.matpc == matpc_) {
        ColorSpinorField in = scratch_(0, finest_.shape(parity_of(matpc_), n)), out = scratch_(1, in.param());
        bring(in, r, down, 5);
        finest_.cycle(out, in, dagger);
        bring(z, out, up, 6);
        return;
      }
      ColorSpinorField in = scratch_(2, finest_.shape(-1, n)), out = scratch_(3, in.param());
      if (!form_.matpc) {
        bring(in, r, down, 5);
        finest_.cycle_of_full(out, in, dagger);
        bring(z, out, up, 6);
        return;
      }
      const int parity = parity_of(*form_.matpc);
      blas::zero(in);
      ColorSpinorField here = in.half(parity), there = out.half(parity);
      bring(here, r, down, 5);
      finest_.dirac().residual_of_full(here, *form_.matpc, dagger);
      finest_.cycle_of_full(out, in, dagger);
      finest_.dirac().prepare_guess(there, *form_.matpc, dagger);
      bring(z, there, up, 6);
    }

    /// to = from times a factor, converted to another precision and then, if needed, to other lanes; work: for that.
    void bring(ColorSpinorField &to, const ColorSpinorField &from, const blas::Coefficients &factor, int work)
    {
      if (&to.lattice() == &from.lattice()) return blas::block::convert(to, from, factor);
      ColorSpinorParam param = from.param();
      param.precision = to.precision();
      ColorSpinorField sized = scratch_(work, param);
      blas::block::convert(sized, from, factor);
      to = sized;
    }

    Level &finest_;
    const DiracSystemForm form_;
    const MatPC matpc_;
    Scratch scratch_;
    double flops_ = 0;
  };

} // namespace

Multigrid::Multigrid(const DiracParam &fine, const LinkSet &links, const MultigridForm &form)
    : hierarchy_(std::make_unique<Hierarchy>())
{
  Hierarchy &h = *hierarchy_;
  h.form = form;
  h.check();
  check_coarsened(fine, form.kaehler_dirac);
  h.outer = links.precise().shared_lattice();
  h.finest = form.kaehler_dirac ? h.outer
                                : Lattice::blocked(h.outer->X(), h.outer->shared_communicator(), form.levels[0].block);
  if (std::equal(h.finest->S(), h.finest->S() + 4, h.outer->S())) h.finest = h.outer;
  h.take(fine, links);
  for (std::size_t n = 0; n < form.levels.size(); n++)
    h.levels.push_back(std::make_unique<Level>(h.form, static_cast<int>(n)));
  h.pieces.resize(h.levels.size());
  h.set_finest();
  h.set_up();
  for (MultigridLevel &level : h.form.levels) {
    level.given.reset();
    level.given_rows.reset();
  }
}

Multigrid::~Multigrid() = default;

void Multigrid::update(const DiracParam &fine, const LinkSet &links, bool thin)
{
  Hierarchy &h = *hierarchy_;
  if (links.precise().shared_lattice() != h.outer && !same_sites(links.precise().lattice(), *h.outer))
    fail(ErrorKind::bad_argument, "multigrid: the links of an update are on other sites than those of the set-up");
  h.outer = links.precise().shared_lattice();
  h.take(fine, links);
  h.set_finest();
  if (thin) return;
  const int last = static_cast<int>(h.form.levels.size()) - 1;
  bool same = h.pieces_serve && !h.form.kaehler_dirac;
  for (int n = 0; n < last; n++) {
    Level &at = h.level(n);
    const int steps = at.how().setup.refresh_steps;
    if (steps > 0 && at.vectors) at.relax(steps);
    same = same && steps == 0;
    h.descend(n, steps == 0, same);
  }
  h.level(last).deflate(h.form.keep_low_modes);
  if (h.form.verify)
    for (int n = 0; n < last; n++) h.verify(n);
}

void Multigrid::update(const DiracParam &dirac, const LinkSet &set, const MultigridForm &form, bool thin)
{
  hierarchy_->form = form; // the levels refer to it
  update(dirac, set, thin);
}

void Multigrid::set_methods(const MultigridForm &form)
{
  hierarchy_->form = form; // the levels refer to it
  for (auto &level : hierarchy_->levels) level->renew_methods();
}

std::unique_ptr<Preconditioner> Multigrid::preconditioner(const DiracSystemForm &form)
{
  if (form.gamma5 || form.weights)
    fail(ErrorKind::unsupported, "multigrid: a preconditioner of a gamma5-Hermitian or a weighted matrix is not built; "
                                 "those of M and M_pc, their adjoints and their normal forms are");
  if (hierarchy_->form.kaehler_dirac && (form.dagger || form.normal))
    fail(ErrorKind::unsupported,
         "multigrid: a preconditioner of an adjoint or a normal matrix of staggered fermions is "
         "not built; those of M and M_pc are");
  const MatPC own = hierarchy_->form.matpc;
  if (hierarchy_->form.kaehler_dirac && form.matpc && parity_of(*form.matpc) != parity_of(own))
    fail(ErrorKind::unsupported,
         text("multigrid: a preconditioner of the matrix of staggered fermions on parity %d by one "
              "whose levels work on parity %d, from which it differs by 1 / m^2, is not built",
              parity_of(*form.matpc), parity_of(own)));
  return std::make_unique<Around>(hierarchy_->level(0), form, own);
}

const MultigridForm &Multigrid::form() const { return hierarchy_->form; }
const ColorSpinorField &Multigrid::vectors(int level) const
{
  if (!hierarchy_->level(level).vectors) fail(ErrorKind::internal, text("multigrid: level %d has no vectors", level));
  return *hierarchy_->level(level).vectors;
}

void Multigrid::once(int level, const std::function<void()> &work) const
{
  const Hierarchy &h = *hierarchy_;
  const Gathering *last = nullptr; // the last gathering so far
  bool first = true;
  for (int n = 0; n < level; n++)
    if (const Gathering *const one = h.levels[static_cast<std::size_t>(n)]->transfer().gathering()) {
      first = first && one->first();
      last = one;
    }
  if (!last) return work();
  parts_together(h.outer->communicator(), [&] {
    if (!first) return;
    const WorkOf these(*last->lattice());
    work();
  });
}

const Dirac &Multigrid::level_operator(int level) const { return hierarchy_->level(level).dirac(); }

std::vector<LevelReport> Multigrid::report() const
{
  std::vector<LevelReport> all;
  for (std::size_t n = 0; n < hierarchy_->levels.size(); n++) {
    all.push_back(hierarchy_->levels[n]->report());
    all.back().rows = n > 0 ? hierarchy_->rows(static_cast<int>(n)) : hierarchy_->form.kaehler_dirac ? 3 : 12;
  }
  return all;
}

LevelReport operator-(LevelReport after, const LevelReport &before)
{
  after.cycles -= before.cycles;
  after.smoothers -= before.smoothers;
  after.operators -= before.operators;
  after.transfers -= before.transfers;
  after.solves -= before.solves;
  after.iterations -= before.iterations;
  after.flops -= before.flops;
  return after;
}

std::string text_of(const LevelReport &level, int number)
{
  std::string line =
      text("Multigrid: level %d: %.3f s: smoothers %.3f, operators %.3f, transfers %.3f, %s %.3f", number, level.cycles,
           level.smoothers, level.operators, level.transfers, number == 0 ? "rest" : "solver", level.method());
  if (number > 0) line += text("; %lld solves, %lld iterations", level.solves, level.iterations);
  return line + text("; %.3f Gflop\n", 1e-9 * level.flops);
}

} // namespace quda
