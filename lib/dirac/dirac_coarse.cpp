#include "dirac/dirac_coarse.h"

#include <cmath>
#include <optional>

#include "comms/found_together.h"
#include "core/error.h"
#include "dense/inverse.h"
#include "fields/field_together.h"
#include "ops/blas/block.h"
#include "ops/multigrid/rows.h"

namespace quda
{

namespace
{

  constexpr int of_neighbours[] = {0, 1, 2, 3, 4, 5, 6, 7};
  constexpr int of_site[] = {8};
  constexpr int alone[] = {0}; // the one leg of Legs::single()
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

  /// X^-1 in the order of its columns.
  RowArray inverse_of(const ColorSpinorField &X, int rows)
  {
    RowArray all = to_host(X, rows);
    found_together(together_with(X.lattice()), [&] {
      const auto none = dense::invert(dense::Scalar::complex_double, rows, X.sites(), all.data(), all.data());
      if (!none) return;
      int x[4];
      X.lattice().slot_coordinates(none->number, x);
      fail(ErrorKind::bad_argument,
           text("coarse operator: the matrix of site %d %d %d %d of rank %d %s", x[0], x[1], x[2], x[3],
                X.lattice().communicator().rank(), none->finite ? "has no inverse" : "holds NaN or infinity"));
    });
    return all;
  }

  std::shared_ptr<const Legs> all_neighbours(const ColorSpinorField &plain)
  {
    return std::make_shared<const Legs>(Legs::neighbours(plain.shared_lattice()));
  }

} // namespace

CoarseMatrices::CoarseMatrices(ColorSpinorField &&all, int rows, double twist)
    : plain(std::move(all))
    , hat(field_together(plain.param()))
    , rows(rows)
    , twist(twist)
    , legs(all_neighbours(plain))
{
  if (plain.parities() != 2 || plain.rhs() != 9 * rows || !has_rows(plain, rows) ||
      bytes_of(plain.precision()) < bytes_of(Precision::single))
    fail(ErrorKind::internal, text("CoarseMatrices: %d columns of %d bytes a real for 9 legs of %d rows", plain.rhs(),
                                   bytes_of(plain.precision()), rows));
  ColorSpinorField inverse = hat.columns(8 * rows, rows);
  from_host(inverse, rows, inverse_of(plain.columns(8 * rows, rows), rows));
  if (!std::isfinite(blas::norm2(plain)))
    throw FoundTogether(ErrorKind::bad_argument, "coarse operator: matrices of its hops hold NaN or infinity");
  for (const int leg : of_neighbours) {
    ColorSpinorField out = hat.columns(leg * rows, rows);
    row_product(out, plain.columns(leg * rows, rows), {hat, *legs, of_site});
  }
  hat.mark_written();
}

CoarseMatrices::CoarseMatrices(ColorSpinorField &&plain, ColorSpinorField &&hat, int rows, double twist,
                               std::shared_ptr<const Legs> legs)
    : plain(std::move(plain))
    , hat(std::move(hat))
    , rows(rows)
    , twist(twist)
    , legs(std::move(legs))
{
}

CoarseMatrices::CoarseMatrices(const CoarseMatrices &of, Precision precision)
    : plain(in_precision(of.plain, precision))
    , hat(of.hat.data() == of.plain.data() ? plain.columns(0, plain.rhs()) : in_precision(of.hat, precision))
    , rows(of.rows)
    , twist(of.twist)
    , legs(of.legs)
{
  if (of.first) first = std::make_shared<const ColorSpinorField>(in_precision(*of.first, precision));
}

CoarseMatrices CoarseMatrices::of_hops(ColorSpinorField &&hops, int rows, std::shared_ptr<const Legs> legs,
                                       std::shared_ptr<const ColorSpinorField> first)
{
  ColorSpinorField same = hops.columns(0, hops.rhs());
  CoarseMatrices made(std::move(hops), std::move(same), rows, 0, std::move(legs));
  made.first = std::move(first);
  return made;
}

void CoarseMatrices::leg(ColorSpinorField &out, const ColorSpinorField &in, int leg) const
{
  if (leg == of_site[0] && unit()) return blas::copy(out, in);
  const ColorSpinorField *from = &in;
  std::optional<ColorSpinorField> before;
  if (first) {
    before.emplace(in.param());
    row_product(*before, in, {*first, Legs::single(in.shared_lattice(), of_site[0]), alone});
    from = &*before;
  }
  row_product(out, *from, {plain, *legs, {&leg, 1}});
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

ColorSpinorField inverse_of_sites(const ColorSpinorField &plain, int rows)
{
  const ColorSpinorField X = plain.columns(8 * rows, rows);
  ColorSpinorField inverse = field_together(X.param());
  from_host(inverse, rows, inverse_of(X, rows));
  return inverse;
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
  double flops(int rhs) const override { return 8 * dirac_.rows() * columns() * sites() * rhs; }
  double bytes(int rhs) const override
  {
    const ColorSpinorField &M = dirac_.matrices().plain;
    const ColorSpinorParam v = shape(rhs);
    return M.lattice().lanes() * sites() *
           (static_cast<double>(M.record_bytes()) * columns() + 2.0 * v.colors * bytes_of(v.precision) * rhs * 2);
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
    const bool unit = dirac_.matrices().unit();
    if (parity_ < 0 && !unit)
      dirac_.multiply(call.out, call.in, dirac_.matrices(call.dagger).plain, of_all, {call.dagger, call.dagger}, all);
    else if (parity_ >= 0 && !symmetric_ && !unit)
      asymmetric(call, all);
    else if (!(parity_ < 0 ? one_and_hops(call, all) : with_one(call, all)))
      return false;
    if (end.norm) sums->norm = blas::block::norm2(call.out);
    if (end.dot_with) sums->dot = blas::block::cdot(*end.dot_with, call.out);
    return true;
  }

private:
  double sites() const { return static_cast<double>(dirac_.matrices().plain.lattice().volume()); }
  /// Columns of matrices at a site, on the average of all sites.
  double columns() const
  {
    const double n = dirac_.rows(), hops = dirac_.columns_of_hops();
    if (dirac_.matrices().unit()) return hops;
    return hops + (parity_ < 0 ? n : symmetric_ ? 0 : n / 2);
  }

  /// X in - H_to X_o^-1 H_ot in, with dagger s3 before and after it.
  void asymmetric(const Apply &call, const RowEnd &end) const
  {
    const CoarseMatrices &set = dirac_.matrices(call.dagger);
    ColorSpinorField other = dirac_.scratch(0, 1 - parity_, call.in.rhs());
    dirac_.multiply(other, call.in, set.hat, of_neighbours, {call.dagger, false});
    dirac_.multiply(call.out, call.in, set.plain, of_site, {call.dagger, call.dagger}, end);
    dirac_.multiply(call.out, other, set.plain, of_neighbours, {false, call.dagger},
                    {.x = &call.out, .a = 1, .b = -end.b});
  }

  /// in + H in.
  bool one_and_hops(const Apply &call, RowEnd end) const
  {
    if (!add_in(end, call.in)) return false;
    dirac_.hop(call.out, call.in, dirac_.matrices(call.dagger), &CoarseMatrices::plain, {call.dagger, call.dagger},
               end);
    return true;
  }

  /// in - X_t^-1 H_to X_o^-1 H_ot in, or in - s3 H_to X_o^-1 H_ot X_t^-1 s3 in.
  bool with_one(const Apply &call, RowEnd end) const
  {
    if (!add_in(end, call.in)) return false;
    end.b = -end.b;
    const CoarseMatrices &set = dirac_.matrices(call.dagger);
    ColorSpinorField other = dirac_.scratch(0, 1 - parity_, call.in.rhs());
    if (call.dagger && !set.unit()) {
      ColorSpinorField first = dirac_.scratch(1, parity_, call.in.rhs());
      dirac_.multiply(first, call.in, set.hat, of_site, {true, false});
      dirac_.hop(other, first, set, &CoarseMatrices::hat, {});
    } else {
      dirac_.hop(other, call.in, set, &CoarseMatrices::hat, {call.dagger, false});
    }
    dirac_.hop(call.out, other, set, call.dagger ? &CoarseMatrices::plain : &CoarseMatrices::hat, {false, call.dagger},
               end);
    return true;
  }

  /// Adds `in` to a product that has the term 1, too. False if there would be three terms.
  static bool add_in(RowEnd &end, const ColorSpinorField &in)
  {
    if (end.y && end.y->data() != in.data()) {
      if (end.x) return false;
      end.x = end.y, end.a = end.c;
      end.y = nullptr;
    }
    end.c = end.y ? end.b + end.c : end.b;
    end.y = &in;
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
  if (!mirror) return;
  mirror_ = std::make_shared<Mirrored>(Mirrored {std::move(mirror)});
  if (copies_of(matrices_->plain.lattice())) set(true); // while all ranks are here
}

DiracCoarse::DiracCoarse(std::shared_ptr<const CoarseMatrices> matrices, std::shared_ptr<Mirrored> mirror)
    : matrices_(std::move(matrices))
    , mirror_(std::move(mirror))
    , at_site_(Legs::single(matrices_->plain.shared_lattice(), of_site[0]))
{
}

const std::shared_ptr<const CoarseMatrices> &DiracCoarse::set(bool dagger) const
{
  if (!dagger || !mirror_) return matrices_;
  if (!adjoint_) {
    if (!mirror_->made) mirror_->made = std::make_shared<const CoarseMatrices>(mirror_->make());
    const Precision precision = matrices_->plain.precision();
    adjoint_ = mirror_->made->plain.precision() == precision
                   ? mirror_->made
                   : std::make_shared<const CoarseMatrices>(*mirror_->made, precision);
  }
  return adjoint_;
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
  row_product(out, in, {matrices, *matrices_->legs, list, flips.out ? h : 0, flips.in ? h : 0}, end);
}

/// H, or X^-1 H.
void DiracCoarse::hop(ColorSpinorField &out, const ColorSpinorField &in, const CoarseMatrices &set,
                      ColorSpinorField CoarseMatrices::*matrices, Flips flips, const RowEnd &end) const
{
  if (!set.first) return multiply(out, in, set.*matrices, of_neighbours, flips, end);
  ColorSpinorField before = scratch(2, in.parities() == 2 ? -1 : in.parity(), in.rhs());
  row_product(before, in, {*set.first, at_site_, alone, 0, flips.in ? rows() / 2 : 0});
  multiply(out, before, set.*matrices, of_neighbours, {false, flips.out}, end);
}

int DiracCoarse::columns_of_hops() const
{
  const CoarseMatrices &M = *matrices_;
  return M.legs->columns(M.rows) - (M.unit() ? 0 : M.rows);
}

ColorSpinorField DiracCoarse::scratch(int number, int parity, int rhs) const
{
  return scratch_(number, shape(parity, rhs));
}

void DiracCoarse::dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  hop(out, in, matrices(dagger), &CoarseMatrices::hat, {dagger, dagger}, {.b = -1});
}

double DiracCoarse::dslash_flops(int rhs) const
{
  return 8.0 * rows() * columns_of_hops() * static_cast<double>(matrices_->plain.lattice().volume_cb()) * rhs;
}

void DiracCoarse::prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const int t = parity_of(matpc), o = 1 - t, rhs = b.rhs();
  const CoarseMatrices &M = matrices(dagger);
  const ColorSpinorField b_t = b.half(t), b_o = b.half(o);
  // c = b_t - H_to X_o^-1 b_o, or X_t^-1 times this
  if (M.unit()) return hop(c, b_o, M, &CoarseMatrices::plain, {dagger, dagger}, {.x = &b_t, .b = -1});
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
  if (!symmetric(matpc) || !dagger || matrices_->unit()) return;
  ColorSpinorField guess = scratch(1, parity_of(matpc), x_t.rhs());
  multiply(guess, x_t, matrices(true).plain, of_site, {true, true});
  x_t = guess;
}

void DiracCoarse::residual_of_full(ColorSpinorField &r_t, MatPC matpc, bool dagger) const
{
  if (!symmetric(matpc) || dagger || matrices_->unit()) return;
  ColorSpinorField residual = scratch(1, parity_of(matpc), r_t.rhs());
  multiply(residual, r_t, matrices_->plain, of_site, {});
  r_t = residual;
}

void DiracCoarse::reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC matpc, bool dagger) const
{
  const int t = parity_of(matpc), o = 1 - t, rhs = b.rhs();
  const CoarseMatrices &M = matrices(dagger);
  ColorSpinorField x_t = x.half(t), x_o = x.half(o);
  const ColorSpinorField b_o = b.half(o);
  // x_o = X_o^-1 (b_o - H_ot x_t)
  if (M.unit()) {
    hop(x_o, x_t, M, &CoarseMatrices::hat, {dagger, dagger}, {.x = &b_o, .b = -1});
  } else {
    if (symmetric(matpc) && dagger) {
      ColorSpinorField own = scratch(1, t, rhs);
      multiply(own, x_t, M.hat, of_site, {true, true});
      x_t = own;
    }
    ColorSpinorField other = scratch(0, o, rhs);
    multiply(other, b_o, M.hat, of_site, {dagger, dagger});
    multiply(x_o, x_t, M.hat, of_neighbours, {dagger, dagger}, {.x = &other, .b = -1});
  }
  x.mark_written();
}

double DiracOnRows::gradient_pair(ColorSpinorField &, ColorSpinorField &, std::optional<MatPC>) const
{
  fail(ErrorKind::unsupported, "Dirac: coarse operators have no gradient with respect to links");
}

} // namespace quda
