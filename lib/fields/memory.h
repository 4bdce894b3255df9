/// What the field classes share: their memory, tags and checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

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
  /// From device_pool() or, for Location::host, from pinned_pool(). what: the name a leak report gives it.
  FieldMemory(std::size_t bytes, Location location, const char *what);
  FieldMemory(FieldMemory &&other) noexcept;
  FieldMemory &operator=(FieldMemory &&other) noexcept;
  ~FieldMemory();

  void *get() const { return block_; }
  bool owned() const { return block_ != nullptr; }

private:
  void *block_ = nullptr;
  Location location_ = Location::host;
};

/// A number no one was given before in this process.
std::uint64_t next_tag();

/// Reals a thread of a scalar target moves at once: blocks of at most 16 bytes that divide `reals`.
int scalar_vector(Precision precision, int reals);

/// Native storage over `lattice` with border R, in the lanes of the target in use; data left null. parities: 1 or 2.
/// bytes: of the whole field. The odd half begins at a multiple of 128 bytes.
FieldView native_storage(const Lattice &lattice, Precision precision, int inner, int reals, int parities,
                         const int R[4], std::size_t &bytes);

/// Real k of inner entry i at a stored site, counted from data; lane 0 on scalar targets.
long long real_offset(const FieldView &view, int parity, unsigned stored_cb, int lane, int inner, int real);

/// double or single; the message names `function`.
void check_precision(const char *function, Precision precision);
/// The caller's pointer: not null, and aligned to `alignment` bytes.
void check_pointer(const char *function, const char *name, const void *p, std::size_t alignment);

} // namespace quda
