#include "multigrid/kaehler_dirac.h"

#include <algorithm>

#include "core/error.h"
#include "dirac/make_dirac.h"
#include "fields/field_together.h"
#include "ops/blas/block.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/multigrid/hypercubes.h"
#include "ops/random/gaussian.h"

namespace quda
{

namespace
{

  constexpr int of_site = 8; // leg of the part at the site
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

  /// The hops among nine matrices per site, without columns that are zero.
  ColorSpinorField hops_of(const ColorSpinorField &all, const LegRows &reads, const Legs &legs)
  {
    ColorSpinorParam param = all.param();
    param.rhs = legs.columns(rows);
    ColorSpinorField hops = field_together(param);
    for (int leg = 0; leg < of_site; leg++) {
      int column = legs.first_column(leg, rows);
      for (const RowRun &run : reads.of_leg[static_cast<std::size_t>(leg)]) {
        const int count = run.end - run.begin;
        ColorSpinorField to = hops.columns(column, count);
        blas::copy(to, all.columns(leg * rows + run.begin, count));
        column += count;
      }
    }
    hops.mark_written();
    return hops;
  }

} // namespace

std::unique_ptr<GalerkinPieces> hypercube_pieces(double mass, const LinkSet &fat, LinkStorage storage,
                                                 const HypercubeTransfer &P)
{
  return std::make_unique<StaggeredPieces>(mass, fat, storage, P);
}

KaehlerDiracTransfer::KaehlerDiracTransfer(std::shared_ptr<const Lattice> fine,
                                           std::shared_ptr<const ColorSpinorField> inverse)
    : HypercubeTransfer(std::move(fine), inverse->shared_lattice(), inverse->precision())
    , legs_(Legs::single(inverse->shared_lattice(), of_site))
    , inverse_(std::move(inverse))
{
}

void KaehlerDiracTransfer::restrict(ColorSpinorField &coarse, const ColorSpinorField &fine) const
{
  ColorSpinorField r = scratch_(0, coarse.param());
  HypercubeTransfer::restrict(r, fine);
  invert(coarse, r, false);
}

void KaehlerDiracTransfer::invert(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  static constexpr int alone[] = {0};
  const int flip = dagger ? quda::rows / 2 : 0; // X^dag = s3 X s3
  row_product(out, in, {*inverse_, legs_, alone, flip, flip});
}

namespace
{

  /// The nine matrices per site of M with the fat links.
  ColorSpinorField matrices_of(double mass, const LinkSet &fat, const HypercubeTransfer &P)
  {
    const Precision precision = P.fine_shape(1).precision;
    const auto pieces = hypercube_pieces(mass, fat, {precision, Reconstruct::none}, P);
    return galerkin_product(*pieces, P, precision).hops;
  }

} // namespace

KaehlerDirac kaehler_dirac(double mass, const LinkSet &fat, std::shared_ptr<const Lattice> coarse, Precision precision)
{
  const auto fine = fat.precise().shared_lattice();
  const LegRows reads = face_rows();
  const auto legs = std::make_shared<const Legs>(Legs::neighbours(coarse, reads));
  const auto matrices = [mass, &fat, fine, coarse, precision] {
    return matrices_of(mass, fat, HypercubeTransfer(fine, coarse, precision));
  };
  std::shared_ptr<const ColorSpinorField> inverse;
  const auto K = [&] {
    const ColorSpinorField M = matrices();
    inverse = std::make_shared<const ColorSpinorField>(inverse_of_sites(M, rows));
    const ColorSpinorField plain = hops_of(M, reads, *legs);
    ColorSpinorField hat = field_together(plain.param());
    static constexpr int alone[] = {0};
    row_product(hat, plain, {*inverse, Legs::single(coarse, of_site), alone});
    return CoarseMatrices::of_hops(std::move(hat), rows, legs);
  };
  auto made = std::make_shared<const CoarseMatrices>(K());
  return {std::make_unique<KaehlerDiracTransfer>(fine, inverse),
          std::make_unique<DiracCoarse>(std::move(made), [matrices, reads, legs, inverse] {
            return CoarseMatrices::of_hops(hops_of(matrices(), reads, *legs), rows, legs, inverse);
          })};
}

namespace
{

  /// K on the sites of the fine lattice.
  class DiracOnHypercubes final : public DiracOnRows
  {
  public:
    DiracOnHypercubes(std::unique_ptr<Dirac> dirac, std::shared_ptr<const Lattice> fine,
                      std::shared_ptr<const ColorSpinorField> inverse)
        : dirac_(std::move(dirac))
        , fine_(std::move(fine))
        , P_(fine_, std::move(inverse))
    {
    }
    int rows() const override { return P_.rows(); }
    ColorSpinorParam shape(int parity, int rhs) const override { return P_.coarse_shape(rhs, parity); }
    LinkStorage storage() const override { return {P_.inverse()->precision(), Reconstruct::none}; }
    std::unique_ptr<Dirac> clone(LinkStorage storage) const override
    {
      const Precision precision = at_least_single(storage.precision);
      auto inverse = P_.inverse();
      if (inverse->precision() != precision) {
        ColorSpinorParam param = inverse->param();
        param.precision = precision;
        auto other = std::make_shared<ColorSpinorField>(param);
        copy(*other, *inverse);
        inverse = std::move(other);
      }
      return std::make_unique<DiracOnHypercubes>(dirac_->clone({precision, Reconstruct::none}), fine_,
                                                 std::move(inverse));
    }
    std::unique_ptr<Dirac> inside(const Domains &, LinkStorage, bool) const override { refuse("Schwarz domains"); }
    std::unique_ptr<LinearOperator> full() const override { return std::make_unique<Operator>(*this); }
    std::unique_ptr<LinearOperator> schur(MatPC) const override { refuse(one_parity); }
    void dslash(ColorSpinorField &, const ColorSpinorField &, bool) const override { refuse(one_parity); }
    double dslash_flops(int) const override { refuse(one_parity); }
    void prepare(ColorSpinorField &, const ColorSpinorField &, MatPC, bool) const override { refuse(one_parity); }
    void prepare_guess(ColorSpinorField &, MatPC, bool) const override { refuse(one_parity); }
    void residual_of_full(ColorSpinorField &, MatPC, bool) const override { refuse(one_parity); }
    void reconstruct(ColorSpinorField &, const ColorSpinorField &, MatPC, bool) const override { refuse(one_parity); }

  private:
    static constexpr const char *one_parity = "forms on one parity";
    [[noreturn]] static void refuse(const char *what)
    {
      fail(ErrorKind::unsupported, text("multigrid: %s of staggered quarks on hypercubes with long links", what));
    }
    static Precision at_least_single(Precision precision)
    {
      return precision == Precision::double_ ? Precision::double_ : Precision::single;
    }

    class Operator final : public LinearOperator
    {
    public:
      explicit Operator(const DiracOnHypercubes &of)
          : of_(of)
          , M_(of.dirac_->full())
      {
      }
      ColorSpinorParam shape(int rhs) const override { return of_.shape(-1, rhs); }
      double flops(int rhs) const override
      {
        return M_->flops(rhs) + 8.0 * quda::rows * quda::rows * hypercubes() * rhs;
      }
      double bytes(int rhs) const override
      {
        const ColorSpinorField &inverse = *of_.P_.inverse();
        return M_->bytes(rhs) + static_cast<double>(inverse.bytes());
      }

    protected:
      void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
      {
        const KaehlerDiracTransfer &P = of_.P_;
        ColorSpinorField v = of_.scratch_(0, P.fine_shape(in.rhs())), w = of_.scratch_(1, v.param());
        if (dagger) {
          ColorSpinorField before = of_.scratch_(2, in.param());
          P.invert(before, in, true);
          P.prolong(v, before);
          (*M_)(w, v, true);
          P.HypercubeTransfer::restrict(out, w);
        } else {
          P.prolong(v, in);
          (*M_)(w, v);
          P.restrict(out, w);
        }
      }

    private:
      double hypercubes() const { return static_cast<double>(of_.P_.inverse()->lattice().volume()); }

      const DiracOnHypercubes &of_;
      const std::unique_ptr<LinearOperator> M_;
    };

    const std::unique_ptr<Dirac> dirac_;
    const std::shared_ptr<const Lattice> fine_;
    const KaehlerDiracTransfer P_;
    Scratch scratch_;
  };

  class LongPieces final : public RowPieces
  {
  public:
    LongPieces(const StaggeredFermions &fermions, const LinkSet &fat, const KaehlerDiracTransfer &hypercubes,
               const RowTransfer &P, bool mirrored)
        : RowPieces(P)
        , storage_ {hypercubes.inverse()->precision(), Reconstruct::none}
        , fat_(fat.copy(storage_))
        , long_(fermions.long_links->copy(storage_))
        , hypercubes_(hypercubes)
        , mirrored_(mirrored)
        , ones_(ones_on(fat_))
    {
      cold_start(ones_);
    }
    bool hermitian() const override { return false; }
    bool has(int piece) const override { return piece != term; }

  private:
    static GaugeFieldParam ones_on(const GaugeField &links)
    {
      GaugeFieldParam param;
      param.lattice = links.shared_lattice();
      param.precision = links.precision();
      return param;
    }

    /// L_mu(x) v(x + 3 mu), or L_mu(x - 3 mu)^dag v(x - 3 mu): a hop of one site, and two without links.
    void long_hop(ColorSpinorField &out, const ColorSpinorField &v, int mu, bool ahead) const
    {
      ColorSpinorField between = scratch_(0, v.param());
      if (ahead) {
        covariant_sum(between, v, ones_, leg_ahead(mu), {}, 2);
        covariant_sum(out, between, long_, leg_ahead(mu));
      } else {
        covariant_sum(between, v, long_, leg_behind(mu));
        covariant_sum(out, between, ones_, leg_behind(mu), {}, 2);
      }
    }

    /// Part of M = 2 m - D that leads out of a hypercube to the next one or to the one after it.
    void multiply(ColorSpinorField &out, const ColorSpinorField &in, int piece) const override
    {
      if (piece == stays) return blas::copy(out, in);
      const bool to_second = piece >= far;
      const int hop = to_second ? piece - far : piece, mu = hop % 4;
      const bool ahead = hop < behind;
      ColorSpinorField v = scratch_(1, hypercubes_.fine_shape(in.rhs())), w = scratch_(2, v.param()),
                       r = scratch_(3, in.param());
      if (mirrored_) {
        hypercubes_.invert(r, in, false);
        hypercubes_.prolong(v, r);
      } else {
        hypercubes_.prolong(v, in);
      }
      // sites of the face through which the hop leads, and those behind it
      int face_lo[4] = {0, 0, 0, 0}, face_hi[4] = {2, 2, 2, 2}, other_lo[4] = {0, 0, 0, 0}, other_hi[4] = {2, 2, 2, 2};
      (ahead ? face_lo : face_hi)[mu] = 1;
      (ahead ? other_hi : other_lo)[mu] = 1;
      long_hop(w, v, mu, ahead);
      if (to_second) {
        hypercubes_.restrict_box(r, w, face_lo, face_hi, false);
      } else {
        hypercubes_.restrict_box(r, w, other_lo, other_hi, false);
        covariant_sum(w, v, fat_, ahead ? leg_ahead(mu) : leg_behind(mu));
        hypercubes_.restrict_box(r, w, face_lo, face_hi, true);
      }
      if (ahead) blas::ax(-1, r);
      if (mirrored_)
        blas::copy(out, r);
      else
        hypercubes_.invert(out, r, false);
    }

    const LinkStorage storage_;
    const GaugeField &fat_, &long_;
    const KaehlerDiracTransfer &hypercubes_;
    const bool mirrored_;
    GaugeField ones_;
    Scratch scratch_;
  };

} // namespace

KaehlerDirac long_kaehler_dirac(const StaggeredFermions &fermions, const LinkSet &fat,
                                std::shared_ptr<const Lattice> coarse, Precision precision)
{
  const auto fine = fat.precise().shared_lattice();
  const auto inverse = std::make_shared<const ColorSpinorField>(
      inverse_of_sites(matrices_of(fermions.mass, fat, HypercubeTransfer(fine, std::move(coarse), precision)), rows));
  return {
      std::make_unique<KaehlerDiracTransfer>(fine, inverse),
      std::make_unique<DiracOnHypercubes>(make_dirac(fermions, fat, {precision, Reconstruct::none}), fine, inverse)};
}

std::unique_ptr<GalerkinPieces> long_pieces(const StaggeredFermions &fermions, const LinkSet &fat,
                                            const KaehlerDiracTransfer &hypercubes, const RowTransfer &P, bool mirrored)
{
  return std::make_unique<LongPieces>(fermions, fat, hypercubes, P, mirrored);
}

} // namespace quda
