#pragma once

/// Host's array of a lattice of one time slice, X[3] = 1, and the array of two equal slices that represents it: a
/// lattice of the library has even extents. Arrays have their even sites first, then the odd ones; the odd sites of the
/// second slice are even ones of the first.

#include <cstddef>
#include <vector>

namespace quda
{

/// Copies the slice to both. bytes: size of `two`.
void to_two_slices(void *two, const void *one, std::size_t bytes);
/// Copies the first slice.
void to_one_slice(void *one, const void *two, std::size_t bytes);

/// An array of two slices that replaces the host's array of one.
class StagedSlice
{
public:
  StagedSlice(void *one, std::size_t bytes)
      : one_(one)
      , two_(bytes)
  {
  }

  void *two() { return two_.data(); }
  /// Copies from the host's array, and to it.
  void fetch() { to_two_slices(two_.data(), one_, two_.size()); }
  void give() const { to_one_slice(one_, two_.data(), two_.size()); }

private:
  void *one_;
  std::vector<char> two_;
};

} // namespace quda
