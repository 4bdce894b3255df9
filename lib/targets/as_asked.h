#pragma once
/// How launches in blocks of too many threads go.

namespace quda
{

/// While one lives, launches of this thread in larger blocks than their kernel's registers allow are refused
/// (launch_error.h); others go in smaller ones. For tuning, whose candidates would be the same launch many times.
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
