#pragma once
/// Coefficients of the linear algebra: one number for all right-hand sides, or one for each. Nothing is
/// copied: a list must outlive the call.

#include <complex>
#include <span>
#include <type_traits>
#include <vector>

namespace quda::blas
{

using Complex = std::complex<double>;

template <class C> class CoefficientsOf
{
public:
  CoefficientsOf(C one)
      : one_(one)
  {
  }
  template <class N> CoefficientsOf(N one) requires(std::is_arithmetic_v<N>)
      : one_(static_cast<double>(one))
  {
  }
  /// a[n] belongs to right-hand side n; as many as the fields have.
  CoefficientsOf(std::span<const C> each)
      : each_(each)
      , listed_(true)
  {
  }
  CoefficientsOf(const std::vector<C> &each)
      : CoefficientsOf(std::span<const C>(each))
  {
  }

  bool listed() const { return listed_; }
  /// 1 if one number serves all.
  std::size_t size() const { return listed_ ? each_.size() : 1; }
  /// Coefficients of `count` right-hand sides from number `first` on.
  CoefficientsOf part(int first, int count) const
  {
    if (!listed_) return *this;
    return CoefficientsOf(each_.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
  }
  C operator[](std::size_t rhs) const { return listed_ ? each_[rhs] : one_; }

private:
  C one_ {};
  std::span<const C> each_;
  bool listed_ = false;
};

using Coefficients = CoefficientsOf<double>;
using ComplexCoefficients = CoefficientsOf<Complex>;

} // namespace quda::blas
