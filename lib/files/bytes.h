/// Files at byte positions, and numbers in either byte order: base of the readers and writers of all formats.
/// Independent of the library, so that programs can use it. Collective: no.
#pragma once

#include <charconv>
#include <cstdarg>
#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace quda_files
{

/// Any failure to read or write a file; what() names the file, the contents found and the contents
/// expected.
class FileError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// Throws FileError, its text from a printf format and preceded by the path.
[[noreturn]] void refuse(const std::string &path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// An open file of known size, read at byte positions. Every read is checked against the size first.
class InputFile
{
public:
  explicit InputFile(const std::string &path);
  std::uint64_t size() const { return size_; }
  const std::string &path() const { return path_; }
  void read(std::uint64_t offset, void *into, std::uint64_t n);

private:
  std::string path_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
};

/// An open file, written at byte positions. Throws FileError with the target's name, not the temporary one's.
class OutputFile
{
public:
  /// create: made anew, refused if it exists; otherwise it must exist.
  OutputFile(const std::string &path, const std::string &target, bool create);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  void write(std::uint64_t offset, const void *bytes, std::uint64_t n);
  /// The data are on disk when this returns.
  void finish();

private:
  const std::string path_, target_;
  int descriptor_;
};

/// The name of a temporary file beside the target, unique to a process and a moment.
std::string name_beside(const std::string &target, std::uint64_t process, std::uint64_t ticks);

/// Renames the temporary file to the target and waits until this is on disk.
void rename_durably(const std::string &path, const std::string &target);

/// A temporary file beside its target until finish() renames it; removed otherwise. Written from front to back.
class ReplacingFile
{
public:
  explicit ReplacingFile(const std::string &target);
  ~ReplacingFile();
  ReplacingFile(const ReplacingFile &) = delete;
  ReplacingFile &operator=(const ReplacingFile &) = delete;

  void append(const void *bytes, std::uint64_t n);
  /// Complete on disk under its name when this returns.
  void finish();

private:
  const std::string target_, path_;
  OutputFile output_;
  std::uint64_t size_ = 0;
  bool done_ = false;
};

std::uint32_t load_u32(const unsigned char *bytes, bool big_endian);
std::uint64_t load_u64(const unsigned char *bytes, bool big_endian);
void append_number(std::string &out, std::uint64_t value, int bytes, bool big_endian);

/// A date as text, from seconds since the epoch.
std::string date_of(std::uint64_t seconds);

/// The printable characters of a text of the file, for messages.
std::string printable(const std::string &text, std::size_t most = 60);

constexpr char blanks[] = " \t\r\n";
std::string_view trimmed(std::string_view text);

/// A number and nothing else, with an optional plus sign. `how`: argument of std::from_chars.
template <class T, class How> std::optional<T> to_number(std::string_view text, How how)
{
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value = {};
  const char *const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value, how);
  return error == std::errc() && end == stop ? std::optional<T>(value) : std::nullopt;
}

/// A hexadecimal number of up to eight digits, with or without 0x.
std::optional<std::uint32_t> to_hexadecimal(std::string_view text);

} // namespace quda_files
