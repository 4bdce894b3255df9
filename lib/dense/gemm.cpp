#include "dense/gemm.h"

#include <Eigen/Core>
#include <utility>
#include <vector>

namespace quda::dense
{

namespace
{

  constexpr int piece = 64; // columns of a result that one thread computes in one go

  template <class T> using Matrix = Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, Eigen::Dynamic>;
  template <class T> using View =
      Eigen::Map<std::conditional_t<std::is_const_v<T>, const Matrix<T>, Matrix<T>>, 0, Eigen::OuterStride<>>;

  template <class T> T number(std::complex<double> z)
  {
    if constexpr (Eigen::NumTraits<T>::IsComplex)
      return T(z);
    else
      return static_cast<T>(z.real());
  }

  /// Matrices stored column by column.
  template <class T> class Stored
  {
  public:
    Stored(T *array, const Matrices &matrices, Shape used)
        : array_(array)
        , matrices_(matrices)
        , shape_(stored(matrices.op, used))
    {
    }

    /// Columns first to first + columns of matrix i.
    View<T> part(long long i, int first, int columns) const
    {
      T *const matrix = array_ + matrices_.offset + i * matrices_.stride;
      const long long leading = matrices_.leading;
      return View<T>(matrix + first * leading, shape_.rows, columns, Eigen::OuterStride<>(leading));
    }

    /// The same columns of op(matrix i): a view in place, or a copy in `room`.
    View<const T> applied(long long i, int first, int columns, Matrix<T> &room) const
    {
      if (matrices_.op == Op::none) return part(i, first, columns);
      const auto rows = part(i, 0, shape_.columns).middleRows(first, columns);
      if (matrices_.op == Op::transpose)
        room = rows.transpose();
      else
        room = rows.adjoint();
      return View<const T>(room.data(), room.rows(), room.cols(), Eigen::OuterStride<>(room.rows()));
    }

    /// Whether the memory of all matrices, with the gaps between them, overlaps that of others.
    template <class U> bool meets(const Stored<U> &other, long long number) const
    {
      return begin() < other.end(number) && other.begin() < end(number);
    }

    /// A copy of all of it, in `room`.
    Stored copied(long long number, std::vector<std::remove_const_t<T>> &room) const
    {
      room.assign(begin(), end(number));
      Stored copy = *this;
      copy.array_ = room.data();
      copy.matrices_.offset = 0;
      return copy;
    }

    const T *begin() const { return array_ + matrices_.offset; }
    const T *end(long long number) const
    {
      const long long leading = matrices_.leading;
      return begin() + (number - 1) * matrices_.stride + (shape_.columns - 1) * leading + shape_.rows;
    }

  private:
    T *array_;
    Matrices matrices_;
    Shape shape_;
  };

  template <class T> void multiply_in(const Gemm &gemm, const T *A, const T *B, T *C)
  {
    Stored<const T> a(A, gemm.a, {gemm.m, gemm.k}), b(B, gemm.b, {gemm.k, gemm.n});
    const Stored<T> c(C, gemm.c, {gemm.m, gemm.n});
    const T alpha = number<T>(gemm.alpha), beta = number<T>(gemm.beta);
    std::vector<T> a_before, b_before;
    if (a.meets(c, gemm.number)) a = a.copied(gemm.number, a_before);
    if (b.meets(c, gemm.number)) b = b.copied(gemm.number, b_before);

    const long long pieces = (gemm.n + piece - 1) / piece;
    share_out(gemm.number * pieces, [&](long long begin, long long end) {
      Matrix<T> of_a, of_b;
      for (long long p = begin; p < end; p++) {
        const long long i = p / pieces;
        const int first = static_cast<int>(p % pieces) * piece, columns = std::min(piece, gemm.n - first);
        View<T> result = c.part(i, first, columns);
        if (beta == T(0))
          result.setZero();
        else if (beta != T(1))
          result *= beta;
        if (alpha == T(0)) continue;
        result.noalias() += alpha * (a.applied(i, 0, gemm.k, of_a) * b.applied(i, first, columns, of_b));
      }
    });
  }

  /// The same products for matrices stored by columns; if they are stored by rows, transposed and in the other order.
  Gemm by_columns(Gemm gemm)
  {
    std::swap(gemm.a, gemm.b);
    std::swap(gemm.m, gemm.n);
    gemm.order = Order::column;
    return gemm;
  }

} // namespace

void multiply(const Gemm &gemm, const void *A, const void *B, void *C)
{
  if (gemm.order == Order::row) return multiply(by_columns(gemm), B, A, C);
  prepare_eigen();
  const auto in = [&]<class T>(T *result) {
    multiply_in<T>(gemm, static_cast<const T *>(A), static_cast<const T *>(B), result);
  };
  switch (gemm.scalar) {
  case Scalar::real_single:
    return in(static_cast<float *>(C));
  case Scalar::real_double:
    return in(static_cast<double *>(C));
  case Scalar::complex_single:
    return in(static_cast<std::complex<float> *>(C));
  case Scalar::complex_double:
    return in(static_cast<std::complex<double> *>(C));
  }
}

} // namespace quda::dense
