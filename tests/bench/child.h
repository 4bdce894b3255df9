#pragma once
/// Other programs, run and waited for; folders that last as long as they are needed.

#include <string>
#include <vector>

namespace quda::bench
{

/// A folder under TMPDIR or /tmp, removed at the end with all that is in it. Error (file) where there is no place.
class TemporaryFolder
{
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string in(const std::string &name) const { return path_ + '/' + name; }

private:
  std::string path_;
};

struct Outcome {
  int status; // of exit; -1 where a signal ended it, or it could not be started
  std::string output, errors;
};

/// Runs a program with arguments, QUDA_RESOURCE_PATH being `resources`; what it prints passes through `folder`.
Outcome run_program(const std::string &path, const std::vector<std::string> &arguments, const std::string &resources,
                    const TemporaryFolder &folder);

/// Runs a program with arguments, in this one's environment and on its terminal; its exit status, -1 where a signal
/// ended it. Error (file) where it cannot be started.
int run_along(const std::string &path, const std::vector<std::string> &arguments);

} // namespace quda::bench
