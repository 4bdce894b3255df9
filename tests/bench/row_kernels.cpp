/// Products of row fields with matrix fields (lib/ops/multigrid/row_product.h): a coarse operator of 48 rows on the grid
/// of aggregates of 4 x 4 x 4 x 4 sites, its nine matrices a site in the precision asked for, vectors in single precision
/// beside matrices in half. Each matrix once, each vector read and written once.
///   row_product   nine legs on all sites, of 48 rows
///   coarse_pc_n   the symmetric Schur complement of 2 n rows, n = 24, 32, 48, as in a cycle: the eight hops of each parity
///   hypercube_pc  the same of staggered quarks on hypercubes, each of whose hops has columns for half of the 48 rows
///   hypercubes    staggered quarks from rows of their hypercubes and back, each number read and written once each way

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "fields/aggregates.h"
#include "ops/multigrid/hypercubes.h"
#include "ops/multigrid/row_product.h"
#include "ops/multigrid/rows.h"

namespace quda::bench
{

namespace
{

  constexpr int coarse_legs = 9;

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
  RowArray row_numbers(const Lattice &lattice, int coarse_rows, int rhs)
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
  template <int coarse_rows, bool schur, bool faces> class RowProductKernel : public Kernel
  {
  public:
    explicit RowProductKernel(const Setting &s)
        : lattice_(Lattice::rows(grid_of(s).data(), make_single_communicator()))
        , neighbours_(faces ? Legs::neighbours(lattice_, face_rows()) : Legs::neighbours(lattice_))
        , matrices_(row_shape(lattice_, coarse_rows, s.precision, neighbours_.columns(coarse_rows)))
        , in_(row_shape(lattice_, coarse_rows, precision_of_vectors(s.precision), s.nrhs))
        , out_(in_.param())
    {
      ColorSpinorField leg(row_shape(lattice_, coarse_rows, s.precision, coarse_rows));
      from_host(leg, coarse_rows, row_numbers(*lattice_, coarse_rows, coarse_rows));
      for (int l = 0; l < neighbours_.count(); l++) {
        const int columns = neighbours_.columns(l, coarse_rows);
        matrices_.columns(neighbours_.first_column(l, coarse_rows), columns) = leg.columns(0, columns);
      }
      matrices_.mark_written();
      for (int n = 0; n < s.nrhs; n++) {
        ColorSpinorField one = in_.columns(n, 1);
        from_host(one, coarse_rows, row_numbers(*lattice_, coarse_rows, 1));
      }
      in_.mark_written();
    }
    void run() override
    {
      static constexpr int all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
      if (!schur) return row_product(out_, in_, {matrices_, neighbours_, all});
      const ColorSpinorField in = in_.half(0);
      ColorSpinorField out = out_.half(0), other = out_.half(1);
      row_product(other, in, {matrices_, neighbours_, std::span(all, 8)});
      row_product(out, other, {matrices_, neighbours_, std::span(all, 8)}, {.y = &in, .b = -1});
    }
    static Work work(const Setting &s)
    {
      constexpr int legs = schur ? 8 : coarse_legs;
      const double vector = sites_of(s) * coarse_rows * 2 * bytes_of(precision_of_vectors(s.precision)) * s.nrhs;
      const double scales = s.precision == Precision::half ? sizeof(float) / 3.0 : 0; // a complex number
      constexpr int columns = faces ? coarse_rows / 2 : coarse_rows;
      const double matrices = sites_of(s) * legs * coarse_rows * columns * (2 * bytes_of(s.precision) + scales);
      return {.flops = 8.0 * legs * coarse_rows * columns * sites_of(s) * s.nrhs,
              .read = matrices + vector,
              .written = vector};
    }
    Checksum checksum() override
    {
      run();
      const ColorSpinorField result = schur ? out_.half(0) : out_.columns(0, out_.rhs());
      const RowArray first = to_host(result.columns(0, 1), coarse_rows);
      Checksum sum;
      for (const auto &z : first) {
        sum.add(z.real());
        sum.add(z.imag());
      }
      for (int n = 1; n < out_.rhs(); n++)
        if (to_host(result.columns(n, 1), coarse_rows) != first) sum.add(std::nan(""));
      return sum;
    }

  private:
    std::shared_ptr<const Lattice> lattice_;
    Legs neighbours_;
    ColorSpinorField matrices_, in_, out_;
  };

  template <int rows, bool schur, bool faces = false> Entry product(const char *name)
  {
    return {.name = name,
            .needs = Needs::spinors,
            .computes = Computes::any,
            .tables = {"row_product"},
            .features = "coarse grids, rows in lanes",
            .dims = {32, 32, 32, 32},
            .work = RowProductKernel<rows, schur, faces>::work,
            .make = made<RowProductKernel<rows, schur, faces>>};
  }

  const Registered products[] = {product<48, false>("row_product"), product<48, true>("coarse_pc_24"),
                                 product<64, true>("coarse_pc_32"), product<96, true>("coarse_pc_48"),
                                 product<hypercube_rows, true, true>("hypercube_pc")};

  class HypercubesKernel : public Kernel
  {
  public:
    explicit HypercubesKernel(const Setting &s)
        : fine_(shape(s))
        , rows_(row_shape(grid_of_hypercubes(s), hypercube_rows, fine_.precision(), s.nrhs))
        , back_(rows_.param())
    {
      for (int n = 0; n < s.nrhs; n++) {
        ColorSpinorField one = rows_.columns(n, 1);
        from_host(one, hypercube_rows, row_numbers(rows_.lattice(), hypercube_rows, 1));
      }
      rows_.mark_written();
    }
    void run() override
    {
      from_hypercubes(fine_, rows_);
      to_hypercubes(back_, fine_);
    }
    static Work work(const Setting &s)
    {
      const double field = s.host->lattice().volume() * 6.0 * bytes_of(precision_of_vectors(s.precision)) * s.nrhs;
      return {.flops = 0, .read = 2 * field, .written = 2 * field};
    }
    Checksum checksum() override
    {
      run();
      const RowArray first = to_host(back_.columns(0, 1), hypercube_rows);
      Checksum sum;
      for (const auto &z : first) {
        sum.add(z.real());
        sum.add(z.imag());
      }
      if (first != to_host(rows_.columns(0, 1), hypercube_rows)) sum.add(std::nan(""));
      return sum;
    }

  private:
    static ColorSpinorParam shape(const Setting &s)
    {
      ColorSpinorParam param = s.host->native_spinors(precision_of_vectors(s.precision), s.nrhs).param();
      param.spins = 1;
      return param;
    }
    static std::shared_ptr<const Lattice> grid_of_hypercubes(const Setting &s)
    {
      int X[4];
      coarse_extents(s.host->lattice().X.data(), hypercube, X);
      return Lattice::rows(X, make_single_communicator());
    }

    ColorSpinorField fine_, rows_, back_;
  };

  const Registered hypercubes_entry({.name = "hypercubes",
                                     .needs = Needs::spinors,
                                     .computes = Computes::floating,
                                     .tables = {"hypercubes"},
                                     .features = "staggered quarks to rows of hypercubes, and back",
                                     .dims = {32, 32, 32, 32},
                                     .work = HypercubesKernel::work,
                                     .make = made<HypercubesKernel>});

} // namespace

} // namespace quda::bench
