#include "interface/path_arguments.h"

#include "core/profile.h"
#include "interface/params/param_table.h"
#include "ops/halo/gauge_border.h"

#include <algorithm>
#include <bit>

namespace quda
{

namespace
{

  constexpr int most_steps = 1 << 14; // distances fit into a short

  std::uint64_t mixed(std::uint64_t sum, std::uint64_t word)
  {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ (sum >> 29);
  }

} // namespace

void PathArguments::check() const
{
  check_range(function, "num_paths", n, 1, 1 << 24);
  check_range(function, "max_length", longest, 1, most_steps);
  check_not_null(function, "path_length", length);
  check_not_null(function, "loop_coeff", coefficient);
  for (int i = 0; i < n; i++) {
    check_range(function, text("path_length[%d]", i).c_str(), length[i], 0, longest);
    check_number(function, text("loop_coeff[%d]", i).c_str(), coefficient[i]);
  }
}

WeightedPath PathArguments::read(const char *name, const int *steps, int i) const
{
  WeightedPath path {{}, coefficient[i]};
  if (length[i] > 0) check_not_null(function, name, steps);
  for (int k = 0; k < length[i]; k++) {
    check_range(function, text("%s[%d]", name, k).c_str(), steps[k], 0, 7);
    path.steps.push_back(steps[k]);
  }
  return path;
}

PathSet PathArguments::read_set(int ***input) const
{
  check();
  check_not_null(function, "input_path_buf", input);
  PathSet set;
  for (int mu = 0; mu < 4; mu++) {
    check_not_null(function, text("input_path_buf[%d]", mu).c_str(), input[mu]);
    for (int i = 0; i < n; i++) {
      WeightedPath path = read(text("input_path_buf[%d][%d]", mu, i).c_str(), input[mu][i], i);
      if (path.coefficient != 0) set[mu].push_back(std::move(path));
    }
  }
  return set;
}

std::vector<WeightedPath> PathArguments::read_loops(int **input) const
{
  check();
  check_not_null(function, "input_path_buf", input);
  std::vector<WeightedPath> loops;
  for (int i = 0; i < n; i++) loops.push_back(read(text("input_path_buf[%d]", i).c_str(), input[i], i));
  return loops;
}

std::uint64_t digest(const std::vector<WeightedPath> &paths)
{
  std::uint64_t sum = paths.size();
  for (const WeightedPath &path : paths) {
    sum = mixed(sum, std::bit_cast<std::uint64_t>(path.coefficient));
    for (const int step : path.steps) sum = mixed(sum, static_cast<std::uint64_t>(step) + 1);
  }
  return sum;
}

std::uint64_t digest(const PathSet &paths)
{
  std::uint64_t sum = 0;
  for (const auto &of_mu : paths) sum = mixed(sum, digest(of_mu));
  return sum;
}

void check_reach(const char *function, const Lattice &lattice, const Reach &reach, std::size_t length)
{
  for (int d = 0; d < 4; d++)
    if (lattice.cut(d) && reach[d] > lattice.X(d))
      fail(
          ErrorKind::bad_argument,
          text(
              "%s: a path of %zu steps reaches %d sites along %c, which is cut between ranks; allowed there: the local "
              "extent X[%d] = %d",
              function, length, reach[d], "xyzt"[d], d, lattice.X(d)));
}

void check_reach(const char *function, const Lattice &lattice, const PathSet &paths)
{
  for (int mu = 0; mu < 4; mu++)
    for (const WeightedPath &path : paths[mu]) {
      PathSet one;
      one[mu].push_back(path);
      check_reach(function, lattice, reach_of(one), path.steps.size());
    }
}

const GaugeField &with_border(const LinkSet &links, const Reach &reach)
{
  const PhaseScope phase(Phase::comms);
  int R[4];
  for (int d = 0; d < 4; d++) R[d] = reach[d] + reach[d] % 2;
  return links.with_border(R);
}

} // namespace quda
