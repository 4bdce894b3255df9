#pragma once
/// Sums of products of links along paths: gauge forces, path products, traces of loops.
///   W_mu(x) = U_mu(x) sum_i c_i Path_i(x + mu)

#include <complex>

#include "fields/gauge_field.h"
#include "ops/gauge/path_set.h"

namespace quda
{

enum class PathMethod {
  shared, // staples of plaquettes and rectangles share their products, other paths are walked
  walk    // all paths are walked one by one
};

/// A_mu(x) -= factor TA(W_mu(x)) for momenta A, M_mu(x) += factor W_mu(x) for matrices M; overwrite: the old `result`
/// is dropped. links and result: native, of one precision and one lattice; links with a border as deep as reach_of() in
/// cut directions, current; a border of result is left as it was; other memory than links. The bits depend
/// only on links and paths. Collective while kernels are tuned. Flops of one call: path_sum_flops() a site.
void add_path_sum(GaugeField &result, const GaugeField &links, PathSet paths, double factor, bool overwrite,
                  PathMethod method = PathMethod::shared);

/// sum over the global lattice of tr Path(x), the path beginning at x; exactly rounded, the same on all ranks and for
/// any rank grid. Collective over the links' communicator.
std::complex<double> loop_trace(const GaugeField &links, const StepCodes &loop);

/// Flops of add_path_sum() a site, by QUDA's convention: 198 for each product of links along the paths and
/// for the product with the link they belong to. Kernels that share products do less.
long long path_sum_flops(const PathSet &paths);

} // namespace quda
