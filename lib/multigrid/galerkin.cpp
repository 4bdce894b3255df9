#include "multigrid/galerkin.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <variant>

#include "core/error.h"
#include "fields/field_together.h"
#include "ops/blas/block.h"
#include "ops/clover/clover_set.h"
#include "ops/dirac/clover.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/multigrid/blocks.h"
#include "ops/multigrid/rows.h"

namespace quda
{

namespace
{

  constexpr int of_site = 8;  // leg of the part at the site
  constexpr int together = 4; // vectors at a time: fields have twice as many columns

  /// Hops (1 - gamma_mu) U_mu(x) ahead of four spins, and a clover term without 1.
  class WilsonPieces final : public GalerkinPieces
  {
  public:
    WilsonPieces(const CloverSet *clover, const LinkSet &links, LinkStorage storage, const FineTransfer &P)
        : clover_(clover)
        , links_(links)
        , storage_ {P.fine_shape(1).precision, storage.reconstruct} // of V, whatever the hierarchy has
        , P_(P)
    {
    }
    bool has(int piece) const override { return piece < behind || (piece == term && clover_); }
    ColorSpinorParam shape(int columns) const override { return P_.fine_shape(columns); }
    void apply(ColorSpinorField &out, int piece, int first, int count) const override
    {
      ColorSpinorField v = scratch_(0, shape(count)), w = scratch_(1, shape(count));
      blas::block::convert(v, P_.V().columns(first, count));
      if (piece < behind) {
        covariant_sum(w, v, links_.copy(storage_), leg_ahead(piece));
        chiral_columns(out, w, piece, -1);
      } else {
        apply_clover(w, v, clover_->copy(storage_.precision));
        blas::axpy(-1.0, v, w);
        chiral_columns(out, w);
      }
    }

  private:
    const CloverSet *const clover_;
    const LinkSet &links_;
    const LinkStorage storage_;
    const FineTransfer &P_;
    Scratch scratch_;
  };

  class PiecesOfSum final : public RowPieces
  {
  public:
    PiecesOfSum(const CoarsePieces &pieces, const RowTransfer &P)
        : RowPieces(P)
        , pieces_(pieces)
        , hops_(Legs::neighbours(pieces.hops.shared_lattice()))
        , site_(Legs::single(pieces.hops.shared_lattice(), of_site))
    {
    }
    bool hermitian() const override { return pieces_.hermitian; }
    bool has(int piece) const override
    {
      return piece == term  ? pieces_.term.has_value()
             : piece > term ? false
                            : piece < behind || piece >= stays || !pieces_.hermitian;
    }

  private:
    void multiply(ColorSpinorField &out, const ColorSpinorField &in, int piece) const override
    {
      const int leg = piece == term ? 0 : piece; // those of hops are numbered as their legs
      row_product(out, in, {piece == term ? *pieces_.term : pieces_.hops, piece == term ? site_ : hops_, {&leg, 1}});
    }

    const CoarsePieces &pieces_;
    const Legs hops_, site_;
  };

  class PiecesOfMatrices final : public RowPieces
  {
  public:
    PiecesOfMatrices(std::shared_ptr<const CoarseMatrices> M, const RowTransfer &P)
        : RowPieces(P)
        , M_(std::move(M))
    {
    }
    bool hermitian() const override { return false; }
    bool has(int piece) const override { return piece < term; }

  private:
    void multiply(ColorSpinorField &out, const ColorSpinorField &in, int piece) const override
    {
      M_->leg(out, in, piece);
    }

    const std::shared_ptr<const CoarseMatrices> M_;
  };

  /// Signs of s3 A s3.
  double sign(int row, int column, int rows) { return (row < rows / 2) == (column < rows / 2) ? 1 : -1; }

  /// Calls work(index into A, index into A^dag) for the matrices of one leg, with the sign of s3.
  template <class Work> void with_adjoints(int rows, const RowArray &numbers, Work &&work)
  {
    const std::size_t n = static_cast<std::size_t>(rows);
    for (std::size_t first = 0; first < numbers.size(); first += n * n)
      for (std::size_t column = 0; column < n; column++)
        for (std::size_t row = 0; row < n; row++)
          work(first + column * n + row, sign(static_cast<int>(row), static_cast<int>(column), rows) *
                                             std::conj(numbers[first + row * n + column]));
  }

  /// Completes the backward hops: they are the adjoints of the forward ones.
  void add_hops_from_behind(ColorSpinorField &hops, int rows)
  {
    const auto &lattice = hops.shared_lattice();
    ColorSpinorField one(row_shape(lattice, rows, hops.precision(), rows)), there(one.param());
    RowArray numbers(static_cast<std::size_t>(one.sites()) * rows * rows);
    const std::size_t n = static_cast<std::size_t>(rows);
    for (std::size_t k = 0; k < numbers.size(); k++) numbers[k] = k / n % n == k % n ? 1 : 0;
    from_host(one, rows, numbers);
    RowArray adjoints(numbers.size());
    for (int mu = 0; mu < 4; mu++) {
      const int leg = 0;
      row_product(there, hops.columns(mu * rows, rows), {one, Legs::single(lattice, 4 + mu), {&leg, 1}});
      with_adjoints(rows, to_host(there, rows),
                    [&](std::size_t k, std::complex<double> number) { adjoints[k] = number; });
      from_host(there, rows, adjoints);
      ColorSpinorField behind = hops.columns((4 + mu) * rows, rows);
      blas::block::convert(behind, there);
    }
    ColorSpinorField stay = hops.columns(of_site * rows, rows);
    blas::block::convert(there, stay);
    numbers = to_host(there, rows);
    with_adjoints(rows, numbers,
                  [&](std::size_t k, std::complex<double> number) { adjoints[k] = numbers[k] + number; });
    from_host(there, rows, adjoints);
    blas::block::convert(stay, there);
  }

} // namespace

void RowPieces::apply(ColorSpinorField &out, int piece, int first, int count) const
{
  ColorSpinorField v = scratch_(0, shape(2 * count));
  for (int chirality = 0; chirality < 2; chirality++) {
    ColorSpinorField half = v.columns(chirality * count, count);
    P_.columns(half, chirality * P_.rows() / 2 + first);
  }
  multiply(out, v, piece);
}

void check_coarsened(const DiracParam &dirac, bool kaehler_dirac)
{
  if (kaehler_dirac) {
    const auto *const staggered = std::get_if<StaggeredFermions>(&dirac);
    if (!staggered)
      fail(ErrorKind::unsupported, "multigrid: blocks of Kaehler and Dirac are those of staggered fermions alone");
    if (staggered->mass == 0)
      fail(ErrorKind::unsupported, "multigrid: mass = 0 of staggered fermions; other numbers are coarsened");
    return;
  }
  const auto *twisted = std::get_if<TwistedFermions>(&dirac);
  if (std::holds_alternative<WilsonFermions>(dirac) || std::holds_alternative<CloverFermions>(dirac) ||
      (twisted && twisted->twist.flavours == 1))
    return;
  static constexpr const char *kinds[] = {"Wilson fermions",
                                          "clover fermions",
                                          "clover fermions with a Hasenbusch twist",
                                          "a doublet of twisted-mass fermions",
                                          "staggered fermions",
                                          "Laplace's kind",
                                          "covariant shifts",
                                          "Moebius fermions",
                                          "domain-wall fermions"};
  static_assert(std::size(kinds) == std::variant_size_v<DiracParam>);
  fail(ErrorKind::unsupported, text("multigrid: operators of %s are not coarsened; those of Wilson, clover, "
                                    "twisted-mass and twisted-clover fermions of one flavour are",
                                    kinds[dirac.index()]));
}

std::unique_ptr<GalerkinPieces> fine_pieces(const DiracParam &dirac, const LinkSet &links, LinkStorage storage,
                                            const FineTransfer &P)
{
  check_coarsened(dirac, false);
  return std::visit(
      [&](const auto &of) -> std::unique_ptr<GalerkinPieces> {
        const CloverSet *clover = nullptr;
        if constexpr (requires { of.clover; }) clover = of.clover;
        return std::make_unique<WilsonPieces>(clover, links, storage, P);
      },
      dirac);
}

std::unique_ptr<GalerkinPieces> coarse_pieces(const CoarsePieces &pieces, const RowTransfer &P)
{
  return std::make_unique<PiecesOfSum>(pieces, P);
}

std::unique_ptr<GalerkinPieces> coarse_pieces(std::shared_ptr<const CoarseMatrices> M, const RowTransfer &P)
{
  return std::make_unique<PiecesOfMatrices>(std::move(M), P);
}

PieceFactors factors_of(const DiracParam &dirac, double term)
{
  PieceFactors factors {.term = term};
  std::visit(
      [&](const auto &of) {
        if constexpr (requires { of.kappa; }) factors.hop = -of.kappa;
        if constexpr (requires { of.clover; })
          if (of.clover) factors.one += of.clover->shift;
        if constexpr (requires { of.twist; }) factors.twist = of.twist.mu;
      },
      dirac);
  return factors;
}

CoarsePieces galerkin_product(const GalerkinPieces &pieces, const Transfer &P, Precision precision)
{
  const int rows = P.rows(), vectors = rows / 2;
  const int *const block = P.block();
  const auto matrices = [&](int legs) {
    ColorSpinorParam of_matrices = P.coarse_shape(legs * rows);
    of_matrices.precision = precision;
    return field_together(of_matrices);
  };
  static constexpr int origin[4] = {0, 0, 0, 0};
  const bool hermitian = pieces.hermitian();
  CoarsePieces made {rows, hermitian, matrices(9), {}};
  if (pieces.has(GalerkinPieces::term)) made.term.emplace(matrices(1));
  for (int first = 0; first < vectors; first += together) {
    const int count = std::min(together, vectors - first);
    ColorSpinorField columns(pieces.shape(2 * count)), restricted(P.coarse_shape(2 * count)), stays(restricted.param());
    const auto put = [&](ColorSpinorField &to, int leg, const ColorSpinorField &from) {
      for (int chirality = 0; chirality < 2; chirality++) {
        ColorSpinorField part = to.columns(leg * rows + chirality * vectors + first, count);
        blas::block::convert(part, from.columns(chirality * count, count));
      }
    };
    bool any = false;
    for (int hop = 0; hop < (hermitian ? 4 : 8); hop++) {
      const bool ahead = hop < GalerkinPieces::behind;
      const int mu = hop % 4;
      for (int reach = 1; reach <= 2; reach++) {
        const int piece = reach == 1 ? hop : GalerkinPieces::far + hop;
        if (reach > 1 && (!pieces.has(piece) || reach > block[mu])) break;
        pieces.apply(columns, piece, first, count);
        int lo[4] = {}, hi[4] = {block[0], block[1], block[2], block[3]};
        (ahead ? lo : hi)[mu] = ahead ? block[mu] - reach : reach;
        P.restrict_box(restricted, columns, lo, hi, reach > 1);
        if (block[mu] == reach) continue;
        lo[mu] = ahead ? 0 : reach, hi[mu] = ahead ? block[mu] - reach : block[mu];
        P.restrict_box(stays, columns, lo, hi, any);
        any = true;
      }
      put(made.hops, hop, restricted);
    }
    if (pieces.has(GalerkinPieces::stays)) {
      pieces.apply(columns, GalerkinPieces::stays, first, count);
      if (hermitian) blas::ax(0.5, columns); // the other half is added as an adjoint
      P.restrict_box(stays, columns, origin, block, any);
    } else if (!any) {
      blas::zero(stays);
    }
    put(made.hops, of_site, stays);
    if (!made.term) continue;
    pieces.apply(columns, GalerkinPieces::term, first, count);
    P.restrict(restricted, columns);
    put(*made.term, 0, restricted);
  }
  if (hermitian) add_hops_from_behind(made.hops, rows);
  return made;
}

std::shared_ptr<const CoarseMatrices> sum_of(const CoarsePieces &pieces, const PieceFactors &factors)
{
  const int rows = pieces.rows;
  ColorSpinorField matrices(pieces.hops.param()), X = matrices.columns(of_site * rows, rows);
  blas::block::convert(matrices, pieces.hops, factors.hop);
  RowArray numbers = to_host(pieces.hops.columns(of_site * rows, rows), rows), term;
  if (pieces.term) term = to_host(*pieces.term, rows);
  const std::size_t n = static_cast<std::size_t>(rows);
  for (std::size_t k = 0; k < numbers.size(); k++) {
    numbers[k] *= factors.hop;
    if (!term.empty()) numbers[k] += factors.term * term[k];
    if (k % n != k / n % n) continue;
    numbers[k] += std::complex<double>(factors.one, k % n < n / 2 ? factors.twist : -factors.twist);
  }
  from_host(X, rows, numbers);
  matrices.mark_written();
  return std::make_shared<const CoarseMatrices>(std::move(matrices), rows, factors.twist);
}

} // namespace quda
