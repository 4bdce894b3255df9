/// Products of row fields with matrix fields (lib/ops/multigrid/row_product.h): a coarse operator of 48 rows on the grid
/// of aggregates of 4 x 4 x 4 x 4 sites, its nine matrices a site in the precision asked for, vectors in single precision
/// beside matrices in half. Each matrix once, each vector read and written once.

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/multigrid/row_product.h"
#include "ops/multigrid/rows.h"

namespace quda::bench
{

namespace
{

  constexpr int coarse_rows = 48, coarse_legs = 9;

  Precision precision_of_vectors(Precision matrices)
  {
    return matrices == Precision::half ? Precision::single : matrices;
  }

  /// The coarse grid of aggregates of 4 x 4 x 4 x 4 sites, of two sites a direction at least.
  std::array<int, 4> grid_of(const Setting &s)
  {
    std::array<int, 4> X;
    for (int d = 0; d < 4; d++) X[d] = std::max(2, static_cast<int>(s.host->lattice().X[d]) / 8 * 2);
    return X;
  }
  double sites_of(const Setting &s)
  {
    double sites = 1;
    for (const int extent : grid_of(s)) sites *= extent;
    return sites;
  }

  /// `rhs` vectors, whose numbers depend on the site, the row and the right-hand side.
  RowArray row_numbers(const Lattice &lattice, int rhs)
  {
    RowArray all(static_cast<std::size_t>(lattice.volume()) * rhs * coarse_rows);
    for (std::size_t n = 0; n < all.size(); n++) {
      const auto fraction = [](std::size_t k) {
        return static_cast<double>(static_cast<std::uint32_t>(k * 2654435769u)) * 0x1p-31 - 1;
      };
      all[n] = {fraction(2 * n + 1), fraction(2 * n + 2)};
    }
    return all;
  }

  /// All right-hand sides and all legs are the same.
  class RowProductKernel : public Kernel
  {
  public:
    explicit RowProductKernel(const Setting &s)
        : lattice_(Lattice::rows(grid_of(s).data(), make_single_communicator()))
        , neighbours_(Legs::neighbours(lattice_))
        , matrices_(row_shape(lattice_, coarse_rows, s.precision, coarse_legs * coarse_rows))
        , in_(row_shape(lattice_, coarse_rows, precision_of_vectors(s.precision), s.nrhs))
        , out_(in_.param())
    {
      ColorSpinorField leg(row_shape(lattice_, coarse_rows, s.precision, coarse_rows));
      from_host(leg, coarse_rows, row_numbers(*lattice_, coarse_rows));
      for (int l = 0; l < coarse_legs; l++) matrices_.columns(l * coarse_rows, coarse_rows) = leg;
      matrices_.mark_written();
      for (int n = 0; n < s.nrhs; n++) {
        ColorSpinorField one = in_.columns(n, 1);
        from_host(one, coarse_rows, row_numbers(*lattice_, 1));
      }
      in_.mark_written();
    }
    void run() override
    {
      static constexpr int all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
      row_product(out_, in_, {matrices_, neighbours_, all});
    }
    static Work work(const Setting &s)
    {
      const double vector = sites_of(s) * coarse_rows * 2 * bytes_of(precision_of_vectors(s.precision)) * s.nrhs;
      const double scales = s.precision == Precision::half ? sizeof(float) / 3.0 : 0; // a complex number
      const double matrices =
          sites_of(s) * coarse_legs * coarse_rows * coarse_rows * (2 * bytes_of(s.precision) + scales);
      return {.flops = 8.0 * coarse_legs * coarse_rows * coarse_rows * sites_of(s) * s.nrhs,
              .read = matrices + vector,
              .written = vector};
    }
    Checksum checksum() override
    {
      run();
      const RowArray first = to_host(out_.columns(0, 1), coarse_rows);
      Checksum sum;
      for (const auto &z : first) {
        sum.add(z.real());
        sum.add(z.imag());
      }
      for (int n = 1; n < out_.rhs(); n++)
        if (to_host(out_.columns(n, 1), coarse_rows) != first) sum.add(std::nan(""));
      return sum;
    }

  private:
    std::shared_ptr<const Lattice> lattice_;
    Legs neighbours_;
    ColorSpinorField matrices_, in_, out_;
  };

  const Registered row_product_entry({.name = "row_product",
                                      .needs = Needs::spinors,
                                      .computes = Computes::any,
                                      .tables = {"row_product"},
                                      .features = "coarse grids, rows in lanes",
                                      .dims = {32, 32, 32, 32},
                                      .work = RowProductKernel::work,
                                      .make = made<RowProductKernel>});

} // namespace

} // namespace quda::bench
