/// blasLUInvQuda: A A^-1 = 1, sizes and types; matrices that have no inverse are named, and nothing is written then;
/// the same bits with any number of threads.

#include "dense_call.h"

#include "reference/dense/gemm.h"

namespace
{

using namespace dense_test;
using test::Handler;
using test::same_bits;
using test::Session;
using Complex = std::complex<double>;

template <class T> std::vector<T> inverses(std::vector<T> &A, int n, int number)
{
  QudaBLASParam param = newQudaBLASParam();
  param.blas_type = QUDA_BLAS_LU_INV;
  param.inv_mat_size = n;
  param.batch_count = number;
  param.data_type = type_of<T>;
  std::vector<T> Ainv(A.size(), T(7));
  blasLUInvQuda(Ainv.data(), A.data(), QUDA_BOOLEAN_TRUE, &param);
  return Ainv;
}

/// Largest deviation of A X, by columns, from 1, in units of what rounding may do.
template <class T> double deviation(const std::vector<T> &A, const std::vector<T> &X, int n, int number)
{
  const reference::DenseProducts product {false, n, n, n, {'N', n, 0, 1}, {'N', n, 0, 1}, {'N', n, 0, 1}, 1, 0, number};
  std::vector<Complex> one(A.size());
  const std::vector<double> sizes = product.multiply(widened(A), widened(X), one);
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); i++) {
    const std::size_t within = i % (static_cast<std::size_t>(n) * n);
    const double here = std::abs(one[i] - (within / n == within % n ? 1.0 : 0.0)) / (n * epsilon<T> * sizes[i]);
    if (!(here <= largest)) largest = here;
  }
  return largest;
}

TEST(Inverse, TimesTheMatrixIsOne)
{
  Handler handler;
  Session session;
  for_each_type([]<class T>(T) {
    for (const int n : {1, 2, 3, 7, 16, 33, 64, 127, 200}) {
      const int number = n < 100 ? 5 : 1;
      std::vector<T> A = random_numbers<T>(static_cast<std::size_t>(n) * n * number, n), before = A;
      const std::vector<T> X = inverses(A, n, number);
      EXPECT_TRUE(same_bits(A, before));
      EXPECT_LT(deviation(A, X, n, number), 2) << n;
    }
  });
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

TEST(Inverse, InTheArrayOfTheMatrices)
{
  Session session;
  std::vector<Complex> A = random_numbers<Complex>(40 * 40 * 6, 3);
  const std::vector<Complex> X = inverses(A, 40, 6);
  QudaBLASParam param = newQudaBLASParam();
  param.blas_type = QUDA_BLAS_LU_INV;
  param.inv_mat_size = 40;
  param.batch_count = 6;
  param.data_type = QUDA_BLAS_DATATYPE_Z;
  blasLUInvQuda(A.data(), A.data(), QUDA_BOOLEAN_FALSE, &param);
  EXPECT_TRUE(same_bits(A, X));
}

/// Rows and columns of very different size do no harm.
TEST(Inverse, OfScaledMatrices)
{
  Handler handler;
  Session session;
  constexpr int n = 20;
  for (const bool diagonal : {true, false}) {
    std::vector<double> A = random_numbers<double>(n * n, 4);
    for (int column = 0; column < n; column++)
      for (int row = 0; row < n; row++) {
        if (diagonal && row != column) A[column * n + row] = 0;
        A[column * n + row] *= std::pow(10, 4 * (row - column / 2));
      }
    const std::vector<double> X = inverses(A, n, 1);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
    EXPECT_LT(deviation(A, X, n, 1), 10);
  }
}

/// What spoils a matrix of n x n numbers.
struct Spoiled {
  const char *what, *words;
  void (*spoil)(Complex *matrix, int n);
};

TEST(Inverse, MatricesWithoutOneAreNamed)
{
  Handler handler;
  Session session;
  const Spoiled all[] = {
      {"a column twice", "singular", [](Complex *m, int n) { std::copy(m, m + n, m + n * (n - 1)); }},
      {"a row that is a third of another", "singular",
       [](Complex *m, int n) {
         for (int column = 0; column < n; column++) m[column * n + n - 1] = m[column * n] / 3.0;
       }},
      {"a row of zeros", "singular",
       [](Complex *m, int n) {
         for (int column = 0; column < n; column++) m[column * n + n / 2] = 0;
       }},
      {"rank 1", "singular",
       [](Complex *m, int n) {
         for (int column = n - 1; column >= 0; column--)
           for (int row = n - 1; row >= 0; row--) m[column * n + row] = m[column * n] * m[row];
       }},
      {"zeros", "singular", [](Complex *m, int n) { std::fill(m, m + n * n, 0.0); }},
      {"NaN", "NaN or infinity",
       [](Complex *m, int n) {
         m[n * n - 2] = {0, NAN};
       }},
      {"infinity", "NaN or infinity", [](Complex *m, int) { m[1] = INFINITY; }}};
  for_each_type([&]<class T>(T) {
    for (const int n : {2, 3, 16, 64})
      for (const Spoiled &one : all) {
        constexpr int number = 6;
        std::vector<Complex> numbers = random_numbers<Complex>(static_cast<std::size_t>(n) * n * number, n);
        if (!is_complex<T>)
          for (Complex &x : numbers) x = x.real();
        one.spoil(&numbers[n * n * 5], n);
        one.spoil(&numbers[n * n * 3], n);
        if (std::string(one.what) == "NaN" && !is_complex<T>)
          for (Complex &x : numbers)
            if (std::isnan(x.imag())) x = NAN;
        std::vector<T> A(numbers.size());
        for (std::size_t i = 0; i < A.size(); i++) A[i] = number_of<T>(numbers[i]);
        handler.forget();
        const std::vector<T> X = inverses(A, n, number);
        EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
        EXPECT_TRUE(handler.says("blasLUInvQuda: A, matrix 3 of 0 to 5") && handler.says(one.words))
            << one.what << ", " << n << ": " << handler.text();
        EXPECT_EQ(X, std::vector<T>(A.size(), T(7))) << one.what << ", " << n;
      }
  });
}

TEST(Inverse, DISABLED_Program)
{
  Session session;
  std::uint64_t all = 0xcbf29ce484222325u;
  for_each_type([&]<class T>(T) {
    for (const int n : {3, 33, 150}) {
      std::vector<T> A = random_numbers<T>(static_cast<std::size_t>(n) * n * 5, n);
      all = hash(inverses(A, n, 5), all);
    }
  });
  std::printf("hash %016llx of inverses\n", static_cast<unsigned long long>(all));
}

TEST(InverseThreads, SameBits)
{
  const std::string one = hash_with_threads(1, "Inverse.DISABLED_Program");
  EXPECT_EQ(hash_with_threads(2, "Inverse.DISABLED_Program"), one);
  EXPECT_EQ(hash_with_threads(3, "Inverse.DISABLED_Program"), one);
}

} // namespace
