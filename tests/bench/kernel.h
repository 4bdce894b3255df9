#pragma once
/// What quda_bench runs: kernels as the library launches them, and the plain host versions. A kernel is a small class:
/// its constructor sets up, run() runs once, checksum() gives one number of the result, its destructor tears down.
/// A file of kernels ends with a `const Registered` for each, which says by name what the kernel is, which of the
/// library's kernel tables it launches (QUDA_INSTANCES names), and what a run costs; nothing else has to know of them.
/// command_test.py names tables that no kernel here launches.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/arithmetic/checksum.h"
#include "core/built.h"
#include "core/types.h"

namespace quda::bench
{

class HostData;

/// Which of the machine's limits a kernel from memory is like: how many fields it reads and writes, and whether it
/// writes what it has read. gather: some six numbers read for one written.
enum class Shape { other, copy, triad, dot, update, gather };

/// Of one run. Bytes: each number that must cross once.
struct Work {
  double flops = 0; // by the conventions of the library
  double read = 0, written = 0;
  double touched = 0;         // bytes of memory that are read or written; 0: read + written
  double working_set = 0;     // bytes that runs return to; 0: touched
  double uncounted_flops = 0; // that the conventions leave out: exponentials
  Shape shape = Shape::other;

  double bytes() const { return read + written; }
  double memory() const { return touched > 0 ? touched : bytes(); }
  double set() const { return working_set > 0 ? working_set : memory(); }
};

/// Of a solve, known when it has run.
struct Iterations {
  int number;
  int products;           // of the operator in each
  double product_seconds; // of one by itself
  double flops, bytes;    // of the whole
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
  virtual std::optional<Iterations> iterations() const { return {}; }
  /// Of the result of one run on fresh data in canonical order (host_data.h has those of fields); the same, but for
  /// rounding, whatever the variant, precision, reconstruct and number of right-hand sides. May leave any data.
  virtual Checksum checksum() = 0;
  /// Where numbers are compared with the plain reference one by one. Leaves no promise on the data.
  virtual bool check() { return true; }
};

/// Of one exponential of a link's generator (lib/device/exponential.h): 7 a term of its series and 214.
inline double exponential_flops(Precision precision) { return 7 * (precision == Precision::double_ ? 19 : 12) + 214; }

struct Setting {
  Precision precision = Precision::double_;
  Reconstruct reconstruct = Reconstruct::none; // `none` for kernels without links
  int nrhs = 1;
  HostData *host = nullptr;

  double sites() const;
  /// Bytes of a number, of all links, of momenta; of spinors of both parities, all right-hand sides.
  double real() const { return bytes_of(precision); }
  double links() const { return 4 * sites() * static_cast<int>(reconstruct) * real(); }
  double momenta() const { return 40 * sites() * real(); }
  double spinors() const { return spinors(precision); }
  double spinors(Precision stored) const
  {
    return sites() * nrhs * (24 * bytes_of(stored) + (stored == Precision::half ? sizeof(float) : 0));
  }
};

enum class Variant { library, reference };
/// Of what there are several cases: reconstructs of links, numbers of right-hand sides; own: neither.
enum class Needs { spinors, links, links_and_spinors, own };
/// The precisions that a kernel is for: double and single, half, or all.
enum class Computes { floating, half, any };

using Maker = std::function<std::unique_ptr<Kernel>(const Setting &)>;

struct Entry {
  std::string name;
  Needs needs = Needs::spinors;
  Computes computes = Computes::floating;
  std::vector<std::string> tables = {}; // of the library's kernels, "blas.NAME" those of linear algebra
  std::string features = {};            // what it uses, in words
  bool cut = false;                     // on a lattice that is cut between ranks (ranks.h)
  std::array<int, 4> dims = {16, 16, 16, 32};
  int samples = 5;                        // at least
  double loose = 1;                       // times what checksums may differ by
  int most_reference = 16 * 16 * 16 * 32; // sites that the plain version is run on
  std::function<Work(const Setting &)> work;
  Maker make;
  Maker reference = {};        // the plain version, where there is one
  bool times_reference = true; // false: that is what to expect, made in another way

  bool has_links() const { return needs == Needs::links || needs == Needs::links_and_spinors; }
  bool has_spinors() const { return needs == Needs::spinors || needs == Needs::links_and_spinors; }
  bool in(Precision precision) const
  {
    if (computes == Computes::any) return built(precision);
    return (computes == Computes::half) == (precision == Precision::half);
  }
};

std::vector<Entry> &registry();

struct Registered {
  Registered(Entry entry) { registry().push_back(std::move(entry)); }
};

template <class K> std::unique_ptr<Kernel> made(const Setting &setting) { return std::make_unique<K>(setting); }

} // namespace quda::bench
