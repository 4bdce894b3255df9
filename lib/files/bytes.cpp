#include "files/bytes.h"

#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

namespace quda_files
{

void refuse(const std::string &path, const char *format, ...)
{
  char text[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  throw FileError(path + ": " + text);
}

InputFile::InputFile(const std::string &path)
    : path_(path)
    , stream_(path, std::ios::binary)
{
  if (!stream_) refuse(path, "cannot be opened");
  stream_.seekg(0, std::ios::end);
  const auto end = stream_.tellg();
  // A directory can be opened, but its size means nothing.
  if (!stream_ || end < 0 || static_cast<std::uint64_t>(end) >= std::uint64_t(1) << 62)
    refuse(path, "its size cannot be found; is it a regular file?");
  size_ = static_cast<std::uint64_t>(end);
}

void InputFile::read(std::uint64_t offset, void *into, std::uint64_t n)
{
  if (offset > size_ || n > size_ - offset)
    refuse(path_, "truncated at byte %" PRIu64 ": %" PRIu64 " bytes wanted at byte %" PRIu64, size_, n, offset);
  stream_.seekg(static_cast<std::streamoff>(offset));
  stream_.read(static_cast<char *>(into), static_cast<std::streamsize>(n));
  if (!stream_) refuse(path_, "reading %" PRIu64 " bytes at byte %" PRIu64 " failed", n, offset);
}

std::uint32_t load_u32(const unsigned char *b, bool big_endian)
{
  const std::uint32_t big = std::uint32_t(b[0]) << 24 | std::uint32_t(b[1]) << 16 | std::uint32_t(b[2]) << 8 | b[3];
  return big_endian ? big : __builtin_bswap32(big);
}

std::uint64_t load_u64(const unsigned char *b, bool big_endian)
{
  const std::uint64_t big = std::uint64_t(load_u32(b, true)) << 32 | load_u32(b + 4, true);
  return big_endian ? big : __builtin_bswap64(big);
}

std::string_view trimmed(std::string_view text)
{
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::uint32_t> to_hexadecimal(std::string_view text)
{
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return text.size() <= 8 ? to_number<std::uint32_t>(text, 16) : std::nullopt;
}

std::string printable(const std::string &text, std::size_t most)
{
  std::string shown;
  for (char c : text.substr(0, most)) shown += c >= 32 && c < 127 ? c : '?';
  return shown;
}

void append_number(std::string &out, std::uint64_t value, int bytes, bool big_endian)
{
  for (int i = 0; i < bytes; i++) out += static_cast<char>(value >> 8 * (big_endian ? bytes - 1 - i : i));
}

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
  // Full network disks report it only at closing.
  const bool synced = fsync(descriptor_) == 0;
  const int why = errno;
  const bool closed = close(descriptor_) == 0;
  descriptor_ = -1;
  if (!synced || !closed)
    refuse(target_, "bringing %s to the disk failed: %s", path_.c_str(), std::strerror(synced ? errno : why));
}

std::string date_of(std::uint64_t seconds)
{
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts {};
  gmtime_r(&time, &parts);
  char buffer[64] = {};
  std::strftime(buffer, sizeof(buffer), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return buffer;
}

std::string name_beside(const std::string &target, std::uint64_t process, std::uint64_t ticks)
{
  char tail[64];
  std::snprintf(tail, sizeof(tail), ".%" PRIx64 "-%" PRIx64 ".part", process, ticks);
  return target + tail;
}

void rename_durably(const std::string &path, const std::string &target)
{
  if (std::rename(path.c_str(), target.c_str()) != 0)
    refuse(target, "%s cannot be renamed to it: %s", path.c_str(), std::strerror(errno));
  const auto slash = target.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  // The file is complete in any case; a file system that cannot sync folders is no reason to fail.
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

ReplacingFile::ReplacingFile(const std::string &target)
    : target_(target)
    , path_(name_beside(target, static_cast<std::uint64_t>(getpid()),
                        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count())))
    , output_(path_, target, true)
{
}

ReplacingFile::~ReplacingFile()
{
  if (!done_) unlink(path_.c_str());
}

void ReplacingFile::append(const void *bytes, std::uint64_t n)
{
  output_.write(size_, bytes, n);
  size_ += n;
}

void ReplacingFile::finish()
{
  output_.finish();
  rename_durably(path_, target_);
  done_ = true;
}

} // namespace quda_files
