#pragma once
/// One kernel measured in turn with the limits of the machine.

#include <array>
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

using LimitSamples = std::array<Samples, n_limits>;

enum class Bound { memory, fma };

struct Result {
  Case what;
  double seconds, spread; // of one run: median, and the middle half's width over it
  std::size_t samples;
  double gflops, gbytes_per_s;
  double uncounted_gflops; // of what the count of flops leaves out
  double working_set;
  Bound bound;
  double limit;           // in GB/s or GFLOP/s, of the same seconds
  double fraction;        // of it
  double memory_fraction; // of the memory's; 0 where it was not measured
  Shape shape;
  double shape_fraction; // of the limits of the same shape; 0 where there are none, or they were not measured
  bool checksum_ok;
  bool beyond_memory() const; // faster than memory is: an error of the count
};

/// Sets the kernel up, checks it, and takes samples for `seconds`: each limit that can bind in turn, a sample of the
/// kernel after each. A sample is as many runs as fill some 10 ms, or a single one from memory. Samples of the limits
/// are added to `all`. The memory can bind where the working set is over twice the last cache; there the limit that
/// asks for more time binds, elsewhere the multiply-adds. What updates in place may be faster than any copy: its memory
/// limit is the best of all.
Result measure(const Case &what, Limits &limits, std::size_t last_cache, double seconds, LimitSamples &all);

/// The best of copy, triad and dot (medians), for an update in place of that, too; GB/s.
double memory_limit(const LimitSamples &samples, Shape shape = Shape::other);
const char *shape_name(Shape shape);

} // namespace quda::bench
