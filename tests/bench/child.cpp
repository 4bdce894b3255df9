#include "bench/child.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace quda::bench
{

namespace
{

  constexpr const char *resource_variable = "QUDA_RESOURCE_PATH=";

  std::string content(const std::string &path)
  {
    std::ifstream file(path);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
  }

  std::vector<char *> pointers(std::vector<std::string> &strings)
  {
    std::vector<char *> all;
    for (std::string &s : strings) all.push_back(s.data());
    all.push_back(nullptr);
    return all;
  }

  std::vector<std::string> environment_with(const std::string &resources)
  {
    std::vector<std::string> all {resource_variable + resources};
    for (char **e = environ; *e; e++)
      if (std::strncmp(*e, resource_variable, std::strlen(resource_variable)) != 0) all.emplace_back(*e);
    return all;
  }

  /// Status of waitpid; a reason where it could not be started or waited for.
  int spawned(const std::string &path, const std::vector<std::string> &arguments, std::vector<std::string> environment,
              const posix_spawn_file_actions_t *files, std::string &why)
  {
    std::vector<std::string> words {path};
    words.insert(words.end(), arguments.begin(), arguments.end());
    pid_t child = 0;
    const int wrong =
        posix_spawn(&child, path.c_str(), files, nullptr, pointers(words).data(), pointers(environment).data());
    if (wrong) why = text("cannot start \"%s\": %s", path.c_str(), std::strerror(wrong));
    int status = 0;
    while (!wrong && waitpid(child, &status, 0) < 0)
      if (errno != EINTR) {
        why = text("waiting for \"%s\": %s", path.c_str(), std::strerror(errno));
        break;
      }
    return status;
  }

} // namespace

TemporaryFolder::TemporaryFolder()
{
  const char *parent = std::getenv("TMPDIR");
  path_ = std::string(parent && *parent ? parent : "/tmp") + "/quda_bench_XXXXXX";
  if (!mkdtemp(path_.data()))
    fail(ErrorKind::file, text("--compare: no folder like \"%s\": %s", path_.c_str(), std::strerror(errno)));
}

TemporaryFolder::~TemporaryFolder()
{
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Outcome run_program(const std::string &path, const std::vector<std::string> &arguments, const std::string &resources,
                    const TemporaryFolder &folder)
{
  const std::string output = folder.in("output"), errors = folder.in("errors");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr int made = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), made, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.c_str(), made, 0600);
  std::string why;
  const int status = spawned(path, arguments, environment_with(resources), &files, why);
  posix_spawn_file_actions_destroy(&files);
  if (!why.empty()) return {-1, "", why};
  std::string said = content(errors);
  if (WIFSIGNALED(status)) said += text("\"%s\" was ended by signal %d", path.c_str(), WTERMSIG(status));
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(output), said};
}

int run_along(const std::string &path, const std::vector<std::string> &arguments)
{
  std::vector<std::string> environment;
  for (char **e = environ; *e; e++) environment.emplace_back(*e);
  std::string why;
  const int status = spawned(path, arguments, environment, nullptr, why);
  if (!why.empty()) fail(ErrorKind::file, why);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace quda::bench
