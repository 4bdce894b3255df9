#include "multigrid/multigrid.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/error.h"
#include "dirac/dirac_coarse.h"
#include "dirac/make_dirac.h"
#include "multigrid/fine_transfer.h"
#include "multigrid/galerkin.h"
#include "multigrid/level.h"
#include "multigrid/row_transfer.h"
#include "ops/blas/block.h"
#include "ops/clover/clover_set.h"
#include "ops/multigrid/rows.h"
#include "ops/random/spinors.h"
#include "solvers/scale.h"

namespace quda
{

namespace
{

  constexpr unsigned long long seed = 1234;

  const CloverSet *clover_of(const DiracParam &dirac)
  {
    return std::visit(
        [](const auto &of) -> const CloverSet * {
          if constexpr (requires { of.clover; })
            return of.clover;
          else
            return nullptr;
        },
        dirac);
  }

  /// The same on another clover term.
  DiracParam on_clover(DiracParam dirac, const CloverSet &clover)
  {
    std::visit(
        [&](auto &of) {
          if constexpr (requires { of.clover; })
            if (of.clover) of.clover = &clover;
        },
        dirac);
    return dirac;
  }

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

  /// Uniform numbers of a site of the whole lattice: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  class SiteNumbers
  {
  public:
    SiteNumbers(unsigned long long stream, unsigned long long site)
        : state_(mixed(stream) ^ mixed(site + 0x632be59bd9b4e019ull))
    {
    }
    /// -1 to 1
    double next()
    {
      state_ += 0x9e3779b97f4a7c15ull;
      return static_cast<double>(static_cast<long long>(mixed(state_))) * 0x1p-63;
    }

  private:
    static unsigned long long mixed(unsigned long long z)
    {
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
      z = (z ^ z >> 27) * 0x94d049bb133111ebull;
      return z ^ z >> 31;
    }
    unsigned long long state_;
  };

  /// Random vectors of a coarse grid, which depend on global sites alone.
  void random_rows(ColorSpinorField &out, int rows, int level)
  {
    const Lattice &lattice = out.lattice();
    std::vector<std::complex<double>> numbers(static_cast<std::size_t>(out.sites()) * out.rhs() * rows);
    std::complex<double> *to = numbers.data();
    for (long long slot = 0; slot < lattice.volume(); slot++) {
      int x[4];
      lattice.slot_coordinates(slot, x);
      unsigned long long site = 0;
      for (int d = 3; d >= 0; d--)
        site = site * static_cast<unsigned long long>(lattice.global_X()[d]) +
               static_cast<unsigned long long>(lattice.origin()[d] + x[d]);
      for (int j = 0; j < out.rhs(); j++) {
        SiteNumbers random(seed + 1000003ull * static_cast<unsigned>(level) + static_cast<unsigned>(j), site);
        for (int r = 0; r < rows; r++) {
          const double re = random.next(), im = random.next();
          *to++ = {re, im};
        }
      }
    }
    from_host(out, rows, numbers);
  }

} // namespace

struct Multigrid::Hierarchy {
  MultigridForm form;
  std::shared_ptr<const Lattice> outer;  // of the caller's fields
  std::shared_ptr<const Lattice> finest; // the same sites, whole aggregates in a lane
  LinkSet links;
  CloverSet clover;
  DiracParam fine;
  std::vector<std::unique_ptr<Level>> levels;

  Level &level(int n) { return *levels[static_cast<std::size_t>(n)]; }
  int rows(int n) const { return 2 * form.levels[static_cast<std::size_t>(n) - 1].vectors; }

  void check() const;
  void take(const DiracParam &dirac, const LinkSet &set);
  void set_finest();
  void seek(int n);
  void descend(int n, bool keep_transfer);
  double twist(int n) const;
  void set_up();
  void verify(int n);
  std::shared_ptr<const Lattice> coarse_lattice(int n) const;
};

void Multigrid::Hierarchy::check() const
{
  if (form.levels.size() < 2)
    fail(ErrorKind::bad_argument, text("multigrid: %zu levels; 2 and more make a hierarchy", form.levels.size()));
  if (!symmetric(form.matpc))
    fail(ErrorKind::bad_argument, "multigrid: matpc is asymmetric; its levels work on the symmetric Schur complement");
  for (std::size_t n = 0; n + 1 < form.levels.size(); n++)
    if (form.levels[n].vectors < 1)
      fail(ErrorKind::bad_argument,
           text("multigrid: %d vectors of level %zu; at least 1 is allowed", form.levels[n].vectors, n));
}

/// Copies of the links and the clover term in the working precision, on the finest level's lattice.
void Multigrid::Hierarchy::take(const DiracParam &dirac, const LinkSet &set)
{
  GaugeFieldParam param = set.precise().param();
  param.lattice = finest;
  param.precision = form.precision;
  param.reconstruct = Reconstruct::none;
  for (int d = 0; d < 4; d++) param.R[d] = 0;
  param.create = Create::allocate;
  auto copied = std::make_unique<GaugeField>(param);
  *copied = set.precise();
  links.load(std::move(copied));
  const CloverSet *const term = clover_of(dirac);
  if (term) {
    CloverParam of = term->precise().param();
    of.lattice = finest;
    of.precision = form.precision;
    of.create = Create::allocate;
    auto field = std::make_unique<CloverField>(of);
    *field = term->precise();
    clover.load(std::move(field), nullptr);
    clover.shift = term->shift;
  } else {
    clover.clear();
  }
  fine = on_clover(dirac, clover);
}

void Multigrid::Hierarchy::set_finest()
{
  Level &first = level(0);
  const LinkStorage own {form.precision, Reconstruct::none};
  auto dirac = make_dirac(fine, links, own);
  if (!first.vectors) {
    ColorSpinorParam param = dirac->shape(-1, form.levels[0].vectors);
    first.vectors = std::make_unique<ColorSpinorField>(param);
    if (form.levels[0].given)
      *first.vectors = *form.levels[0].given;
    else
      gaussian_spinors(*first.vectors, seed);
  }
  first.set_operator(std::move(dirac), form.smoothing, *first.vectors);
}

std::shared_ptr<const Lattice> Multigrid::Hierarchy::coarse_lattice(int n) const
{
  const Lattice &from = n == 0 ? *finest : levels[static_cast<std::size_t>(n)]->lattice();
  int X[4];
  coarse_extents(from.X(), form.levels[static_cast<std::size_t>(n)].block, X);
  return Lattice::rows(X, from.shared_communicator());
}

/// The vectors of level n, whose operator is there.
void Multigrid::Hierarchy::seek(int n)
{
  Level &at = level(n);
  Timer timer;
  timer.start();
  const SetupForm &setup = at.how().setup;
  const bool restricted_alone = n > 0 && !form.all_levels;
  if (n > 0) {
    Level &finer = level(n - 1);
    const int own = at.how().vectors, from = std::min(own, finer.how().vectors);
    if (restricted_alone && own > from)
      fail(ErrorKind::bad_argument,
           text("multigrid: %d vectors of level %d, which are those of level %d restricted; at most %d are allowed",
                own, n, n - 1, from));
    at.vectors = std::make_unique<ColorSpinorField>(at.shape(-1, own));
    if (own > from || setup.rounds > 0) random_rows(*at.vectors, rows(n), n);
    for (int first = 0; first < from; first++) {
      ColorSpinorField to = at.vectors->columns(first, 1);
      finer.transfer().restrict(to, finer.vectors->columns(first, 1));
    }
    at.vectors->mark_written();
  }
  if (!restricted_alone && !at.how().given)
    for (int round = 0; round < setup.rounds; round++) at.relax(setup.steps);
  at.setup_seconds += timer.seconds();
}

/// The operators below level n.
void Multigrid::Hierarchy::descend(int n, bool keep_transfer)
{
  Level &at = level(n);
  if (at.last()) return;
  Level &next = level(n + 1);
  Timer timer;
  timer.start();
  if (!keep_transfer || !at.has_transfer()) {
    const MultigridLevel &how = at.how();
    const auto coarse = coarse_lattice(n);
    std::unique_ptr<Transfer> P;
    if (n == 0)
      P = std::make_unique<FineTransfer>(*at.vectors, how.block, coarse, how.stored);
    else
      P = std::make_unique<RowTransfer>(
          RowTransfer::TestVectors {at.vectors->shared_lattice(), rows(n), how.vectors, to_host(*at.vectors, rows(n))},
          coarse, how.block, form.precision);
    at.set_transfer(std::move(P), next);
  }
  std::unique_ptr<GalerkinPieces> pieces;
  const LinkStorage working {form.precision, Reconstruct::none};
  if (n == 0)
    pieces = fine_pieces(fine, links, working, static_cast<const FineTransfer &>(at.transfer()));
  else
    pieces =
        coarse_pieces(static_cast<const DiracCoarse &>(at.dirac()), static_cast<const RowTransfer &>(at.transfer()));
  ColorSpinorField matrices = galerkin_product(*pieces, at.transfer(), form.precision);
  pieces.reset();
  auto made = std::make_shared<CoarseMatrices>(std::move(matrices), rows(n + 1), twist(n));
  // P^dag takes the finer twist to the same on the chiralities of the coarse grid; mu_factor adds to it
  if (const double more = twist(n + 1) - twist(n); more != 0)
    made = std::make_shared<CoarseMatrices>(made->twisted(more));
  auto dirac = std::make_unique<DiracCoarse>(std::move(made));
  ColorSpinorField random(dirac->shape(-1, 1));
  random_rows(random, rows(n + 1), n + 1);
  next.set_operator(std::move(dirac), working, random);
  at.setup_seconds += timer.seconds();
}

/// The twist of level n's operator.
double Multigrid::Hierarchy::twist(int n) const
{
  return twist_of(fine) * (n == 0 ? 1 : form.levels[static_cast<std::size_t>(n)].mu_factor);
}

void Multigrid::Hierarchy::set_up()
{
  const int last = static_cast<int>(form.levels.size()) - 1;
  for (int n = 0; n < last; n++) {
    seek(n);
    descend(n, false);
    // the levels below are made anew from better vectors each round
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
  if (form.verify)
    for (int n = 0; n < last; n++) verify(n);
}

/// |(1 - P P^dag) v|, |(1 - P^dag P) c|, |(M_c - P^dag M P) c| and |(M_c^dag - P^dag M^dag P) c|, relative.
void Multigrid::Hierarchy::verify(int n)
{
  Level &at = level(n), &next = level(n + 1);
  const Precision stored = at.how().stored,
                  worst = bytes_of(stored) < bytes_of(form.precision) ? stored : form.precision;
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
  random_rows(c, rows(n + 1), 100 + n);
  at.transfer().prolong(fine_c, c, false);
  at.transfer().restrict(by_fine, fine_c);
  blas::axpy(-1.0, c, by_fine);
  judge("|(1 - P^dag P) c| / |c|", norms(by_fine)[0] / norms(c)[0]);
  // what mu_factor adds is no part of P^dag M P
  if (twist(n + 1) != twist(n)) return;
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

  /// A hierarchy for a system of the outer operator.
  class Around final : public Preconditioner
  {
  public:
    Around(Level &finest, DiracSystemForm form, MatPC matpc)
        : finest_(finest)
        , form_(std::move(form))
        , matpc_(matpc)
    {
    }

    /// Each right-hand side is brought to the size of 1, from which single precision reaches far enough.
    void apply(ColorSpinorField &z, const ColorSpinorField &r) override
    {
      std::vector<double> up = blas::block::amax(r), down(up.size());
      for (std::size_t j = 0; j < up.size(); j++) {
        up[j] = power_above(up[j]);
        down[j] = 1 / up[j];
      }
      const double before = finest_.flops_done();
      const int n = r.rhs();
      if (form_.matpc == matpc_) {
        ColorSpinorField in = scratch_(0, finest_.shape(parity_of(matpc_), n)), out = scratch_(1, in.param());
        bring(in, r, down);
        finest_.cycle(out, in);
        bring(z, out, up);
      } else {
        ColorSpinorField in = scratch_(2, finest_.shape(-1, n)), out = scratch_(3, in.param());
        if (form_.matpc) {
          const int parity = parity_of(*form_.matpc);
          blas::zero(in);
          ColorSpinorField here = in.half(parity);
          bring(here, r, down);
          finest_.dirac().residual_of_full(here, *form_.matpc, false);
          finest_.cycle_of_full(out, in);
          bring(z, out.half(parity), up);
        } else {
          bring(in, r, down);
          finest_.cycle_of_full(out, in);
          bring(z, out, up);
        }
      }
      flops_ += finest_.flops_done() - before;
    }
    double flops_done() const override { return flops_; }

  private:
    /// Times a factor, to another precision and, where they differ, to other lanes.
    static void bring(ColorSpinorField &to, const ColorSpinorField &from, const blas::Coefficients &factor)
    {
      if (&to.lattice() == &from.lattice()) return blas::block::convert(to, from, factor);
      to = from;
      blas::ax(factor, to);
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
  check_coarsened(fine);
  h.outer = links.precise().shared_lattice();
  h.finest = Lattice::blocked(h.outer->X(), h.outer->shared_communicator(), form.levels[0].block);
  if (std::equal(h.finest->S(), h.finest->S() + 4, h.outer->S())) h.finest = h.outer;
  h.take(fine, links);
  for (std::size_t n = 0; n < form.levels.size(); n++)
    h.levels.push_back(std::make_unique<Level>(h.form, static_cast<int>(n)));
  h.set_finest();
  h.set_up();
  h.form.levels[0].given.reset();
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
  for (int n = 0; n < last; n++) {
    Level &at = h.level(n);
    const int steps = at.how().setup.refresh_steps;
    if (steps > 0) at.relax(steps);
    h.descend(n, steps == 0);
  }
  if (h.form.verify)
    for (int n = 0; n < last; n++) h.verify(n);
}

void Multigrid::update(const DiracParam &dirac, const LinkSet &set, const MultigridForm &form, bool thin)
{
  hierarchy_->form = form; // which the levels refer to
  update(dirac, set, thin);
}

std::unique_ptr<Preconditioner> Multigrid::preconditioner(const DiracSystemForm &form)
{
  if (form.dagger || form.normal || form.gamma5 || form.weights)
    fail(ErrorKind::unsupported,
         "multigrid: a preconditioner of an adjoint, a normal, a gamma5-Hermitian or a weighted "
         "matrix is not built; those of M and M_pc are");
  return std::make_unique<Around>(hierarchy_->level(0), form, hierarchy_->form.matpc);
}

const MultigridForm &Multigrid::form() const { return hierarchy_->form; }
const ColorSpinorField &Multigrid::vectors() const { return *hierarchy_->level(0).vectors; }

std::vector<LevelReport> Multigrid::report() const
{
  std::vector<LevelReport> all;
  for (std::size_t n = 0; n < hierarchy_->levels.size(); n++) {
    all.push_back(hierarchy_->levels[n]->report());
    all.back().rows = n == 0 ? 12 : hierarchy_->rows(static_cast<int>(n));
  }
  return all;
}

} // namespace quda
