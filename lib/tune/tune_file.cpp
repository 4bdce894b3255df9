#include "tune/tune_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <locale>
#include <sstream>
#include <string_view>

#include "core/error.h"
#include "targets/target.h"

namespace quda
{

namespace
{

  constexpr int version[3] = {1, 1, 0};
  constexpr const char version_text[] = "1.1.0";
  constexpr std::string_view ours = "libquda";

  // "Fri Nov 21 10:09:08 2025\n"
  std::string date(std::time_t now)
  {
    std::tm parts {};
    char buffer[64] = {};
    localtime_r(&now, &parts);
    if (std::strftime(buffer, sizeof buffer, "%a %b %e %H:%M:%S %Y\n", &parts) == 0) return "\n";
    return buffer;
  }

  std::vector<std::string> words(const std::string &line)
  {
    std::istringstream stream(line);
    std::vector<std::string> all;
    for (std::string word; stream >> word;) all.push_back(word);
    return all;
  }

  template <int size> bool take(char (&to)[size], const std::string &from)
  {
    if (from.size() >= size) return false;
    std::memcpy(to, from.c_str(), from.size() + 1);
    return true;
  }

  // A damaged number must not make a launch fail, or a kernel prefetch far beyond its field.
  bool plausible(const TuneRow &row)
  {
    const TuneParam &tp = row.param;
    constexpr int most = 1 << 30, most_prefetch = 64, most_variant = 128, most_block = 1024, most_threads = 4096;
    for (int i = 0; i < 3; i++)
      if (tp.block[i] < 0 || tp.block[i] > most || tp.grid[i] < 0) return false;
    const auto within = [](int value, int greatest) { return value >= 0 && value <= greatest; };
    if (!within(tp.prefetch, most_prefetch) || !within(tp.streaming, 1) || !within(tp.schedule, 1)) return false;
    if (!within(tp.variant, most_variant)) return false;
    if (tp.shared_bytes < 0 || tp.shared_bytes > 1 << 20) return false;
    if (!(row.seconds > 0) || !std::isfinite(row.seconds) || row.version < 0) return false;
    if (std::strncmp(row.key.aux, "cpu", 3) == 0) return tp.grid[0] <= most_threads;
    for (int block : tp.block)
      if (block > most_block) return false;
    const int yz = std::max(tp.block[1], 1) * std::max(tp.block[2], 1);
    return std::max(tp.block[0], 1) <= most_block / yz;
  }

  /// Six digits, with a decimal point in every locale.
  std::string plain_number(double value)
  {
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6).ptr};
  }

  bool read_row(const std::string &line, TuneRow &row)
  {
    const std::size_t comment = line.find('#');
    // Text after a zero byte would not be written again.
    if (comment == std::string::npos || line.find('\0') != std::string::npos) return false;
    std::istringstream stream(line.substr(0, comment));
    stream.imbue(std::locale::classic());
    std::string volume, name, aux, more;
    TuneParam &tp = row.param;
    if (!(stream >> volume >> name >> aux)) return false;
    for (int &block : tp.block) stream >> block;
    for (int &grid : tp.grid) stream >> grid;
    stream >> tp.shared_bytes;
    stream >> tp.prefetch >> tp.streaming >> tp.schedule >> tp.variant;
    if (!(stream >> row.seconds) || stream >> more) return false;
    if (!take(row.key.volume, volume) || !take(row.key.name, name) || !take(row.key.aux, aux)) return false;

    row.comment = line.substr(comment);
    const std::size_t at = row.comment.find(", version ");
    char digest[9] = {};
    if (at == std::string::npos ||
        std::sscanf(row.comment.c_str() + at, ", version %d, device %8[0-9a-f], ", &row.version, digest) != 2)
      return false;
    row.digest = digest;
    return row.digest.size() == 8 && plausible(row);
  }

  // The first line: library and version of the file.
  TuneFile read_heading(const std::string &line, bool any_version)
  {
    const std::vector<std::string> heading = words(line);
    if (heading.size() < 4 || heading[0] != "tunecache") return {TuneFileState::damaged, "not a tune cache", {}};
    if (heading[2].compare(0, ours.size(), ours) != 0) return {TuneFileState::foreign, "of another library", {}};
    int theirs[3];
    if (std::sscanf(heading[1].c_str(), "%d.%d.%d", &theirs[0], &theirs[1], &theirs[2]) != 3)
      return {TuneFileState::damaged, "no version in its first line", {}};
    const bool newer = std::lexicographical_compare(version, version + 3, theirs, theirs + 3);
    if (newer && !any_version)
      return {TuneFileState::newer, "version " + heading[1] + ", this library is " + version_text, {}};
    return {};
  }

} // namespace

bool operator<(const TuneRow &a, const TuneRow &b)
{
  const int c = compare(a.key, b.key);
  return c < 0 || (c == 0 && a.digest < b.digest);
}

TuneFile parse_tune_file(const std::string &content, bool any_version)
{
  std::istringstream stream(content);
  std::string line;
  if (!std::getline(stream, line)) return {TuneFileState::damaged, "empty", {}};
  TuneFile file = read_heading(line, any_version);
  if (file.state != TuneFileState::good) return file;
  if (content.back() != '\n') return {TuneFileState::damaged, "cut off", {}};
  bool columns = false;
  for (int number = 2; std::getline(stream, line); number++) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (!columns) {
      const std::vector<std::string> names = words(line);
      columns = names.size() == 16 && names[0] == "volume" && names[14] == "time";
      if (columns) continue;
      return {TuneFileState::damaged, "columns have other names", {}};
    }
    TuneRow row;
    if (!read_row(line, row)) return {TuneFileState::damaged, text("line %d makes no sense", number), {}};
    file.rows.push_back(std::move(row));
  }
  if (!columns) return {TuneFileState::damaged, "cut off", {}};
  return file;
}

std::string file_heading(const char *word, const std::string &hash, std::time_t now)
{
  return text("%s\t%s\tlibquda-%s\t%s\t# Last updated %s", word, version_text, version_text, hash.c_str(),
              date(now).c_str());
}

std::string tune_file_text(const std::vector<TuneRow> &rows, const std::string &hash, std::time_t now)
{
  std::string content = file_heading("tunecache", hash, now);
  content += text("\n%16s\tname\taux\tblock.x\tblock.y\tblock.z\tgrid.x\tgrid.y\tgrid.z\tshared_bytes\taux.x\taux.y\t"
                  "aux.z\taux.w\ttime\tcomment\n",
                  "volume");
  for (const TuneRow &row : rows) {
    const TuneParam &tp = row.param;
    content += text("%16s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", row.key.volume, row.key.name,
                    row.key.aux, tp.block[0], tp.block[1], tp.block[2], tp.grid[0], tp.grid[1], tp.grid[2],
                    tp.shared_bytes, tp.prefetch, tp.streaming, tp.schedule, tp.variant,
                    plain_number(row.seconds).c_str(), row.comment.c_str());
  }
  return content;
}

std::string row_comment(const TuneRow &row, long long flops, long long bytes, double tuning_seconds, std::time_t now)
{
  const double rate = 1e-9 / row.seconds;
  std::string day = date(now);
  day.pop_back();
  return text("# %.2f Gflop/s, %.2f GB/s, version %d, device %s, tuning took %f seconds at %s", rate * flops,
              rate * bytes, row.version, row.digest.c_str(), tuning_seconds, day.c_str());
}

std::string build_hash()
{
  std::string hash = text("target=%s,device=%s,threads=%d,build=%s", target_name(target().kind()),
                          target().description().c_str(), target().max_threads(), build_digest().c_str());
  for (char &c : hash)
    if (std::strchr(" \t\r\n#", c)) c = '_';
  return hash;
}

std::string build_digest() { return build_digest(target()); }

std::string build_digest(const TargetApi &device)
{
  const std::string all = text("%s|%s|%s|%s|%d|%d", version_text, __VERSION__, target_name(device.kind()),
                               device.description().c_str(), QUDA_PRECISION, QUDA_RECONSTRUCT);
  std::uint64_t digest = 14695981039346656037ULL; // FNV-1a
  for (const char c : all) digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return text("%08x", static_cast<unsigned>(digest ^ digest >> 32));
}

} // namespace quda
