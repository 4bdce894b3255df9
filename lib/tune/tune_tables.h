#pragma once
/// The tune cache in memory, by communicator, as launches see it (tune_cache.h describes which rank knows what).
/// Internal to lib/tune.

#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "comms/communicator.h"
#include "tune/kernel_profile.h"
#include "tune/tune_file.h"
#include "tune/tune_settings.h"

namespace quda
{

/// Parameters and state of a launch.
struct TunedLaunch {
  TuneParam param = {};
  double seconds = 0;
  int version = 1;
  KernelTime *time = nullptr; // of the profile, set at the first launch
  // for a key that is not tuned yet
  long long due = 0;   // the launch at which to decide again, the same on all ranks; 0: it is tuned
  long long calls = 0; // launches so far,
  double ran = 0;      // and their seconds on this rank
};

class TuneTables
{
public:
  /// The tables of this process.
  static TuneTables &instance();

  /// Settings of the environment, from load_tune_cache; before that, this rank's own.
  const TuneSettings &settings();

  /// Forgets everything and starts with these.
  void reset(const TuneSettings &settings, const std::vector<TuneRow> &rows, bool alike);

  /// Whether the ranks of a communicator tune together: more than one, and all ranks of the same kind.
  bool together(const Communicator &communicator) const { return alike_ && communicator.size() > 1; }

  /// The parameters of a key on a communicator (null: on this rank); null if not known there, or
  /// measured on another version of the kernel. Allocates only once per communicator.
  TunedLaunch *find(const std::shared_ptr<Communicator> &communicator, const TuneKey &key, int version);

  /// The row of a key, wherever it was measured; null if there is none.
  const TuneRow *known(const TuneKey &key, int version) const;

  /// Makes a row known on a communicator (null: on this rank). new_here: to be written to the file.
  TunedLaunch &insert(const std::shared_ptr<Communicator> &communicator, const TuneRow &row, bool new_here);

  /// Begins untuned launches of a key, the first of which decides whether to tune.
  TunedLaunch &wait(const std::shared_ptr<Communicator> &communicator, const TuneKey &key, const TuneParam &untuned,
                    int version);

  /// Rows measured since reset(), and all rows.
  std::vector<TuneRow> measured() const;
  std::vector<TuneRow> all() const;
  bool unsaved = false; // rows were measured since the file was written

private:
  using Table = std::map<TuneKey, TunedLaunch>;
  struct Known {
    TuneRow row;
    bool new_here;
  };

  Table &table_of(const std::shared_ptr<Communicator> &communicator);

  bool have_settings_ = false;
  TuneSettings settings_;
  bool alike_ = false; // not before load_tune_cache has compared the ranks
  Table start_;        // copied into each new table
  Table alone_;
  bool have_alone_ = false;
  // A weak pointer keeps its address from reuse: a new communicator is never taken for a former one.
  std::map<std::weak_ptr<Communicator>, Table, std::owner_less<>> tables_;
  std::map<TuneKey, Known> known_;
};

} // namespace quda
