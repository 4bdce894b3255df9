/// Between a lattice and the coarse grid of aggregates of 4 x 4 x 4 x 4 sites, with 24, 32 or 48 vectors, n:
///   restrict_n   coarse numbers from spinors                prolong_n    spinors from coarse numbers
///   gram_n       products of all vectors on an aggregate    rotation_n   as many others of all vectors
/// 96 flops a site, vector and right-hand side; the vectors once, the fields once. In half precision the vectors are, the
/// fields single.
///   chiral_columns          twelve spinors as 24 of one chirality, times 1 - gamma_1

#include <array>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "fields/aggregates.h"
#include "ops/multigrid/blocks.h"
#include "ops/multigrid/rows.h"
#include "ops/random/spinors.h"

namespace quda::bench
{

namespace
{

  constexpr int twelve = 12;

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

  ColorSpinorField test_vectors(const Setting &s, int n_vec)
  {
    ColorSpinorField V(blocked(s, of_fields(s.precision), n_vec));
    gaussian_spinors(V, 1);
    if (V.precision() == s.precision) return V;
    ColorSpinorField stored(blocked(s, s.precision, n_vec));
    copy(stored, V);
    return stored;
  }

  enum class Does { restrict, prolong, gram, rotation };

  template <Does does, int n_vec> class Blocks : public Kernel
  {
  public:
    explicit Blocks(const Setting &s)
        : V_(test_vectors(s, n_vec))
        , fine_(blocked(s, of_fields(s.precision), right_hand_sides(s)))
        , block_(block_of(fine_.lattice()))
        , coarse_(row_shape(coarse_lattice(), 2 * n_vec, fine_.precision(), fine_.rhs()))
    {
      if (does == Does::gram)
        copy(fine_, V_);
      else
        s.host->fill(fine_);
      RowArray numbers(static_cast<std::size_t>(coarse_.sites()) * 2 * n_vec * coarse_.rhs());
      for (std::size_t k = 0; k < numbers.size(); k++) {
        const double r = static_cast<double>(k % (2 * n_vec));
        const double column = static_cast<double>(k / (2 * n_vec) % static_cast<std::size_t>(coarse_.rhs()) + 1);
        numbers[k] = {column * (r - 30) / 100, column * (60 - r) / 100};
      }
      from_host(coarse_, 2 * n_vec, numbers);
    }
    void run() override
    {
      if (does == Does::restrict || does == Does::gram)
        restrict_blocks(coarse_, V_, fine_, block_.data());
      else
        prolong_blocks(fine_, V_, coarse_, block_.data());
    }
    static Work work(const Setting &s)
    {
      const int N = right_hand_sides(s);
      const double fine = 24 * bytes_of(of_fields(s.precision)) * s.sites() * N, V = s.spinors() / s.nrhs * n_vec;
      Work work {.flops = 96.0 * n_vec * N * s.sites(), .read = V};
      if (does == Does::restrict) work.read += fine;
      if (does == Does::prolong || does == Does::rotation) work.written = fine;
      return work;
    }
    Checksum checksum() override
    {
      run();
      if (does == Does::prolong || does == Does::rotation) return checksum_of(fine_);
      Checksum sum;
      const RowArray numbers = to_host(coarse_, 2 * n_vec);
      for (std::size_t k = 0; k < numbers.size(); k++)
        if (k / (2 * n_vec) % coarse_.rhs() == 0) sum.add(numbers[k].real()), sum.add(numbers[k].imag());
      return sum;
    }

  private:
    static int right_hand_sides(const Setting &s)
    {
      return does == Does::restrict || does == Does::prolong ? s.nrhs : n_vec;
    }
    std::shared_ptr<const Lattice> coarse_lattice() const
    {
      int X[4];
      coarse_extents(fine_.lattice().X(), block_.data(), X);
      return Lattice::rows(X, fine_.lattice().shared_communicator());
    }

    ColorSpinorField V_, fine_;
    const std::array<int, 4> block_;
    ColorSpinorField coarse_;
  };

  template <class K> Entry transfer(const std::string &name, const char *table, Needs needs)
  {
    return {.name = name,
            .needs = needs,
            .computes = Computes::any,
            .tables = {table},
            .features = "many columns at a site",
            .work = K::work,
            .make = made<K>};
  }

  template <int n> void add_to(std::vector<Entry> &all)
  {
    const auto named = [](const char *name) { return name + std::to_string(n); };
    all.push_back(transfer<Blocks<Does::restrict, n>>(named("restrict_"), "restrict_blocks", Needs::spinors));
    all.push_back(transfer<Blocks<Does::prolong, n>>(named("prolong_"), "prolong_blocks", Needs::spinors));
    all.push_back(transfer<Blocks<Does::gram, n>>(named("gram_"), "restrict_blocks", Needs::own));
    all.push_back(transfer<Blocks<Does::rotation, n>>(named("rotation_"), "prolong_blocks", Needs::own));
  }

  const bool transfers = [] {
    std::vector<Entry> &all = registry();
    add_to<24>(all);
    add_to<32>(all);
    add_to<48>(all);
    all.push_back({.name = "chiral_columns",
                   .needs = Needs::own,
                   .tables = {"chiral_columns"},
                   .features = "many columns at a site",
                   .work =
                       [](const Setting &s) {
                         const double one = s.spinors() / s.nrhs * twelve;
                         return Work {.read = one, .written = 2 * one};
                       },
                   .make = runs([](const Setting &s) {
                     ColorSpinorField in = s.host->native_spinors(s.precision, twelve);
                     s.host->fill(in);
                     return [in = std::move(in), out = s.host->native_spinors(s.precision, 2 * twelve)]() mutable {
                       chiral_columns(out, in, 0, -1);
                       return out.columns(0, twelve);
                     };
                   })});
    return true;
  }();

} // namespace

} // namespace quda::bench
