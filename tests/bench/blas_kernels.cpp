/// copy, triad, norm2: whole spinor fields of both parities, as the library's linear algebra launches them.
///   copy z = x, triad z = a x + y (no aliases), norm2 sum |x|^2, exactly rounded.

#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/blas.h"

namespace quda::bench
{

namespace
{

  constexpr double factor = 0.25;

  /// Fields of one shape, all filled with the host's spinors.
  class Blas : public Kernel
  {
  public:
    Blas(const Setting &setting, int fields)
        : host_(*setting.host)
    {
      for (int f = 0; f < fields; f++) {
        field_.push_back(host_.native_spinors(setting.precision, setting.nrhs));
        host_.fill(field_.back());
      }
    }
    double bytes() const override { return working_set(); }
    double working_set() const override { return reals() * bytes_of(field_[0].precision()) * field_.size(); }

  protected:
    double reals() const { return static_cast<double>(field_[0].sites()) * field_[0].inner() * field_[0].reals(); }
    const reference::Spinor &source(int parity, std::size_t x_cb)
    {
      return host_.spinors()[parity * host_.lattice().half() + x_cb];
    }

    HostData &host_;
    std::vector<ColorSpinorField> field_;
  };

  class Copy : public Blas
  {
  public:
    explicit Copy(const Setting &setting)
        : Blas(setting, 2)
    {
    }
    void run() override { blas::copy(field_[1], field_[0]); }
    double flops() const override { return 0; }
    bool check() override
    {
      blas::axpyz(1, field_[0], field_[0], field_[1]); // something else than the copy
      run();
      return host_.agrees(field_[1], [&](int p, std::size_t x) { return source(p, x); });
    }
  };

  class Triad : public Blas
  {
  public:
    explicit Triad(const Setting &setting)
        : Blas(setting, 3)
    {
    }
    void run() override { blas::axpyz(factor, field_[0], field_[1], field_[2]); }
    double flops() const override { return 2 * reals(); }
    bool check() override
    {
      run();
      return host_.agrees(field_[2],
                          [&](int p, std::size_t x) -> reference::Spinor { return (1 + factor) * source(p, x); });
    }
  };

  class Norm2 : public Blas
  {
  public:
    explicit Norm2(const Setting &setting)
        : Blas(setting, 1)
    {
    }
    void run() override { norm2_ = blas::norm2(field_[0]); }
    double flops() const override { return 2 * reals(); }
    bool check() override
    {
      run();
      double right = 0;
      for (int i = 0; i < field_[0].inner(); i++) right += (i + 1.0) * (i + 1.0) * reference::norm2(host_.spinors());
      return std::abs(norm2_ - right) <= HostData::tolerance(field_[0].precision()) * right;
    }

  private:
    double norm2_ = 0;
  };

  /// The same on the host's own fields.
  class Plain : public Kernel
  {
  public:
    Plain(const Setting &setting, int fields)
        : x_(setting.host->spinors())
        , y_(x_)
        , z_(x_.size())
        , fields_(fields)
    {
    }
    double bytes() const override { return working_set(); }
    double working_set() const override { return reals() * sizeof(double) * fields_; }
    double reals() const { return 24.0 * static_cast<double>(x_.size()); }
    bool check() override { return true; }

  protected:
    const reference::Spinors &x_;
    reference::Spinors y_, z_;
    int fields_;
    volatile double sum_ = 0;
  };

  struct PlainCopy : Plain {
    explicit PlainCopy(const Setting &setting)
        : Plain(setting, 2)
    {
    }
    double flops() const override { return 0; }
    void run() override
    {
#pragma omp parallel for
      for (std::size_t i = 0; i < z_.size(); i++) z_[i] = x_[i];
    }
  };

  struct PlainTriad : Plain {
    explicit PlainTriad(const Setting &setting)
        : Plain(setting, 3)
    {
    }
    double flops() const override { return 2 * reals(); }
    void run() override
    {
#pragma omp parallel for
      for (std::size_t i = 0; i < z_.size(); i++) z_[i] = factor * x_[i] + y_[i];
    }
  };

  struct PlainNorm2 : Plain {
    explicit PlainNorm2(const Setting &setting)
        : Plain(setting, 1)
    {
    }
    double flops() const override { return 2 * reals(); }
    void run() override { sum_ = reference::norm2(x_); }
  };

  const Registered copy("copy", Variant::library, Needs::spinors, made<Copy>);
  const Registered triad("triad", Variant::library, Needs::spinors, made<Triad>);
  const Registered norm2("norm2", Variant::library, Needs::spinors, made<Norm2>);
  const Registered plain_copy("copy", Variant::reference, Needs::spinors, made<PlainCopy>);
  const Registered plain_triad("triad", Variant::reference, Needs::spinors, made<PlainTriad>);
  const Registered plain_norm2("norm2", Variant::reference, Needs::spinors, made<PlainNorm2>);

} // namespace

} // namespace quda::bench
