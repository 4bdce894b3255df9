#include "multigrid/row_transfer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "dense/batch.h"
#include "fields/field_together.h"

namespace quda
{

namespace
{

  using Number = std::complex<double>;

  constexpr double independent = 1e-10; // part of a unit vector's |v|^2 that must remain

  /// The sites of an aggregate, x0 fastest.
  void site_of(int leg, const int block[4], int at[4])
  {
    for (int d = 0; d < 4; d++) {
      at[d] = leg % block[d];
      leg /= block[d];
    }
  }

  int sites_of(const int block[4]) { return block[0] * block[1] * block[2] * block[3]; }

  Legs legs_down(const std::shared_ptr<const Lattice> &coarse, const std::shared_ptr<const Lattice> &fine,
                 const int block[4])
  {
    // a site without an aggregate has zero matrices, and reads some aggregate
    return Legs(coarse, fine, sites_of(block), [block, fine](int leg, const int x[4], int source[4]) {
      site_of(leg, block, source);
      for (int d = 0; d < 4; d++) source[d] += x[d] * block[d] % fine->X(d);
    });
  }

  Legs legs_up(const std::shared_ptr<const Lattice> &fine, const std::shared_ptr<const Lattice> &coarse,
               const int block[4])
  {
    return Legs(fine, coarse, 1, [block](int, const int x[4], int source[4]) {
      for (int d = 0; d < 4; d++) source[d] = x[d] / block[d];
    });
  }

  /// gathered: an odd number of aggregates has one more site (multigrid/gathering.h).
  void check(const Lattice &fine, const Lattice &coarse, const int block[4], bool gathered)
  {
    for (int d = 0; d < 4; d++)
      if (block[d] < 1 || fine.X(d) % block[d] ||
          coarse.X(d) != fine.X(d) / block[d] + (gathered ? fine.X(d) / block[d] % 2 : 0))
        fail(ErrorKind::bad_argument,
             text("transfer: block[%d] = %d; aggregates of %d sites make of %d sites the %d of the coarse grid", d,
                  block[d], fine.X(d) / coarse.X(d), fine.X(d), coarse.X(d)));
  }

  /// One chirality of the vectors on one aggregate: numbers k of vector i at [i length + k].
  class Part
  {
  public:
    Part(int count, int length)
        : count_(count)
        , length_(length)
        , numbers_(static_cast<std::size_t>(count) * length)
    {
    }
    Number *vector(int i) { return &numbers_[static_cast<std::size_t>(i) * length_]; }

    /// Makes them orthonormal; returns the first vector that depends on those before it, or -1.
    int orthonormalise()
    {
      for (int i = 0; i < count_; i++) {
        if (!normalise(i, 0)) return i;
        for (int pass = 0; pass < 2; pass++) {
          for (int k = 0; k < i; k++) subtract(i, k);
          if (!normalise(i, pass == 0 ? independent : 0.5)) return i;
        }
      }
      return -1;
    }

  private:
    void subtract(int i, int k)
    {
      Number *const v = vector(i), *const w = vector(k);
      Number product = 0;
      for (int n = 0; n < length_; n++) product += std::conj(w[n]) * v[n];
      for (int n = 0; n < length_; n++) v[n] -= product * w[n];
    }

    /// False where |v|^2 is not above `least`.
    bool normalise(int i, double least)
    {
      Number *const v = vector(i);
      double norm2 = 0;
      for (int n = 0; n < length_; n++) norm2 += std::norm(v[n]);
      if (!(norm2 > least) || !std::isfinite(norm2)) return false;
      const double factor = 1 / std::sqrt(norm2);
      for (int n = 0; n < length_; n++) v[n] *= factor;
      return true;
    }

    int count_, length_;
    std::vector<Number> numbers_;
  };

  /// Test vectors, and the layout of their numbers.
  class Aggregates
  {
  public:
    Aggregates(const RowTransfer::TestVectors &vectors, const Lattice &coarse, const int block[4])
        : fine_(*vectors.lattice)
        , coarse_(coarse)
        , block_(block)
        , rows_(vectors.rows)
        , count_(vectors.count)
        , V_(vectors.numbers)
    {
      const std::size_t needed = static_cast<std::size_t>(fine_.volume()) * rows_ * count_;
      if (rows_ < 2 || rows_ % 2 || count_ < 1 || V_.size() != needed)
        fail(ErrorKind::internal,
             text("transfer: %zu numbers of %d test vectors of %d rows", V_.size(), count_, rows_));
      if (count_ > sites_of(block) * rows_ / 2)
        fail(ErrorKind::bad_argument, text("transfer: n_vec = %d; an aggregate of %d sites has %d rows of a chirality",
                                           count_, sites_of(block), sites_of(block) * rows_ / 2));
    }

    void orthonormalise()
    {
      const int half = rows_ / 2, sites = sites_of(block_);
      constexpr long long none = std::numeric_limits<long long>::max();
      std::atomic<long long> failed = none; // aggregate, chirality and vector of the first failure
      dense::share_out(2 * coarse_.volume(), [&](long long begin, long long end) {
        Part part(count_, sites * half);
        for (long long n = begin; n < end; n++) {
          if (!stands_for_one(n / 2)) continue;
          const int chirality = static_cast<int>(n % 2);
          const auto each = [&](const auto &move) {
            for (int i = 0; i < count_; i++)
              for (int site = 0; site < sites; site++)
                for (int r = 0; r < half; r++)
                  move(at(n / 2, site, i, chirality * half + r), part.vector(i)[site * half + r]);
          };
          each([](Number &of_all, Number &of_part) { of_part = of_all; });
          const int dependent = part.orthonormalise();
          if (dependent >= 0) {
            const long long here = n * count_ + dependent;
            long long first = failed.load();
            while (here < first && !failed.compare_exchange_weak(first, here)) {
            }
            return;
          }
          each([](Number &of_all, Number &of_part) { of_all = of_part; });
        }
      });
      found_together(together_with(coarse_), [&] {
        if (failed != none)
          refuse(static_cast<int>(failed % count_), failed / count_ / 2, static_cast<int>(failed / count_ % 2));
      });
    }

    /// Whether a slot of the coarse lattice has an aggregate.
    bool stands_for_one(long long slot) const
    {
      int a[4];
      coarse_.slot_coordinates(slot, a);
      bool in = true;
      for (int d = 0; d < 4; d++) in = in && a[d] * block_[d] < fine_.X(d);
      return in;
    }

    /// Row r of vector i at a site of the aggregate in a slot of the coarse lattice.
    Number &at(long long slot, int site, int i, int r)
    {
      int a[4], x[4];
      coarse_.slot_coordinates(slot, a);
      site_of(site, block_, x);
      for (int d = 0; d < 4; d++) x[d] += a[d] * block_[d];
      return V_[(static_cast<std::size_t>(fine_.slot(x)) * count_ + i) * rows_ + r];
    }

    RowArray restrictor()
    {
      const int sites = sites_of(block_), to = 2 * count_;
      RowArray R(static_cast<std::size_t>(coarse_.volume()) * sites * rows_ * to);
      std::size_t column = 0;
      for (long long slot = 0; slot < coarse_.volume(); slot++) {
        if (!stands_for_one(slot)) {
          column += static_cast<std::size_t>(sites * rows_);
          continue;
        }
        for (int site = 0; site < sites; site++)
          for (int r = 0; r < rows_; r++, column++)
            for (int i = 0; i < count_; i++)
              R[column * to + (r < rows_ / 2 ? 0 : count_) + i] = std::conj(at(slot, site, i, r));
      }
      return R;
    }

    RowArray prolongator() const
    {
      const int from = 2 * count_;
      RowArray P(static_cast<std::size_t>(fine_.volume()) * from * rows_);
      for (std::size_t slot = 0; slot < static_cast<std::size_t>(fine_.volume()); slot++)
        for (int i = 0; i < count_; i++)
          for (int r = 0; r < rows_; r++)
            P[(slot * from + (r < rows_ / 2 ? 0 : count_) + i) * rows_ + r] = V_[(slot * count_ + i) * rows_ + r];
      return P;
    }

  private:
    [[noreturn]] void refuse(int vector, long long slot, int chirality) const
    {
      int a[4];
      coarse_.slot_coordinates(slot, a);
      fail(ErrorKind::bad_argument,
           text("transfer: test vector %d depends on those before it in aggregate %d %d %d %d of rank %d, chirality %d",
                vector, a[0], a[1], a[2], a[3], coarse_.communicator().rank(), chirality));
    }

    const Lattice &fine_, &coarse_;
    const int *block_;
    int rows_, count_;
    RowArray V_;
  };

} // namespace

RowTransfer::RowTransfer(const TestVectors &vectors, CoarseGrid coarse, const int block[4], Precision precision)
    : Transfer(std::move(coarse))
    , block_ {block[0], block[1], block[2], block[3]}
    , rows_fine_(vectors.rows)
    , rows_coarse_(2 * vectors.count)
    , down_(
          (check(*vectors.lattice, *part(), block, gathering() != nullptr), legs_down(part(), vectors.lattice, block)))
    , up_(legs_up(vectors.lattice, part(), block))
    , R_(field_together(row_shape(part(), rows_coarse_, precision, sites_of(block) * rows_fine_)))
    , P_(field_together(row_shape(vectors.lattice, rows_fine_, precision, rows_coarse_)))
{
  Aggregates aggregates(vectors, *part(), block_);
  aggregates.orthonormalise();
  from_host(R_, rows_coarse_, aggregates.restrictor());
  from_host(P_, rows_fine_, aggregates.prolongator());
}

ColorSpinorParam RowTransfer::fine_shape(int rhs, int parity) const
{
  return row_shape(P_.shared_lattice(), rows_fine_, coarse_precision(), rhs, parity);
}

Precision RowTransfer::coarse_precision() const
{
  return P_.precision() == Precision::double_ ? Precision::double_ : Precision::single;
}

void RowTransfer::restrict_part(ColorSpinorField &coarse, const ColorSpinorField &fine, const int lo[4],
                                const int hi[4], bool add) const
{
  std::vector<int> list;
  for (int leg = 0; leg < down_.count(); leg++) {
    int at[4];
    site_of(leg, block_, at);
    bool in = true;
    for (int d = 0; d < 4; d++) in = in && at[d] >= lo[d] && at[d] < hi[d];
    if (in) list.push_back(leg);
  }
  row_product(coarse, fine, {R_, down_, list}, {.x = add ? &coarse : nullptr});
}

void RowTransfer::prolong_part(ColorSpinorField &fine, const ColorSpinorField &coarse, bool add) const
{
  static constexpr int parent[] = {0};
  row_product(fine, coarse, {P_, up_, parent}, {.x = add ? &fine : nullptr});
}

void RowTransfer::columns(ColorSpinorField &out, int first) const
{
  if (out.parities() == 2)
    copy(out, P_.columns(first, out.rhs()));
  else
    copy(out, P_.half(out.parity()).columns(first, out.rhs()));
}

} // namespace quda
