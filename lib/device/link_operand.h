#pragma once
/// A link as a factor of matrix products, in the lanes of the calling site.
///
///   const LinkOperand<S, recon> u(arg.U, place, mu);
///   const auto a = u.read();
///   ... a(i, j) ...
///
/// On the CPU the factor stays in memory and its elements are loaded at their use: a matrix is more than half of
/// all registers. It is the field's own memory if the link can be used as stored, else a copy with its lanes moved
/// and its third row rebuilt, or its integers converted. On a GPU elements of a link stored whole are loaded
/// the same way, others fill registers.

#include "device/gauge.h"
#include "device/shared_words.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A matrix whose elements are loaded at their use.
template <class R, class Record> struct StoredMatrix {
  Record q;

  QUDA_DEVICE Complex<R> operator()(int i, int j) const { return {q[6 * i + 2 * j], q[6 * i + 2 * j + 1]}; }
};

template <class S, int recon> struct StagedLink {
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr bool as_stored = recon == 18 && !is_fixed<S>;
  Matrix<real> copy;
  const number *p;

  QUDA_DEVICE StagedLink(const Gauge<S, recon> &U, const Place &n, int mu)
  {
    if constexpr (as_stored) p = U.storage.at(n, mu);
    if (!as_stored || __builtin_expect(n.shift != nullptr, 0)) {
      stage(U, n, mu);
      p = reinterpret_cast<const number *>(&copy);
    }
  }
  StagedLink(const StagedLink &) = delete;

  QUDA_DEVICE StoredMatrix<real, Record<number, 18>> read() const { return {{p}}; }

private:
  QUDA_OUTLINE void stage(const Gauge<S, recon> &U, const Place &n, int mu) { copy = U.matrix(n, mu); }
};

template <class S, int recon> struct DeferredLink {
  const Gauge<S, recon> &U;
  Place place;
  int mu;

  QUDA_DEVICE DeferredLink(const Gauge<S, recon> &U, const Place &n, int mu)
      : U(U)
      , place(n)
      , mu(mu)
  {
  }

  QUDA_DEVICE auto read() const
  {
    if constexpr (recon == 18) {
      auto q = U.storage.deferred(place, mu);
      return StoredMatrix<Real<S>, decltype(q)> {q};
    } else {
      return U.matrix(place, mu);
    }
  }
};

template <class S, int recon> using LinkOperand = choose<block_is_thread, StagedLink<S, recon>, DeferredLink<S, recon>>;

} // namespace quda::QUDA_TARGET_NAMESPACE
