/// Copies of whole spinor fields of both parities into and out of half precision, as the library makes them (`to =
/// from`).
///   copy_half half = half     copy_to_half half = single     copy_from_half single = half
/// A spinor of half precision is 24 integers of 16 bits and a float.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/blas.h"

namespace quda::bench
{

namespace
{

  class Copy : public Kernel
  {
  public:
    Copy(const Setting &setting, Precision to, Precision from)
        : host_(*setting.host)
        , to_(host_.native_spinors(to, setting.nrhs))
        , from_(host_.native_spinors(from, setting.nrhs))
    {
      host_.fill(from_);
    }
    void run() override { to_ = from_; }
    double flops() const override { return 0; }
    double bytes() const override { return bytes_of_field(to_) + bytes_of_field(from_); }
    Shape shape() const override { return Shape::copy; }
    double working_set() const override { return bytes(); }
    bool check() override
    {
      blas::zero(to_);
      run();
      return host_.agrees(
          to_, [&](int p, std::size_t x) { return host_.spinors()[p * host_.lattice().half() + x]; },
          HostData::tolerance(Precision::half));
    }

  private:
    static double bytes_of_field(const ColorSpinorField &f)
    {
      const int scale = f.precision() == Precision::half ? static_cast<int>(sizeof(float)) : 0;
      return static_cast<double>(f.sites()) * f.inner() * (f.reals() * bytes_of(f.precision()) + scale);
    }

    HostData &host_;
    ColorSpinorField to_, from_;
  };

  template <Precision to, Precision from> std::unique_ptr<Kernel> copy(const Setting &setting)
  {
    return std::make_unique<Copy>(setting, to, from);
  }

  constexpr Precision half = Precision::half, single = Precision::single;
  const Registered copy_half("copy_half", Variant::library, Needs::spinors, copy<half, half>, Computes::half);
  const Registered copy_to_half("copy_to_half", Variant::library, Needs::spinors, copy<half, single>, Computes::half);
  const Registered copy_from_half("copy_from_half", Variant::library, Needs::spinors, copy<single, half>,
                                  Computes::half);

} // namespace

} // namespace quda::bench
