#pragma once
/// Treatment of launches in blocks of too many threads.

namespace quda
{

/// While one exists, launches of this thread in larger blocks than their kernel's registers allow are refused
/// (launch_error.h); otherwise they get smaller ones. For tuning, whose candidates would repeat one launch many times.
class LaunchesAsAsked
{
public:
  LaunchesAsAsked();
  ~LaunchesAsAsked();
  LaunchesAsAsked(const LaunchesAsAsked &) = delete;
  LaunchesAsAsked &operator=(const LaunchesAsAsked &) = delete;

private:
  bool before_;
};
bool launches_as_asked();

} // namespace quda
