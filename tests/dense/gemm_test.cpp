/// blasGEMMQuda against plain loops: types, orders, operations, sizes, strides, offsets; what it reads and writes, and
/// the same bits with any number of threads.

#include "dense_call.h"

#include "reference/dense/gemm.h"

namespace
{

using namespace dense_test;
using reference::DenseProducts;
using test::Handler;
using test::same_bits;
using test::Session;
using Complex = std::complex<double>;

const Complex alpha(0.75, -1.25), beta(-0.5, 0.25);

QudaBLASOperation operation(char op)
{
  return op == 'N' ? QUDA_BLAS_OP_N : op == 'T' ? QUDA_BLAS_OP_T : QUDA_BLAS_OP_C;
}

QudaBLASParam param_of(const DenseProducts &p, QudaBLASDataType type, int batch_count)
{
  QudaBLASParam param = newQudaBLASParam();
  param.blas_type = QUDA_BLAS_GEMM;
  param.trans_a = operation(p.a.op);
  param.trans_b = operation(p.b.op);
  param.m = p.m;
  param.n = p.n;
  param.k = p.k;
  param.lda = p.a.leading;
  param.ldb = p.b.leading;
  param.ldc = p.c.leading;
  param.a_offset = p.a.offset;
  param.b_offset = p.b.offset;
  param.c_offset = p.c.offset;
  param.a_stride = p.a.stride;
  param.b_stride = p.b.stride;
  param.c_stride = p.c.stride;
  set(param.alpha, p.alpha);
  set(param.beta, p.beta);
  param.batch_count = batch_count;
  param.data_type = type;
  param.data_order = p.by_rows ? QUDA_BLAS_DATAORDER_ROW : QUDA_BLAS_DATAORDER_COL;
  return param;
}

/// Products without gaps.
DenseProducts products(bool by_rows, char op_a, char op_b, int m, int n, int k, int number)
{
  const auto leading = [by_rows](char op, int rows, int columns) { return (op == 'N') == by_rows ? columns : rows; };
  return {by_rows,
          m,
          n,
          k,
          {op_a, leading(op_a, m, k), 0, 1},
          {op_b, leading(op_b, k, n), 0, 1},
          {'N', leading('N', m, n), 0, 1},
          alpha,
          beta,
          number};
}

template <class T> struct Arrays {
  Arrays(const DenseProducts &p, int matrices, int seed = 1)
      : A(random_numbers<T>(DenseProducts::numbers(p.a, p.by_rows, p.m, p.k, matrices), seed))
      , B(random_numbers<T>(DenseProducts::numbers(p.b, p.by_rows, p.k, p.n, matrices), seed + 1))
      , C(random_numbers<T>(DenseProducts::numbers(p.c, p.by_rows, p.m, p.n, matrices), seed + 2))
  {
  }
  void call(QudaBLASParam param, QudaBoolean native = QUDA_BOOLEAN_TRUE)
  {
    blasGEMMQuda(A.data(), B.data(), C.data(), native, &param);
  }
  std::vector<T> A, B, C;
};

/// The call's numbers against those of loops; all others keep their bits.
template <class T> void expect_product(DenseProducts p, int batch_count, const std::string &what)
{
  Arrays<T> arrays(p, batch_count);
  const std::vector<T> A = arrays.A, B = arrays.B, before = arrays.C;
  arrays.call(param_of(p, type_of<T>, batch_count));
  if (!is_complex<T>) {
    p.alpha = p.alpha.real();
    p.beta = p.beta.real();
  }
  std::vector<Complex> expected = widened(before);
  const std::vector<double> sizes = p.multiply(widened(A), widened(B), expected);
  EXPECT_TRUE(same_bits(A, arrays.A) && same_bits(B, arrays.B)) << what;
  for (std::size_t i = 0; i < expected.size(); i++) {
    if (sizes[i] == 0) {
      ASSERT_EQ(arrays.C[i], before[i]) << what << ", number " << i << " is none of a result";
      continue;
    }
    ASSERT_LE(std::abs(Complex(arrays.C[i]) - expected[i]), (p.k + 8) * epsilon<T> * sizes[i]) << what << ", " << i;
  }
}

std::string words(const DenseProducts &p)
{
  return std::string(p.by_rows ? "rows " : "columns ") + p.a.op + p.b.op + " " + std::to_string(p.m) + " x " +
         std::to_string(p.n) + " x " + std::to_string(p.k) + " strides " + std::to_string(p.a.stride) +
         std::to_string(p.b.stride) + std::to_string(p.c.stride);
}

class Gemm : public ::testing::Test
{
protected:
  ~Gemm() override { EXPECT_EQ(handler_.calls(), 0) << handler_.text(); }

private:
  Handler handler_;
  Session session_;
};

TEST_F(Gemm, TypesOrdersOperationsAndStrides)
{
  constexpr int strides[][3] = {{1, 1, 1}, {0, 0, 0}, {0, 1, 3}, {3, 0, 1}, {1, 3, 0}, {3, 3, 3}};
  for_each_type([&]<class T>(T) {
    for (const bool by_rows : {true, false})
      for (const char op_a : {'N', 'T', 'C'})
        for (const char op_b : {'N', 'T', 'C'})
          for (const auto &stride : strides) {
            DenseProducts p = products(by_rows, op_a, op_b, 7, 5, 3, 0);
            p.a.leading += 2;
            p.b.leading += 1;
            p.c.leading += 3;
            p.a.offset = 4;
            p.b.offset = 7;
            p.c.offset = 1;
            p.a.stride = stride[0];
            p.b.stride = stride[1];
            p.c.stride = stride[2];
            const int largest = std::max({1, stride[0], stride[1], stride[2]}), batch_count = 7;
            p.number = batch_count / largest;
            expect_product<T>(p, batch_count, words(p));
          }
  });
}

TEST_F(Gemm, Sizes)
{
  constexpr int sizes[] = {1, 2, 3, 7, 16, 33, 64, 127, 200};
  constexpr int n_sizes = std::size(sizes);
  const std::string ops = "NTC";
  for_each_type([&]<class T>(T) {
    for (int i = 0; i < n_sizes; i++) {
      const int m = sizes[i], n = sizes[(i + 4) % n_sizes], k = sizes[(i + 7) % n_sizes];
      for (const bool by_rows : {true, false}) {
        const DenseProducts p = products(by_rows, ops[i % 3], ops[(i + by_rows) % 3], m, n, k, 2);
        expect_product<T>(p, 2, words(p));
      }
      if (m > 127 && !is_complex<T>) continue;
      const DenseProducts square = products(i % 2, ops[(i + 1) % 3], ops[i % 3], m, m, m, 1);
      expect_product<T>(square, 1, words(square));
    }
  });
}

TEST_F(Gemm, WhatIsMultipliedByZeroIsNotRead)
{
  for_each_type([]<class T>(T) {
    const std::vector<T> nothing(900, number_of<T>({NAN, NAN}));
    DenseProducts p = products(true, 'N', 'C', 30, 30, 30, 1);
    Arrays<T> good(p, 1), bad(p, 1);
    p.beta = 0;
    bad.C = nothing;
    good.call(param_of(p, type_of<T>, 1));
    bad.call(param_of(p, type_of<T>, 1));
    EXPECT_TRUE(same_bits(good.C, bad.C));

    p.alpha = 0;
    bad.A = bad.B = nothing;
    bad.call(param_of(p, type_of<T>, 1));
    EXPECT_EQ(bad.C, std::vector<T>(900));

    p.beta = 2;
    bad.C = good.C;
    bad.call(param_of(p, type_of<T>, 1));
    for (std::size_t i = 0; i < 900; i++) ASSERT_EQ(bad.C[i], T(2) * good.C[i]);

    p.alpha = 1; // and what is multiplied is read
    bad.call(param_of(p, type_of<T>, 1));
    EXPECT_NE(bad.C[17], bad.C[17]);
  });
}

/// A and B as they were, wherever C is.
TEST_F(Gemm, ResultInTheSameArray)
{
  using T = Complex;
  for (const bool of_a : {true, false})
    for (const char op : {'N', 'T'}) {
      DenseProducts p = products(false, of_a ? op : 'N', of_a ? 'N' : op, 100, 100, 100, 2);
      Arrays<T> apart(p, 3), together(p, 3);
      p.beta = 0;
      QudaBLASParam param = param_of(p, type_of<T>, 2);
      apart.call(param);
      std::vector<T> &shared = of_a ? together.A : together.B;
      blasGEMMQuda(together.A.data(), together.B.data(), shared.data(), QUDA_BOOLEAN_TRUE, &param);
      EXPECT_TRUE(std::equal(shared.begin(), shared.begin() + 20000, apart.C.begin())) << of_a << op;
    }
}

TEST_F(Gemm, IsTheSameNativeOrNot)
{
  const DenseProducts p = products(true, 'C', 'T', 17, 70, 40, 3);
  Arrays<std::complex<float>> one(p, 3), other(p, 3);
  one.call(param_of(p, QUDA_BLAS_DATATYPE_C, 3), QUDA_BOOLEAN_TRUE);
  other.call(param_of(p, QUDA_BLAS_DATATYPE_C, 3), QUDA_BOOLEAN_FALSE);
  EXPECT_TRUE(same_bits(one.C, other.C));
}

TEST_F(Gemm, DISABLED_Program)
{
  std::uint64_t all = 0xcbf29ce484222325u;
  for_each_type([&]<class T>(T) {
    for (const int size : {3, 33, 150, 400}) {
      const DenseProducts p = products(size % 2, 'N', 'C', 150, size, size, size < 400 ? 5 : 1);
      Arrays<T> arrays(p, p.number);
      arrays.call(param_of(p, type_of<T>, p.number));
      all = hash(arrays.C, all);
    }
  });
  std::printf("hash %016llx of products with several threads\n", static_cast<unsigned long long>(all));
}

TEST(GemmThreads, SameBits)
{
  const std::string one = hash_with_threads(1, "Gemm.DISABLED_Program");
  EXPECT_EQ(hash_with_threads(2, "Gemm.DISABLED_Program"), one);
  EXPECT_EQ(hash_with_threads(3, "Gemm.DISABLED_Program"), one);
}

} // namespace
