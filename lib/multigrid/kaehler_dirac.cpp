#include "multigrid/kaehler_dirac.h"

#include <algorithm>

#include "ops/blas/block.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/multigrid/hypercubes.h"

namespace quda
{

namespace
{

  constexpr int of_site = 8; // leg of what does not hop
  constexpr int rows = hypercube_rows;

  class StaggeredPieces final : public GalerkinPieces
  {
  public:
    StaggeredPieces(double mass, const LinkSet &fat, LinkStorage storage, const HypercubeTransfer &P)
        : mass_(mass)
        , fat_(fat)
        , storage_(storage)
        , P_(P)
    {
    }
    bool has(int piece) const override { return piece < behind || piece == stays; }
    ColorSpinorParam shape(int columns) const override { return P_.fine_shape(columns); }
    void apply(ColorSpinorField &out, int piece, int first, int count) const override
    {
      ColorSpinorField v = scratch_(0, shape(2 * count));
      for (int parity = 0; parity < 2; parity++) {
        ColorSpinorField half = v.columns(parity * count, count);
        P_.columns(half, parity * rows / 2 + first);
      }
      if (piece == stays) {
        blas::copy(out, v);
        blas::ax(2 * mass_, out);
      } else {
        covariant_sum(out, v, fat_.copy(storage_), leg_ahead(piece));
        blas::ax(-1, out);
      }
    }

  private:
    const double mass_;
    const LinkSet &fat_;
    const LinkStorage storage_;
    const HypercubeTransfer &P_;
    Scratch scratch_;
  };

  CoarseMatrices matrices_of(double mass, const LinkSet &fat, const HypercubeTransfer &P)
  {
    const Precision precision = P.fine_shape(1).precision;
    const auto pieces = hypercube_pieces(mass, fat, {precision, Reconstruct::none}, P);
    return CoarseMatrices(galerkin_product(*pieces, P, precision).hops, rows);
  }

  /// X^-1 alone.
  ColorSpinorField inverse_of(const CoarseMatrices &M)
  {
    const ColorSpinorField inverse = M.hat.columns(of_site * rows, rows);
    ColorSpinorField own(inverse.param());
    copy(own, inverse);
    return own;
  }

  /// Those of M X^-1.
  CoarseMatrices right_preconditioned(const CoarseMatrices &M)
  {
    const Legs legs = Legs::neighbours(M.plain.shared_lattice());
    ColorSpinorField all(M.plain.param());
    const ColorSpinorField inverse = inverse_of(M);
    for (int leg = 0; leg < of_site; leg++) {
      ColorSpinorField to = all.columns(leg * rows, rows);
      row_product(to, inverse, {M.plain, legs, {&leg, 1}});
    }
    return CoarseMatrices::of_hops(std::move(all), rows);
  }

} // namespace

std::unique_ptr<GalerkinPieces> hypercube_pieces(double mass, const LinkSet &fat, LinkStorage storage,
                                                 const HypercubeTransfer &P)
{
  return std::make_unique<StaggeredPieces>(mass, fat, storage, P);
}

KaehlerDiracTransfer::KaehlerDiracTransfer(std::shared_ptr<const Lattice> fine, ColorSpinorField &&inverse)
    : HypercubeTransfer(std::move(fine), inverse.shared_lattice(), inverse.precision())
    , legs_(Legs::single(inverse.shared_lattice(), of_site))
    , inverse_(std::move(inverse))
{
}

void KaehlerDiracTransfer::restrict(ColorSpinorField &coarse, const ColorSpinorField &fine) const
{
  ColorSpinorField r = scratch_(0, coarse.param());
  HypercubeTransfer::restrict(r, fine);
  static constexpr int alone[] = {0};
  row_product(coarse, r, {inverse_, legs_, alone});
}

KaehlerDirac kaehler_dirac(double mass, const LinkSet &fat, std::shared_ptr<const Lattice> coarse, Precision precision)
{
  const auto fine = fat.precise().shared_lattice();
  const auto matrices = [mass, &fat, fine, coarse, precision] {
    return matrices_of(mass, fat, HypercubeTransfer(fine, coarse, precision));
  };
  CoarseMatrices M = matrices();
  ColorSpinorField inverse = inverse_of(M);
  auto K = std::make_shared<const CoarseMatrices>(CoarseMatrices::of_hops(std::move(M.hat), rows));
  return {std::make_unique<KaehlerDiracTransfer>(fine, std::move(inverse)),
          std::make_unique<DiracCoarse>(std::move(K), [matrices] { return right_preconditioned(matrices()); })};
}

} // namespace quda
