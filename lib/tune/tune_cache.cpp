#include "tune/tune_cache.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>

#include "core/environment.h"
#include "core/log.h"
#include "tune/atomic_file.h"
#include "tune/kernel_profile.h"
#include "tune/tune_file.h"
#include "tune/tune_tables.h"

namespace quda
{

namespace
{

  constexpr std::size_t most_bytes = 64 << 20;
  constexpr double lock_patience[2] = {5, 0.1}; // seconds; the second after a failure, except at the end

  struct Place {
    std::string folder;    // folder of the tune cache; empty: nothing is stored
    std::string resources; // named by the environment
    bool writes = false;
    bool warned = false;    // the file could not be written
    bool unwritten = false; // the file lacks rows for that reason
  };

  Place &place()
  {
    static Place *const place = new Place;
    return *place;
  }

  /// The library's folder in the user's cache directory, by the XDG Base Directory Specification; empty if
  /// there is no such directory or it is not wanted.
  std::string users_folder()
  {
    if (!env_flag("QUDA_ENABLE_USER_CACHE", true)) return {};
    const std::string caches = env_string("XDG_CACHE_HOME").value_or("");
    if (!caches.empty() && caches[0] == '/') return caches + "/libquda";
    const std::string home = env_string("HOME").value_or("");
    return !home.empty() && home[0] == '/' ? home + "/.cache/libquda" : "";
  }

  void find_folder(bool stores)
  {
    place() = {};
    const std::string path = env_string("QUDA_RESOURCE_PATH").value_or("");
    std::error_code why;
    if (path.empty()) {
      if (!stores) return;
      const std::string users = users_folder();
      std::filesystem::create_directories(users, why);
      if (!users.empty() && std::filesystem::is_directory(users, why)) {
        place().folder = users;
        return print(Verbosity::verbose, "QUDA_RESOURCE_PATH is not set: tuned parameters are kept in %s\n",
                     users.c_str());
      }
      return warn("QUDA_RESOURCE_PATH is not set: caching of tuned parameters will be disabled");
    }
    std::filesystem::create_directories(path, why); // a folder that exists is fine
    if (std::filesystem::is_directory(path, why))
      place().folder = place().resources = path;
    else
      warn("QUDA_RESOURCE_PATH = \"%s\" is no folder and cannot be made one (%s): caching of tuned parameters will be "
           "disabled",
           path.c_str(), why ? why.message().c_str() : "there is something else of this name");
  }

  void set_aside(const std::string &path, const std::string &why)
  {
    const std::string aside = place().folder + "/tunecache_aside.tsv";
    if (std::rename(path.c_str(), aside.c_str()) == 0)
      warn("tune cache %s: %s; renamed to %s, kernels are tuned anew", path.c_str(), why.c_str(), aside.c_str());
    else
      warn("tune cache %s: %s; kernels are tuned anew", path.c_str(), why.c_str());
  }

  /// The file in the folder: its path, its presence, its rows. A useless file is set aside.
  struct Stored {
    std::string path;
    bool present = false;
    std::vector<TuneRow> rows;
  };

  Stored read_stored(bool any_version)
  {
    for (const char *name : {"/tunecache.tsv", "/tunecache_libquda.tsv"}) {
      Stored stored {place().folder + name, false, {}};
      std::string content, why;
      if (!read_whole_file(stored.path, most_bytes, content, why)) {
        if (!why.empty()) set_aside(stored.path, why);
        stored.present = !why.empty();
        return stored;
      }
      TuneFile file = parse_tune_file(content, any_version);
      if (file.state == TuneFileState::foreign) continue;
      stored.present = true;
      if (file.state == TuneFileState::good)
        stored.rows = std::move(file.rows);
      else
        set_aside(stored.path, file.why);
      return stored;
    }
    return {}; // another library's file has our own name as well
  }

  // Sends rank 0's text to all ranks.
  void pass_on(Communicator &communicator, std::string &content)
  {
    long long size = static_cast<long long>(content.size());
    communicator.broadcast(&size, sizeof size, 0);
    content.resize(static_cast<std::size_t>(size));
    if (size > 0) communicator.broadcast(content.data(), content.size(), 0);
  }

  std::vector<TuneRow> usable_rows(const std::string &content, bool any_version)
  {
    std::vector<TuneRow> rows = parse_tune_file(content, any_version).rows;
    if (!any_version) {
      const std::string digest = build_digest();
      std::erase_if(rows, [&](const TuneRow &row) { return row.digest != digest; });
    }
    return rows;
  }

  bool write_rows(const std::string &path, const std::vector<TuneRow> &rows)
  {
    std::string why;
    print(Verbosity::verbose, "Saving %zu sets of cached parameters to %s\n", rows.size(), path.c_str());
    if (write_whole_file(path, tune_file_text(rows, build_hash(), std::time(nullptr)), why)) return true;
    if (!place().warned) warn("tune cache %s cannot be written: %s", path.c_str(), why.c_str());
    place().warned = true;
    return false;
  }

  /// Merges and writes; a failed write is repeated when there are more rows, and at the end.
  void merge_and_write(bool last)
  {
    TuneTables &tables = TuneTables::instance();
    tables.unsaved = false;
    place().unwritten = true;
    const FileLock lock(place().folder + "/tunecache_libquda.lock", lock_patience[place().warned && !last]);
    if (!lock.held()) {
      if (!place().warned) warn("tune cache in %s is not written: lock %s", place().folder.c_str(), lock.why().c_str());
      place().warned = true;
      return;
    }
    const Stored stored = read_stored(!tables.settings().version_check);
    if (stored.path.empty()) return;
    std::vector<TuneRow> rows = tables.measured();
    std::sort(rows.begin(), rows.end());
    const std::size_t own = rows.size();
    for (const TuneRow &row : stored.rows)
      if (!std::binary_search(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(own), row)) rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    place().unwritten = !write_rows(stored.path, rows);
  }

} // namespace

void load_tune_cache(Communicator &communicator)
{
  const bool root = communicator.rank() == 0;
  TuneSettings settings;
  std::string content, kind;
  checked_together(communicator, [&] {
    if (root) settings = read_tune_settings();
    find_folder(root && settings.enabled && !settings.any_forced);
    kind = build_hash();
    if (!root || !settings.enabled || settings.any_forced || place().folder.empty()) return;
    const Stored stored = read_stored(!settings.version_check);
    if (!stored.rows.empty()) content = tune_file_text(stored.rows, kind, std::time(nullptr));
    const std::string usual = place().folder + "/tunecache.tsv";
    if (!stored.present && !stored.path.empty() && stored.path != usual)
      warn("tune cache %s is of another library and left alone; kernels are tuned anew, into %s", usual.c_str(),
           stored.path.c_str());
    else if (!stored.present)
      warn("Cache file not found. All kernels will be re-tuned (if tuning is enabled)");
    else
      print(Verbosity::summarize, "Loaded %zu sets of cached parameters from %s\n", stored.rows.size(),
            stored.path.c_str());
  });
  communicator.broadcast(&settings, sizeof settings, 0);
  pass_on(communicator, content);
  bool alike = true;
  for (const std::string &other : communicator.gather_text(kind)) alike = alike && other == kind;
  if (!alike)
    warn("ranks run on different processors, devices or numbers of threads: each tunes its kernels for itself");
  if (!settings.enabled) print(Verbosity::summarize, "Autotuning disabled\n");
  if (!settings.version_check)
    warn("QUDA_TUNE_VERSION_CHECK = 0: tuned parameters of other devices and builds are used");
  place().writes = root && settings.enabled && !settings.any_forced;
  TuneTables::instance().reset(settings, usable_rows(content, !settings.version_check), alike);
}

void save_tune_cache(TuneSave when) noexcept
{
  try {
    TuneTables &tables = TuneTables::instance();
    if (!place().writes || place().folder.empty()) return;
    const bool last = when == TuneSave::last;
    if (when != TuneSave::after_error) {
      if (tables.unsaved || (last && place().unwritten)) merge_and_write(last);
      return;
    }
    if (const std::vector<TuneRow> rows = tables.all(); !rows.empty())
      write_rows(place().folder + "/tunecache_error.tsv", rows);
  } catch (const std::exception &error) {
    print_always("WARNING: tune cache not written: %s\n", error.what());
  }
}

const std::string &resource_path() { return place().resources; }

} // namespace quda
