/// Checkpoints of hybrid Monte Carlo: FILE.json, and links in a file of their own beside it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "programs/common/host_gauge.h"

namespace program
{

/// What a run has done so far: what its checkpoint holds beside the links.
struct History {
  int done = 0; // trajectories
  int accepted = 0;
  std::vector<double> dH, plaquette;                // of the measured ones
  nlohmann::json records = nlohmann::json::array(); // of all, where there is more to say
};

class Checkpoint
{
public:
  /// name: what stands before ".json" and ".N.ildg"; empty: nothing is saved. run: what tells one run from another.
  Checkpoint(const std::string &name, nlohmann::json run)
      : file_(name.empty() ? "" : name + ".json")
      , prefix_(name)
      , run_(std::move(run))
  {
  }

  /// Reads what there is and puts the links' file into the options; false: nothing was saved. Throws (UsageError) where
  /// it is of another run.
  bool read(History &history, Options &options);

  /// The links first, under a name of their own, then the file that names them; whenever the run is killed one of the
  /// two checkpoints is whole. Collective.
  void write(const Process &process, const HostGauge &gauge, const History &history);

private:
  const std::string file_, prefix_;
  std::string links_; // of the last checkpoint
  const nlohmann::json run_;
};

/// --checkpoint and --save-interval.
struct CheckpointWish {
  std::string name;
  int interval = 1;
};
void add_checkpoint_options(CommandLine &line, CheckpointWish &wish);

} // namespace program
