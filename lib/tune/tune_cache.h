#pragma once
/// The tune cache: tunecache.tsv in the folder QUDA_RESOURCE_PATH, or, if that is not set, in libquda below
/// the user's cache directory (XDG_CACHE_HOME, else .cache in HOME), and its rows in memory. QUDA_ENABLE_USER_CACHE=0:
/// no file in the latter.
///
/// Knowledge of the ranks. The rows read at the start are the same on all ranks. Rows measured later belong to the
/// communicator they were measured on: its ranks insert them alike, so whether a key is known is the same on all ranks
/// of a communicator and no launch has to ask. If a key is not known there, all its ranks meet: the tuning rank
/// (QUDA_TUNING_RANK, 0 if the communicator is smaller) looks among everything it knows, measures if it must, and
/// the others take over its choice. Launches that only some ranks make (Tunable::collective()) are tuned by each rank
/// by itself; so are all launches if ranks run on different devices, instruction sets or numbers of threads.
///
/// The file. Columns and first line are QUDA's; "libquda" in the first line marks ours. A row's comment ends with
/// the kernel's tune version, a digest of the device and the build, and the date; rows of other devices and builds stay
/// in the file and are not used. A file that cannot be read, is cut off or was written by a newer version is renamed
/// (tunecache_aside.tsv); a file of another library is left alone, ours is tunecache_libquda.tsv then. No failure
/// of the file is an error.
///
/// Threads: one calling thread at a time.

#include <string>

#include "comms/communicator.h"
#include "tune/tune_key.h"

namespace quda
{

/// Forgets everything, reads the environment and, if tuning is on, the file, on rank 0, which passes it on.
/// Collective. Errors: nonsense in QUDA_ENABLE_TUNING, QUDA_TUNING_RANK, QUDA_TUNE_FORCE, on all ranks alike.
void load_tune_cache(Communicator &communicator);

/// Writes the file if rows were measured since it was last written, together with the rows that other processes added
/// meanwhile. Only rank 0 of load_tune_cache's communicator writes; nothing is written before
/// load_tune_cache, with tuning off, or without a folder. Cheap if there is nothing new: for the end of every call.
/// last: also rows that could not be written before. after_error: all rows, to tunecache_error.tsv. Not collective.
/// Never fails.
enum class TuneSave { when_new, last, after_error };
void save_tune_cache(TuneSave when = TuneSave::when_new) noexcept;

/// The folder QUDA_RESOURCE_PATH as load_tune_cache found it; empty if unset or not a folder (one warning).
const std::string &resource_path();

/// The kernel launched last; null before the first. Stays valid.
const TuneKey *last_kernel();

/// The same as "(name=..,volume=..,aux=..)", for messages of errors.
std::string last_kernel_text();

} // namespace quda
