#pragma once
/// Systems that are solved from the Krylov space of another one: what KrylovSolver tells them, and asks.

#include <cstddef>
#include <span>

namespace quda
{

class Companion
{
public:
  virtual ~Companion() = default;
  /// Before the method starts: which of the caller's right-hand sides its columns are.
  virtual void select_rhs(std::span<const int> numbers) = 0;
  /// Drops column i, as a method does.
  virtual void drop(int i) = 0;
  /// Whether column j must go on although its own system is solved.
  virtual bool wants_more(std::size_t j) const = 0;
};

} // namespace quda
