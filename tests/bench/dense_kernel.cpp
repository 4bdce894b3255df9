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

  std::vector<double> reals(const std::vector<std::complex<double>> &all)
  {
    const auto *const first = reinterpret_cast<const double *>(all.data());
    return std::vector<double>(first, first + 2 * all.size());
  }

  template <class real> class Products : public Kernel
  {
  public:
    Products()
        : A_(narrowed(matrices(0.7)))
        , B_(narrowed(matrices(1.1)))
        , C_(numbers)
    {
    }
    void run() override
    {
      constexpr dense::Matrices each {dense::Op::none, size, 0, size * size};
      constexpr auto scalar = sizeof(real) == 8 ? dense::Scalar::complex_double : dense::Scalar::complex_single;
      const dense::Gemm gemm {scalar, dense::Order::column, size, size, size, each, each, each, 1, 0, products};
      dense::multiply(gemm, A_.data(), B_.data(), C_.data());
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(reals({C_.begin(), C_.end()}));
    }

  private:
    using Numbers = std::vector<std::complex<real>>;
    static Numbers narrowed(const std::vector<std::complex<double>> &all) { return Numbers(all.begin(), all.end()); }
    Numbers A_, B_, C_;
  };

  Work work(const Setting &s)
  {
    const double matrices = 2 * s.real() * numbers;
    return {.flops = 8.0 * size * numbers, .read = 2 * matrices, .written = matrices};
  }

  std::unique_ptr<Kernel> make(const Setting &s)
  {
    if (s.precision == Precision::double_) return std::make_unique<Products<double>>();
    return std::make_unique<Products<float>>();
  }

  const Registered gemm({.name = "gemm",
                         .needs = Needs::own,
                         .features = "Eigen, host memory",
                         .work = work,
                         .make = make,
                         .reference = plain([](HostData &) {
                           const reference::DenseArray each {'N', size, 0, 1};
                           const reference::DenseProducts all {false, size, size, size, each,
                                                               each,  each, 1,    0,    products};
                           std::vector<std::complex<double>> C(numbers);
                           all.multiply(matrices(0.7), matrices(1.1), C);
                           return reals(C);
                         })});

} // namespace

} // namespace quda::bench
