#include "interface/split_grid.h"

#include "interface/params/param_table.h"
#include "solvers/method.h"

namespace quda
{

namespace
{

  std::string split_text(const QudaInvertParam &param)
  {
    const int *const parts = param.split_grid;
    return text("split_grid = %d %d %d %d", parts[0], parts[1], parts[2], parts[3]);
  }

} // namespace

void check_sources(Checks &checks, QuarkJob &job, const QudaInvertParam &param)
{
  using P = QudaInvertParam;
  const char *function = checks.function;
  check(checks, param, &P::num_src, &P::split_grid);
  const Communicator &ranks = job.links->precise().lattice().communicator();
  QuarkJob::Split split {&checks.session, {}, nullptr};
  int count = 1;
  for (int d = 0; d < 4; d++) {
    const int parts = param.split_grid[d];
    if (ranks.extent(d) % parts) {
      std::string allowed;
      for (int n = 1; n <= ranks.extent(d); n++)
        if (ranks.extent(d) % n == 0) allowed += text("%s%d", n > 1 ? ", " : "", n);
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.split_grid[%d] = %d on %d rank%s in that direction; allowed: %s", function, d,
                parts, ranks.extent(d), ranks.extent(d) > 1 ? "s" : "", allowed.c_str()));
    }
    split.parts[static_cast<std::size_t>(d)] = parts;
    count *= parts;
  }
  if (count == 1) return;
  check(checks, param, &P::num_src_per_sub_partition);
  const int each = param.num_src_per_sub_partition;
  if (param.num_src != count * each)
    fail(ErrorKind::bad_argument,
         text("%s: QudaInvertParam.num_src = %d with num_src_per_sub_partition = %d, %s; allowed: %d, "
              "num_src_per_sub_partition for each of %d sub-grids",
              function, param.num_src, each, split_text(param).c_str(), count * each, count));
  job.split = split;
}

void refuse_with_split(const char *function, const QuarkJob &job, const QudaInvertParam &param, bool refused,
                       const char *member, const std::string &value, const char *allowed)
{
  if (job.split && refused)
    fail(ErrorKind::unsupported, text("%s: QudaInvertParam.%s = %s with %s; allowed: %s, or split_grid = 1 1 1 1",
                                      function, member, value.c_str(), split_text(param).c_str(), allowed));
}

void check_split_solve(const char *function, const QuarkJob &job, const QudaInvertParam &param)
{
  const auto refuse_if = [&](bool set, const char *member, const std::string &value, const char *allowed) {
    refuse_with_split(function, job, param, set, member, value, allowed);
  };
  refuse_if(param.inv_type_precondition == QUDA_MG_INVERTER, "inv_type_precondition",
            value_text(param.inv_type_precondition), "another preconditioner");
  const MethodRow *const method = find_method(param.inv_type);
  refuse_if(method && method->leaves_modes(), "inv_type", value_text(param.inv_type),
            "an inverter that leaves no low modes");
  refuse_if(param.eig_param, "eig_param", text("%p", param.eig_param), "null");
  const struct {
    const char *member;
    int value;
  } kept[] = {{"use_resident_solution", param.use_resident_solution},
              {"make_resident_solution", param.make_resident_solution},
              {"chrono_use_resident", param.chrono_use_resident},
              {"chrono_make_resident", param.chrono_make_resident}};
  for (const auto &one : kept) refuse_if(one.value, one.member, text("%d", one.value), "0");
}

int source_of(const QuarkJob &job, int rhs)
{
  return job.split ? rhs * job.split->grids->count() + job.split->grids->number() : rhs;
}

int most_on_sub_grids(const QuarkJob &job, int number)
{
  if (!job.split) return number;
  long long most = number;
  job.split->grids->all()->communicator().max(&most, 1);
  return static_cast<int>(most);
}

SolveReport of_all_sources(const QuarkJob &job, const SolveReport &mine)
{
  if (!job.split) return mine;
  const SubGrids &grids = *job.split->grids;
  Communicator &all = grids.all()->communicator();
  SolveReport report = mine;
  report.rhs.resize(mine.rhs.size() * static_cast<std::size_t>(grids.count()));
  std::vector<double> residuals(3 * report.rhs.size());
  std::vector<long long> outcomes(report.rhs.size());
  if (grids.lattice()->communicator().rank() == 0) // and zeros on all other ranks
    for (std::size_t n = 0; n < mine.rhs.size(); n++) {
      const auto j = static_cast<std::size_t>(source_of(job, static_cast<int>(n)));
      residuals[3 * j] = mine.rhs[n].residual;
      residuals[3 * j + 1] = mine.rhs[n].heavy_quark;
      residuals[3 * j + 2] = mine.rhs[n].iterated;
      outcomes[j] = static_cast<int>(mine.rhs[n].outcome);
    }
  all.sum(residuals.data(), static_cast<int>(residuals.size()));
  all.sum(outcomes.data(), static_cast<int>(outcomes.size()));
  for (std::size_t j = 0; j < report.rhs.size(); j++) {
    report.rhs[j].residual = residuals[3 * j];
    report.rhs[j].heavy_quark = residuals[3 * j + 1];
    report.rhs[j].iterated = residuals[3 * j + 2];
    report.rhs[j].outcome = static_cast<Outcome>(outcomes[j]);
  }
  report.iterations = most_on_sub_grids(job, mine.iterations);
  all.max(&report.largest_eigenvalue, 1);
  return report;
}

} // namespace quda
