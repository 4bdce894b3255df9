#include "targets/launch_error.h"

#include <string>

#include "core/error.h"

namespace quda
{

namespace
{
  // "... [with Functor = quda::cpu_avx2::Plaquette; Arg = ...]" -> "quda::cpu_avx2::Plaquette"
  std::string kernel_name(const std::string &launcher)
  {
    const std::string key = "Functor = ";
    const auto at = launcher.find(key);
    if (at == std::string::npos) return launcher;
    const auto begin = at + key.size();
    return launcher.substr(begin, launcher.find_first_of(";,]", begin) - begin);
  }
} // namespace

void launch_error(const char *kernel, const char *what, long long value, long long lowest, long long highest)
{
  fail(ErrorKind::bad_argument, text("launch of %s: %s = %lld is outside %lld..%lld", kernel_name(kernel).c_str(), what,
                                     value, lowest, highest));
}

void launch_failed(const char *kernel, const char *reason)
{
  fail(ErrorKind::device, text("launch of %s: %s", kernel_name(kernel).c_str(), reason));
}

} // namespace quda
