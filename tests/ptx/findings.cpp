#include "ptx/findings.h"

#include <cstdio>
#include <mutex>

namespace ptx
{

namespace
{
  std::mutex guard;
  bool printing = true;
  constexpr int most_lines = 3; // of a kernel and a fault

  std::vector<Finding> &all()
  {
    static auto *list = new std::vector<Finding>; // outlives all that may report
    return *list;
  }
} // namespace

const char *name_of(Fault fault)
{
  switch (fault) {
  case Fault::out_of_bounds:
    return "access out of bounds";
  case Fault::misaligned:
    return "misaligned access";
  case Fault::shared_bounds:
    return "access beyond shared memory";
  case Fault::local_bounds:
    return "access beyond local memory or parameters";
  case Fault::other_device:
    return "access to another device's memory";
  case Fault::read_only:
    return "write to memory that is only read";
  case Fault::unwritten:
    return "read of memory never written";
  case Fault::shared_race:
    return "race in shared memory";
  case Fault::device_race:
    return "race in device memory";
  case Fault::barrier:
    return "barrier that not all reach";
  case Fault::missing_lanes:
    return "lanes that a mask names do not come";
  case Fault::unknown_instruction:
    return "instruction that is not emulated";
  case Fault::copy:
    return "copy";
  case Fault::host_early:
    return "host access before the stream was waited for";
  case Fault::host_access:
    return "host access to device memory";
  }
  return "";
}

bool ends_launch(Fault fault)
{
  return fault != Fault::unwritten && fault != Fault::shared_race && fault != Fault::device_race;
}

void report(Fault fault, const std::string &where, const std::string &first)
{
  const std::lock_guard lock(guard);
  for (Finding &f : all())
    if (f.fault == fault && f.where == where) {
      f.count++;
      return;
    }
  const std::string kernel = where.substr(0, where.find(", PTX line"));
  int before = 0;
  for (const Finding &f : all()) before += f.fault == fault && f.where.compare(0, kernel.size(), kernel) == 0;
  all().push_back({fault, where, first, 1});
  if (printing && before < most_lines)
    std::fprintf(stderr, "ptx: %s: %s, first at %s\n", name_of(fault), where.c_str(), first.c_str());
}

std::vector<Finding> findings()
{
  const std::lock_guard lock(guard);
  return all();
}

void forget_findings()
{
  const std::lock_guard lock(guard);
  all().clear();
}

void print_findings(bool on)
{
  const std::lock_guard lock(guard);
  printing = on;
}

} // namespace ptx
