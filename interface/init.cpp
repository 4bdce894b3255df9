/// Start and end of the library, its messages, and the pools.
///
/// Three things are opened, each once: the communicator (initCommsGridQuda), the device (initQudaDevice), the tune
/// cache (initQudaMemory). endQuda closes all of them, whatever was opened or fails, and everything can begin again.

#include "quda.h"
#include "quda_define.h"
#include "quda_ext.h"

#include "core/environment.h"
#include "core/log.h"
#include "core/profile.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/force/force_monitor.h"
#include "targets/target.h"
#include "tune/kernel_profile.h"
#include "tune/tune_cache.h"

#include <algorithm>
#include <exception>
#include <sstream>
#include <string>

namespace quda
{

namespace
{

  constexpr const char *whole_session = "initQuda-endQuda";

  void open_communicator(const int extent[4], const RankMap &map)
  {
    auto communicator = make_communicator(extent, map);
    checked_together(*communicator, [&] { set_log_rank(communicator->rank()); });
    set_default_communicator(communicator);
  }

  /// Opens the communicator of a single process, if the program did not.
  void open_communicator_of_one(const char *function)
  {
    constexpr int one[4] = {1, 1, 1, 1};
    try {
      open_communicator(one, {});
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::bad_argument || !mpi_active()) throw;
      fail(error.kind(),
           text("%s: the program runs on several ranks; call initCommsGridQuda() first (%s)", function, error.what()));
    }
  }

  /// Selects the device of a rank. Processors are one device.
  void select(const char *function, int device, const Communicator &communicator)
  {
    const int devices = target().device_count();
    if (target().kind() != Target::cuda) return;
    if (device < 0) {
      device = communicator.rank_on_host();
      if (env_flag("QUDA_ENABLE_MPS", false)) device %= devices;
    }
    if (device >= devices)
      fail(ErrorKind::bad_argument,
           text("%s: device = %d on host %s; allowed: 0 to %d, or -1 for one of its own to each rank of a host "
                "(QUDA_ENABLE_MPS=1: shared between ranks)",
                function, device, communicator.host_name().c_str(), devices - 1));
    device_pool().flush(); // free memory of another device
    target().select_device(device);
  }

  /// Checks that all ranks use the same lanes, which messages and sums depend on. Widths of registers may differ.
  void same_layout(const char *function, Communicator &communicator)
  {
    const int lanes = target().lanes();
    std::string split = lanes > 1 ? env_string("QUDA_LANE_SPLIT").value_or("") : "";
    if (!split.empty()) split = ", QUDA_LANE_SPLIT = \"" + split + "\"";
    const auto layouts = communicator.gather_text(text("%d lanes%s", lanes, split.c_str()));
    const auto names = communicator.gather_text(
        text("host %s: target %s", communicator.host_name().c_str(), target_name(target().kind())));
    for (std::size_t rank = 1; rank < layouts.size(); rank++)
      if (layouts[rank] != layouts[0])
        fail(ErrorKind::bad_argument,
             text("%s: fields would lie differently on rank 0 (%s, %s) and rank %zu (%s, %s); allowed: one layout on "
                  "all ranks (QUDA_TARGET, QUDA_LANE_SPLIT)",
                  function, names[0].c_str(), layouts[0].c_str(), rank, names[rank].c_str(), layouts[rank].c_str()));
  }

  /// QUDA's environment variables without effect here.
  constexpr const char *unread_variables =
      "QUDA_ALLOW_JIT QUDA_DETERMINISTIC_REDUCE QUDA_DEVICE_RESET QUDA_DO_NOT_PROFILE QUDA_ENABLE_DSLASH_COARSE_POLICY "
      "QUDA_ENABLE_DSLASH_COMMS QUDA_ENABLE_DSLASH_COPY QUDA_ENABLE_DSLASH_EXTERIOR QUDA_ENABLE_DSLASH_INTERIOR "
      "QUDA_ENABLE_DSLASH_PACK QUDA_ENABLE_DSLASH_POLICY QUDA_ENABLE_GDR QUDA_ENABLE_GDR_BLACKLIST "
      "QUDA_ENABLE_MANAGED_MEMORY QUDA_ENABLE_MANAGED_PREFETCH QUDA_ENABLE_MONITOR QUDA_ENABLE_MONITOR_PERIOD "
      "QUDA_ENABLE_NVSHMEM QUDA_ENABLE_P2P QUDA_ENABLE_P2P_MAX_ACCESS_RANK QUDA_ENABLE_TARGET_PROFILE "
      "QUDA_ENABLE_TRACE QUDA_ENABLE_TUNING_SHARED QUDA_ENABLE_ZERO_COPY QUDA_MAX_MULTI_RHS QUDA_MILC_CLOVER_SOLVER "
      "QUDA_MILC_OVERRIDE_DOUBLE_MULTISHIFT QUDA_REORDER_LOCATION";

  void print_unread_variables()
  {
    std::istringstream names(unread_variables);
    std::string set;
    for (std::string name; names >> name;)
      if (!env_string(name.c_str()).value_or("").empty()) set += (set.empty() ? "" : ", ") + name;
    if (!set.empty())
      print(Verbosity::summarize, "Environment variables that are set and do nothing here: %s\n", set.c_str());
  }

  /// set_aside: GPUs that are there.
  void print_start(bool set_aside)
  {
    std::string others;
    for (const Target usable : usable_targets())
      if (usable != target().kind()) others += std::string(others.empty() ? "" : ", ") + target_name(usable);
    const auto wish = env_string("QUDA_TARGET");
    const std::string reason = set_aside                ? std::string("as not all ranks have a GPU that runs")
                               : wish && !wish->empty() ? text("QUDA_TARGET=%s", wish->c_str())
                               : others.empty()         ? std::string("the only one here")
                                                        : text("the best here, before %s", others.c_str());
    print(Verbosity::summarize, "QUDA %s (libquda): target %s, %s; %s; %d thread%s, %d rank%s\n", QUDA_VERSION_STRING,
          target_name(target().kind()), reason.c_str(), target().description().c_str(), target().max_threads(),
          target().max_threads() == 1 ? "" : "s", default_communicator()->size(),
          default_communicator()->size() == 1 ? "" : "s");
  }

  /// Chooses target and device. Where QUDA_TARGET leaves the choice open, processors take over, on all ranks, from GPUs
  /// of which one cannot run the library's kernels; true then.
  bool choose(const char *function, int device, Communicator &communicator)
  {
    const std::string wish = env_string("QUDA_TARGET").value_or("");
    bool chosen = false;
    try {
      checked_together(communicator, [&] {
        choose_target();
        chosen = true;
        select(function, device, communicator);
      });
      return false;
    } catch (const Error &error) {
      long long settled = error.kind() != ErrorKind::device || !chosen || !(wish.empty() || wish == "auto");
      communicator.max(&settled, 1);
      if (settled) throw;
      warn("%s: %s; processors take over", function, error.what());
    }
    checked_together(communicator, [] { choose_target("cpu"); });
    return true;
  }

  void open_device(Session &session, const char *function, int device)
  {
    if (session.device) return;
    const PhaseScope phase(Phase::init);
    if (!default_communicator()) open_communicator_of_one(function);
    Communicator &communicator = *default_communicator();
    const bool set_aside = choose(function, device, communicator);
    same_layout(function, communicator);
    session.device = true;
    profile(whole_session).start(Phase::total);
    print_start(set_aside);
    print_unread_variables();
  }

  void open_memory(Session &session, const char *function)
  {
    if (session.memory) return;
    if (!session.device)
      fail(ErrorKind::bad_argument, text("%s: no device is open; call initQudaDevice() first", function));
    const PhaseScope phase(Phase::io);
    load_tune_cache(*default_communicator());
    session.memory = true;
  }

  void report_leaks(const char *what, const MemoryPool &pool)
  {
    const PoolCounts counts = pool.counts();
    if (counts.live_blocks == 0) return;
    warn("endQuda: %lld block%s of %s memory (%zu bytes) never handed back:", counts.live_blocks,
         counts.live_blocks == 1 ? "" : "s", what, counts.live_bytes);
    const std::string blocks = pool.leak_report();
    for (std::size_t start = 0, end; start < blocks.size(); start = end + 1) {
      end = std::min(blocks.find('\n', start), blocks.size());
      print(Verbosity::summarize, "%.*s\n", static_cast<int>(end - start), blocks.data() + start);
    }
  }

  void print_summary()
  {
    if (verbosity() < Verbosity::summarize) return;
    print_profiles();
    print_peak_memory(device_pool(), pinned_pool(), managed_pool());
  }

  /// Each step is taken whatever became of those before; the first failure is told after the last.
  void close()
  {
    std::exception_ptr first;
    const auto step = [&](auto &&work) {
      try {
        work();
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    };
    const bool device = guarded::session().device, memory = guarded::session().memory;
    step([] {
      const ProfileScope scope(profile("endQuda"));
      const PhaseScope phase(Phase::free);
      free_session();
      save_tune_cache(TuneSave::last);
    });
    if (device) step([] { profile(whole_session).stop(Phase::total); });
    if (memory && default_communicator()->rank() == 0) save_kernel_profile();
    flush_force_monitor();
    step(print_summary);
    if (device) {
      step([] {
        report_leaks("device", device_pool());
        report_leaks("pinned host", pinned_pool());
        report_leaks("managed", managed_pool());
      });
      for (MemoryPool *pool : {&device_pool(), &pinned_pool(), &managed_pool()}) step([pool] { pool->flush(); });
    }
    reset_profiles();
    reset_kernel_times();
    set_default_communicator(nullptr);
    if (first) std::rethrow_exception(first);
  }

} // namespace

void require_initialised(const char *function)
{
  if (!guarded::session().memory)
    fail(ErrorKind::bad_argument, text("%s: the library is not initialised; call initQuda() first", function));
  target().enter_thread();
}

} // namespace quda

extern "C" {

void setVerbosityQuda(QudaVerbosity verbosity, const char prefix[], FILE *outfile)
{
  quda::guard(__func__, [&, function = __func__] {
    quda::check_argument(function, "verbosity", verbosity);
    quda::set_log(static_cast<quda::Verbosity>(verbosity), prefix ? prefix : "", outfile);
  });
}

void setMPICommHandleQuda(void *mycomm)
{
  quda::guard(__func__, [&] { quda::set_mpi_handle(mycomm); });
}

void qudaSetCommHandle(void *mycomm)
{
  quda::guard(__func__, [&] { quda::set_mpi_handle(mycomm); });
}

void initCommsGridQuda(int nDim, const int *dims, QudaCommsMap func, void *fdata)
{
  quda::guard(__func__, [&, function = __func__] {
    if (quda::default_communicator()) return;
    quda::check_range(function, "nDim", nDim, 4, 4);
    quda::check_not_null(function, "dims", dims);
    quda::RankMap map;
    if (func) map = [func, fdata](const int *coordinates) { return func(coordinates, fdata); };
    quda::open_communicator(dims, map);
  });
}

void initQudaDevice(int device)
{
  quda::guard(__func__,
              [&, function = __func__](quda::Session &session) { quda::open_device(session, function, device); });
}

void initQudaMemory(void)
{
  quda::guard(__func__, [function = __func__](quda::Session &session) { quda::open_memory(session, function); });
}

void initQuda(int device)
{
  quda::guard(__func__, [&, function = __func__](quda::Session &session) {
    quda::open_device(session, function, device);
    quda::open_memory(session, function);
  });
}

void endQuda(void)
{
  quda::guard(__func__, [] {
    if (quda::default_communicator()) quda::close();
  });
}

void updateR(void)
{
  // borders follow the communicator of each field
}

void flushPoolQuda(QudaMemoryType type)
{
  quda::guard(__func__, [&, function = __func__] {
    quda::check_argument(function, "type", type);
    switch (type) {
    case QUDA_MEMORY_DEVICE:
      return quda::device_pool().flush();
    case QUDA_MEMORY_HOST_PINNED:
      return quda::pinned_pool().flush();
    default:
      quda::fail(quda::ErrorKind::bad_argument,
                 quda::text("%s: type = %d is no pool; allowed: QUDA_MEMORY_DEVICE (%d), QUDA_MEMORY_HOST_PINNED (%d)",
                            function, static_cast<int>(type), QUDA_MEMORY_DEVICE, QUDA_MEMORY_HOST_PINNED));
    }
  });
}

} // extern "C"
