#include "ops/force/force_monitor.h"

#include "core/environment.h"
#include "core/log.h"
#include "tune/tune_cache.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

namespace quda
{

namespace
{

  constexpr int most_unwritten = 1000;

  struct Record {
    std::string lines;
    int unwritten = 0;
    bool begun = false; // the file is this process's
  };
  Record &record()
  {
    static Record &all = *new Record; // lives to the end of the process
    return all;
  }

  struct Norms {
    double L1 = 0, frobenius = 0;
  };

  /// Norms of a matrix from its ten numbers: A_01, A_02, A_12, the diagonal's imaginary parts.
  Norms norms(const double *a)
  {
    const double u01 = std::hypot(a[0], a[1]), u02 = std::hypot(a[2], a[3]), u12 = std::hypot(a[4], a[5]);
    const double d0 = std::abs(a[6]), d1 = std::abs(a[7]), d2 = std::abs(a[8]);
    return {std::max({d0 + u01 + u02, u01 + d1 + u12, u02 + u12 + d2}),
            std::sqrt(2 * (u01 * u01 + u02 * u02 + u12 * u12) + d0 * d0 + d1 * d1 + d2 * d2)};
  }

} // namespace

bool force_monitor() { return env_flag("QUDA_ENABLE_FORCE_MONITOR", false); }

void record_force(const char *name, const GaugeField &force, double dt)
{
  GaugeFieldParam param = force.param();
  param.order = GaugeOrder::milc;
  param.location = Location::host;
  param.precision = Precision::double_;
  GaugeField host(param);
  host = force;
  const double *const numbers = static_cast<const double *>(host.data());
  double largest[2] = {0, 0};
  for (long long link = 0; link < 4 * host.lattice().volume(); link++) {
    const Norms here = norms(numbers + 10 * link);
    largest[0] = std::max(largest[0], here.L1);
    largest[1] = std::max(largest[1], here.frobenius);
  }
  Communicator &communicator = host.lattice().communicator();
  communicator.max(largest, 2);
  if (communicator.rank() != 0) return;
  record().lines += text("%s\t%.5g\t%.5g\t%.5g\n", name, largest[0], largest[1], dt);
  if (++record().unwritten >= most_unwritten) flush_force_monitor();
}

void flush_force_monitor() noexcept
{
  try {
    Record &all = record();
    if (all.unwritten == 0) return;
    const std::string base = env_string("QUDA_PROFILE_OUTPUT_BASE").value_or("");
    const std::string path = resource_path() + "/" + (base.empty() ? "" : base + "_") + "force.tsv";
    std::FILE *file = resource_path().empty() ? nullptr : std::fopen(path.c_str(), all.begun ? "a" : "w");
    bool written = file != nullptr;
    if (file) {
      if (!all.begun) written = std::fputs("Force\tL1\tL2\tdt\n", file) >= 0;
      written = std::fputs(all.lines.c_str(), file) >= 0 && written;
      written = std::fclose(file) == 0 && written;
    }
    if (!written)
      warn("QUDA_ENABLE_FORCE_MONITOR: %d forces not recorded: %s", all.unwritten,
           resource_path().empty() ? "QUDA_RESOURCE_PATH names no folder" : path.c_str());
    all.begun = all.begun || written;
    all.lines.clear();
    all.unwritten = 0;
  } catch (const std::exception &error) {
    print_always("WARNING: forces not recorded: %s\n", error.what());
  }
}

} // namespace quda
