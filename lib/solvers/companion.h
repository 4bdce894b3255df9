#pragma once
/// Companions: systems solved from the Krylov space of another one. This is their interface to KrylovSolver.

#include <cstddef>
#include <span>

namespace quda
{

class Companion
{
public:
  virtual ~Companion() = default;
  /// Called before the method starts, with the numbers of the caller's right-hand sides in its columns.
  virtual void select_rhs(std::span<const int> numbers) = 0;
  /// Drops column i, as the method does.
  virtual void drop(int i) = 0;
  /// Whether column j must go on although its own system is solved.
  virtual bool wants_more(std::size_t j) const = 0;
};

} // namespace quda
