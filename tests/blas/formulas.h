#pragma once
/// All functions of the linear algebra beside the plain reference: on whole fields, and with one coefficient and one sum a
/// right-hand side.

#include "blas/fields.h"
#include "ops/blas/blas.h"
#include "ops/blas/block.h"

namespace blas_tests
{

using Fields = std::vector<quda::ColorSpinorField>; // x, y, z, w, u
using Vectors = std::vector<reference::blas::Vector>;
using Sums = std::vector<double>;
constexpr int n_fields = 5;

/// A coefficient of each kind, as single precision holds them: one for all right-hand sides, or one for each.
template <class Real, class Complex> struct Factors {
  Real a, b, c;
  Complex ca, cb;
};
using One = Factors<double, quda::blas::Complex>;
using Lists = Factors<std::vector<double>, std::vector<quda::blas::Complex>>;

inline One one_of(int j)
{
  const double s = 0.0625 * (j + 1);
  return {-0.3125 + s, 0.75 - s, 1.5 - 2 * s, {0.5 - s, -0.25 + s}, {-0.75 + s, 0.375 + 2 * s}};
}
inline Lists lists_of(int rhs)
{
  Lists lists;
  for (int j = 0; j < rhs; j++) {
    const One one = one_of(j);
    lists.a.push_back(one.a);
    lists.b.push_back(one.b);
    lists.c.push_back(one.c);
    lists.ca.push_back(one.ca);
    lists.cb.push_back(one.cb);
  }
  return lists;
}
inline const One for_all = one_of(-1);

inline Sums sums(double s) { return {s}; }
inline Sums sums(quda::blas::Complex dot) { return {dot.real(), dot.imag()}; }
inline Sums sums(quda::blas::Complex dot, double norm) { return {dot.real(), dot.imag(), norm}; }
inline Sums sums(const quda::blas::DotNorm &s) { return sums(s.dot, s.norm2); }
inline Sums sums(const quda::blas::NormChange &s) { return {s.norm2, s.change}; }
inline Sums sums(const quda::blas::block::DotsUnderWay::Dots &s) { return {s.xy.real(), s.xy.imag(), s.yy, s.zy}; }
template <class T> Sums sums(const std::vector<T> &of_each)
{
  Sums all;
  for (const T &one : of_each)
    for (const double s : sums(one)) all.push_back(s);
  return all;
}

/// What a function does to fields, to those of right-hand sides each by itself, and by the reference to one.
struct Formula {
  const char *name;
  Sums (*library)(Fields &, const One &); // null: there is none
  Sums (*block)(Fields &, const Lists &);
  Sums (*plain)(Vectors &, const One &);
};

inline Sums cg_norm(double a, const reference::blas::Vector &x, reference::blas::Vector &y)
{
  namespace ref = reference::blas;
  const ref::Vector before = y;
  ref::axpy(a, x, y);
  return {ref::norm2(y), ref::dot(y, ref::combined(1, y, -1, before)).real()};
}

#define QUDA_FORMULA(name, whole, each, plain)                                                                         \
  {                                                                                                                    \
    name, [](Fields &f, [[maybe_unused]] const One &k) -> Sums { return whole; },                                      \
        [](Fields &f, [[maybe_unused]] const Lists &k) -> Sums { return each; },                                       \
        [](Vectors &v, [[maybe_unused]] const One &k) -> Sums { return plain; }                                        \
  }
#define QUDA_UPDATE(name, arguments, plain)                                                                            \
  QUDA_FORMULA(#name, (lib::name arguments, Sums()), (lib::name arguments, Sums()), (plain, Sums()))
#define QUDA_SUMS(name, arguments, plain)                                                                              \
  QUDA_FORMULA(#name, sums(lib::name arguments), sums(block::name arguments), (plain))

inline const std::vector<Formula> &formulas()
{
  namespace lib = quda::blas;
  namespace block = quda::blas::block;
  namespace ref = reference::blas;
  static const std::vector<Formula> all = {
      QUDA_UPDATE(zero, (f[0]), ref::ax(0, v[0])),
      QUDA_UPDATE(copy, (f[2], f[0]), v[2] = v[0]),
      QUDA_UPDATE(ax, (k.a, f[0]), ref::ax(k.a, v[0])),
      QUDA_UPDATE(axpy, (k.a, f[0], f[1]), ref::axpy(k.a, v[0], v[1])),
      QUDA_UPDATE(xpay, (f[0], k.a, f[1]), ref::xpay(v[0], k.a, v[1])),
      QUDA_UPDATE(axpby, (k.a, f[0], k.b, f[1]), ref::axpby(k.a, v[0], k.b, v[1])),
      QUDA_UPDATE(axpyz, (k.a, f[0], f[1], f[2]), v[2] = ref::combined(k.a, v[0], 1, v[1])),
      QUDA_UPDATE(axpbyz, (k.a, f[0], k.b, f[1], f[2]), v[2] = ref::combined(k.a, v[0], k.b, v[1])),
      QUDA_UPDATE(caxpy, (k.ca, f[0], f[1]), ref::axpy(k.ca, v[0], v[1])),
      QUDA_UPDATE(caxpby, (k.ca, f[0], k.cb, f[1]), ref::axpby(k.ca, v[0], k.cb, v[1])),
      QUDA_UPDATE(axpyZpbx, (k.a, f[0], f[1], f[2], k.b), ref::axpyZpbx(k.a, v[0], v[1], v[2], k.b)),
      QUDA_UPDATE(axpyBzpcx, (k.a, f[0], f[1], k.b, f[2], k.c), ref::axpyBzpcx(k.a, v[0], v[1], k.b, v[2], k.c)),
      QUDA_UPDATE(caxpyXmaz, (k.ca, f[0], f[1], f[2]), ref::caxpyXmaz(k.ca, v[0], v[1], v[2])),
      QUDA_UPDATE(cxpaypbz, (f[0], k.ca, f[1], k.cb, f[2]), ref::cxpaypbz(v[0], k.ca, v[1], k.cb, v[2])),
      QUDA_UPDATE(caxpbypzYmbw, (k.ca, f[0], k.cb, f[1], f[2], f[3]),
                  ref::caxpbypzYmbw(k.ca, v[0], k.cb, v[1], v[2], v[3])),
      QUDA_SUMS(norm2, (f[0]), sums(ref::norm2(v[0]))),
      QUDA_SUMS(redot, (f[0], f[1]), sums(ref::dot(v[0], v[1]).real())),
      QUDA_SUMS(cdot, (f[0], f[1]), sums(ref::dot(v[0], v[1]))),
      QUDA_SUMS(cDotNormA, (f[0], f[1]), sums(ref::dot(v[0], v[1]), ref::norm2(v[0]))),
      QUDA_SUMS(cDotNormB, (f[0], f[1]), sums(ref::dot(v[0], v[1]), ref::norm2(v[1]))),
      QUDA_SUMS(axpyNorm2, (k.a, f[0], f[1]), (ref::axpy(k.a, v[0], v[1]), sums(ref::norm2(v[1])))),
      QUDA_SUMS(xmyNorm, (f[0], f[1]), (ref::xpay(v[0], -1, v[1]), sums(ref::norm2(v[1])))),
      QUDA_SUMS(axpyReDot, (k.a, f[0], f[1]), (ref::axpy(k.a, v[0], v[1]), sums(ref::dot(v[0], v[1]).real()))),
      QUDA_SUMS(axpyCGNorm, (k.a, f[0], f[1]), cg_norm(k.a, v[0], v[1])),
      QUDA_SUMS(caxpyNorm, (k.ca, f[0], f[1]), (ref::axpy(k.ca, v[0], v[1]), sums(ref::norm2(v[1])))),
      QUDA_SUMS(caxpyDot, (k.ca, f[0], f[1], f[2]), (ref::axpy(k.ca, v[0], v[1]), sums(ref::dot(v[2], v[1])))),
      QUDA_SUMS(caxpyXmazNorm, (k.ca, f[0], f[1], f[2]),
                (ref::caxpyXmaz(k.ca, v[0], v[1], v[2]), sums(ref::norm2(v[0])))),
      QUDA_SUMS(caxpbypzYmbwDotNorm, (k.ca, f[0], k.cb, f[1], f[2], f[3], f[4]),
                (ref::caxpbypzYmbw(k.ca, v[0], k.cb, v[1], v[2], v[3]), sums(ref::dot(v[4], v[1]), ref::norm2(v[1])))),
  };
  return all;
}

#undef QUDA_SUMS
#undef QUDA_UPDATE
#undef QUDA_FORMULA

/// Those with one sum a right-hand side, and what there is of these alone.
inline const std::vector<Formula> &block_formulas()
{
  static const std::vector<Formula> all = [] {
    std::vector<Formula> more = formulas();
    more.push_back(
        {"DotsUnderWay", nullptr,
         [](Fields &f, const Lists &) { return sums(quda::blas::block::DotsUnderWay(f[0], f[1], f[2]).finish()); },
         [](Vectors &v, const One &) {
           namespace ref = reference::blas;
           const Sums first = sums(ref::dot(v[0], v[1]), ref::norm2(v[1]));
           return Sums {first[0], first[1], first[2], ref::dot(v[2], v[1]).real()};
         }});
    return more;
  }();
  return all;
}

/// What a formula left: all fields as host arrays, and its sums.
struct Outcome {
  std::vector<Numbers> fields;
  Sums sums;
};

/// Of one coefficient for all right-hand sides or of lists, on fields of the numbers given.
template <class Given = One> Outcome outcome(const Formula &formula, const support::Place &place, const Shape &shape,
                                             const std::vector<Numbers> &numbers, const Given &given = for_all)
{
  Fields fields;
  for (const Numbers &n : numbers) fields.push_back(field_with(place, shape, n));
  Outcome o;
  if constexpr (std::is_same_v<Given, One>)
    o.sums = formula.library(fields, given);
  else
    o.sums = formula.block(fields, given);
  for (const auto &field : fields) o.fields.push_back(support::host_array(field));
  return o;
}

} // namespace blas_tests
