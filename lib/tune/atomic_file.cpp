#include "tune/atomic_file.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quda
{

namespace
{

  /// A descriptor that is closed on every way out.
  struct Descriptor {
    int fd;
    ~Descriptor()
    {
      if (fd >= 0) close(fd);
    }
  };

  // Processes of several hosts may share the folder.
  std::string name_beside(const std::string &path)
  {
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    return path + "." + host + "." + std::to_string(getpid()) + ".part";
  }

  /// Removes temporary files of killed writers of this file: no writer needs an hour.
  void remove_abandoned(const std::string &path)
  {
    namespace fs = std::filesystem;
    const fs::path file(path);
    const std::string start = file.filename().string() + ".", end = ".part";
    const auto recent = fs::file_time_type::clock::now() - std::chrono::hours(1);
    std::error_code wrong;
    fs::directory_iterator entry(file.has_parent_path() ? file.parent_path() : fs::path("."), wrong);
    for (; !wrong && entry != fs::directory_iterator(); entry.increment(wrong)) {
      const std::string name = entry->path().filename().string();
      if (name.size() < start.size() + end.size() || name.compare(0, start.size(), start) != 0 ||
          name.compare(name.size() - end.size(), end.size(), end) != 0)
        continue;
      std::error_code unknown;
      const auto written = entry->last_write_time(unknown);
      if (!unknown && written < recent) fs::remove(entry->path(), unknown);
    }
  }

  bool write_all(int fd, const std::string &content)
  {
    for (std::size_t done = 0; done < content.size();) {
      const ssize_t n = write(fd, content.data() + done, content.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return true;
  }

} // namespace

bool read_whole_file(const std::string &path, std::size_t most, std::string &content, std::string &why)
{
  content.clear();
  why.clear();
  Descriptor file {open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) {
    if (errno != ENOENT) why = std::strerror(errno);
    return false;
  }
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = read(file.fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      why = std::strerror(errno);
      return false;
    }
    if (n == 0) return true;
    content.append(buffer, static_cast<std::size_t>(n));
    if (content.size() > most) {
      why = "larger than " + std::to_string(most) + " bytes";
      return false;
    }
  }
}

bool write_whole_file(const std::string &path, const std::string &content, std::string &why)
{
  why.clear();
  const std::string beside = name_beside(path);
  Descriptor file {open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
  bool good = file.fd >= 0 && write_all(file.fd, content);
  if (file.fd >= 0) {
    // full network disks report it only at closing
    const int saved = errno;
    const bool closed = close(file.fd) == 0;
    file.fd = -1;
    if (good && !closed)
      good = false;
    else
      errno = saved;
  }
  good = good && std::rename(beside.c_str(), path.c_str()) == 0;
  if (good) {
    remove_abandoned(path);
    return true;
  }
  why = std::strerror(errno);
  unlink(beside.c_str());
  return false;
}

FileLock::FileLock(const std::string &path, double patience)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666))
{
  // made by another user of the folder: a lock does not need write permission
  if (descriptor_ < 0 && errno == EACCES) descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    why_ = std::strerror(errno);
    return;
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience);
  for (;;) {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
      held_ = true;
      return;
    }
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) {
      held_ = true;
      return;
    }
    if (std::chrono::steady_clock::now() >= end) {
      why_ = "held by another process";
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

FileLock::~FileLock()
{
  if (descriptor_ >= 0) close(descriptor_);
}

} // namespace quda
