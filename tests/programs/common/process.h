/// The processes a program runs as: MPI when it was built with MPI, else one. A program started without mpirun is one
/// process.
#pragma once

#include <array>
#include <functional>
#include <stdexcept>

#include "files/gauge_file.h"
#include "programs/common/options.h"

namespace program
{

/// Options that do not fit each other: thrown on every rank alike, told once.
class UsageError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

class Process
{
public:
  Process(int *argc, char ***argv);
  ~Process();
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // Collective.
  void barrier() const;
  double sum(double value) const;
  double max(double value) const; // a NaN on any rank comes through
  quda_files::Combine combine() const;

  /// Runs a program's body and returns the program's exit code: the body's, or 1 with the text of what it threw.
  int run(const std::function<int()> &body) const;

private:
  int rank_ = 0, size_ = 1;
  bool finalise_ = false;
};

/// Rank of a process at these coordinates in the grid, and the inverse.
int rank_of(const std::array<int, 4> &coord, const std::array<int, 4> &grid, RankOrder order);
std::array<int, 4> coord_of(int rank, const std::array<int, 4> &grid, RankOrder order);

/// printf on rank 0, flushed.
void say(const Process &process, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Throws unless the process grid of the options has as many places as there are processes.
void check_grid(const Process &process, const Options &options);

/// Where launches are tuned: at their first, by calls before those that are timed, or as a run of its own pays for it.
enum class Tuned { at_once, as_it_pays };

/// Starts the library on the process grid of the options. What the environment says of tuning holds.
void start_library(const Options &options, Tuned tuned = Tuned::at_once);

} // namespace program
