#pragma once
/// Work of which each rank can fail alone, and after which all go on or none does.

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

} // namespace quda
