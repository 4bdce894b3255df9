#include "dirac/dirac_coarse.h"

#include "core/error.h"
#include "dense/inverse.h"
#include "ops/blas/block.h"
#include "ops/multigrid/rows.h"

namespace quda
{

namespace
{

  constexpr int of_neighbours[] = {0, 1, 2, 3, 4, 5, 6, 7};
  constexpr int of_site[] = {8};
  constexpr int of_all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

  Precision of_vectors(Precision matrices)
  {
    return matrices == Precision::double_ ? Precision::double_ : Precision::single;
  }

  ColorSpinorField in_precision(const ColorSpinorField &field, Precision precision)
  {
    ColorSpinorParam param = field.param();
    param.precision = precision;
    ColorSpinorField to(param);
    copy(to, field);
    return to;
  }

  /// X^-1 as its columns lie.
  RowArray inverse_of(const ColorSpinorField &X, int rows)
  {
    RowArray all = to_host(X, rows);
    const auto none = dense::invert(dense::Scalar::complex_double, rows, X.sites(), all.data(), all.data());
    if (none) {
      int x[4];
      X.lattice().slot_coordinates(none->number, x);
      fail(ErrorKind::bad_argument, text("coarse operator: the matrix of site %d %d %d %d of this rank %s", x[0], x[1],
                                         x[2], x[3], none->finite ? "has no inverse" : "holds NaN or infinity"));
    }
    return all;
  }

} // namespace

CoarseMatrices::CoarseMatrices(ColorSpinorField &&all, int rows, double twist)
    : plain(std::move(all))
    , hat(plain.param())
    , rows(rows)
    , twist(twist)
{
  if (plain.parities() != 2 || plain.rhs() != 9 * rows || !has_rows(plain, rows) ||
      bytes_of(plain.precision()) < bytes_of(Precision::single))
    fail(ErrorKind::internal, text("CoarseMatrices: %d columns of %d bytes a real for 9 legs of %d rows", plain.rhs(),
                                   bytes_of(plain.precision()), rows));
  const Legs legs = Legs::neighbours(plain.shared_lattice());
  ColorSpinorField inverse = hat.columns(8 * rows, rows);
  from_host(inverse, rows, inverse_of(plain.columns(8 * rows, rows), rows));
  for (const int leg : of_neighbours) {
    ColorSpinorField out = hat.columns(leg * rows, rows);
    row_product(out, plain.columns(leg * rows, rows), {hat, legs, of_site});
  }
  hat.mark_written();
}

CoarseMatrices::CoarseMatrices(ColorSpinorField &&plain, ColorSpinorField &&hat, int rows, double twist)
    : plain(std::move(plain))
    , hat(std::move(hat))
    , rows(rows)
    , twist(twist)
{
}

CoarseMatrices::CoarseMatrices(const CoarseMatrices &of, Precision precision)
    : plain(in_precision(of.plain, precision))
    , hat(of.hat.data() == of.plain.data() ? plain.columns(0, plain.rhs()) : in_precision(of.hat, precision))
    , rows(of.rows)
    , twist(of.twist)
{
}

CoarseMatrices CoarseMatrices::of_hops(ColorSpinorField &&all, int rows)
{
  ColorSpinorField X = all.columns(8 * rows, rows);
  const std::size_t n = static_cast<std::size_t>(rows);
  RowArray one(static_cast<std::size_t>(X.sites()) * n * n);
  for (std::size_t column = 0; column < one.size() / n; column++) one[column * n + column % n] = 1;
  from_host(X, rows, one);
  all.mark_written();
  ColorSpinorField same = all.columns(0, all.rhs());
  return CoarseMatrices(std::move(all), std::move(same), rows, 0);
}

CoarseMatrices CoarseMatrices::twisted(double a) const
{
  ColorSpinorField all = in_precision(plain, plain.precision()), X = all.columns(8 * rows, rows);
  RowArray numbers = to_host(X, rows);
  for (std::size_t n = 0; n < numbers.size(); n++) {
    const int row = static_cast<int>(n % static_cast<std::size_t>(rows));
    const int column = static_cast<int>(n / static_cast<std::size_t>(rows) % static_cast<std::size_t>(rows));
    if (row == column) numbers[n] += std::complex<double>(0, row < rows / 2 ? a : -a);
  }
  from_host(X, rows, numbers);
  return CoarseMatrices(std::move(all), rows, twist + a);
}

/// M on all sites, or M_pc.
class CoarseOperator final : public LinearOperator
{
public:
  /// parity: -1 on all sites.
  CoarseOperator(const DiracCoarse &dirac, int parity, bool symmetric)
      : dirac_(dirac)
      , parity_(parity)
      , symmetric_(symmetric)
  {
  }
  ColorSpinorParam shape(int rhs) const override { return dirac_.shape(parity_, rhs); }
  double flops(int rhs) const override { return (parity_ < 0 ? 9 : symmetric_ ? 8 : 8.5) * of_matrix(rhs); }
  double bytes(int rhs) const override
  {
    const ColorSpinorField &M = dirac_.matrices().plain;
    const double sites = static_cast<double>(M.lattice().volume()), lanes = M.lattice().lanes();
    const ColorSpinorParam v = shape(rhs);
    return lanes * sites *
           (static_cast<double>(M.record_bytes()) * dirac_.rows() *
                (parity_ < 0  ? 9
                 : symmetric_ ? 8
                              : 8.5) +
            2.0 * v.colors * bytes_of(v.precision) * rhs * 2);
  }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    fused({.out = out, .in = in, .dagger = dagger}, nullptr);
  }

  bool fused(const Apply &call, Sums *sums) const override
  {
    const Epilogue &end = call.end;
    if (end.a.listed() || end.b.listed() || end.c.listed() || end.change) return false;
    const RowEnd all {end.x, end.y, end.a[0], end.b[0], end.c[0]};
    if (parity_ < 0)
      dirac_.multiply(call.out, call.in, dirac_.set(call.dagger).plain, of_all, {call.dagger, call.dagger}, all);
    else if (!symmetric_)
      asymmetric(call, all);
    else if (!with_one(call, all))
      return false;
    if (end.norm) sums->norm = blas::block::norm2(call.out);
    if (end.dot_with) sums->dot = blas::block::cdot(*end.dot_with, call.out);
    return true;
  }

private:
  double of_matrix(int rhs) const
  {
    const double n = dirac_.rows(), sites = static_cast<double>(dirac_.matrices().plain.lattice().volume());
    return 8 * n * n * sites * rhs;
  }

  /// X in - H_to X_o^-1 H_ot in, with dagger s3 before and after it.
  void asymmetric(const Apply &call, const RowEnd &end) const
  {
    const CoarseMatrices &set = dirac_.set(call.dagger);
    ColorSpinorField other = dirac_.scratch(0, 1 - parity_, call.in.rhs());
    dirac_.multiply(other, call.in, set.hat, of_neighbours, {call.dagger, false});
    dirac_.multiply(call.out, call.in, set.plain, of_site, {call.dagger, call.dagger}, end);
    dirac_.multiply(call.out, other, set.plain, of_neighbours, {false, call.dagger},
                    {.x = &call.out, .a = 1, .b = -end.b});
  }

  /// in - X_t^-1 H_to X_o^-1 H_ot in, or in - s3 H_to X_o^-1 H_ot X_t^-1 s3 in. False where there are three terms
  /// beside the product.
  bool with_one(const Apply &call, RowEnd end) const
  {
    if (end.y && end.y->data() != call.in.data()) {
      if (end.x) return false;
      end.x = end.y, end.a = end.c;
      end.y = nullptr;
    }
    end.c = end.y ? end.b + end.c : end.b;
    end.y = &call.in;
    end.b = -end.b;
    const CoarseMatrices &set = dirac_.set(call.dagger);
    ColorSpinorField other = dirac_.scratch(0, 1 - parity_, call.in.rhs());
    if (call.dagger) {
      ColorSpinorField first = dirac_.scratch(1, parity_, call.in.rhs());
      dirac_.multiply(first, call.in, set.hat, of_site, {true, false});
      dirac_.multiply(other, first, set.hat, of_neighbours, {});
      dirac_.multiply(call.out, other, set.plain, of_neighbours, {false, true}, end);
    } else {
      dirac_.multiply(other, call.in, set.hat, of_neighbours, {});
      dirac_.multiply(call.out, other, set.hat, of_neighbours, {}, end);
    }
    return true;
  }

  const DiracCoarse &dirac_;
  int parity_;
  bool symmetric_;
};

DiracCoarse::DiracCoarse(std::shared_ptr<const CoarseMatrices> matrices, Mirror mirror)
    : DiracCoarse(matrices, std::shared_ptr<Mirrored>())
{
  if (!mirror && matrices->twist != 0) mirror = [matrices] { return matrices->twisted(-2 * matrices->twist); };
  if (mirror) mirror_ = std::make_shared<Mirrored>(Mirrored {std::move(mirror)});
}

DiracCoarse::DiracCoarse(std::shared_ptr<const CoarseMatrices> matrices, std::shared_ptr<Mirrored> mirror)
    : matrices_(std::move(matrices))
    , mirror_(std::move(mirror))
    , legs_(std::make_shared<const Legs>(Legs::neighbours(matrices_->plain.shared_lattice())))
{
}

const CoarseMatrices &DiracCoarse::set(bool dagger) const
{
  if (!dagger || !mirror_) return *matrices_;
  if (!adjoint_) {
    if (!mirror_->made) mirror_->made = std::make_shared<const CoarseMatrices>(mirror_->make());
    const Precision precision = matrices_->plain.precision();
    adjoint_ = mirror_->made->plain.precision() == precision
                   ? mirror_->made
                   : std::make_shared<const CoarseMatrices>(*mirror_->made, precision);
  }
  return *adjoint_;
}

ColorSpinorParam DiracCoarse::shape(int parity, int rhs) const
{
  const ColorSpinorField &M = matrices_->plain;
  return row_shape(M.shared_lattice(), rows(), of_vectors(M.precision()), rhs, parity);
}

LinkStorage DiracCoarse::storage() const { return {matrices_->plain.precision(), Reconstruct::none}; }

std::unique_ptr<Dirac> DiracCoarse::clone(LinkStorage storage) const
{
  if (storage.precision == Precision::quarter)
    fail(ErrorKind::unsupported, "coarse operator: matrices in quarter precision are not supported");
  const bool same = storage.precision == matrices_->plain.precision();
  auto matrices = same ? matrices_ : std::make_shared<const CoarseMatrices>(*matrices_, storage.precision);
  return std::unique_ptr<Dirac>(new DiracCoarse(std::move(matrices), mirror_));
}

std::unique_ptr<Dirac> DiracCoarse::inside(const Domains &, LinkStorage, bool) const
{
  fail(ErrorKind::unsupported, "coarse operator: Schwarz domains are not supported");
}

std::unique_ptr<LinearOperator> DiracCoarse::full() const { return std::make_unique<CoarseOperator>(*this, -1, false); }

std::unique_ptr<LinearOperator> DiracCoarse::schur(MatPC matpc) const
{
  return std::make_unique<CoarseOperator>(*this, parity_of(matpc), symmetric(matpc));
}

void DiracCoarse::multiply(ColorSpinorField &out, const ColorSpinorField &in, const ColorSpinorField &matrices,
                           std::span<const int> list, Flips flips, const RowEnd &end) const
{
  const int h = rows() / 2;
  row_product(out, in, {matrices, *legs_, list, flips.out ? h : 0, flips.in ? h : 0}, end);
}

ColorSpinorField DiracCoarse::scratch(int number, int parity, int rhs) const
{
  return scratch_(number, shape(parity, rhs));
}

void DiracCoarse::dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  multiply(out, in, set(dagger).hat, of_neighbours, {dagger, dagger}, {.b = -1});
}

double DiracCoarse::dslash_flops(int rhs) const
{
  return 8.0 * 8 * rows() * rows() * static_cast<double>(matrices_->plain.lattice().volume_cb()) * rhs;
}

void DiracCoarse::prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const int t = parity_of(matpc), o = 1 - t, rhs = b.rhs();
  const CoarseMatrices &M = set(dagger);
  const ColorSpinorField b_t = b.half(t), b_o = b.half(o);
  // c = b_t - H_to X_o^-1 b_o, or X_t^-1 of that
  ColorSpinorField other = scratch(0, o, rhs);
  multiply(other, b_o, M.hat, of_site, {dagger, false});
  if (symmetric(matpc) && !dagger) {
    ColorSpinorField own = scratch(1, t, rhs);
    multiply(own, b_t, M.hat, of_site, {});
    multiply(c, other, M.hat, of_neighbours, {}, {.x = &own, .b = -1});
  } else {
    multiply(c, other, M.plain, of_neighbours, {false, dagger}, {.x = &b_t, .b = -1});
  }
}

void DiracCoarse::prepare_guess(ColorSpinorField &x_t, MatPC matpc, bool dagger) const
{
  if (!symmetric(matpc) || !dagger) return;
  ColorSpinorField guess = scratch(1, parity_of(matpc), x_t.rhs());
  multiply(guess, x_t, set(true).plain, of_site, {true, true});
  x_t = guess;
}

void DiracCoarse::residual_of_full(ColorSpinorField &r_t, MatPC matpc, bool dagger) const
{
  if (!symmetric(matpc) || dagger) return;
  ColorSpinorField residual = scratch(1, parity_of(matpc), r_t.rhs());
  multiply(residual, r_t, matrices_->plain, of_site, {});
  r_t = residual;
}

void DiracCoarse::reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const int t = parity_of(matpc), o = 1 - t, rhs = b.rhs();
  const ColorSpinorField &hat = set(dagger).hat;
  ColorSpinorField x_t = x.half(t), x_o = x.half(o), other = scratch(0, o, rhs);
  if (symmetric(matpc) && dagger) {
    ColorSpinorField own = scratch(1, t, rhs);
    multiply(own, x_t, hat, of_site, {true, true});
    x_t = own;
  }
  // x_o = X_o^-1 (b_o - H_ot x_t)
  multiply(other, b.half(o), hat, of_site, {dagger, dagger});
  multiply(x_o, x_t, hat, of_neighbours, {dagger, dagger}, {.x = &other, .b = -1});
  x.mark_written();
}

} // namespace quda
