/// Paths of forces and loops as the C interface takes them.
#pragma once

#include <algorithm>
#include <complex>
#include <map>
#include <utility>
#include <vector>

#include <quda.h>

#include "reference/force/loops.h"

namespace program
{

/// The i-th paths of the four directions have one length and one coefficient. Where a direction has fewer of a kind,
/// links that run forth and back along themselves fill up: of them there is no force.
class ForcePaths
{
public:
  explicit ForcePaths(const reference::PathTerms &terms)
  {
    std::map<std::pair<std::size_t, double>, std::array<std::vector<std::vector<int>>, 4>> kinds;
    for (int mu = 0; mu < 4; mu++)
      for (const auto &term : terms[mu]) kinds[{term.steps.size(), term.coefficient}][mu].push_back(term.steps);
    for (auto &[kind, paths] : kinds) {
      std::size_t most = 0;
      for (const auto &of_mu : paths) most = std::max(most, of_mu.size());
      for (int mu = 0; mu < 4; mu++) {
        std::vector<int> filler = {7 - mu};
        while (filler.size() < kind.first) filler.insert(filler.end(), {0, 7});
        paths[mu].resize(most, filler);
        for (auto &path : paths[mu]) this->terms[mu].push_back({path, kind.second});
      }
      for (std::size_t i = 0; i < most; i++) {
        length_.push_back(static_cast<int>(kind.first));
        coefficient_.push_back(kind.second);
      }
    }
    for (int mu = 0; mu < 4; mu++) {
      for (auto &term : this->terms[mu]) lists_[mu].push_back(term.steps.data());
      buffer_[mu] = lists_[mu].data();
    }
  }
  ForcePaths(const ForcePaths &) = delete;

  int ***buffer() { return buffer_; }
  int *length() { return length_.data(); }
  double *coefficient() { return coefficient_.data(); }
  int n() const { return static_cast<int>(length_.size()); }
  int longest() const { return *std::max_element(length_.begin(), length_.end()); }

  reference::PathTerms terms;

private:
  std::vector<int *> lists_[4];
  int **buffer_[4];
  std::vector<int> length_;
  std::vector<double> coefficient_;
};

/// factor times the sums over all sites of the traces of loops.
inline std::vector<std::complex<double>> loop_traces(std::vector<reference::Loop> loops, std::vector<double> weights,
                                                     double factor)
{
  std::vector<int *> steps;
  std::vector<int> length;
  for (auto &loop : loops) {
    steps.push_back(loop.data());
    length.push_back(static_cast<int>(loop.size()));
  }
  std::vector<std::complex<double>> traces(loops.size());
  computeGaugeLoopTraceQuda(reinterpret_cast<double _Complex *>(traces.data()), steps.data(), length.data(),
                            weights.data(), static_cast<int>(loops.size()),
                            *std::max_element(length.begin(), length.end()), factor);
  return traces;
}

} // namespace program
