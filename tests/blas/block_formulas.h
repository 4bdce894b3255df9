#pragma once
/// The functions of the linear algebra with one coefficient and one sum a right-hand side, beside the plain reference
/// of one right-hand side.

#include "blas/fields.h"
#include "ops/blas/block.h"

namespace blas_tests
{

using Fields = std::vector<quda::ColorSpinorField>; // x, y, z, w, u
using Vectors = std::vector<reference::blas::Vector>;
using Sums = std::vector<double>;
constexpr int n_fields = 5;

/// A coefficient of each kind for each right-hand side, as single precision holds them.
struct Lists {
  std::vector<double> a, b, c;
  std::vector<quda::blas::Complex> ca, cb;
};

inline Lists lists_of(int rhs)
{
  Lists lists;
  for (int j = 0; j < rhs; j++) {
    const double s = 0.0625 * (j + 1);
    lists.a.push_back(-0.3125 + s);
    lists.b.push_back(0.75 - s);
    lists.c.push_back(1.5 - 2 * s);
    lists.ca.emplace_back(0.5 - s, -0.25 + s);
    lists.cb.emplace_back(-0.75 + s, 0.375 + 2 * s);
  }
  return lists;
}

inline Sums flat(const std::vector<double> &s) { return s; }
inline Sums flat(const std::vector<quda::blas::Complex> &s)
{
  Sums all;
  for (const auto &z : s) all.insert(all.end(), {z.real(), z.imag()});
  return all;
}
inline Sums flat(const std::vector<quda::blas::DotNorm> &s)
{
  Sums all;
  for (const auto &d : s) all.insert(all.end(), {d.dot.real(), d.dot.imag(), d.norm2});
  return all;
}
inline Sums flat(const std::vector<quda::blas::block::DotsUnderWay::Dots> &s)
{
  Sums all;
  for (const auto &[xy, yy, zy] : s) all.insert(all.end(), {xy.real(), xy.imag(), yy, zy});
  return all;
}
inline Sums flat(const std::vector<quda::blas::NormChange> &s)
{
  Sums all;
  for (const auto &n : s) all.insert(all.end(), {n.norm2, n.change});
  return all;
}
inline Sums of(quda::blas::Complex dot) { return {dot.real(), dot.imag()}; }
inline Sums of(quda::blas::Complex dot, double norm) { return {dot.real(), dot.imag(), norm}; }

/// What a formula does to all right-hand sides, and by the reference to one, whose number picks the coefficients.
struct BlockFormula {
  const char *name;
  Sums (*library)(Fields &, const Lists &);
  Sums (*plain)(Vectors &, const Lists &, int j);
};

#define QUDA_LIBRARY [](Fields & f, [[maybe_unused]] const Lists &c) -> Sums
#define QUDA_PLAIN [](Vectors & v, [[maybe_unused]] const Lists &c, [[maybe_unused]] int j) -> Sums

inline const std::vector<BlockFormula> &block_formulas()
{
  namespace lib = quda::blas;
  namespace block = quda::blas::block;
  namespace ref = reference::blas;
  static const std::vector<BlockFormula> all = {{"ax", QUDA_LIBRARY {return lib::ax(c.a, f[0]), Sums();
}
, QUDA_PLAIN { return ref::ax(c.a[j], v[0]), Sums(); }
} // namespace blas_tests
, {"axpy", QUDA_LIBRARY {return lib::axpy(c.a, f[0], f[1]), Sums();
}
, QUDA_PLAIN { return ref::axpy(c.a[j], v[0], v[1]), Sums(); }
}
, {"xpay", QUDA_LIBRARY {return lib::xpay(f[0], c.a, f[1]), Sums();
}
, QUDA_PLAIN { return ref::xpay(v[0], c.a[j], v[1]), Sums(); }
}
, {"axpby", QUDA_LIBRARY {return lib::axpby(c.a, f[0], c.b, f[1]), Sums();
}
, QUDA_PLAIN { return ref::axpby(c.a[j], v[0], c.b[j], v[1]), Sums(); }
}
, {"axpyz", QUDA_LIBRARY {return lib::axpyz(c.a, f[0], f[1], f[2]), Sums();
}
, QUDA_PLAIN { return v[2] = ref::combined(c.a[j], v[0], 1, v[1]), Sums(); }
}
, {"axpbyz", QUDA_LIBRARY {return lib::axpbyz(c.a, f[0], c.b, f[1], f[2]), Sums();
}
, QUDA_PLAIN { return v[2] = ref::combined(c.a[j], v[0], c.b[j], v[1]), Sums(); }
}
, {"caxpy", QUDA_LIBRARY {return lib::caxpy(c.ca, f[0], f[1]), Sums();
}
, QUDA_PLAIN { return ref::axpy(c.ca[j], v[0], v[1]), Sums(); }
}
, {"caxpby", QUDA_LIBRARY {return lib::caxpby(c.ca, f[0], c.cb, f[1]), Sums();
}
, QUDA_PLAIN { return ref::axpby(c.ca[j], v[0], c.cb[j], v[1]), Sums(); }
}
, {"axpyZpbx", QUDA_LIBRARY {return lib::axpyZpbx(c.a, f[0], f[1], f[2], c.b), Sums();
}
, QUDA_PLAIN { return ref::axpyZpbx(c.a[j], v[0], v[1], v[2], c.b[j]), Sums(); }
}
, {"axpyBzpcx", QUDA_LIBRARY {return lib::axpyBzpcx(c.a, f[0], f[1], c.b, f[2], c.c), Sums();
}
, QUDA_PLAIN
{
  ref::axpy(c.a[j], v[0], v[1]);
  v[0] = ref::combined(c.b[j], v[2], c.c[j], v[0]);
  return {};
}
}
, {"caxpyXmaz", QUDA_LIBRARY {return lib::caxpyXmaz(c.ca, f[0], f[1], f[2]), Sums();
}
, QUDA_PLAIN { return ref::caxpyXmaz(c.ca[j], v[0], v[1], v[2]), Sums(); }
}
, {"cxpaypbz", QUDA_LIBRARY {return lib::cxpaypbz(f[0], c.ca, f[1], c.cb, f[2]), Sums();
}
, QUDA_PLAIN
{
  v[2] = ref::combined(1, ref::combined(1, v[0], c.ca[j], v[1]), c.cb[j], v[2]);
  return {};
}
}
, {"caxpbypzYmbw", QUDA_LIBRARY {return lib::caxpbypzYmbw(c.ca, f[0], c.cb, f[1], f[2], f[3]), Sums();
}
, QUDA_PLAIN { return ref::caxpbypzYmbw(c.ca[j], v[0], c.cb[j], v[1], v[2], v[3]), Sums(); }
}
,

    {"norm2", QUDA_LIBRARY {return flat(block::norm2(f[0]));
}
, QUDA_PLAIN { return {ref::norm2(v[0])}; }
}
, {"redot", QUDA_LIBRARY {return flat(block::redot(f[0], f[1]));
}
, QUDA_PLAIN { return {ref::dot(v[0], v[1]).real()}; }
}
, {"cdot", QUDA_LIBRARY {return flat(block::cdot(f[0], f[1]));
}
, QUDA_PLAIN { return of(ref::dot(v[0], v[1])); }
}
, {"cDotNormA", QUDA_LIBRARY {return flat(block::cDotNormA(f[0], f[1]));
}
, QUDA_PLAIN { return of(ref::dot(v[0], v[1]), ref::norm2(v[0])); }
}
, {"cDotNormB", QUDA_LIBRARY {return flat(block::cDotNormB(f[0], f[1]));
}
, QUDA_PLAIN { return of(ref::dot(v[0], v[1]), ref::norm2(v[1])); }
}
, {"DotsUnderWay", QUDA_LIBRARY {return flat(block::DotsUnderWay(f[0], f[1], f[2]).finish());
}
, QUDA_PLAIN
{
  Sums s = of(ref::dot(v[0], v[1]), ref::norm2(v[1]));
  s.push_back(ref::dot(v[2], v[1]).real());
  return s;
}
}
,

    {"axpyNorm2", QUDA_LIBRARY {return flat(block::axpyNorm2(c.a, f[0], f[1]));
}
, QUDA_PLAIN
{
  ref::axpy(c.a[j], v[0], v[1]);
  return {ref::norm2(v[1])};
}
}
, {"xmyNorm", QUDA_LIBRARY {return flat(block::xmyNorm(f[0], f[1]));
}
, QUDA_PLAIN
{
  ref::xpay(v[0], -1, v[1]);
  return {ref::norm2(v[1])};
}
}
, {"axpyReDot", QUDA_LIBRARY {return flat(block::axpyReDot(c.a, f[0], f[1]));
}
, QUDA_PLAIN
{
  ref::axpy(c.a[j], v[0], v[1]);
  return {ref::dot(v[0], v[1]).real()};
}
}
, {"axpyCGNorm", QUDA_LIBRARY {return flat(block::axpyCGNorm(c.a, f[0], f[1]));
}
, QUDA_PLAIN
{
  const ref::Vector before = v[1];
  ref::axpy(c.a[j], v[0], v[1]);
  return {ref::norm2(v[1]), ref::dot(v[1], ref::combined(1, v[1], -1, before)).real()};
}
}
, {"caxpyNorm", QUDA_LIBRARY {return flat(block::caxpyNorm(c.ca, f[0], f[1]));
}
, QUDA_PLAIN
{
  ref::axpy(c.ca[j], v[0], v[1]);
  return {ref::norm2(v[1])};
}
}
, {"caxpyDot", QUDA_LIBRARY {return flat(block::caxpyDot(c.ca, f[0], f[1], f[2]));
}
, QUDA_PLAIN
{
  ref::axpy(c.ca[j], v[0], v[1]);
  return of(ref::dot(v[2], v[1]));
}
}
, {"caxpyXmazNorm", QUDA_LIBRARY {return flat(block::caxpyXmazNorm(c.ca, f[0], f[1], f[2]));
}
, QUDA_PLAIN
{
  ref::caxpyXmaz(c.ca[j], v[0], v[1], v[2]);
  return {ref::norm2(v[0])};
}
}
, {"caxpbypzYmbwDotNorm",
   QUDA_LIBRARY {return flat(block::caxpbypzYmbwDotNorm(c.ca, f[0], c.cb, f[1], f[2], f[3], f[4]));
}
, QUDA_PLAIN
{
  ref::caxpbypzYmbw(c.ca[j], v[0], c.cb[j], v[1], v[2], v[3]);
  return of(ref::dot(v[4], v[1]), ref::norm2(v[1]));
}
}
,
}
;
return all;
}

#undef QUDA_LIBRARY
#undef QUDA_PLAIN

} // namespace blas_tests
