#pragma once
/// One kernel measured in turn with the limits of the machine.

#include <memory>
#include <optional>
#include <string>

#include "bench/kernel.h"
#include "bench/limits.h"
#include "bench/samples.h"

namespace quda::bench
{

struct Case {
  const Entry *entry;
  Setting setting;
};

/// "wilson/cpu/single/12/1": kernel, variant, precision, reconstruct (18 where there are no links), right-hand sides.
std::string case_name(const Case &what);
const char *variant_name(Variant variant);
const char *precision_name(Precision precision);

enum class Bound { memory, cache, fma };

struct Result {
  Case what;
  double seconds, spread; // of one run: median, and the middle half's width over it
  std::size_t samples;
  double gflops, gbytes_per_s;
  double uncounted_gflops; // of what the count of flops leaves out
  std::optional<Iterations> iterations;
  double working_set;
  Roof roof; // that the working set is under
  Bound bound;
  double limit;              // in GB/s or GFLOP/s, of the same seconds
  double fraction;           // of it
  double bandwidth_fraction; // of the roof's best bandwidth; 0 for Roof::near
  double surely;             // of the largest that the roof showed nearly always (nine samples of ten)
  Shape shape;
  double shape_fraction; // of the limits of the same shape; 0 where there are none, or they were not measured
  bool checksum_ok;
  /// Of a solve: seconds of an iteration, and these over its operator's.
  double step_seconds() const { return seconds / iterations->number; }
  double step_over_operator() const { return step_seconds() / (iterations->products * iterations->product_seconds); }
  /// Faster than memory ever was meanwhile: an error of the count.
  bool beyond_memory() const;
};

/// Sets the kernel up, checks it, and takes samples for `seconds`: each limit that can bind in turn, a sample of the
/// kernel after each. A sample is as many runs as fill some 10 ms, or a single one from memory. Bandwidth can bind
/// where the working set is under the last cache's or the memory's roof (arithmetic/caches.h), measured there; the
/// limit that asks for more time binds, else the multiply-adds.
Result measure(const Case &what, Machine &machine, double seconds);

/// The best of all bandwidths (medians), GB/s.
double best_bandwidth(const LimitSamples &samples);
const char *shape_name(Shape shape);

} // namespace quda::bench
