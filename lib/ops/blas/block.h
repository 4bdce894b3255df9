#pragma once
/// Linear algebra on blocks of right-hand sides: sums for each right-hand side, coefficients that mix right-hand
/// sides, and lists of fields. The rules of blas.h hold, except:
///
/// Sums    : one per right-hand side, in order; a right-hand side owns its layers (fifth dimension, flavours). Each
///           is rounded once, correctly, whatever the rank grid, threads and the other right-hand sides: a right-hand
///           side by itself gives the same bits. A NaN or infinity stays in the sums that it enters. All sums of a call
///           travel in two messages: ranges of digits, 16 bytes a sum, and the digits, mostly 40 bytes a sum.
/// Matrices: A(i, j) belongs to right-hand sides (or fields) i and j; products of matrices and fields add in ascending
///           order of i.
/// Columns : a range of right-hand sides is a field (ColorSpinorField::columns).

#include <span>
#include <vector>

#include "comms/replicated_sum.h"
#include "ops/blas/blas.h"
#include "ops/blas/coefficients.h"

namespace quda
{
class GaugeField;
}

namespace quda::blas
{

/// Complex numbers (row, column).
class Matrix
{
public:
  Matrix() = default;
  Matrix(int rows, int columns)
      : rows_(rows)
      , columns_(columns)
      , a_(static_cast<std::size_t>(rows) * columns)
  {
  }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  Complex &operator()(int i, int j) { return a_[static_cast<std::size_t>(i) * columns_ + j]; }
  Complex operator()(int i, int j) const { return a_[static_cast<std::size_t>(i) * columns_ + j]; }
  /// Row i, as a list of coefficients.
  std::span<const Complex> row(int i) const
  {
    return std::span(a_).subspan(static_cast<std::size_t>(i) * columns_, static_cast<std::size_t>(columns_));
  }

private:
  int rows_ = 0;
  int columns_ = 0;
  std::vector<Complex> a_;
};

/// Fields of one shape.
using FieldList = std::span<const ColorSpinorField *const>;

} // namespace quda::blas

namespace quda::blas::block
{

// ---- sums ----

/// |x|^2 [2, S]
std::vector<double> norm2(const ColorSpinorField &x);

/// Re <x, y> [2, 2 S]
std::vector<double> redot(const ColorSpinorField &x, const ColorSpinorField &y);

/// <x, y> [4, 2 S]
std::vector<Complex> cdot(const ColorSpinorField &x, const ColorSpinorField &y);

/// <x, y> and |x|^2 [6, 2 S]
std::vector<DotNorm> cDotNormA(const ColorSpinorField &x, const ColorSpinorField &y);

/// <x, y> and |y|^2 [6, 2 S]
std::vector<DotNorm> cDotNormB(const ColorSpinorField &x, const ColorSpinorField &y);

/// <x, y>, |y|^2 and Re <z, y>, whose sums travel over the ranks in one message while this rank works on. [8, 4 S]
class DotsUnderWay
{
public:
  struct Dots {
    Complex xy;
    double yy, zy;
  };
  DotsUnderWay(const ColorSpinorField &x, const ColorSpinorField &y, const ColorSpinorField &z);
  /// Waits; call it once.
  std::vector<Dots> finish();

private:
  SumsUnderWay sums_;
};

/// |x|^2 and Re <x, x - y> [5, 2 S]
std::vector<NormChange> normChange(const ColorSpinorField &x, const ColorSpinorField &y);

/// sqrt(mean |r(s)|^2 / |x(s)|^2) over all sites and layers s; where x is zero the ratio counts as 1. [4, 2 S]
std::vector<double> heavy_quark(const ColorSpinorField &x, const ColorSpinorField &r);

/// The largest magnitude of a real number; NaN if there is one. [1, S]
std::vector<double> amax(const ColorSpinorField &x);
/// Largest magnitude of all links, which are native, in double or single precision and without a border.
double amax(const GaugeField &links);

// ---- updates, and sums over their results: as in blas.h ----

std::vector<double> axpyNorm2(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y);
std::vector<double> xmyNorm(const ColorSpinorField &x, ColorSpinorField &y);
std::vector<double> axpyReDot(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y);
std::vector<NormChange> axpyCGNorm(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y);
std::vector<double> caxpyNorm(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y);
std::vector<Complex> caxpyDot(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y,
                              const ColorSpinorField &z);
std::vector<double> caxpyXmazNorm(const ComplexCoefficients &a, ColorSpinorField &x, ColorSpinorField &y,
                                  const ColorSpinorField &z);
std::vector<DotNorm> caxpbypzYmbwDotNorm(const ComplexCoefficients &a, const ColorSpinorField &x,
                                         const ComplexCoefficients &b, ColorSpinorField &y, ColorSpinorField &z,
                                         const ColorSpinorField &w, const ColorSpinorField &u);

// ---- right-hand sides and fields mixed ----

/// Y_j += sum_i X_i A(i, j): A has a row for each right-hand side of X and a column for each of Y. X and Y share no
/// memory and may differ in their number of right-hand sides. [4 N_X a number of Y, S_X + 2 S_Y]
void multiply_add(ColorSpinorField &Y, const ColorSpinorField &X, const Matrix &A);

/// y_j += sum_k a(k, j) P_k,j in one pass, in half precision rounded once in 16 fields: a has a row for each field and
/// a column for each right-hand side, or one column for all. y is none of the fields. [4 K, (K + 2) S]
void axpy_many(const Matrix &a, FieldList P, ColorSpinorField &y);

/// <X_i, Y_j> for all pairs of right-hand sides; gram_rhs(X, X) is Hermitian to the bit. [4 N_Y a number of X]
Matrix gram_rhs(const ColorSpinorField &X, const ColorSpinorField &Y);

/// <V_k,j, W_l,j> (k, l) for each right-hand side j; gram(V, V) is Hermitian to the bit. One sum over the ranks.
std::vector<Matrix> gram(FieldList V, FieldList W);

// ---- exchanges and precisions ----

/// Exchanges right-hand sides i and j, with all their layers. [0, 4 S of one right-hand side]
void swap(ColorSpinorField &x, int i, int j);

/// to_j = scale_j from_j, in to's precision: rounded once to it, the product in the larger of the two. to may be from.
void convert(ColorSpinorField &to, const ColorSpinorField &from, const Coefficients &scale = 1.0);

/// y_j += a_j x_j, x of a lower precision than y (or of the same): in y's precision.
void axpy_mixed(const Coefficients &a, const ColorSpinorField &x, ColorSpinorField &y);
/// a complex
void caxpy_mixed(const ComplexCoefficients &a, const ColorSpinorField &x, ColorSpinorField &y);

} // namespace quda::blas::block
