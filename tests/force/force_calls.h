#pragma once
/// Forces through the C interface: path lists and momenta as a host program has them.

#include "interface/session.h"
#include "reference/algebra.h"
#include "reference/force/loops.h"
#include "reference/force/momentum.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace force_test
{

/// Path lists of the C interface: the four directions have paths of the same lengths and weights.
class CPaths
{
public:
  explicit CPaths(reference::PathTerms terms)
      : terms_(std::move(terms))
  {
    for (std::size_t i = 0; i < terms_[0].size(); i++) {
      length_.push_back(static_cast<int>(terms_[0][i].steps.size()));
      coefficient_.push_back(terms_[0][i].coefficient);
    }
    for (int mu = 0; mu < 4; mu++) {
      for (std::size_t i = 0; i < terms_[mu].size(); i++) {
        if (terms_[mu].size() != length_.size() || terms_[mu][i].steps.size() != terms_[0][i].steps.size() ||
            terms_[mu][i].coefficient != terms_[0][i].coefficient)
          throw std::logic_error("directions differ in their paths");
        path_[mu].push_back(terms_[mu][i].steps.data());
      }
      buffer_[mu] = path_[mu].data();
    }
  }
  CPaths(const CPaths &) = delete;
  CPaths &operator=(const CPaths &) = delete;

  int ***steps() { return buffer_; }
  int *length() { return length_.data(); }
  double *coefficient() { return coefficient_.data(); }
  int n() const { return static_cast<int>(length_.size()); }
  int longest() const { return length_.empty() ? 1 : std::max(1, *std::max_element(length_.begin(), length_.end())); }
  const reference::PathTerms &terms() const { return terms_; }

private:
  reference::PathTerms terms_;
  std::vector<int *> path_[4];
  int **buffer_[4];
  std::vector<int> length_;
  std::vector<double> coefficient_;
};

/// sum of c Re tr over all sites and loops, from computeGaugeLoopTraceQuda.
inline double sum_of_traces(std::vector<reference::Loop> loops, double coefficient)
{
  std::vector<int *> path;
  std::vector<int> length;
  for (auto &loop : loops) {
    path.push_back(loop.data());
    length.push_back(static_cast<int>(loop.size()));
  }
  std::vector<double> weights(loops.size(), 1.0);
  std::vector<std::complex<double>> traces(loops.size());
  computeGaugeLoopTraceQuda(reinterpret_cast<double _Complex *>(traces.data()), path.data(), length.data(),
                            weights.data(), static_cast<int>(loops.size()),
                            *std::max_element(length.begin(), length.end()), coefficient);
  double sum = 0;
  for (const auto &trace : traces) sum += trace.real();
  return sum;
}

/// Momenta of one rank in the host's memory.
template <class real> class HostMomenta
{
public:
  HostMomenta(const reference::GaugeField &a, const reference::Part &part, QudaGaugeFieldOrder order)
      : order_(order)
  {
    const std::size_t volume = part.local.volume();
    numbers_.resize(40 * volume);
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < volume; slot++) {
        const auto ten = reference::ten_numbers(a.at(mu, part.global_coords(slot)));
        for (int k = 0; k < 10; k++) numbers_[at(volume, mu, slot) + k] = static_cast<real>(ten[k]);
      }
    for (int mu = 0; mu < 4; mu++) pointers_[mu] = numbers_.data() + 10 * volume * mu;
  }

  void *pointer() { return order_ == QUDA_MILC_GAUGE_ORDER ? static_cast<void *>(numbers_.data()) : pointers_; }
  std::vector<real> &all() { return numbers_; }
  void fill(real x) { std::fill(numbers_.begin(), numbers_.end(), x); }
  reference::Link matrix(int mu, std::size_t slot) const
  {
    return reference::from_ten(&numbers_[at(numbers_.size() / 40, mu, slot)]);
  }

private:
  std::size_t at(std::size_t volume, int mu, std::size_t slot) const
  {
    return 10 * (order_ == QUDA_MILC_GAUGE_ORDER ? 4 * slot + mu : mu * volume + slot);
  }

  QudaGaugeFieldOrder order_;
  std::vector<real> numbers_;
  void *pointers_[4];
};

/// The largest difference from right(mu, slot) in units of its root mean square.
template <class real>
double deviation(const HostMomenta<real> &found, const reference::Part &part, const reference::GaugeField &right)
{
  double largest = 0, squares = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < part.local.volume(); slot++) {
      const reference::Link &expected = right.at(mu, part.global_coords(slot));
      const double here = (found.matrix(mu, slot) - expected).cwiseAbs().maxCoeff();
      if (!(here <= largest)) largest = here;
      squares += expected.squaredNorm();
    }
  return largest / std::sqrt(squares / (36.0 * static_cast<double>(part.local.volume())));
}

/// old - factor TA(W), or without old.
inline reference::GaugeField new_momentum(const reference::GaugeField &gauge, const reference::PathTerms &terms,
                                          double factor, const reference::GaugeField *old)
{
  reference::GaugeField a = reference::path_sum(gauge, terms);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < a.lattice.volume(); i++) {
      a.U[mu][i] = (-factor * reference::traceless_anti_hermitian(a.U[mu][i])).eval();
      if (old) a.U[mu][i] += old->U[mu][i];
    }
  return a;
}

} // namespace force_test
