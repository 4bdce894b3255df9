#pragma once

/// A host's array of a lattice of one time slice, X[3] = 1, and the array of two that are alike, which stands for it: a
/// lattice of the library has even extents. Arrays have their even sites, then the odd ones; of two slices the odd ones
/// of the second are even.

#include <cstddef>
#include <vector>

namespace quda
{

/// bytes: of `two`.
void to_two_slices(void *two, const void *one, std::size_t bytes);
/// The first of them.
void to_one_slice(void *one, const void *two, std::size_t bytes);

/// An array of two slices in place of the host's of one.
class StagedSlice
{
public:
  StagedSlice(void *one, std::size_t bytes)
      : one_(one)
      , two_(bytes)
  {
  }

  void *two() { return two_.data(); }
  /// From the host's array, and to it.
  void fetch() { to_two_slices(two_.data(), one_, two_.size()); }
  void give() const { to_one_slice(one_, two_.data(), two_.size()); }

private:
  void *one_;
  std::vector<char> two_;
};

} // namespace quda
