#include "multigrid/fine_transfer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "dense/cholesky.h"
#include "fields/aggregates.h"
#include "fields/field_together.h"
#include "ops/blas/blas.h"
#include "ops/multigrid/blocks.h"
#include "ops/multigrid/rows.h"

namespace quda
{

namespace
{

  Precision of_fields(Precision of_V) { return of_V == Precision::double_ ? Precision::double_ : Precision::single; }

  ColorSpinorParam like(const ColorSpinorParam &shape, Precision precision)
  {
    ColorSpinorParam param = shape;
    param.precision = precision;
    return param;
  }

  /// Whether kernels accept a field of one shape as one of the other: precision and lanes agree.
  bool fits(const ColorSpinorField &field, const ColorSpinorParam &shape)
  {
    return field.native() && field.precision() == shape.precision &&
           field.lattice().max_width() == shape.lattice->max_width() &&
           std::equal(field.lattice().S(), field.lattice().S() + 4, shape.lattice->S());
  }

  int parity_of(const ColorSpinorField &field) { return field.parities() == 2 ? -1 : field.parity(); }

  // Failures are compared by one number: aggregate, chirality, vector and reason.
  constexpr long long counted_vectors = 1024;

  /// Part of a vector that must remain, given the rounding of its Gram matrix or of the vector itself.
  double least_remainder(Precision of_vectors, Precision precision)
  {
    return of_vectors == Precision::double_ && precision == Precision::double_ ? 1e-12 : 1e-10;
  }

  /// A rank's aggregates, numbered on a lattice of rows (multigrid/gathering.h).
  struct Aggregates {
    const Lattice &sites; // their sites, and more if their number is odd
    std::array<long long, 4> X, global_X, origin;

    Aggregates(const Lattice &fine, const Lattice &coarse, const int block[4])
        : sites(coarse)
    {
      for (int d = 0; d < 4; d++) {
        const auto i = static_cast<std::size_t>(d);
        X[i] = fine.X(d) / block[d];
        global_X[i] = fine.global_X()[d] / block[d];
        origin[i] = fine.origin()[d] / block[d];
      }
    }
    long long count() const { return X[0] * X[1] * X[2] * X[3]; }
    /// Coordinates of aggregate n in lexicographic order.
    void coordinates(long long n, int a[4]) const
    {
      for (std::size_t d = 0; d < 4; d++) {
        a[d] = static_cast<int>(n % X[d]);
        n /= X[d];
      }
    }
  };

  [[noreturn]] void fail_dependent(const Aggregates &coarse, long long number)
  {
    using Reason = dense::DependentVector::Reason;
    const auto take = [&](long long from) {
      const long long rest = number % from;
      number /= from;
      return rest;
    };
    const Reason reason = static_cast<Reason>(take(3));
    const long long vector = take(counted_vectors), X = take(2);
    long long a[4];
    for (std::size_t d = 0; d < 4; d++) a[d] = take(coarse.global_X[d]);
    const char *const what = reason == Reason::not_finite ? "holds NaN or infinity"
                             : reason == Reason::zero     ? "is zero"
                                                          : "depends on those before it";
    throw FoundTogether(ErrorKind::bad_argument,
                        text("test vector %lld %s in aggregate %lld %lld %lld %lld, chirality %lld", vector, what, a[0],
                             a[1], a[2], a[3], X));
  }

  /// Makes the failure, or none, the same on all ranks: that of the first aggregate.
  void agree(const Aggregates &coarse, const std::optional<dense::DependentVector> &failed)
  {
    double number = INFINITY;
    if (failed) {
      int a[4];
      coarse.coordinates(failed->number / 2, a);
      long long n = 0;
      for (std::size_t d = 4; d-- > 0;) n = n * coarse.global_X[d] + coarse.origin[d] + a[d];
      n = (2 * n + failed->number % 2) * counted_vectors + failed->vector;
      number = static_cast<double>(3 * n + static_cast<int>(failed->reason));
    }
    together_with(coarse.sites).min(&number, 1);
    if (std::isfinite(number)) fail_dependent(coarse, static_cast<long long>(number));
  }

  /// Replaces Gram matrices, G_ij in row X n + i of right-hand side j, by the factors that make vectors orthonormal.
  void factorise(const Aggregates &coarse, int n, RowArray &numbers, double least)
  {
    const std::size_t of_site = 2 * static_cast<std::size_t>(n) * n;
    RowArray matrices(static_cast<std::size_t>(coarse.count()) * of_site); // (aggregate, lexicographic, X, j, i)
    const auto for_numbers = [&](auto &&move) {
      std::size_t k = 0;
      for (long long one = 0; one < coarse.count(); one++) {
        int a[4];
        coarse.coordinates(one, a);
        std::complex<double> *const of_slot = &numbers[static_cast<std::size_t>(coarse.sites.slot(a)) * of_site];
        for (int X = 0; X < 2; X++)
          for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++, k++) move(matrices[k], of_slot[(2 * j + X) * n + i]);
      }
    };
    for_numbers([](std::complex<double> &matrix, std::complex<double> number) { matrix = number; });
    agree(coarse, dense::inverse_cholesky(n, 2 * coarse.count(), matrices.data(), least));
    for_numbers([](std::complex<double> matrix, std::complex<double> &number) { number = matrix; });
  }

  /// out = in, orthonormal on each aggregate; Gram matrices are summed from `summed`, the same vectors.
  void orthonormalise(ColorSpinorField &out, const ColorSpinorField &in, const ColorSpinorField &summed,
                      const std::shared_ptr<const Lattice> &coarse, const int block[4], double least)
  {
    const int n = in.rhs();
    RowArray numbers;
    {
      ColorSpinorField gram(row_shape(coarse, 2 * n, summed.precision(), n));
      blas::zero(gram); // also if there is no aggregate
      restrict_blocks(gram, summed, summed, block);
      numbers = to_host(gram, 2 * n);
    }
    factorise(Aggregates(in.lattice(), *coarse, block), n, numbers, least);
    ColorSpinorField factors(row_shape(coarse, 2 * n, in.precision(), n));
    from_host(factors, 2 * n, numbers);
    prolong_blocks(out, in, factors, block);
  }

  void check(const ColorSpinorField &B, const int block[4], const Lattice *coarse, bool gathered, Precision precision)
  {
    if (!B.native() || B.spins() != 4 || B.colors() != 3 || B.layers() != 1)
      fail(
          ErrorKind::unsupported,
          text(
              "FineTransfer: test vectors of %d spins, %d colors and %d layers; native fields of 4 spins, 3 colors and "
              "one layer are transferred",
              B.spins(), B.colors(), B.layers()));
    if (B.parities() != 2) fail(ErrorKind::internal, "FineTransfer: test vectors of one parity");
    if (B.precision() != Precision::double_ && B.precision() != Precision::single)
      fail(ErrorKind::unsupported,
           text("FineTransfer: test vectors of %d bytes a real; double and single precision are "
                "made orthonormal",
                bytes_of(B.precision())));
    if (precision == Precision::quarter)
      fail(ErrorKind::unsupported, text("FineTransfer: precision of V: %d bytes a real; double, single and half are "
                                        "transferred",
                                        bytes_of(precision)));
    int count[4];
    long long numbers = 6;
    count_aggregates(B.lattice().X(), block, count);
    for (int d = 0; d < 4; d++) numbers *= block[d];
    if (B.rhs() > numbers)
      fail(ErrorKind::bad_argument, text("n_vec = %d is not allowed: an aggregate of %d x %d x %d x %d sites has %lld "
                                         "numbers of a chirality",
                                         B.rhs(), block[0], block[1], block[2], block[3], numbers));
    if (!coarse) fail(ErrorKind::internal, "FineTransfer: no coarse lattice");
    for (int d = 0; d < 4; d++)
      if (const int needed = count[d] + (gathered ? count[d] % 2 : 0); coarse->X(d) != needed)
        fail(ErrorKind::internal,
             text("FineTransfer: the coarse lattice has X[%d] = %d in place of %d", d, coarse->X(d), needed));
  }

  ColorSpinorField orthonormal_vectors(const ColorSpinorField &B, const int block[4],
                                       const std::shared_ptr<const Lattice> &coarse, bool gathered, Precision precision)
  {
    check(B, block, coarse.get(), gathered, precision);
    const Precision fields = of_fields(precision);
    const double least = least_remainder(B.precision(), fields);
    ColorSpinorParam param = B.param();
    param.lattice = Lattice::blocked(B.lattice().X(), B.lattice().shared_communicator(), block);
    ColorSpinorField first = field_together(like(param, fields)), second = field_together(like(param, fields));
    copy(first, B);
    {
      std::optional<ColorSpinorField> wide;
      if (fields != Precision::double_) copy(wide.emplace(like(param, Precision::double_)), B);
      orthonormalise(second, first, wide ? *wide : first, coarse, block, least);
    }
    orthonormalise(first, second, second, coarse, block, least);
    if (precision == fields) return first;
    ColorSpinorField stored(like(param, precision));
    copy(stored, first);
    return stored;
  }

} // namespace

FineTransfer::FineTransfer(const ColorSpinorField &B, const int block[4], CoarseGrid coarse, Precision precision)
    : Transfer(std::move(coarse))
    , block_ {block[0], block[1], block[2], block[3]}
    , V_(orthonormal_vectors(B, block, part(), gathering() != nullptr, precision))
{
}

ColorSpinorParam FineTransfer::fine_shape(int rhs, int parity) const
{
  ColorSpinorParam param = like(V_.param(), of_fields(V_.precision()));
  param.rhs = rhs;
  param.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
  param.parity = parity < 0 ? 0 : parity;
  return param;
}

Precision FineTransfer::coarse_precision() const { return of_fields(V_.precision()); }

ColorSpinorParam FineTransfer::part_shape(int rhs, int parity) const
{
  return row_shape(part(), rows(), coarse_precision(), rhs, parity);
}

void FineTransfer::restrict_part(ColorSpinorField &coarse, const ColorSpinorField &fine, const int lo[4],
                                 const int hi[4], bool add) const
{
  const ColorSpinorParam shape = fine_shape(fine.rhs(), parity_of(fine));
  if (!fits(fine, shape)) {
    ColorSpinorField own(shape);
    copy(own, fine);
    restrict_part(coarse, own, lo, hi, add);
  } else if (const ColorSpinorParam rows = part_shape(coarse.rhs(), parity_of(coarse)); !fits(coarse, rows)) {
    ColorSpinorField own(rows);
    restrict_blocks(own, V_, fine, block_, lo, hi);
    if (add) {
      ColorSpinorField other(coarse.param());
      copy(other, own);
      blas::axpy(1.0, other, coarse);
    } else {
      copy(coarse, own);
    }
  } else {
    restrict_blocks(coarse, V_, fine, block_, lo, hi, add);
  }
}

void FineTransfer::prolong_part(ColorSpinorField &fine, const ColorSpinorField &coarse, bool add) const
{
  const ColorSpinorParam rows = part_shape(coarse.rhs(), parity_of(coarse));
  if (!fits(coarse, rows)) {
    ColorSpinorField own(rows);
    copy(own, coarse);
    prolong_part(fine, own, add);
  } else if (const ColorSpinorParam shape = fine_shape(fine.rhs(), parity_of(fine)); !fits(fine, shape)) {
    ColorSpinorField own(shape);
    prolong_blocks(own, V_, coarse, block_);
    if (add) { // in the precision of the field that is added to
      ColorSpinorField other(fine.param());
      copy(other, own);
      blas::axpy(1.0, other, fine);
    } else {
      copy(fine, own);
    }
  } else {
    prolong_blocks(fine, V_, coarse, block_, add);
  }
}

void FineTransfer::columns(ColorSpinorField &out, int first) const
{
  const int n = V_.rhs(), last = first + out.rhs();
  if (first < 0 || last > rows())
    fail(ErrorKind::internal, text("FineTransfer: columns %d to %d of %d", first, last - 1, rows()));
  const int parity = parity_of(out);
  for (int X = 0; X < 2; X++) {
    const int begin = std::max(first, X * n), count = std::min(last, (X + 1) * n) - begin;
    if (count <= 0) continue;
    const ColorSpinorField V =
        parity < 0 ? V_.columns(begin - X * n, count) : V_.half(parity).columns(begin - X * n, count);
    ColorSpinorField numbers(fine_shape(count, parity)), part(numbers.param());
    copy(numbers, V);
    chiral_part(part, numbers, X);
    ColorSpinorField columns = out.columns(begin - first, count);
    copy(columns, part);
  }
}

} // namespace quda
