#pragma once
/// Files that other processes may be reading or writing: complete or absent. Collective: no.

#include <string>

namespace quda
{

/// Reads a file of at most `most` bytes. False with a reason in `why`, which stays empty if there is no such file.
bool read_whole_file(const std::string &path, std::size_t most, std::string &content, std::string &why);

/// Writes a temporary file, renames it to `path`, and removes those of killed writers of `path` after an hour.
/// False with a reason in `why`; `path` is then as it was.
bool write_whole_file(const std::string &path, const std::string &content, std::string &why);

/// An advisory lock on a file, held while the object lives. It dies with its process; the file stays, empty.
class FileLock
{
public:
  /// Tries for at most `patience` seconds. If the file system has no locks, the lock counts as held.
  FileLock(const std::string &path, double patience);
  ~FileLock();
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;

  bool held() const { return held_; }
  /// The reason when it is not held.
  const std::string &why() const { return why_; }

private:
  int descriptor_;
  bool held_ = false;
  std::string why_;
};

} // namespace quda
