#pragma once
/// Operators through the C interface beside those of the plain reference: hops, matrices and their squares, full and
/// even-odd, daggers and normalisations. An operator is a row: what the reference makes of fields, and how a host stores
/// them.

#include "session.h"

#include <functional>

namespace test
{

using reference::Spinors;
using Fields = std::vector<Spinors>; // slices of a fifth dimension, flavours, or one

inline constexpr QudaMatPCType all_matpc[] = {QUDA_MATPC_EVEN_EVEN, QUDA_MATPC_ODD_ODD, QUDA_MATPC_EVEN_EVEN_ASYMMETRIC,
                                              QUDA_MATPC_ODD_ODD_ASYMMETRIC};
inline constexpr QudaMassNormalization all_normalisations[] = {QUDA_KAPPA_NORMALIZATION, QUDA_MASS_NORMALIZATION,
                                                               QUDA_ASYMMETRIC_MASS_NORMALIZATION};

inline bool is_odd(QudaMatPCType matpc)
{
  return matpc == QUDA_MATPC_ODD_ODD || matpc == QUDA_MATPC_ODD_ODD_ASYMMETRIC;
}
inline bool is_symmetric(QudaMatPCType matpc) { return matpc == QUDA_MATPC_EVEN_EVEN || matpc == QUDA_MATPC_ODD_ODD; }
inline QudaDagType dag(bool dagger) { return dagger ? QUDA_DAG_YES : QUDA_DAG_NO; }
inline QudaParity parity_of(int parity) { return parity ? QUDA_ODD_PARITY : QUDA_EVEN_PARITY; }

using HostCall = std::function<void(double *out, double *in)>;

/// A call on an array of the host, which it leaves as it is.
inline std::vector<double> called(std::vector<double> in, const HostCall &call)
{
  const std::vector<double> before = in;
  std::vector<double> out(in.size(), NAN);
  call(out.data(), in.data());
  EXPECT_TRUE(same_bits(in, before)) << "the input was changed";
  return out;
}

inline Fields scaled(double n, Fields fields)
{
  for (Spinors &psi : fields) psi = reference::scaled(psi, n);
  return fields;
}

/// All fields as one.
inline Spinors joined(const Fields &fields)
{
  Spinors all;
  for (const Spinors &psi : fields) all.insert(all.end(), psi.begin(), psi.end());
  return all;
}

inline double deviation(const Fields &found, const Fields &wanted)
{
  return reference::deviation(joined(found), joined(wanted));
}

/// |found - wanted| / |wanted|
inline double distance(const Fields &found, const Fields &wanted)
{
  const Spinors a = joined(found), b = joined(wanted);
  double square = 0;
  for (std::size_t i = 0; i < b.size(); i++) square += (a[i] - b[i]).squaredNorm();
  return std::sqrt(square / reference::norm2(b));
}

/// Numbers in the order parity, field, site.
inline std::vector<double> numbers_of(const Fields &half)
{
  std::vector<double> all;
  for (const Spinors &psi : half) {
    const auto *numbers = reinterpret_cast<const double *>(psi[0].data());
    all.insert(all.end(), numbers, numbers + 24 * psi.size());
  }
  return all;
}

inline Fields fields_of(const double *numbers, std::size_t n, std::size_t sites)
{
  Fields half(n, Spinors(sites));
  for (Spinors &psi : half) {
    std::copy_n(numbers, 24 * sites, reinterpret_cast<double *>(psi[0].data()));
    numbers += 24 * sites;
  }
  return half;
}

/// Of the plain reference, in the kappa normalisation. Fields of one parity hold its sites alone.
struct PlainOperator {
  double kappa = 0; // of normalisations
  std::function<Fields(const Fields &all, bool dagger)> matrix;
  std::function<Fields(int parity, bool symmetric, const Fields &half, bool dagger)> matrix_pc;
  std::function<Fields(int parity, bool symmetric, const Fields &other_half, bool dagger)> hop_to;
  std::function<Fields(const Fields &all, int parity)> half = [](const Fields &all, int parity) {
    Fields some;
    for (const Spinors &psi : all) some.push_back(reference::half_of(psi, parity));
    return some;
  };
  std::function<Fields(const Fields &even, const Fields &odd)> whole = [](Fields even, const Fields &odd) {
    for (std::size_t f = 0; f < odd.size(); f++) even[f].insert(even[f].end(), odd[f].begin(), odd[f].end());
    return even;
  };

  std::vector<double> to_host(const Fields &psi, bool full) const
  {
    if (!full) return numbers_of(psi);
    std::vector<double> all = numbers_of(half(psi, 0)), odd = numbers_of(half(psi, 1));
    all.insert(all.end(), odd.begin(), odd.end());
    return all;
  }
  Fields from_host(const std::vector<double> &host, std::size_t fields, bool full) const
  {
    const std::size_t sites = host.size() / 24 / fields / (full ? 2 : 1);
    const Fields first = fields_of(host.data(), fields, sites);
    return full ? whole(first, fields_of(&host[host.size() / 2], fields, sites)) : first;
  }
  /// The call on psi, which is full or a half.
  Fields result(const Fields &psi, bool full, const HostCall &call) const
  {
    return from_host(called(to_host(psi, full), call), psi.size(), full);
  }
  double factor(QudaMassNormalization normalisation, bool pc) const
  {
    return reference::normalisation_factor(static_cast<reference::Normalisation>(normalisation), pc, kappa);
  }
};

/// All that an operator does with psi. bar: of deviations; of squares, 0: those are left.
inline void expect_operator(const PlainOperator &of, QudaInvertParam param, const Fields &psi, double bar,
                            double bar_of_squares, bool normalised = true)
{
  const auto matrix = [&](double *out, double *in) { MatQuda(out, in, &param); };
  const auto square = [&](double *out, double *in) { MatDagMatQuda(out, in, &param); };
  for (const bool dagger : {false, true}) {
    param.dagger = dag(dagger);
    const auto normalisations = [&](const auto &body) {
      for (const QudaMassNormalization normalisation : all_normalisations) {
        if (!normalised && normalisation != QUDA_KAPPA_NORMALIZATION) continue;
        SCOPED_TRACE(testing::Message() << "dagger " << dagger << " normalisation " << normalisation);
        param.mass_normalization = normalisation;
        body(normalisation);
      }
    };
    const Fields full = of.matrix(psi, dagger), twice = bar_of_squares > 0 ? of.matrix(full, !dagger) : full;
    normalisations([&](QudaMassNormalization normalisation) {
      const double n = of.factor(normalisation, false);
      for (const QudaSolutionType solution : {QUDA_MAT_SOLUTION, QUDA_MATDAG_MAT_SOLUTION}) {
        param.solution_type = solution;
        EXPECT_LE(deviation(of.result(psi, true, matrix), scaled(n, full)), bar);
      }
      if (bar_of_squares > 0) {
        EXPECT_LE(deviation(of.result(psi, true, square), scaled(n * n, twice)), bar_of_squares);
      }
    });
    for (const QudaMatPCType matpc : all_matpc) {
      SCOPED_TRACE(testing::Message() << "matpc " << matpc);
      const int parity = is_odd(matpc);
      const bool symmetric = is_symmetric(matpc);
      const Fields half = of.half(psi, parity);
      param.matpc_type = matpc;
      param.solution_type = QUDA_MAT_SOLUTION;
      param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
      for (const int to : {0, 1}) { // of matpc_type a hop reads no parity
        const Fields other = of.half(psi, 1 - to);
        EXPECT_LE(deviation(of.result(other, false,
                                      [&](double *out, double *in) { dslashQuda(out, in, &param, parity_of(to)); }),
                            of.hop_to(to, symmetric, other, dagger)),
                  bar)
            << "onto " << to;
      }
      const Fields pc = of.matrix_pc(parity, symmetric, half, dagger),
                   pc_twice = bar_of_squares > 0 ? of.matrix_pc(parity, symmetric, pc, !dagger) : pc;
      normalisations([&](QudaMassNormalization normalisation) {
        const double n = of.factor(normalisation, true);
        for (const QudaSolutionType solution : {QUDA_MATPC_SOLUTION, QUDA_MATPCDAG_MATPC_SOLUTION}) {
          param.solution_type = solution;
          EXPECT_LE(deviation(of.result(half, false, matrix), scaled(n, pc)), bar);
          if (bar_of_squares > 0) {
            EXPECT_LE(deviation(of.result(half, false, square), scaled(n * n, pc_twice)), bar_of_squares);
          }
        }
      });
    }
  }
}

/// Several halves at once are what they are one by one, to the bit.
inline void expect_several_sources(const PlainOperator &of, QudaInvertParam param, const std::vector<Fields> &halves)
{
  param.num_src = static_cast<int>(halves.size());
  std::vector<std::vector<double>> in, out, one;
  std::vector<void *> ins, outs;
  for (const Fields &half : halves) {
    in.push_back(of.to_host(half, false));
    out.emplace_back(in[0].size(), NAN);
    one.push_back(called(in.back(), [&](double *to, double *from) { dslashQuda(to, from, &param, QUDA_ODD_PARITY); }));
  }
  for (std::size_t n = 0; n < in.size(); n++) {
    ins.push_back(in[n].data());
    outs.push_back(out[n].data());
  }
  const double of_one = param.gflops;
  dslashMultiSrcQuda(outs.data(), ins.data(), &param, QUDA_ODD_PARITY);
  for (std::size_t n = 0; n < in.size(); n++) EXPECT_TRUE(same_bits(out[n], one[n])) << n;
  EXPECT_DOUBLE_EQ(param.gflops, static_cast<double>(in.size()) * of_one);
}

} // namespace test
