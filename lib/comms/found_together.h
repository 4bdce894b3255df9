#pragma once
/// Work of which each rank can fail alone, and after which all go on or none does.

#include <optional>

#include "comms/communicator.h"
#include "core/error.h"

namespace quda
{

/// work(), which must not communicate. Where it fails on some ranks all throw FoundTogether, with the kind and the
/// message of the lowest of them. Collective.
template <class F> void found_together(Communicator &communicator, F &&work)
{
  try {
    checked_together(communicator, work);
  } catch (const Error &error) {
    throw FoundTogether(error.kind(), error.what(), {error.file(), error.line(), error.function()});
  }
}

/// The same of parts of the ranks, each of which works by messages of its own, or has nothing to do. What all ranks of a part
/// have found together fails on all of them; what one of them alone throws is let through, as nobody may wait for the others of
/// its part. Collective.
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
