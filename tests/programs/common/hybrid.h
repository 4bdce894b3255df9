/// Hybrid Monte Carlo of any theory (dynamics.h): trajectories, and what must be true of them. A run that is killed goes
/// on from its last checkpoint (checkpoint.h), on any process grid, as if it had not been.
#pragma once

#include "programs/common/checkpoint.h"
#include "programs/common/dynamics.h"
#include "programs/common/statistics.h"

namespace program
{

struct HybridWish {
  double length = 1; // of a trajectory
  int steps = 10;
  int trajectories = 10; // measured
  int warmup = 0;        // before them, accepted without a test
  double errors = 4;     // statistical ones that means may lie apart
  double reversal = 1e-12;
  std::vector<double> finer = {2, 2.5, 3, 4, 5}; // steps of check_order() in units of `steps`
  int samples = 6;                               // of each
};

/// --trajectory-length, --trajectory-steps, --trajectories, --warmup-trajectories, --errors.
void add_hybrid_options(CommandLine &line, HybridWish &wish);

class Hybrid
{
public:
  Hybrid(const Process &process, unsigned long seed, const HybridWish &wish, Dynamics &dynamics)
      : process_(process)
      , seed_(seed)
      , wish_(wish)
      , dynamics_(dynamics)
  {
  }

  /// All that are left, with checkpoints every `interval`.
  void trajectories(History &history, Checkpoint &checkpoint, const HostGauge &gauge, int interval);

  /// <exp(-dH)> = 1.
  bool check_mean(const History &history) const;
  /// Projections of accepted links that leave the plaquette alone.
  bool check_projection() const;
  /// A trajectory and the same back.
  bool check_reversal(int number);
  /// The slope of log dH against log of the step, dH the root of its mean square over several momenta.
  bool check_order(int number);

private:
  void trajectory(History &history);
  double change_of_energy(int number, int steps);
  unsigned long long seed_of(int trajectory) const
  {
    return seed_ + (static_cast<unsigned long long>(trajectory + 1) << 32);
  }
  double uniform(int trajectory) const;
  double distance(const reference::QdpLinks<double> &a, const reference::QdpLinks<double> &b) const;

  const Process &process_;
  const unsigned long seed_;
  const HybridWish &wish_;
  Dynamics &dynamics_;
  double worst_projection_ = 0; // the most that one changed the plaquette by
};

} // namespace program
