/// Linear algebra on blocks of right-hand sides, eight of them (lib/ops/blas/block.h), and between precisions.
///   swap         two right-hand sides change places       amax           largest magnitude of each
///   heavy_quark  mean ratio of two fields' sites          multiply_add   Y += X A, A square and dense
///   gram         <X_i, Y_j> of all pairs                  axpy_mixed     y += a x, x of the next lower precision
///   convert      to the next lower precision
/// Column i of both fields is i + 1 times the host's spinors at first.

#include <algorithm>
#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/block.h"

namespace quda::bench
{

namespace
{

  constexpr int columns = 8;
  constexpr double column_factor = 0.5;

  double column_bytes(const Setting &s, Precision stored) { return columns * s.spinors(stored) / s.nrhs; }
  double column_bytes(const Setting &s) { return column_bytes(s, s.precision); }
  double column_reals(const Setting &s) { return 24 * s.sites() * columns; }
  Precision lower(Precision precision) { return precision == Precision::double_ ? Precision::single : Precision::half; }

  /// Both fields, and what a run finds.
  struct Columns {
    Columns(const Setting &s, Precision of_x, double of_y)
        : host(*s.host)
        , x(host.native_spinors(of_x, columns))
        , y(host.native_spinors(s.precision, columns))
        , of_y(of_y)
    {
      fill();
    }
    void fill()
    {
      host.fill(x);
      host.fill(y);
      if (of_y != 1) blas::ax(of_y, y);
      sign = 1;
    }
    /// Whether column i is multiple(i) times the host's spinors.
    template <class Multiple>
    bool are(const ColorSpinorField &field, const Multiple &multiple, Precision precision = Precision::double_)
    {
      // of half precision: sums of several roundings, each of the site's largest number
      const double allowed = 3 * std::max(HostData::tolerance(precision), HostData::tolerance(field.precision()));
      bool good = true;
      for (int i = 0; i < columns; i++)
        good = good && host.agrees(
                           field.columns(i, 1),
                           [&](int p, std::size_t x) {
                             return reference::Spinor(multiple(i) * host.spinors()[p * host.lattice().half() + x]);
                           },
                           allowed);
      return good;
    }
    bool near(double is, double right) const
    {
      return std::abs(is - right) <= HostData::tolerance(y.precision()) * std::abs(right);
    }
    double norm() const { return reference::norm2(host.spinors()); }

    HostData &host;
    ColorSpinorField x, y;
    double of_y;     // what y is multiplied by
    double sign = 1; // of runs that come back
    std::vector<double> found;
  };

  struct ColumnsCase {
    const char *name, *table, *features;
    Computes computes;
    Work (*work)(const Setting &);
    void (*run)(Columns &);
    bool (*check)(Columns &);                           // after a run on what fields are at first
    const ColorSpinorField *(*result)(const Columns &); // of checksums; null: what was found
    double of_y = 1;
    bool narrow_x = false; // of the next lower precision, as precise as which the result is
  };

  const ColorSpinorField *x_of(const Columns &on) { return &on.x; }
  const ColorSpinorField *y_of(const Columns &on) { return &on.y; }
  const ColorSpinorField *nothing(const Columns &) { return nullptr; }

  class OfColumns : public Kernel
  {
  public:
    OfColumns(const Setting &s, const ColumnsCase &one)
        : one_(one)
        , on_(s, one.narrow_x ? lower(s.precision) : s.precision, one.of_y)
    {
    }
    void run() override { one_.run(on_); }
    bool check() override
    {
      on_.fill();
      run();
      return one_.check(on_);
    }
    Checksum checksum() override
    {
      on_.fill();
      run();
      const ColorSpinorField *result = one_.result(on_);
      return result ? checksum_of(*result) : checksum_of(on_.found);
    }

  private:
    const ColumnsCase &one_;
    Columns on_;
  };

  blas::Complex element(int i, int j) { return {0.25 + 0.125 * i, 0.0625 * j}; }

  const ColumnsCase columns_cases[] = {
      {"swap", "blas.swap", "in place", Computes::any,
       [](const Setting &s) {
         const double both = 2 * column_bytes(s) / columns;
         return Work {.read = both, .written = both, .touched = both, .shape = Shape::copy};
       },
       [](Columns &on) { blas::block::swap(on.x, 0, columns - 1); },
       [](Columns &on) {
         return on.are(on.x, [](int i) { return i == 0 ? 1.0 * columns : i == columns - 1 ? 1.0 : i + 1.0; });
       },
       x_of},
      {"amax", "amax", "maximum", Computes::any,
       [](const Setting &s) { return Work {.flops = column_reals(s), .read = column_bytes(s)}; },
       [](Columns &on) { on.found = blas::block::amax(on.x); },
       [](Columns &on) {
         double right = 0;
         for (const reference::Spinor &psi : on.host.spinors())
           for (int k = 0; k < 12; k++)
             right = std::max({right, std::abs(psi.data()[k].real()), std::abs(psi.data()[k].imag())});
         bool good = true;
         for (int i = 0; i < columns; i++) good = good && on.near(on.found[i], (i + 1) * right);
         return good;
       },
       nothing},
      {"heavy_quark", "blas.ratio", "exact sums", Computes::any,
       [](const Setting &s) {
         return Work {.flops = 4 * column_reals(s), .read = 2 * column_bytes(s), .shape = Shape::dot};
       },
       [](Columns &on) { on.found = blas::block::heavy_quark(on.x, on.y); },
       [](Columns &on) {
         bool good = true;
         for (const double ratio : on.found) good = good && on.near(ratio, column_factor);
         return good;
       },
       nothing, column_factor},
      {"gram", "gram", "exact sums", Computes::any,
       [](const Setting &s) {
         return Work {.flops = 4 * columns * column_reals(s), .read = 2 * column_bytes(s), .shape = Shape::dot};
       },
       [](Columns &on) {
         const blas::Matrix products = blas::block::gram_rhs(on.x, on.y);
         on.found.clear();
         for (int i = 0; i < columns; i++)
           for (int j = 0; j < columns; j++) on.found.push_back(products(i, j).real());
       },
       [](Columns &on) {
         bool good = true;
         for (int i = 0; i < columns; i++)
           for (int j = 0; j < columns; j++)
             good = good && on.near(on.found[i * columns + j], (i + 1) * (j + 1) * on.norm());
         return good;
       },
       nothing},
      {"multiply_add", "combine", "in place", Computes::any,
       [](const Setting &s) {
         return Work {.flops = 4 * columns * column_reals(s),
                      .read = 2 * column_bytes(s),
                      .written = column_bytes(s),
                      .touched = 2 * column_bytes(s),
                      .shape = Shape::update};
       },
       [](Columns &on) {
         blas::Matrix A(columns, columns);
         for (int i = 0; i < columns; i++)
           for (int j = 0; j < columns; j++) A(i, j) = on.sign * element(i, j);
         blas::block::multiply_add(on.y, on.x, A);
         on.sign = -on.sign;
       },
       [](Columns &on) {
         return on.are(on.y, [](int j) {
           blas::Complex sum = j + 1.0;
           for (int i = 0; i < columns; i++) sum += (i + 1.0) * element(i, j);
           return sum;
         });
       },
       y_of},
      {"axpy_mixed", "mixed", "two precisions, in place", Computes::floating,
       [](const Setting &s) {
         const double both = column_bytes(s, lower(s.precision)) + column_bytes(s);
         return Work {.flops = 2 * column_reals(s),
                      .read = both,
                      .written = column_bytes(s),
                      .touched = both,
                      .shape = Shape::update};
       },
       [](Columns &on) {
         blas::block::axpy_mixed(on.sign * column_factor, on.x, on.y);
         on.sign = -on.sign;
       },
       [](Columns &on) {
         return on.are(
             on.y, [](int i) { return (1 + column_factor) * (i + 1); }, on.x.precision());
       },
       y_of, 1, true},
      {"convert_columns", "mixed", "two precisions", Computes::floating,
       [](const Setting &s) {
         return Work {.flops = column_reals(s),
                      .read = column_bytes(s),
                      .written = column_bytes(s, lower(s.precision)),
                      .shape = Shape::copy};
       },
       [](Columns &on) { blas::block::convert(on.x, on.y, column_factor); },
       [](Columns &on) { return on.are(on.x, [](int i) { return column_factor * (i + 1); }); }, x_of, 1, true},
  };

  const bool columns_registered = [] {
    for (const ColumnsCase &one : columns_cases)
      registry().push_back({.name = one.name,
                            .needs = Needs::own,
                            .computes = one.computes,
                            .tables = {one.table},
                            .features = one.features,
                            .loose = one.narrow_x ? 1e7 : 1,
                            .work = one.work,
                            .make = [&one](const Setting &s) { return std::make_unique<OfColumns>(s, one); }});
    return true;
  }();

} // namespace

} // namespace quda::bench
