#include "ops/force/path_sum.h"

#include <cstring>
#include <vector>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "ops/force/path_table.h"
#include "ops/halo/message_buffer.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(PathWalkTable, path_walk_table)
QUDA_KERNEL_TABLE(StaplesTable, staples_table)

namespace
{

  constexpr long long product_flops = 198;

  /// Products of two links along the paths of a set.
  long long products(const PathSet &paths)
  {
    long long n = 0;
    for (const auto &of_mu : paths)
      for (const WeightedPath &path : of_mu)
        n += path.steps.empty() ? 0 : static_cast<long long>(path.steps.size()) - 1;
    return n;
  }

  /// Paths in the target's memory.
  class DevicePaths
  {
  public:
    DevicePaths(const std::vector<Path> &paths, const std::vector<PathStep> &steps)
        : buffer_(paths.size() * sizeof(Path) + steps.size() * sizeof(PathStep))
    {
      const std::size_t heads = paths.size() * sizeof(Path), bytes = heads + steps.size() * sizeof(PathStep);
      std::vector<char> host(bytes);
      if (heads) std::memcpy(host.data(), paths.data(), heads);
      if (bytes > heads) std::memcpy(host.data() + heads, steps.data(), bytes - heads);
      if (bytes) target().copy(buffer_.device(), host.data(), bytes);
      const char *device = static_cast<const char *>(buffer_.device());
      view = {reinterpret_cast<const PathStep *>(device + heads), reinterpret_cast<const Path *>(device)};
    }

    PathListView view;

  private:
    DeviceBuffer buffer_;
  };

  void append_path(std::vector<Path> &paths, std::vector<PathStep> &steps, const WeightedPath &path,
                   std::array<int, 4> start)
  {
    Reach reach {};
    paths.push_back({static_cast<int>(steps.size()), static_cast<int>(path.steps.size()), path.coefficient});
    append_steps(steps, reach, path.steps, start);
  }

  void check_border(const char *function, const GaugeField &links, const Reach &reach)
  {
    for (int d = 0; d < 4; d++)
      if (links.lattice().cut(d) && links.R()[d] < reach[d])
        fail(ErrorKind::internal,
             text("%s: links have a border of %d along %d, paths reach %d sites", function, links.R()[d], d, reach[d]));
  }

  /// A launch that writes `result`. While it is tuned, what the result held is kept, unless it is dropped anyway.
  class PathSumLaunch : public TunableKernel2D
  {
  public:
    PathSumLaunch(const GaugeField &result, const GaugeField &links, bool overwrite, const char *name,
                  const KeyText &what, long long flops)
        : TunableKernel2D(links.shared_lattice()->shared_communicator(), registers(links), 2,
                          volume_text(links.lattice()).s, name, links_text(links, ",", what.s).s)
        , result_(result)
        , links_(links)
        , overwrite_(overwrite)
        , flops_(flops)
    {
    }
    long long flops() const override { return flops_ * links_.lattice().volume(); }
    long long bytes() const override
    {
      const long long reals = links_.reals() + (overwrite_ ? 1 : 2) * result_.reals();
      return links_.lattice().volume() * 4 * reals * bytes_of(links_.precision());
    }
    std::vector<MemorySpan> in_place() const override
    {
      if (overwrite_) return {};
      return {{result_.data(), result_.bytes()}};
    }

  private:
    const GaugeField &result_, &links_;
    bool overwrite_;
    long long flops_;
  };

  KeyText result_text(const GaugeField &result, bool overwrite)
  {
    return key_text("result=", result.reals(), overwrite ? ",overwrite" : "");
  }

  class StaplesLaunch : public PathSumLaunch
  {
  public:
    using Kernel = void (*)(const TuneParam &, void *, const StaplesCall &);

    StaplesLaunch(const GaugeField &result, const GaugeField &links, const StaplesCall &call, bool rectangles,
                  long long flops)
        : PathSumLaunch(result, links, call.overwrite, rectangles ? "RectangleStaples" : "PlaquetteForce",
                        result_text(result, call.overwrite), flops)
        , kernel_(instance(rectangles ? staples_table().rectangle : staples_table().plaquette, "staples",
                           links.precision(), links.reconstruct()))
        , call_(call)
        , prefetches_(!rectangles)
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    bool has_prefetch() const override { return prefetches_; }

  private:
    Kernel kernel_;
    const StaplesCall &call_;
    bool prefetches_;
  };

  class PathWalkLaunch : public PathSumLaunch
  {
  public:
    PathWalkLaunch(const GaugeField &result, const GaugeField &links, const PathWalkCall &call, std::size_t steps,
                   long long flops)
        : PathSumLaunch(result, links, call.overwrite, "PathWalk",
                        key_text(result_text(result, call.overwrite).s, ",paths=", call.first_path[4],
                                 ",steps=", static_cast<int>(steps)),
                        flops)
        , kernel_(instance(path_walk_table().walk, "path walk", links.precision(), links.reconstruct()))
        , call_(call)
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }

  private:
    void (*kernel_)(const TuneParam &, void *, const PathWalkCall &);
    const PathWalkCall &call_;
  };

  class TraceSum : public TunableReduction
  {
  public:
    TraceSum(const GaugeField &links, const LoopTraceCall &call, std::size_t steps)
        : TunableReduction(links.shared_lattice()->shared_communicator(), registers(links), 2,
                           volume_text(links.lattice()).s, "LoopTrace",
                           links_text(links, ",steps=", static_cast<int>(steps)).s)
        , kernel_(instance(path_walk_table().trace, "loop trace", links.precision(), links.reconstruct()))
        , links_(links)
        , call_(call)
        , steps_(static_cast<long long>(steps))
    {
    }
    void launch(const TuneParam &tp, void *stream) override
    {
      sums[0] = sums[1] = {};
      kernel_(tp, stream, call_, sums);
    }
    long long flops() const override
    {
      return (steps_ > 1 ? (steps_ - 1) * product_flops + 4 : 4) * links_.lattice().volume();
    }
    long long bytes() const override
    {
      return links_.lattice().volume() * 4 * links_.reals() * bytes_of(links_.precision());
    }

    ExactLimbs sums[2] = {};

  private:
    void (*kernel_)(const TuneParam &, void *, const LoopTraceCall &, ExactLimbs *);
    const GaugeField &links_;
    const LoopTraceCall &call_;
    long long steps_;
  };

  void add_walk(GaugeField &result, const GaugeField &links, const PathSet &set, double factor, bool overwrite)
  {
    PathWalkCall call {{links.view(), result.view(), factor, overwrite}, {}, {}};
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
    PathWalkLaunch(result, links, call, steps.size(), path_sum_flops(set)).apply();
    result.mark_written();
    target().synchronize(); // the list goes back to its pool
  }

} // namespace

void add_path_sum(GaugeField &result, const GaugeField &links, PathSet paths, double factor, bool overwrite,
                  PathMethod method)
{
  const char *function = "add_path_sum";
  if (!links.native() || !result.native() || result.extended() || links.precision() != result.precision() ||
      !same_sites(links.lattice(), result.lattice()) || result.reconstruct() == Reconstruct::r12 ||
      links.link_type() == LinkType::momentum || result.data() == links.data())
    fail(ErrorKind::internal, text("%s: fields of different kind, precision or lattice, or one field", function));
  check_border(function, links, reach_of(paths));

  if (method == PathMethod::shared) {
    PathSet rest = paths;
    const StapleWeights weights = take_staples(rest);
    const bool rectangles = has_rectangles(weights);
    if (rectangles || (has_plaquettes(weights) && result.reconstruct() == Reconstruct::r10)) {
      const StaplesCall call {{links.view(), result.view(), factor, overwrite}, weights};
      if (overwrite) result.mark_written(); // what fails from here on leaves it changed
      StaplesLaunch(result, links, call, rectangles, path_sum_flops(paths) - product_flops * products(rest)).apply();
      result.mark_written();
      paths = rest;
      overwrite = false;
      if (empty(paths)) return;
    }
  }
  add_walk(result, links, paths, factor, overwrite);
}

std::complex<double> loop_trace(const GaugeField &links, const StepCodes &loop)
{
  check_border("loop_trace", links, reach_of(loop));
  std::vector<Path> paths;
  std::vector<PathStep> steps;
  append_path(paths, steps, {loop, 1}, {});
  const DevicePaths list(paths, steps);
  const LoopTraceCall call {links.view(), list.view};
  TraceSum sum(links, call, steps.size());
  sum.apply();
  sum_limbs(links.lattice().communicator(), sum.sums, 2);
  return {exact_value(sum.sums[0]), exact_value(sum.sums[1])};
}

long long path_sum_flops(const PathSet &paths) { return product_flops * (products(paths) + 4); }

} // namespace quda
