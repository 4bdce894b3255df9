#pragma once
/// Base of launches whose parameters are measured once and kept. A derived class states its key, flops and bytes,
/// and how it is launched (ops/launch.h does so for operations); apply() looks the parameters up, measures the
/// candidates if there are none, launches, and counts the time for the profile. On a processor a launch is measured
/// once it has run so long untuned that measuring is a small part (QUDA_TUNE_SHARE); a rare one never is. Whether
/// to measure is decided at its launches 1, 2, 4, 8, ..., by the tuning rank for all.
///
/// Candidates differ in order of work and in memory access, never in a result bit.
/// Collective: over its communicator, while a launch is being tuned; launch() itself never communicates.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "comms/communicator.h"
#include "core/tune_param.h"
#include "tune/tune_key.h"

namespace quda
{

struct TunedLaunch;

/// Memory of the target.
struct MemorySpan {
  void *data;
  std::size_t bytes;
};

class Tunable
{
public:
  virtual ~Tunable() = default;
  const TuneKey &key() const { return key_; }
  /// One launch with these parameters.
  virtual void launch(const TuneParam &tp, void *stream) = 0;
  /// Flops of one launch, and its minimal traffic, each number counted once.
  virtual long long flops() const = 0;
  virtual long long bytes() const = 0;
  /// Memory that a launch reads and overwrites: kept during tuning, so that the launch that counts finds it as it was.
  virtual std::vector<MemorySpan> in_place() const { return {}; }
  /// Parameters that the kernel uses on the CPU: prefetch and streaming of TuneParam.
  virtual bool has_prefetch() const { return false; }
  virtual bool has_streaming() const { return false; }
  /// Number of the kernel's variants, numbered from 1 (variant of TuneParam): right-hand sides that a hop takes
  /// together, shapes of the tile of a transposition.
  virtual int variants() const { return 1; }
  /// Kernels that may stream their stores read through their output, as the next kernel will: tuning calls this after
  /// each launch as long as caches could hold it.
  virtual void read_written() const {}
  /// Its fields, as far as stated, that other launches of a solve write between two of this one. On a processor, if
  /// they are small, the calling thread writes them between two tuning launches, as a single-threaded launch would: so
  /// several threads are chosen only if they are faster although their data lie in another cache.
  virtual std::vector<MemorySpan> written_between() const { return {}; }
  /// Raised when a change of the kernel makes earlier measurements worthless.
  virtual int tune_version() const { return 1; }
  /// Ranks that launch together; the tuning rank's choice holds for all of them.
  Communicator &communicator() const { return *communicator_; }
  /// Whether all of them launch, in the same order as their other launches. A kernel that some ranks
  /// may launch without the others returns false; each rank tunes it by itself.
  virtual bool collective() const { return true; }
  /// Extents of the index space; 1 where a kernel has fewer.
  const unsigned *extents() const { return extents_; }

  /// Whether a launch moves more bytes than the caches hold.
  bool from_memory() const;
  /// Whether it walks along x several times.
  bool walked() const { return extents_[1] > 1 || extents_[2] > 1; }
  /// The parameters of an untuned launch.
  virtual TuneParam default_param() const;
  /// Candidates on the target in use, the most promising first; the first `always()` are measured
  /// in any case: on the CPU an untuned launch and one by a single thread, then the hooks, tile, schedule and threads;
  /// blocks elsewhere.
  virtual std::vector<TuneParam> candidates() const;
  static constexpr std::size_t always() { return 2; }
  /// The later stages, around the best so far: hooks, variants and nearby tiles on the CPU; variants and the
  /// number of blocks of a sum elsewhere.
  virtual std::vector<TuneParam> refinements(const TuneParam &best) const;

  /// The tuned launch: looks up, launches and counts. Once the key is known it neither allocates nor communicates.
  /// Errors during tuning are thrown on all ranks.
  void apply(void *stream = nullptr);

protected:
  /// volume: as "16x16x16x32" or a number of items; aux: other properties that speed depends on, "prec=4,recon=12".
  /// Target and threads are appended here.
  Tunable(std::shared_ptr<Communicator> communicator, unsigned x, unsigned y, unsigned z, const char *volume,
          const char *name, const char *aux);

  /// Whether it adds to exact sums; launch() then clears them, so that a launch repeated by tuning counts once.
  virtual bool reduces() const { return false; }

private:
  TunedLaunch &tune(const std::shared_ptr<Communicator> &together, TunedLaunch *waiting, void *stream);
  std::vector<TuneParam> lane_candidates() const;
  void add_hooks(std::vector<TuneParam> &params, TuneParam tp, std::span<const int> distances) const;
  void add_variants(std::vector<TuneParam> &params, TuneParam tp) const;

  std::shared_ptr<Communicator> communicator_;
  unsigned extents_[3];
  TuneKey key_;
};

/// While one exists, launches of this thread are this rank's only, whatever their collective() returns: for the work of
/// a rank that has failed where the others have not.
class LaunchesAlone
{
public:
  LaunchesAlone();
  ~LaunchesAlone();
  LaunchesAlone(const LaunchesAlone &) = delete;
  LaunchesAlone &operator=(const LaunchesAlone &) = delete;

private:
  bool before_;
};

} // namespace quda
