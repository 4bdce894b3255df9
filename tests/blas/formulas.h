#pragma once
/// All functions of the linear algebra beside the plain reference.

#include "blas/fields.h"
#include "ops/blas/blas.h"

namespace blas_tests
{

using Fields = std::vector<quda::ColorSpinorField>; // x, y, z, w, u
using Vectors = std::vector<reference::blas::Vector>;
using Sums = std::vector<double>;
constexpr int n_fields = 5;

struct Formula {
  const char *name;
  Sums (*library)(Fields &);
  Sums (*plain)(Vectors &);
};

constexpr double a = -0.3125, b = 0.75, c = 1.5; // as single precision holds them
const quda::blas::Complex ca(0.5, -0.25), cb(-0.75, 0.375);

inline Sums none() { return {}; }
inline Sums sums(quda::blas::Complex dot) { return {dot.real(), dot.imag()}; }
inline Sums sums(const quda::blas::DotNorm &s) { return {s.dot.real(), s.dot.imag(), s.norm2}; }
inline Sums sums(quda::blas::Complex dot, double norm) { return {dot.real(), dot.imag(), norm}; }

#define QUDA_FORMULA(name, library, plain)                                                                             \
  {                                                                                                                    \
    name, [](Fields & f) -> Sums library, [](Vectors & v) -> Sums plain                                                \
  }

inline const std::vector<Formula> &formulas()
{
  namespace lib = quda::blas;
  namespace ref = reference::blas;
  static const std::vector<Formula> all = {
      QUDA_FORMULA(
          "zero",
          {
            lib::zero(f[0]);
            return none();
          },
          {
            ref::ax(0, v[0]);
            return none();
          }),
      QUDA_FORMULA(
          "copy",
          {
            lib::copy(f[2], f[0]);
            return none();
          },
          {
            v[2] = v[0];
            return none();
          }),
      QUDA_FORMULA(
          "ax",
          {
            lib::ax(a, f[0]);
            return none();
          },
          {
            ref::ax(a, v[0]);
            return none();
          }),
      QUDA_FORMULA(
          "axpy",
          {
            lib::axpy(a, f[0], f[1]);
            return none();
          },
          {
            ref::axpy(a, v[0], v[1]);
            return none();
          }),
      QUDA_FORMULA(
          "xpay",
          {
            lib::xpay(f[0], a, f[1]);
            return none();
          },
          {
            ref::xpay(v[0], a, v[1]);
            return none();
          }),
      QUDA_FORMULA(
          "axpby",
          {
            lib::axpby(a, f[0], b, f[1]);
            return none();
          },
          {
            ref::axpby(a, v[0], b, v[1]);
            return none();
          }),
      QUDA_FORMULA(
          "axpyz",
          {
            lib::axpyz(a, f[0], f[1], f[2]);
            return none();
          },
          {
            v[2] = ref::combined(a, v[0], 1, v[1]);
            return none();
          }),
      QUDA_FORMULA(
          "axpbyz",
          {
            lib::axpbyz(a, f[0], b, f[1], f[2]);
            return none();
          },
          {
            v[2] = ref::combined(a, v[0], b, v[1]);
            return none();
          }),
      QUDA_FORMULA(
          "caxpy",
          {
            lib::caxpy(ca, f[0], f[1]);
            return none();
          },
          {
            ref::axpy(ca, v[0], v[1]);
            return none();
          }),
      QUDA_FORMULA(
          "caxpby",
          {
            lib::caxpby(ca, f[0], cb, f[1]);
            return none();
          },
          {
            ref::axpby(ca, v[0], cb, v[1]);
            return none();
          }),
      QUDA_FORMULA(
          "axpyZpbx",
          {
            lib::axpyZpbx(a, f[0], f[1], f[2], b);
            return none();
          },
          {
            ref::axpyZpbx(a, v[0], v[1], v[2], b);
            return none();
          }),
      QUDA_FORMULA(
          "axpyBzpcx",
          {
            lib::axpyBzpcx(a, f[0], f[1], b, f[2], c);
            return none();
          },
          {
            ref::axpyBzpcx(a, v[0], v[1], b, v[2], c);
            return none();
          }),
      QUDA_FORMULA(
          "caxpyXmaz",
          {
            lib::caxpyXmaz(ca, f[0], f[1], f[2]);
            return none();
          },
          {
            ref::caxpyXmaz(ca, v[0], v[1], v[2]);
            return none();
          }),
      QUDA_FORMULA(
          "cxpaypbz",
          {
            lib::cxpaypbz(f[0], ca, f[1], cb, f[2]);
            return none();
          },
          {
            ref::cxpaypbz(v[0], ca, v[1], cb, v[2]);
            return none();
          }),
      QUDA_FORMULA(
          "caxpbypzYmbw",
          {
            lib::caxpbypzYmbw(ca, f[0], cb, f[1], f[2], f[3]);
            return none();
          },
          {
            ref::caxpbypzYmbw(ca, v[0], cb, v[1], v[2], v[3]);
            return none();
          }),
      QUDA_FORMULA(
          "norm2", { return {lib::norm2(f[0])}; }, { return {ref::norm2(v[0])}; }),
      QUDA_FORMULA(
          "redot", { return {lib::redot(f[0], f[1])}; }, { return {ref::dot(v[0], v[1]).real()}; }),
      QUDA_FORMULA(
          "cdot", { return sums(lib::cdot(f[0], f[1])); }, { return sums(ref::dot(v[0], v[1])); }),
      QUDA_FORMULA(
          "cDotNormA", { return sums(lib::cDotNormA(f[0], f[1])); },
          { return sums(ref::dot(v[0], v[1]), ref::norm2(v[0])); }),
      QUDA_FORMULA(
          "cDotNormB", { return sums(lib::cDotNormB(f[0], f[1])); },
          { return sums(ref::dot(v[0], v[1]), ref::norm2(v[1])); }),
      QUDA_FORMULA(
          "axpyNorm2", { return {lib::axpyNorm2(a, f[0], f[1])}; },
          {
            ref::axpy(a, v[0], v[1]);
            return {ref::norm2(v[1])};
          }),
      QUDA_FORMULA(
          "xmyNorm", { return {lib::xmyNorm(f[0], f[1])}; },
          {
            ref::xpay(v[0], -1, v[1]);
            return {ref::norm2(v[1])};
          }),
      QUDA_FORMULA(
          "axpyReDot", { return {lib::axpyReDot(a, f[0], f[1])}; },
          {
            ref::axpy(a, v[0], v[1]);
            return {ref::dot(v[0], v[1]).real()};
          }),
      QUDA_FORMULA(
          "axpyCGNorm",
          {
            const auto s = lib::axpyCGNorm(a, f[0], f[1]);
            return Sums({s.norm2, s.change});
          },
          {
            const auto before = v[1];
            ref::axpy(a, v[0], v[1]);
            return Sums({ref::norm2(v[1]), ref::dot(v[1], ref::combined(1, v[1], -1, before)).real()});
          }),
      QUDA_FORMULA(
          "caxpyNorm", { return {lib::caxpyNorm(ca, f[0], f[1])}; },
          {
            ref::axpy(ca, v[0], v[1]);
            return {ref::norm2(v[1])};
          }),
      QUDA_FORMULA(
          "caxpyDot", { return sums(lib::caxpyDot(ca, f[0], f[1], f[2])); },
          {
            ref::axpy(ca, v[0], v[1]);
            return sums(ref::dot(v[2], v[1]));
          }),
      QUDA_FORMULA(
          "caxpyXmazNorm", { return {lib::caxpyXmazNorm(ca, f[0], f[1], f[2])}; },
          {
            ref::caxpyXmaz(ca, v[0], v[1], v[2]);
            return {ref::norm2(v[0])};
          }),
      QUDA_FORMULA(
          "caxpbypzYmbwDotNorm", { return sums(lib::caxpbypzYmbwDotNorm(ca, f[0], cb, f[1], f[2], f[3], f[4])); },
          {
            ref::caxpbypzYmbw(ca, v[0], cb, v[1], v[2], v[3]);
            return sums(ref::dot(v[4], v[1]), ref::norm2(v[1]));
          }),
  };
  return all;
}

#undef QUDA_FORMULA

/// What a formula left: all fields as host arrays, and its sums.
struct Outcome {
  std::vector<Numbers> fields;
  Sums sums;
};

/// On fields of the numbers given.
inline Outcome outcome(const Formula &formula, const support::Place &place, const Shape &shape,
                       const std::vector<Numbers> &numbers)
{
  Fields fields;
  for (const Numbers &n : numbers) fields.push_back(field_with(place, shape, n));
  Outcome o;
  o.sums = formula.library(fields);
  for (const auto &field : fields) o.fields.push_back(support::host_array(field));
  return o;
}

} // namespace blas_tests
