#include "multigrid/galerkin.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/error.h"
#include "ops/blas/block.h"
#include "ops/clover/clover_set.h"
#include "ops/dirac/clover.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/dirac/twist.h"
#include "ops/multigrid/blocks.h"

namespace quda
{

namespace
{

  constexpr int stay = 8;     // number of the piece that does not hop
  constexpr int together = 4; // vectors at a time: fields of twice as many columns

  /// M = A - kappa D of four spins: (1 - gamma_mu) U_mu(x) ahead, (1 + gamma_mu) U_mu(x - mu)^dag from behind, and A, made of
  /// a clover term or 1 and a twist of one flavour.
  class WilsonPieces final : public GalerkinPieces
  {
  public:
    WilsonPieces(double kappa, const CloverSet *clover, double twist, const LinkSet &links, LinkStorage storage,
                 const FineTransfer &P)
        : kappa_(kappa)
        , clover_(clover)
        , twist_(twist)
        , links_(links)
        , storage_(storage)
        , P_(P)
    {
    }
    ColorSpinorParam shape(int columns) const override { return P_.fine_shape(columns); }
    void apply(ColorSpinorField &out, int leg, int first, int count) const override
    {
      ColorSpinorField v = scratch_(0, shape(count)), w = scratch_(1, shape(count));
      blas::block::convert(v, P_.V().columns(first, count));
      if (leg != stay) {
        const int mu = leg % 4;
        const bool ahead = leg < 4;
        covariant_sum(w, v, links_.copy(storage_), ahead ? leg_ahead(mu) : leg_behind(mu));
        chiral_columns(out, w, mu, ahead ? -1 : 1);
        blas::ax(-kappa_, out);
        return;
      }
      if (clover_) {
        apply_clover(w, v, clover_->copy(storage_.precision));
        if (clover_->shift != 0) blas::axpy(clover_->shift, v, w);
      } else {
        blas::copy(w, v);
      }
      if (twist_ != 0) add_twist(w, v, {.a = twist_, .one = 0});
      chiral_columns(out, w);
    }

  private:
    const double kappa_;
    const CloverSet *const clover_;
    const double twist_;
    const LinkSet &links_;
    const LinkStorage storage_;
    const FineTransfer &P_;
    Scratch scratch_;
  };

  class CoarsePieces final : public GalerkinPieces
  {
  public:
    CoarsePieces(const DiracCoarse &dirac, const RowTransfer &P)
        : dirac_(dirac)
        , P_(P)
    {
    }
    ColorSpinorParam shape(int columns) const override { return dirac_.shape(-1, columns); }
    void apply(ColorSpinorField &out, int leg, int first, int count) const override
    {
      ColorSpinorField v = scratch_(0, shape(2 * count));
      for (int chirality = 0; chirality < 2; chirality++) {
        ColorSpinorField half = v.columns(chirality * count, count);
        P_.columns(half, chirality * P_.rows() / 2 + first);
      }
      dirac_.leg(leg, out, v);
    }

  private:
    const DiracCoarse &dirac_;
    const RowTransfer &P_;
    Scratch scratch_;
  };

} // namespace

void check_coarsened(const DiracParam &dirac)
{
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
                                          "covariant shifts"};
  fail(ErrorKind::unsupported, text("multigrid: operators of %s are not coarsened; those of Wilson, clover, "
                                    "twisted-mass and twisted-clover fermions of one flavour are",
                                    kinds[dirac.index()]));
}

std::unique_ptr<GalerkinPieces> fine_pieces(const DiracParam &dirac, const LinkSet &links, LinkStorage storage,
                                            const FineTransfer &P)
{
  check_coarsened(dirac);
  return std::visit(
      [&](const auto &of) -> std::unique_ptr<GalerkinPieces> {
        const CloverSet *clover = nullptr;
        double twist = 0, kappa = 0;
        if constexpr (requires { of.kappa; }) kappa = of.kappa;
        if constexpr (requires { of.clover; }) clover = of.clover;
        if constexpr (requires { of.twist; }) twist = of.twist.mu;
        return std::make_unique<WilsonPieces>(kappa, clover, twist, links, storage, P);
      },
      dirac);
}

std::unique_ptr<GalerkinPieces> coarse_pieces(const DiracCoarse &dirac, const RowTransfer &P)
{
  return std::make_unique<CoarsePieces>(dirac, P);
}

ColorSpinorField galerkin_product(const GalerkinPieces &pieces, const Transfer &P, Precision precision)
{
  const int rows = P.rows(), vectors = rows / 2;
  const int *const block = P.block();
  ColorSpinorParam of_matrices = P.coarse_shape(9 * rows);
  of_matrices.precision = precision;
  ColorSpinorField matrices(of_matrices);
  for (int first = 0; first < vectors; first += together) {
    const int count = std::min(together, vectors - first);
    ColorSpinorField columns(pieces.shape(2 * count)), stays(P.coarse_shape(2 * count)), hops(stays.param());
    const auto put = [&](int leg, const ColorSpinorField &from) {
      for (int chirality = 0; chirality < 2; chirality++) {
        ColorSpinorField to = matrices.columns(leg * rows + chirality * vectors + first, count);
        blas::block::convert(to, from.columns(chirality * count, count));
      }
    };
    pieces.apply(columns, stay, first, count);
    P.restrict(stays, columns);
    for (int leg = 0; leg < stay; leg++) {
      const int mu = leg % 4;
      pieces.apply(columns, leg, first, count);
      int lo[4] = {}, hi[4] = {block[0], block[1], block[2], block[3]};
      (leg < 4 ? lo : hi)[mu] = leg < 4 ? block[mu] - 1 : 1;
      P.restrict_box(hops, columns, lo, hi, false);
      put(leg, hops);
      if (block[mu] == 1) continue;
      lo[mu] = leg < 4 ? 0 : 1, hi[mu] = leg < 4 ? block[mu] - 1 : block[mu];
      P.restrict_box(stays, columns, lo, hi, true);
    }
    put(stay, stays);
  }
  matrices.mark_written();
  return matrices;
}

} // namespace quda
