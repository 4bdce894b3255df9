#pragma once
/// Tuning settings from the environment.
///
///   QUDA_ENABLE_TUNING=0         untuned launches (Tunable::default_param), no tune cache
///   QUDA_TUNING_RANK=N           the rank that measures; 0, and for communicators of N or fewer ranks
///   QUDA_TUNE_VERSION_CHECK=0    rows of other devices, builds and versions are used as well
///   QUDA_TUNE_SHARE=N            a kernel is tuned once it has run so long that its tuning is at most N per cent of
///                                that, untuned until then; 30 if unset, 0: at its first launch
///   QUDA_ENABLE_TUNING_REPORT=1  prints all candidates with their times
///   QUDA_TUNE_FORCE=LIST         for experiments: launch parameters by hand, in place of any tuning and tune cache, as
///                                "tile=16,prefetch=2,streaming=0,schedule=1,threads=2,variant=2"; others stay as in
///                                an untuned launch. On targets without lanes tile is the block's first extent.

#include "core/tune_param.h"

namespace quda
{

/// Plain, so that rank 0's can be passed on.
struct TuneSettings {
  static constexpr int n_forced = 6;
  int enabled = 1;
  int rank = 0;
  int version_check = 1;
  int share = 30;
  int report = 0;
  int any_forced = 0;
  int forced[n_forced] = {-1, -1, -1,
                          -1, -1, -1}; // tile, prefetch, streaming, schedule, threads, variant; -1: not named
};

/// Reads the environment. A value that makes no sense is an Error (bad argument).
TuneSettings read_tune_settings();

/// `tp` with the parameters that QUDA_TUNE_FORCE names; prefetch and streaming only if the kernel has the hook,
/// a variant only if it has that many.
TuneParam forced_param(const TuneSettings &settings, TuneParam tp, bool prefetch, bool streaming, int variants);

} // namespace quda
