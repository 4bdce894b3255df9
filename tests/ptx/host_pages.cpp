#include "ptx/host_pages.h"

#include "ptx/findings.h"
#include "ptx/memory.h"

#include <csignal>
#include <cstdio>
#include <mutex>
#include <vector>

#include <sys/mman.h>

namespace ptx
{

namespace
{

  constexpr std::uint64_t page = 4096;

  struct Closed {
    int number;
    std::uint64_t first;
    std::size_t bytes;
    bool written;
    std::string work;

    std::uint64_t begin() const { return first / page * page; }
    std::uint64_t end() const { return (first + bytes + page - 1) / page * page; }
    void protect() const
    {
      mprotect(reinterpret_cast<void *>(begin()), end() - begin(), written ? PROT_NONE : PROT_READ);
    }
    void permit() const { mprotect(reinterpret_cast<void *>(begin()), end() - begin(), PROT_READ | PROT_WRITE); }
  };

  std::recursive_mutex guard;
  std::vector<Closed> &closed()
  {
    static auto *all = new std::vector<Closed>;
    return *all;
  }
  struct sigaction before;

  void on_signal(int signal, siginfo_t *info, void *context)
  {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    {
      const std::lock_guard lock(guard);
      bool ours = false;
      for (const Closed &c : closed()) {
        if (address < c.begin() || address >= c.end()) continue;
        ours = true;
        if (address - c.first < c.bytes) {
          char at[64];
          std::snprintf(at, sizeof at, "byte %llu of it", static_cast<unsigned long long>(address - c.first));
          report(Fault::host_early, c.work, at);
        }
        c.permit(); // the host goes on
      }
      if (ours) return;
      if (is_device_address(address)) {
        char at[64];
        std::snprintf(at, sizeof at, "address %p", info->si_addr);
        report(Fault::host_access, "a host that follows a device's address", at);
      }
    }
    if (before.sa_flags & SA_SIGINFO && before.sa_sigaction) {
      before.sa_sigaction(signal, info, context);
    } else { // as it would have been: the access is done again
      sigaction(signal, &before, nullptr);
    }
  }

} // namespace

void watch_host()
{
  static const bool once = [] {
    struct sigaction ours = {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &ours, &before);
    return true;
  }();
  static_cast<void>(once);
}

int close_pages(std::uint64_t first, std::size_t bytes, bool written, const std::string &work)
{
  const std::lock_guard lock(guard);
  static int number = 0;
  closed().push_back({++number, first, bytes, written, work});
  // one that is read does not open what another closes whole
  closed().back().protect();
  for (const Closed &c : closed())
    if (c.written) c.protect();
  return number;
}

void open_pages(int number)
{
  const std::lock_guard lock(guard);
  std::vector<Closed> &all = closed();
  for (std::size_t q = 0; q < all.size(); q++)
    if (all[q].number == number) {
      all[q].permit();
      all.erase(all.begin() + static_cast<long>(q));
      break;
    }
  for (const bool written : {false, true})
    for (const Closed &c : all)
      if (c.written == written) c.protect();
}

} // namespace ptx
