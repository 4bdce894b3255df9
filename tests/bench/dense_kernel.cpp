/// gemm: products of 100 pairs of complex 64 x 64 matrices in host memory, whatever the lattice. Eight flops a number
/// of A and column of B.

#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "dense/gemm.h"
#include "reference/dense/gemm.h"

namespace quda::bench
{

namespace
{

  constexpr int size = 64, products = 100;
  constexpr std::size_t numbers = std::size_t {size} * size * products;

  std::vector<std::complex<double>> matrices(double seed)
  {
    std::vector<std::complex<double>> all(numbers);
    for (std::size_t i = 0; i < numbers; i++) all[i] = std::polar(1.0, seed * static_cast<double>(i % 9973));
    return all;
  }

  template <class real> const Maker gemm_product = runs([](const Setting &) {
    const auto A = matrices(0.7), B = matrices(1.1);
    using Numbers = std::vector<std::complex<real>>;
    return [A = Numbers(A.begin(), A.end()), B = Numbers(B.begin(), B.end()),
            C = Numbers(numbers)]() mutable -> const Numbers & {
      constexpr dense::Matrices each {dense::Op::none, size, 0, size * size};
      constexpr auto scalar = sizeof(real) == 8 ? dense::Scalar::complex_double : dense::Scalar::complex_single;
      const dense::Gemm gemm {scalar, dense::Order::column, size, size, size, each, each, each, 1, 0, products};
      dense::multiply(gemm, A.data(), B.data(), C.data());
      return C;
    };
  });

  Work work(const Setting &s)
  {
    const double matrices = 2 * s.real() * numbers;
    return {.flops = 8.0 * size * numbers, .read = 2 * matrices, .written = matrices};
  }

  const Registered
      gemm({.name = "gemm",
            .needs = Needs::own,
            .features = "Eigen, host memory",
            .work = work,
            .make =
                [](const Setting &s) {
                  return (s.precision == Precision::double_ ? gemm_product<double> : gemm_product<float>)(s);
                },
            .reference = plain([](HostData &) {
              const reference::DenseArray each {'N', size, 0, 1};
              const reference::DenseProducts all {false, size, size, size, each, each, each, 1, 0, products};
              std::vector<std::complex<double>> C(numbers);
              all.multiply(matrices(0.7), matrices(1.1), C);
              return C;
            })});

} // namespace

} // namespace quda::bench
