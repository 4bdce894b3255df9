#include "dirac/dirac_domain_wall.h"

#include <algorithm>
#include <cmath>

#include "ops/blas/blas.h"
#include "ops/dirac/hop.h"

namespace quda
{

namespace
{

  using Number = FifthMatrix::Number;
  using Numbers = FifthMatrix::Numbers;

  /// 2 kappa_b of layer s.
  Number of_layer(const MoebiusFermions &of, std::size_t s) { return 1.0 / (of.b[s] * (4 + of.m5) + 1.0); }

  bool all_are(const Numbers &numbers, Number value)
  {
    return std::all_of(numbers.begin(), numbers.end(), [&](Number z) { return z == value; });
  }

  FifthMatrix local_of(const MoebiusFermions &of)
  {
    const std::size_t Ls = of.b.size();
    Numbers shift(Ls);
    for (std::size_t s = 0; s < Ls; s++) shift[s] = of_layer(of, s) * (of.c[s] * (4 + of.m5) - 1.0);
    const FifthMatrix M5(Numbers(Ls, 1.0), shift, of.mass);
    if (!of.term) return M5;
    const OneFlavourTerm &term = *of.term;
    const int k = static_cast<int>(Ls);
    const double b = of.b[0].real(), alpha = b + of.c[0].real(), ratio = (alpha - 1) / (alpha + 1);
    const double r = std::pow(ratio, k); // A(m) = (alpha + 1)^k (1 + m r)
    const double norm = alpha * (term.mq3 - term.mq2) * (1 + term.mq1 * r) /
                        ((1 + term.mq2 * r) * (1 + term.mq3 * r) * (b * (4 + of.m5) + 1));
    Numbers u(Ls);
    for (int j = 0; j < k; j++)
      u[static_cast<std::size_t>(term.plus ? j : k - 1 - j)] =
          (term.plus ? 2 : -2) * term.shift * norm * std::pow(-ratio, j) / (alpha + 1);
    return M5.with_column(term.plus ? Chirality::plus : Chirality::minus, u);
  }

  std::optional<FifthMatrix> before_of(const MoebiusFermions &of, double hop)
  {
    if (all_are(of.c, 0.0) && all_are(of.b, of.b[0]) && of.b[0].imag() == 0) return {};
    Numbers own = of.b, shift = of.c;
    for (std::size_t s = 0; s < own.size(); s++) {
      own[s] *= 0.5 / hop * of_layer(of, s);
      shift[s] *= 0.5 / hop * of_layer(of, s);
    }
    return FifthMatrix(own, shift, of.mass);
  }

  /// kappa_b if b is real and the same on all layers, times b if c is 0; else 1.
  double hop_of(const MoebiusFermions &of)
  {
    if (!all_are(of.b, of.b[0]) || of.b[0].imag() != 0) return 1;
    const double kappa_b = 0.5 * of_layer(of, 0).real();
    return all_are(of.c, 0.0) ? kappa_b * of.b[0].real() : kappa_b;
  }

  template <class F> std::optional<FifthMatrix> of_some(const std::optional<FifthMatrix> &matrix, const F &function)
  {
    return matrix ? std::optional(function(*matrix)) : std::nullopt;
  }

} // namespace

MoebiusMatrices::MoebiusMatrices(const MoebiusFermions &of)
    : hop(hop_of(of))
    , local(local_of(of))
    , before_hop(before_of(of, hop))
    , inverse(local.inverse())
    , adjoint(local.adjoint())
    , inverse_adjoint(inverse.adjoint())
    , before_adjoint(of_some(before_hop, [](const FifthMatrix &B) { return B.adjoint(); }))
    , before_inverse(of_some(before_hop, [&](const FifthMatrix &B) { return B.after(inverse); }))
    , before_inverse_adjoint(of_some(before_inverse, [](const FifthMatrix &B) { return B.adjoint(); }))
{
}

void DiracMoebius::hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &beside,
                       const Epilogue &end, Sums *sums) const
{
  if (!beside.sum) return wilson_hop(out, in, links(), dagger, end, sums);
  const FifthMatrix &A = matrix(*beside.sum);
  if (has_fifth_hop(links(), A)) return fifth_hop(out, in, links(), A, dagger, end, sums);
  // one after the other, in the order of the kernel
  const auto apart = [&](const HopFields &fields) {
    const Epilogue &to = fields.end;
    const bool plain = !to.x && !to.y;
    ColorSpinorField product = plain ? fields.out.columns(0, out.rhs()) : scratch(first_scratch, out.param());
    wilson_hop(product, in, links(), dagger);
    apply_fifth(product, product, A);
    if (to.y)
      blas::axpbyz(to.b, product, to.c, *to.y, product);
    else if (to.b.listed() || to.b[0] != 1)
      blas::ax(to.b, product);
    if (to.x)
      blas::axpbyz(to.a, *to.x, 1.0, product, fields.out);
    else if (!plain)
      blas::copy(fields.out, product);
    fields.out.mark_written();
  };
  const HopFields fields = {out, in, links(), dagger, end, sums};
  if (!end.sums()) return apart(fields);
  *sums = {};
  sums_after(fields, apart);
}

double DiracDomainWall::gradient_pair(ColorSpinorField &left, ColorSpinorField &right, std::optional<MatPC> matpc) const
{
  const double factor = DiracOf::gradient_pair(left, right, matpc);
  for (ColorSpinorField *field : {&left, &right}) {
    ColorSpinorField even = layers_as_columns(field->half(0)), odd_half = field->half(1);
    ColorSpinorParam param = even.param(); // the odd sites under the name of the even ones
    param.create = Create::reference;
    param.data = odd_half.data();
    const ColorSpinorField odd(param);
    for (int layer = 1; layer < even.rhs(); layer += 2) {
      ColorSpinorField a = even.columns(layer, 1), b = odd.columns(layer, 1);
      ColorSpinorField kept(a.param());
      blas::copy(kept, a);
      blas::copy(a, b);
      blas::copy(b, kept);
    }
    field->mark_written();
  }
  return factor;
}

FifthMatrix DiracDomainWall::twice_the_shift(const DomainWallFermions &of)
{
  const auto Ls = static_cast<std::size_t>(of.layers);
  return {Numbers(Ls, 0.0), Numbers(Ls, 2.0), of.mass};
}

void DiracDomainWall::hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &,
                          const Epilogue &end, Sums *sums) const
{
  ColorSpinorField along = scratch(first_scratch, out.param());
  const FifthMatrix &shift = dagger ? shift_adjoint_ : shift_;
  if (in.parities() == 1) {
    apply_fifth(along, in, shift);
  } else {
    for (int parity = 0; parity < 2; parity++) {
      ColorSpinorField half = along.half(parity);
      apply_fifth(half, in.half(1 - parity), shift);
    }
  }
  // out = a x + (b (D in + 2 T in) + c y)
  Epilogue with = end;
  if (end.y) blas::axpbyz(end.b, along, end.c, *end.y, along);
  with.y = &along;
  with.c = end.y ? 1.0 : end.b;
  checkerboard_hop(out, in, links(), dagger, with, sums);
}

} // namespace quda
