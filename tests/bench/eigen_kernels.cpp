/// What eigenvalues cost, of M_pc^dag M_pc of Wilson fermions:
///   chebyshev        a polynomial of it, of degree 16, applied to all right-hand sides
///   lanczos_restart  a space of 24 vectors is turned to its 12 lowest Ritz vectors and grown to 24 again: 12 products,
///                    and as many vectors made orthogonal to all before them
/// Flops are those of products and, of a restart, of the rotation and of two passes of Gram-Schmidt; bytes: each product's
/// links and spinors, each vector as often as it is read.

#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "dirac/dirac_system.h"
#include "dirac/make_dirac.h"
#include "ops/blas/block.h"
#include "solvers/chebyshev.h"
#include "solvers/dense_eigen.h"
#include "solvers/krylov_space.h"

namespace quda::bench
{

namespace
{

  constexpr double hop_flops = 1320, xpay_flops = 48;
  constexpr int degree = 16, space = 24, kept = 12;
  constexpr SpectralWindow window {0.5, 6};

  /// Of products with M_pc^dag M_pc, each of four hops.
  Work of_products(const Setting &s, int number)
  {
    Work work;
    work.flops = number * (4 * hop_flops + 2 * xpay_flops) * s.sites() / 2 * s.nrhs;
    work.read = number * (4 * s.links() + 6 * s.spinors() / 2);
    work.written = number * 4 * s.spinors() / 2;
    work.touched = s.links() + 4 * s.spinors() / 2;
    return work;
  }

  /// The matrix, and the host's spinors on its parity.
  class OfMatrix : public Kernel
  {
  public:
    OfMatrix(const Setting &s, int nrhs)
        : host_(*s.host)
        , links_(host_.native_links(s.precision, s.reconstruct))
        , set_(links_)
        , A_(make_dirac(WilsonFermions {host_.kappa()}, set_, {s.precision, s.reconstruct}),
             {.matpc = MatPC::even_even, .normal = true})
        , in_(A_.shape(nrhs))
    {
      ColorSpinorField all = host_.native_spinors(s.precision, nrhs);
      host_.fill(all);
      blas::copy(in_, all.half(0));
    }

  protected:
    HostData &host_;
    GaugeField links_;
    LinkSet set_;
    DiracSystem A_;
    ColorSpinorField in_;
  };

  class Polynomial final : public OfMatrix
  {
  public:
    explicit Polynomial(const Setting &s)
        : OfMatrix(s, s.nrhs)
        , p_(A_, degree, window)
        , out_(in_.param())
    {
    }
    void run() override { p_(out_, in_); }
    static Work work(const Setting &s) { return of_products(s, degree); }
    Checksum checksum() override
    {
      run();
      return checksum_of(out_);
    }
    /// Against the recursion in steps of their own.
    bool check() override
    {
      run();
      const double centre = (window.most + window.least) / 2, half = (window.most - window.least) / 2;
      double value = centre / half, value_before = 1;
      ColorSpinorField y(in_.param()), before(in_.param()), next(in_.param());
      blas::copy(before, in_);
      A_(y, in_);
      blas::axpby(centre / half, in_, -1 / half, y);
      for (int k = 2; k <= degree; k++) {
        A_(next, y);
        blas::axpby(2 * centre / half, y, -2 / half, next);
        blas::axpy(-1.0, before, next);
        blas::copy(before, y);
        blas::copy(y, next);
        const double value_next = 2 * centre / half * value - value_before;
        value_before = value;
        value = value_next;
      }
      blas::axpy(-value, out_, y);
      const double part = std::sqrt(blas::norm2(y) / blas::norm2(in_)) / value;
      return part < 100 * HostData::tolerance(in_.precision());
    }

  private:
    Chebyshev p_;
    ColorSpinorField out_;
  };

  class Restart final : public OfMatrix
  {
  public:
    explicit Restart(const Setting &s)
        : OfMatrix(s, 1)
        , V_(A_, space, 1)
    {
      begin();
    }
    void run() override
    {
      const HermitianPairs pairs = hermitian_pairs(V_.projected());
      const blas::Matrix Q = part(pairs.vectors, 0, 0, space, kept);
      blas::Matrix T(kept, kept);
      for (int i = 0; i < kept; i++) T(i, i) = pairs.values[static_cast<std::size_t>(i)];
      V_.restart(0, std::span(&Q, 1), std::span(&T, 1));
      V_.grow(space);
    }
    static Work work(const Setting &s)
    {
      constexpr double m = space, k = kept, grown = (m * (m + 1) - k * (k + 1)) / 2; // vectors read by a pass
      Setting one = s;
      one.nrhs = 1;
      const double vector = one.spinors() / 2, numbers = 12 * s.sites() / 2;
      Work work = of_products(one, space - kept);
      work.flops += 8 * (m * k + 2 * grown) * numbers;
      work.read += (m + 2 * grown) * vector;
      work.written += (k + 2 * (m - k)) * vector;
      work.touched = s.links() + (m + 1) * vector;
      return work;
    }
    /// What of the source lies in the space: whatever the phases of its vectors.
    Checksum checksum() override
    {
      begin();
      run();
      ColorSpinorField inside(in_.param());
      blas::zero(inside);
      V_.vectors().add(V_.vectors().project(in_, kept), inside);
      return checksum_of(inside);
    }
    /// A V = V H + v B, V orthonormal.
    bool check() override
    {
      begin();
      run();
      const blas::Matrix H = V_.projected(), B = V_.coupling();
      ColorSpinorField left(in_.param());
      bool good = true;
      for (int j = 0; j < space; j++) {
        A_(left, V_.vectors()[j]);
        blas::Matrix minus(space + 1, 1);
        for (int i = 0; i < space; i++) minus(i, 0) = -H(i, j);
        minus(space, 0) = -B(0, j);
        V_.vectors().add(minus, left);
        const blas::Matrix overlaps = V_.vectors().project(V_.vectors()[j], space);
        for (int i = 0; i < j; i++) good = good && std::abs(overlaps(i, 0)) < 10 * HostData::tolerance(in_.precision());
        good = good && std::sqrt(blas::norm2(left)) < 10 * HostData::tolerance(in_.precision());
      }
      return good;
    }

  private:
    void begin()
    {
      V_.begin(&in_);
      V_.grow(space);
    }

    KrylovSpace V_;
  };

  const Registered eigen_entries[] = {Entry {.name = "chebyshev",
                                             .needs = Needs::links_and_spinors,
                                             .features = "16 products, one epilogue each",
                                             .samples = 3,
                                             .loose = 100,
                                             .work = Polynomial::work,
                                             .make = made<Polynomial>},
                                      Entry {.name = "lanczos_restart",
                                             .needs = Needs::links,
                                             .features = "12 products, Gram-Schmidt, rotation",
                                             .dims = {16, 16, 16, 16},
                                             .samples = 3,
                                             .loose = 1e5,
                                             .work = Restart::work,
                                             .make = made<Restart>}};

} // namespace

} // namespace quda::bench
