#include "ops/gauge/path_sum.h"

#include <vector>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/gauge/path_call.h"
#include "ops/halo/message_buffer.h"
#include "ops/launch.h"
#include "targets/target.h"

namespace quda
{

QUDA_KERNELS(PathWalkCall, path_walk)
QUDA_KERNELS(LoopTraceCall, loop_trace)
QUDA_KERNELS(StaplesCall, plaquette_force)
QUDA_KERNELS(StaplesCall, rectangle_staples)

namespace
{

  constexpr long long product_flops = 198;

  /// Number of products of two links along the paths of a set.
  long long products(const PathSet &paths)
  {
    long long n = 0;
    for (const auto &of_mu : paths)
      for (const WeightedPath &path : of_mu)
        n += path.steps.empty() ? 0 : static_cast<long long>(path.steps.size()) - 1;
    return n;
  }

  /// Paths in the target's memory.
  struct DevicePaths {
    DeviceBuffer paths, steps;
    PathListView view;

    DevicePaths(const std::vector<Path> &all, const std::vector<PathStep> &of_all)
        : paths(all.data(), all.size() * sizeof(Path))
        , steps(of_all.data(), of_all.size() * sizeof(PathStep))
        , view {static_cast<const PathStep *>(steps.device()), static_cast<const Path *>(paths.device())}
    {
    }
  };

  void append_path(std::vector<Path> &paths, std::vector<PathStep> &steps, const WeightedPath &path,
                   std::array<int, 4> start)
  {
    Reach reach {};
    paths.push_back({static_cast<int>(steps.size()), static_cast<int>(path.steps.size()), path.coefficient});
    append_steps(steps, reach, path.steps, start);
  }

  void check_reach(const char *function, const GaugeField &links, const Reach &reach)
  {
    for (int d = 0; d < 4; d++)
      if (links.lattice().cut(d) && links.R()[d] < reach[d])
        fail(ErrorKind::internal,
             text("%s: links have a border of %d along %d, paths reach %d sites", function, links.R()[d], d, reach[d]));
  }

  /// A launch that writes `result`. Tuning preserves the old result, unless it is dropped anyway.
  SiteLaunch path_sum_launch(const char *name, const GaugeField &result, const GaugeField &links, bool overwrite,
                             long long flops)
  {
    return {.name = name,
            .lattice = links.lattice(),
            .extent = {registers(links), 2},
            .aux = links_text(links, ",result=", result.reals(), overwrite ? ",overwrite" : ""),
            .flops = flops * links.lattice().volume(),
            .bytes = link_bytes(links) + (overwrite ? 1 : 2) * link_bytes(result),
            .in_place = overwrite ? MemorySpan {} : memory_of(result)};
  }

  void add_walk(GaugeField &result, const GaugeField &links, const PathSet &set, double factor, bool overwrite,
                bool goes_on)
  {
    PathWalkCall call {{links.view(), result.view(), factor, overwrite, goes_on}, {}, {}};
    std::vector<Path> paths;
    std::vector<PathStep> steps;
    for (int mu = 0; mu < 4; mu++) {
      std::array<int, 4> start {};
      start[mu] = 1;
      for (const WeightedPath &path : set[mu])
        if (path.coefficient != 0) append_path(paths, steps, path, start);
      call.first_path[mu + 1] = static_cast<int>(paths.size());
    }
    const DevicePaths list(paths, steps);
    call.list = list.view;
    if (overwrite) result.mark_written();
    SiteLaunch what = path_sum_launch("PathWalk", result, links, overwrite, path_sum_flops(set));
    what.aux = key_text(what.aux.s, ",paths=", call.first_path[4], ",steps=", static_cast<int>(steps.size()));
    launch(what, instance(path_walk_kernels(), "add_path_sum", links), call);
    result.mark_written();
    target().synchronize(); // the list returns to its pool
  }

} // namespace

void add_path_sum(GaugeField &result, const GaugeField &links, PathSet paths, double factor, bool overwrite,
                  PathMethod method)
{
  const char *function = "add_path_sum";
  if (!links.native() || !result.native() || links.precision() != result.precision() ||
      !same_sites(links.lattice(), result.lattice()) || result.reconstruct() == Reconstruct::r12 ||
      links.link_type() == LinkType::momentum || result.data() == links.data())
    fail(ErrorKind::internal, text("%s: fields of different kind, precision or lattice, or one field", function));
  check_reach(function, links, reach_of(paths));
  bool goes_on = false;

  if (method == PathMethod::shared) {
    PathSet rest = paths;
    const StapleWeights weights = take_staples(rest);
    const bool rectangles = has_rectangles(weights);
    if (rectangles || (has_plaquettes(weights) && result.reconstruct() == Reconstruct::r10)) {
      const StaplesCall call {{links.view(), result.view(), factor, overwrite, false}, weights};
      if (overwrite) result.mark_written(); // a later failure leaves it changed
      SiteLaunch what = path_sum_launch(rectangles ? "RectangleStaples" : "PlaquetteForce", result, links, overwrite,
                                        path_sum_flops(paths) - product_flops * products(rest));
      what.prefetch = !rectangles;
      launch(what, instance(rectangles ? rectangle_staples_kernels() : plaquette_force_kernels(), function, links),
             call);
      result.mark_written();
      paths = rest;
      overwrite = false;
      goes_on = true;
      if (empty(paths)) return;
    }
  }
  add_walk(result, links, paths, factor, overwrite, goes_on);
}

std::complex<double> loop_trace(const GaugeField &links, const StepCodes &loop)
{
  check_reach("loop_trace", links, reach_of(loop));
  std::vector<Path> paths;
  std::vector<PathStep> steps;
  append_path(paths, steps, {loop, 1}, {});
  const DevicePaths list(paths, steps);
  const auto n = static_cast<long long>(steps.size());
  ExactLimbs sums[2];
  launch({.name = "LoopTrace",
          .lattice = links.lattice(),
          .extent = {registers(links), 2},
          .aux = links_text(links, ",steps=", n),
          .flops = (n > 1 ? (n - 1) * product_flops + 4 : 4) * links.lattice().volume(),
          .bytes = link_bytes(links),
          .sums = sums},
         instance(loop_trace_kernels(), "loop_trace", links), {links.view(), list.view, sums});
  sum_limbs(links.lattice().communicator(), sums, 2);
  return {exact_value(sums[0]), exact_value(sums[1])};
}

long long path_sum_flops(const PathSet &paths) { return product_flops * (products(paths) + 4); }

} // namespace quda
