#pragma once
/// Work that each rank can fail in by itself, and after which either all ranks go on or none does.

#include <optional>

#include "comms/communicator.h"
#include "core/error.h"

namespace quda
{

/// Runs work(), which must not communicate. If it fails on some ranks, all throw FoundTogether, with the kind and the
/// message of the lowest of them. Collective.
template <class F> void found_together(Communicator &communicator, F &&work)
{
  try {
    checked_together(communicator, work);
  } catch (const Error &error) {
    throw FoundTogether(error.kind(), error.what(), {error.file(), error.line(), error.function()});
  }
}

/// The same for groups of ranks, each of which communicates within itself, or has nothing to do. A FoundTogether thrown
/// on all ranks of a group is thrown on all ranks; any other exception of one rank passes through, as nobody may wait
/// for the others of its group. Collective.
template <class F> void parts_together(Communicator &communicator, F &&work)
{
  std::optional<FoundTogether> mine;
  try {
    work();
  } catch (const FoundTogether &error) {
    mine = error;
  }
  found_together(communicator, [&] {
    if (mine) throw Error(*mine);
  });
}

} // namespace quda
