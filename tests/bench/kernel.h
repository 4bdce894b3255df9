#pragma once
/// What quda_bench runs: kernels as the library launches them (and the plain host versions), each a small class that is
/// set up by its constructor, runs once by run(), and says its flops, ideal bytes and working set. A file of kernels
/// ends with a `const Registered` for each; nothing else has to know of them.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/built.h"
#include "core/types.h"

namespace quda::bench
{

class HostData;

/// Which of the machine's limits a kernel from memory is like: how many fields it reads and writes, and whether it
/// writes what it has read. gather: some six numbers read for one written.
enum class Shape { other, copy, triad, dot, update, gather };

/// Of a solve.
struct Iterations {
  int number;
  int products;           // of the operator in each
  double product_seconds; // of one by itself
};

class Kernel
{
public:
  virtual ~Kernel() = default;
  /// Before each sample, not timed: data that runs would drive out of range are made anew.
  virtual void refresh() {}
  virtual void run() = 0;
  /// Runs that belong together: 2 where parities take turns.
  virtual int turns() const { return 1; }
  /// Of one run: flops by the conventions of the library; each number that must cross once.
  virtual double flops() const = 0;
  virtual double bytes() const = 0;
  /// Flops of one run that the conventions leave out: exponentials.
  virtual double uncounted_flops() const { return 0; }
  virtual Shape shape() const { return Shape::other; }
  virtual std::optional<Iterations> iterations() const { return {}; }
  virtual std::size_t least_samples() const { return 5; }
  /// Bytes that runs return to: all fields once.
  virtual double working_set() const = 0;
  /// Runs on fresh data and compares with the plain reference in canonical site order. Leaves no promise on the data.
  virtual bool check() = 0;
};

/// Of one exponential of a link's generator (lib/device/exponential.h): 7 a term of its series and 214.
inline double exponential_flops(Precision precision) { return 7 * (precision == Precision::double_ ? 19 : 12) + 214; }

struct Setting {
  Precision precision = Precision::double_;
  Reconstruct reconstruct = Reconstruct::none; // `none` for kernels without links
  int nrhs = 1;
  HostData *host = nullptr;
};

enum class Variant { library, reference };
enum class Needs { spinors, links, links_and_spinors };
/// The precisions that a kernel is for: double and single, half, or all.
enum class Computes { floating, half, any };

struct Entry {
  std::string name;
  Variant variant;
  Needs needs;
  std::function<std::unique_ptr<Kernel>(const Setting &)> make;
  Computes computes;

  bool has_links() const { return needs == Needs::links || needs == Needs::links_and_spinors; }
  bool has_spinors() const { return needs != Needs::links; }
  bool in(Precision precision) const
  {
    if (computes == Computes::any) return built(precision);
    return (computes == Computes::half) == (precision == Precision::half);
  }
};

std::vector<Entry> &registry();

struct Registered {
  Registered(const char *name, Variant variant, Needs needs,
             std::function<std::unique_ptr<Kernel>(const Setting &)> make, Computes computes = Computes::floating)
  {
    registry().push_back({name, variant, needs, std::move(make), computes});
  }
};

template <class K> std::unique_ptr<Kernel> made(const Setting &setting) { return std::make_unique<K>(setting); }

} // namespace quda::bench
