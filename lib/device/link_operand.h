#pragma once
/// A link as a factor of matrix products, in the lanes of the site that asks for it.
///
///   const LinkOperand<T, recon> u(arg.U, place, mu);
///   const auto a = u.read();
///   ... a(i, j) ...
///
/// On the CPU the factor stays in memory and its elements are loaded where they are used: a matrix is more than half of
/// all registers. It is the field's own memory where the link can be used as stored, else a copy with its lanes moved
/// and its third row rebuilt. On a GPU elements of a link stored whole are loaded likewise, others fill registers.

#include "device/gauge.h"
#include "device/shared_words.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A matrix whose elements are loaded where they are used.
template <class T, class Record> struct StoredMatrix {
  Record q;

  QUDA_DEVICE Complex<Real<T>> operator()(int i, int j) const { return {q[6 * i + 2 * j], q[6 * i + 2 * j + 1]}; }
};

template <class T, int recon> struct StagedLink {
  Matrix<Real<T>> copy;
  const T *p;

  QUDA_DEVICE StagedLink(const Gauge<T, recon> &U, const Place &n, int mu)
      : p(U.storage.at(n, mu))
  {
    if (recon != 18 || __builtin_expect(n.shift != nullptr, 0)) {
      stage(U, n, mu);
      p = reinterpret_cast<const T *>(&copy);
    }
  }
  StagedLink(const StagedLink &) = delete;

  QUDA_DEVICE StoredMatrix<T, Record<T, 18>> read() const { return {{p}}; }

private:
  QUDA_OUTLINE void stage(const Gauge<T, recon> &U, const Place &n, int mu) { copy = U.matrix(n, mu); }
};

template <class T, int recon> struct DeferredLink {
  const Gauge<T, recon> &U;
  Place place;
  int mu;

  QUDA_DEVICE DeferredLink(const Gauge<T, recon> &U, const Place &n, int mu)
      : U(U)
      , place(n)
      , mu(mu)
  {
  }

  QUDA_DEVICE auto read() const
  {
    if constexpr (recon == 18) {
      auto q = U.storage.deferred(place, mu);
      return StoredMatrix<T, decltype(q)> {q};
    } else {
      return U.matrix(place, mu);
    }
  }
};

template <class T, int recon> using LinkOperand = choose<block_is_thread, StagedLink<T, recon>, DeferredLink<T, recon>>;

} // namespace quda::QUDA_TARGET_NAMESPACE
