/// Between a lattice and the coarse grid of aggregates of 4 x 4 x 4 x 4 sites, with 24 vectors and one right-hand side
/// or twelve:
///   restrict, restrict_12   coarse numbers from spinors         prolong, prolong_12   spinors from coarse numbers
/// 96 flops a site, vector and right-hand side; the vectors once, the fields once. In half precision the vectors are, the
/// fields single.
///   chiral_columns          twelve spinors as 24 of one chirality, times 1 - gamma_1

#include <array>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/multigrid/blocks.h"
#include "ops/multigrid/rows.h"
#include "ops/random/spinors.h"

namespace quda::bench
{

namespace
{

  constexpr int n_vec = 24, twelve = 12;

  /// Four sites a direction, or as many of fewer as leave an even number of aggregates.
  std::array<int, 4> block_of(const Lattice &lattice)
  {
    std::array<int, 4> block;
    for (int d = 0; d < 4; d++)
      for (block[d] = 4; lattice.X(d) % (2 * block[d]) != 0;) block[d]--;
    return block;
  }

  Precision of_fields(Precision of_V) { return of_V == Precision::double_ ? of_V : Precision::single; }

  ColorSpinorParam blocked(const Setting &s, Precision precision, int rhs)
  {
    ColorSpinorParam param = s.host->native_spinors(precision, 1).param();
    param.lattice =
        Lattice::blocked(param.lattice->X(), param.lattice->shared_communicator(), block_of(*param.lattice).data());
    param.rhs = rhs;
    return param;
  }

  ColorSpinorField test_vectors(const Setting &s)
  {
    ColorSpinorField V(blocked(s, of_fields(s.precision), n_vec));
    gaussian_spinors(V, 1);
    if (V.precision() == s.precision) return V;
    ColorSpinorField stored(blocked(s, s.precision, n_vec));
    copy(stored, V);
    return stored;
  }

  template <int N> class Blocks : public Kernel
  {
  public:
    explicit Blocks(const Setting &s)
        : V_(test_vectors(s))
        , fine_(blocked(s, of_fields(s.precision), N))
        , block_(block_of(fine_.lattice()))
        , coarse_(row_shape(coarse_lattice(fine_.lattice()), 2 * n_vec, fine_.precision(), N))
    {
      s.host->fill(fine_);
      RowArray numbers(static_cast<std::size_t>(coarse_.sites()) * 2 * n_vec * N);
      for (std::size_t k = 0; k < numbers.size(); k++) {
        const double j = static_cast<double>(k / (2 * n_vec) % N + 1), r = static_cast<double>(k % 101);
        numbers[k] = {j * (r - 30) / 100, j * (60 - r) / 100};
      }
      from_host(coarse_, 2 * n_vec, numbers);
    }
    static Work work(const Setting &s)
    {
      const double fine = 24 * bytes_of(of_fields(s.precision)) * s.sites() * N;
      return {.flops = 96.0 * n_vec * N * s.sites(), .read = s.spinors() / s.nrhs * n_vec + fine};
    }

  protected:
    static std::shared_ptr<const Lattice> coarse_lattice(const Lattice &fine)
    {
      int X[4];
      coarse_extents(fine.X(), block_of(fine).data(), X);
      return Lattice::rows(X, fine.shared_communicator());
    }

    ColorSpinorField V_, fine_;
    const std::array<int, 4> block_;
    ColorSpinorField coarse_;
  };

  template <int N> class Restrict : public Blocks<N>
  {
  public:
    using Blocks<N>::Blocks;
    void run() override { restrict_blocks(this->coarse_, this->V_, this->fine_, this->block_.data()); }
    Checksum checksum() override
    {
      run();
      Checksum sum;
      const RowArray numbers = to_host(this->coarse_, 2 * n_vec);
      for (std::size_t k = 0; k < numbers.size(); k++)
        if (k / (2 * n_vec) % N == 0) sum.add(numbers[k].real()), sum.add(numbers[k].imag());
      return sum;
    }
  };

  template <int N> class Prolong : public Blocks<N>
  {
  public:
    using Blocks<N>::Blocks;
    void run() override { prolong_blocks(this->fine_, this->V_, this->coarse_, this->block_.data()); }
    static Work work(const Setting &s)
    {
      Work work = Blocks<N>::work(s);
      work.written = 24 * bytes_of(of_fields(s.precision)) * s.sites() * N;
      work.read -= work.written;
      return work;
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(this->fine_);
    }
  };

  class ChiralColumns : public Kernel
  {
  public:
    explicit ChiralColumns(const Setting &s)
        : in_(s.host->native_spinors(s.precision, twelve))
        , out_(s.host->native_spinors(s.precision, 2 * twelve))
    {
      s.host->fill(in_);
    }
    void run() override { chiral_columns(out_, in_, 0, -1); }
    static Work work(const Setting &s)
    {
      const double one = s.spinors() / s.nrhs * twelve;
      return {.read = one, .written = 2 * one};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(out_.columns(0, twelve));
    }

  private:
    ColorSpinorField in_, out_;
  };

  template <class K> Entry transfer(const char *name, const char *table, Computes computes = Computes::any)
  {
    return {.name = name,
            .needs = Needs::own,
            .computes = computes,
            .tables = {table},
            .features = "many columns at a site",
            .work = K::work,
            .make = made<K>};
  }

  const Registered transfers[] = {transfer<Restrict<1>>("restrict", "restrict_blocks"),
                                  transfer<Restrict<twelve>>("restrict_12", "restrict_blocks"),
                                  transfer<Prolong<1>>("prolong", "prolong_blocks"),
                                  transfer<Prolong<twelve>>("prolong_12", "prolong_blocks"),
                                  transfer<ChiralColumns>("chiral_columns", "chiral_columns", Computes::floating)};

} // namespace

} // namespace quda::bench
