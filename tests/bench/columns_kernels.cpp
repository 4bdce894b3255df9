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

  class Columns : public Kernel
  {
  public:
    Columns(const Setting &s, Precision of_x)
        : host_(*s.host)
        , x_(host_.native_spinors(of_x, columns))
        , y_(host_.native_spinors(s.precision, columns))
    {
      fill();
    }

  protected:
    void fill()
    {
      host_.fill(x_);
      host_.fill(y_);
      sign_ = 1;
    }
    /// Whether column i is multiple(i) times the host's spinors.
    template <class Multiple>
    bool are(const ColorSpinorField &field, const Multiple &multiple, Precision precision = Precision::double_)
    {
      // of half precision: sums of several roundings, each of the site's largest number
      const double allowed = 3 * std::max(HostData::tolerance(precision), HostData::tolerance(field.precision()));
      bool good = true;
      for (int i = 0; i < columns; i++)
        good = good && host_.agrees(
                           field.columns(i, 1),
                           [&](int p, std::size_t x) {
                             return reference::Spinor(multiple(i) * host_.spinors()[p * host_.lattice().half() + x]);
                           },
                           allowed);
      return good;
    }
    bool near(double found, double right) const
    {
      return std::abs(found - right) <= HostData::tolerance(y_.precision()) * std::abs(right);
    }
    double norm() const { return reference::norm2(host_.spinors()); }

    HostData &host_;
    ColorSpinorField x_, y_;
    double sign_ = 1; // of runs that come back
  };

  class Swap : public Columns
  {
  public:
    explicit Swap(const Setting &s)
        : Columns(s, s.precision)
    {
    }
    void run() override { blas::block::swap(x_, 0, columns - 1); }
    static Work work(const Setting &s)
    {
      const double both = 2 * column_bytes(s) / columns;
      return {.read = both, .written = both, .touched = both, .shape = Shape::copy};
    }
    bool check() override
    {
      fill();
      run();
      return are(x_, [](int i) { return i == 0 ? 1.0 * columns : i == columns - 1 ? 1.0 : i + 1.0; });
    }
    Checksum checksum() override
    {
      fill();
      run();
      return checksum_of(x_);
    }
  };

  class Amax : public Columns
  {
  public:
    explicit Amax(const Setting &s)
        : Columns(s, s.precision)
    {
    }
    void run() override { found_ = blas::block::amax(x_); }
    static Work work(const Setting &s) { return {.flops = column_reals(s), .read = column_bytes(s)}; }
    bool check() override
    {
      run();
      double right = 0;
      for (const reference::Spinor &psi : host_.spinors())
        for (int k = 0; k < 12; k++)
          right = std::max({right, std::abs(psi.data()[k].real()), std::abs(psi.data()[k].imag())});
      bool good = true;
      for (int i = 0; i < columns; i++) good = good && near(found_[i], (i + 1) * right);
      return good;
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(found_);
    }

  private:
    std::vector<double> found_;
  };

  class HeavyQuark : public Columns
  {
  public:
    explicit HeavyQuark(const Setting &s)
        : Columns(s, s.precision)
    {
      blas::ax(column_factor, y_);
    }
    void run() override { found_ = blas::block::heavy_quark(x_, y_); }
    static Work work(const Setting &s)
    {
      return {.flops = 4 * column_reals(s), .read = 2 * column_bytes(s), .shape = Shape::dot};
    }
    bool check() override
    {
      run();
      bool good = true;
      for (const double ratio : found_) good = good && near(ratio, column_factor);
      return good;
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(found_);
    }

  private:
    std::vector<double> found_;
  };

  class Gram : public Columns
  {
  public:
    explicit Gram(const Setting &s)
        : Columns(s, s.precision)
    {
    }
    void run() override { found_ = blas::block::gram_rhs(x_, y_); }
    static Work work(const Setting &s)
    {
      return {.flops = 4 * columns * column_reals(s), .read = 2 * column_bytes(s), .shape = Shape::dot};
    }
    bool check() override
    {
      run();
      bool good = true;
      for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++) good = good && near(found_(i, j).real(), (i + 1) * (j + 1) * norm());
      return good;
    }
    Checksum checksum() override
    {
      run();
      Checksum sum;
      for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++) sum.add(found_(i, j).real());
      return sum;
    }

  private:
    blas::Matrix found_;
  };

  class MultiplyAdd : public Columns
  {
  public:
    explicit MultiplyAdd(const Setting &s)
        : Columns(s, s.precision)
        , a_(columns, columns)
    {
    }
    void run() override
    {
      for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++) a_(i, j) = sign_ * element(i, j);
      blas::block::multiply_add(y_, x_, a_);
      sign_ = -sign_;
    }
    static Work work(const Setting &s)
    {
      return {.flops = 4 * columns * column_reals(s),
              .read = 2 * column_bytes(s),
              .written = column_bytes(s),
              .touched = 2 * column_bytes(s),
              .shape = Shape::update};
    }
    bool check() override
    {
      fill();
      run();
      return are(y_, [](int j) {
        blas::Complex sum = j + 1.0;
        for (int i = 0; i < columns; i++) sum += (i + 1.0) * element(i, j);
        return sum;
      });
    }
    Checksum checksum() override
    {
      fill();
      run();
      return checksum_of(y_);
    }

  private:
    static blas::Complex element(int i, int j) { return {0.25 + 0.125 * i, 0.0625 * j}; }
    blas::Matrix a_;
  };

  class AxpyMixed : public Columns
  {
  public:
    explicit AxpyMixed(const Setting &s)
        : Columns(s, lower(s.precision))
    {
    }
    void run() override
    {
      blas::block::axpy_mixed(sign_ * column_factor, x_, y_);
      sign_ = -sign_;
    }
    static Work work(const Setting &s)
    {
      return {.flops = 2 * column_reals(s),
              .read = column_bytes(s, lower(s.precision)) + column_bytes(s),
              .written = column_bytes(s),
              .touched = column_bytes(s, lower(s.precision)) + column_bytes(s),
              .shape = Shape::update};
    }
    bool check() override
    {
      fill();
      run();
      return are(
          y_, [](int i) { return (1 + column_factor) * (i + 1); }, x_.precision());
    }
    Checksum checksum() override
    {
      fill();
      run();
      return checksum_of(y_);
    }
  };

  class ConvertColumns : public Columns
  {
  public:
    explicit ConvertColumns(const Setting &s)
        : Columns(s, lower(s.precision))
    {
    }
    void run() override { blas::block::convert(x_, y_, column_factor); }
    static Work work(const Setting &s)
    {
      return {.flops = column_reals(s),
              .read = column_bytes(s),
              .written = column_bytes(s, lower(s.precision)),
              .shape = Shape::copy};
    }
    bool check() override
    {
      run();
      return are(x_, [](int i) { return column_factor * (i + 1); });
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(x_);
    }
  };

  template <class K>
  Entry of_columns(const char *name, const char *table, const char *features, Computes computes, double loose = 1)
  {
    return {.name = name,
            .needs = Needs::own,
            .computes = computes,
            .tables = {table},
            .features = features,
            .loose = loose,
            .work = K::work,
            .make = made<K>};
  }

  const Registered columns_entries[] = {
      of_columns<Swap>("swap", "blas.swap", "in place", Computes::any),
      of_columns<Amax>("amax", "amax", "maximum", Computes::any),
      of_columns<HeavyQuark>("heavy_quark", "blas.ratio", "exact sums", Computes::any),
      of_columns<Gram>("gram", "gram", "exact sums", Computes::any),
      of_columns<MultiplyAdd>("multiply_add", "combine", "in place", Computes::any),
      // as precise as the lower one
      of_columns<AxpyMixed>("axpy_mixed", "mixed", "two precisions, in place", Computes::floating, 1e7),
      of_columns<ConvertColumns>("convert_columns", "mixed", "two precisions", Computes::floating, 1e7),
  };

} // namespace

} // namespace quda::bench
