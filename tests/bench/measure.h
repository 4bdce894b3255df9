#pragma once
/// One kernel measured in turn with the limits of the machine.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/kernel.h"
#include "bench/limits.h"
#include "bench/samples.h"

namespace quda::bench
{

struct Case {
  const Entry *entry;
  Variant variant;
  Setting setting;
};

/// "wilson/cpu/single/12/1": kernel, variant, precision, reconstruct (18 where there are no links), right-hand sides.
/// All processor targets are "cpu", so that names of different builds agree.
std::string case_name(const Case &what);
const char *variant_name(Variant variant);
const char *precision_name(Precision precision);

enum class Bound { memory, cache, fma };

/// What one pass over all kernels found of one of them.
struct Pass {
  std::vector<double> seconds; // of one run, samples in the order they were taken
  std::vector<double> share;   // of the processors' time that was this process's meanwhile
  // the upper quartile of limits of the same seconds: bandwidth (GB/s; 0: none was measured), multiply-adds (GFLOP/s)
  double bandwidth = 0, fma = 0;
};

struct Result {
  Case what;
  std::array<int, 4> dims;
  Work work;
  std::vector<Pass> passes;
  double seconds, spread; // of one run: median, and the middle half's width over it
  std::size_t samples;
  double gflops, gbytes_per_s;
  double uncounted_gflops; // of what the count of flops leaves out
  std::optional<Iterations> iterations;
  Roof roof; // that the working set is under
  Bound bound;
  double limit;              // in GB/s or GFLOP/s, of the same seconds
  double fraction;           // of it
  double bandwidth_fraction; // of the roof's best bandwidth; 0 for Roof::near
  double surely;             // of the largest that the roof showed nearly always (nine samples of ten)
  double shape_fraction;     // of the limits of the same shape; 0 where there are none, or they were not measured
  Checksum checksum;
  bool checksum_ok;
  /// Of a solve: seconds of an iteration, and these over its operator's.
  double step_seconds() const { return seconds / iterations->number; }
  double step_over_operator() const { return step_seconds() / (iterations->products * iterations->product_seconds); }
  /// Faster than memory ever was meanwhile: an error of the count.
  bool beyond_memory() const;
};

/// One case, measured in several passes.
class Measurement
{
public:
  explicit Measurement(const Case &what);

  /// Sets the kernel up, checks it the first time, takes samples for `seconds` and at least `least`, and tears it down:
  /// each limit that can bind in turn, samples of the kernel after each. A sample is as many runs as fill some 2.5 ms,
  /// four after each limit, or a single one from memory or where a run is longer. Bandwidth can bind where the working
  /// set is under the last cache's or the memory's roof (arithmetic/caches.h), measured there; the limit that asks for
  /// more time binds, else the multiply-adds. seconds 0: a single run, for its result; of the limits no bandwidth, and
  /// the multiply-adds once for all kernels.
  void take(Machine &machine, double seconds, std::size_t least);

  /// Its checksum with the plain version's, where there is one.
  void compare(const std::optional<Checksum> &plain);

  bool taken() const { return !passes_.empty(); }
  Result result() const;

private:
  Case what_;
  Work work_;
  std::vector<Pass> passes_;
  Samples times_;
  LimitSamples limits_;
  std::optional<Iterations> iterations_;
  Roof roof_ = Roof::near;
  Checksum checksum_;
  bool checked_ = false;
};

/// The plain version's checksum of the same data; nothing where there is none, or the lattice is too large for it.
std::optional<Checksum> reference_checksum(const Case &what);

/// What checksums of one kernel may differ by, in units of the sum of magnitudes.
double checksum_tolerance(Precision precision);

/// The best of all bandwidths (medians), GB/s.
double best_bandwidth(const LimitSamples &samples);
const char *shape_name(Shape shape);

} // namespace quda::bench
