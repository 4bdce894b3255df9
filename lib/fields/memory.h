/// What the field classes share: their memory, tags and checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include "core/error.h"
#include "core/types.h"
#include "core/view.h"
#include "fields/create.h"
#include "fields/lattice.h"

namespace quda
{

/// One block of a pool, or memory of somebody else's. Goes back to its pool when it goes out of scope.
class FieldMemory
{
public:
  FieldMemory() = default;
  /// From device_pool() or, for Location::host, from pinned_pool(). where: what a leak report says of it.
  FieldMemory(std::size_t bytes, Location location, bool zero, SourceLocation where);
  FieldMemory(FieldMemory &&other) noexcept;
  FieldMemory &operator=(FieldMemory &&other) noexcept;
  ~FieldMemory();

  void *get() const { return block_; }
  bool owned() const { return block_ != nullptr; }

private:
  /// Takes over a block; others delegate to it, so that the block goes back if they fail later.
  FieldMemory(void *block, Location location)
      : block_(block)
      , location_(location)
  {
  }

  void *block_ = nullptr;
  Location location_ = Location::host;
};

/// Whether fresh memory starts at zero: where that is asked for, and in native fields with padding. Lanes that no site
/// fills go through the same loops as the others, and what memory held before would decide how long those run. Results
/// do not depend on it, which poisoned memory shows. The view of a field in a foreign order is empty.
bool starts_at_zero(Create create, const FieldView &field, Location location);

/// A number no one was given before in this process.
std::uint64_t next_tag();

/// Reals a thread of a scalar target moves at once: blocks of at most 16 bytes that divide `reals`.
int scalar_vector(Precision precision, int reals);

/// Where the inner extent stands in a native field of a lane target.
enum class InnerOrder {
  innermost, // right-hand sides, fifth dimension, flavours
  outermost  // directions of a gauge field
};

/// Native storage over `lattice` with border R, in the lanes of the target in use; data left null. parities: 1 or 2.
/// bytes: of the whole field. The odd half begins at a multiple of 128 bytes. scaled: fixed point with scales.
FieldView native_storage(const Lattice &lattice, Precision precision, int inner, int reals, int parities,
                         const int R[4], InnerOrder order, bool scaled, std::size_t &bytes);

/// Real k of inner entry i at a stored site, counted from data; lane 0 on scalar targets.
long long real_offset(const FieldView &view, int parity, unsigned stored_cb, int lane, int inner, int real);

/// The product; Error (out of memory) where it passes 2^63.
std::size_t bytes_needed(const char *what, std::initializer_list<long long> factors);

// Checks of a constructor's parameters; `what` is the class, for the message.
void check_lattice(const char *what, const std::shared_ptr<const Lattice> &lattice);
/// double or single; half too in native order
void check_precision(const char *what, Precision precision, bool native);
void check_location(const char *what, Location location, bool native);
void check_create(const char *what, Create create);
/// The caller's pointer: not null, aligned to `alignment` bytes.
void check_pointer(const char *what, const char *name, const void *p, std::size_t alignment);

} // namespace quda
