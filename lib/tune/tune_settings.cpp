#include "tune/tune_settings.h"

#include <algorithm>
#include <charconv>

#include "core/environment.h"
#include "core/error.h"

namespace quda
{

namespace
{

  struct Forcible {
    const char *name;
    int most;
  };
  constexpr Forcible forcible[TuneSettings::n_forced] = {{"tile", 1 << 30}, {"prefetch", 64},  {"streaming", 1},
                                                         {"schedule", 1},   {"threads", 4096}, {"variant", 128}};

  void read_pair(const std::string &all, const std::string &pair, TuneSettings &settings)
  {
    const std::size_t equals = pair.find('=');
    for (int i = 0; i < TuneSettings::n_forced && equals != std::string::npos; i++) {
      if (pair.compare(0, equals, forcible[i].name) != 0) continue;
      int value = -1;
      const char *first = pair.data() + equals + 1, *last = pair.data() + pair.size();
      const auto [end, error] = std::from_chars(first, last, value);
      if (error != std::errc {} || end != last || value < 0 || value > forcible[i].most)
        fail(ErrorKind::bad_argument, text("QUDA_TUNE_FORCE = \"%s\": \"%s\" must be a number in 0..%d", all.c_str(),
                                           pair.c_str(), forcible[i].most));
      settings.forced[i] = value;
      settings.any_forced = 1;
      return;
    }
    fail(ErrorKind::bad_argument,
         text("QUDA_TUNE_FORCE = \"%s\": \"%s\" is none of tile=, prefetch=, streaming=, schedule=, threads=, variant=",
              all.c_str(), pair.c_str()));
  }

} // namespace

TuneSettings read_tune_settings()
{
  TuneSettings settings;
  settings.enabled = env_flag("QUDA_ENABLE_TUNING", true);
  settings.rank = static_cast<int>(env_int("QUDA_TUNING_RANK", 0, 1 << 30).value_or(0));
  settings.version_check = env_flag("QUDA_TUNE_VERSION_CHECK", true);
  settings.share = static_cast<int>(env_int("QUDA_TUNE_SHARE", 0, 1 << 20).value_or(settings.share));
  settings.report = env_flag("QUDA_ENABLE_TUNING_REPORT", false);
  const std::string force = env_string("QUDA_TUNE_FORCE").value_or("");
  for (std::size_t at = 0; at < force.size();) {
    const std::size_t comma = std::min(force.find(',', at), force.size());
    read_pair(force, force.substr(at, comma - at), settings);
    at = comma + 1;
  }
  return settings;
}

TuneParam forced_param(const TuneSettings &settings, TuneParam tp, bool prefetch, bool streaming, int variants)
{
  const int *forced = settings.forced;
  if (forced[0] >= 0) tp.block[0] = forced[0];
  if (forced[1] >= 0 && prefetch) tp.prefetch = forced[1];
  if (forced[2] >= 0 && streaming) tp.streaming = forced[2];
  if (forced[3] >= 0) tp.schedule = forced[3];
  if (forced[4] >= 0) tp.grid[0] = forced[4];
  if (forced[5] >= 0 && variants > 1 && forced[5] <= variants) tp.variant = forced[5];
  return tp;
}

} // namespace quda
