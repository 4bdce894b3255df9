#include "gauge_file_write.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace quda_files
{

OutputFile::OutputFile(const std::string &path, const std::string &target, bool create)
    : path_(path)
    , target_(target)
    , descriptor_(open(path.c_str(), O_WRONLY | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0), 0666))
{
  if (descriptor_ < 0)
    refuse(target_, "the temporary file %s cannot be %s: %s", path_.c_str(), create ? "made" : "opened",
           std::strerror(errno));
}

OutputFile::~OutputFile()
{
  if (descriptor_ >= 0) close(descriptor_);
}

void OutputFile::write(std::uint64_t offset, const void *bytes, std::uint64_t n)
{
  const char *from = static_cast<const char *>(bytes);
  while (n > 0) {
    const ssize_t done = pwrite(descriptor_, from, n, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0)
      refuse(target_, "writing %" PRIu64 " bytes at byte %" PRIu64 " of %s failed: %s", n, offset, path_.c_str(),
             std::strerror(done < 0 ? errno : ENOSPC));
    from += done;
    offset += static_cast<std::uint64_t>(done);
    n -= static_cast<std::uint64_t>(done);
  }
}

void OutputFile::finish()
{
  // Full disks of networks speak up at closing.
  const bool synced = fsync(descriptor_) == 0;
  const int why = errno;
  const bool closed = close(descriptor_) == 0;
  descriptor_ = -1;
  if (!synced || !closed)
    refuse(target_, "bringing %s to the disk failed: %s", path_.c_str(), std::strerror(synced ? errno : why));
}

void rename_durably(const std::string &path, const std::string &target)
{
  if (std::rename(path.c_str(), target.c_str()) != 0)
    refuse(target, "%s cannot be renamed to it: %s", path.c_str(), std::strerror(errno));
  const auto slash = target.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  // The file is whole in any case; a file system that cannot sync folders is no reason to complain.
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

} // namespace quda_files
