// The text of tunecache.tsv: what is read can be written, and is then read as the same.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

#include "targets/target.h"
#include "tune/tune_file.h"

namespace quda
{
// The file of the reader asks for the device in functions that are not called here.
const TargetApi &target() { std::abort(); }
const char *target_name(Target) { std::abort(); }
} // namespace quda

namespace
{

bool same(const quda::TuneRow &a, const quda::TuneRow &b)
{
  for (int i = 0; i < 3; i++)
    if (a.param.block[i] != b.param.block[i] || a.param.grid[i] != b.param.grid[i]) return false;
  const auto rest = [](const quda::TuneParam &tp) {
    return std::make_tuple(tp.prefetch, tp.streaming, tp.schedule, tp.variant);
  };
  return rest(a.param) == rest(b.param) && a.key == b.key && a.param.shared_bytes == b.param.shared_bytes &&
         a.version == b.version && a.digest == b.digest && a.comment == b.comment;
}

void check(const std::string &content, bool any_version)
{
  const quda::TuneFile file = quda::parse_tune_file(content, any_version);
  if (file.state != quda::TuneFileState::good) {
    if (file.why.empty()) std::abort();
    return;
  }
  const quda::TuneFile again = quda::parse_tune_file(quda::tune_file_text(file.rows, "hash", 0));
  bool good = again.state == quda::TuneFileState::good && again.rows.size() == file.rows.size();
  for (std::size_t i = 0; good && i < file.rows.size(); i++) good = same(again.rows[i], file.rows[i]);
  if (good) return;
  std::fprintf(stderr, "read, but what is then written is not read as the same: %s\n", again.why.c_str());
  std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
  const std::string content(reinterpret_cast<const char *>(data), size);
  check(content, false);
  check(content, true);
  return 0;
}
