/// tunecache.tsv: what is written, what is read again, and what happens to a file that is no use.

#include <atomic>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <locale>
#include <random>
#include <set>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/captured_log.h"
#include "core/environment_support.h"
#include "fake_kernel.h"
#include "support/scratch_folder.h"
#include "tune/atomic_file.h"
#include "tune/tune_cache.h"
#include "tune/tune_file.h"

using namespace quda;

namespace
{

class TuneCacheFile : public testing::Test
{
protected:
  void SetUp() override
  {
    for (const char *name : {"QUDA_ENABLE_TUNING", "QUDA_TUNING_RANK", "QUDA_TUNE_FORCE", "QUDA_TUNE_VERSION_CHECK"})
      unsetenv(name);
  }
  void load() { load_tune_cache(*communicator); }

  /// Launches a kernel once: the number of launches tells whether it was tuned.
  bool tuned_now(const char *name, double seconds = 1e-5)
  {
    FakeKernel kernel = fake_kernel(takes(seconds), name);
    kernel.apply();
    return kernel.launches > 1;
  }
  /// A file with two kernels, as a former process left it.
  std::string made_before()
  {
    load();
    tuned_now("First");
    tuned_now("Second");
    save_tune_cache();
    return folder.read("tunecache.tsv");
  }
  int warnings() const
  {
    int n = 0;
    for (const std::string &line : lines_of(log.text())) n += line.find("WARNING") != std::string::npos;
    return n;
  }

  ScratchFolder folder;
  Variable path {"QUDA_RESOURCE_PATH", folder.path()};
  Variable share {"QUDA_TUNE_SHARE", "0"};
  FakeClock clock;
  std::shared_ptr<Communicator> communicator = make_single_communicator();
  CapturedLog log;
};

} // namespace

TEST_F(TuneCacheFile, SecondRunTunesNothing)
{
  load();
  FakeKernel first = fake_kernel([](const TuneParam &tp) { return tp.block[0] == 8 ? 1e-5 : 2e-5; });
  first.apply();
  save_tune_cache();
  load();
  FakeKernel second = fake_kernel(takes(1e-5));
  second.apply();
  EXPECT_EQ(second.launches, 1);
  EXPECT_EQ(parts(second.last), parts(first.last));
  EXPECT_NE(log.text().find("Loaded 1 sets of cached parameters from"), std::string::npos);
  EXPECT_EQ(warnings(), 1) << log.text(); // that there was no file at first
}

TEST_F(TuneCacheFile, FormIsTheUsualOne)
{
  const std::vector<std::string> lines = lines_of(made_before());
  ASSERT_EQ(lines.size(), 5u);
  const auto heading = columns_of(lines[0]);
  ASSERT_EQ(heading.size(), 5u);
  EXPECT_EQ(heading[0], "tunecache");
  EXPECT_EQ(heading[1], "1.1.0");
  EXPECT_EQ(heading[2], "libquda-1.1.0");
  EXPECT_EQ(heading[3], build_hash());
  EXPECT_EQ(heading[4].find("# Last updated "), 0u);
  EXPECT_EQ(lines[1], "");
  EXPECT_EQ(lines[2], "          volume\tname\taux\tblock.x\tblock.y\tblock.z\tgrid.x\tgrid.y\tgrid.z\tshared_bytes\t"
                      "aux.x\taux.y\taux.z\taux.w\ttime\tcomment");
  const auto row = columns_of(lines[3]);
  ASSERT_EQ(row.size(), 16u);
  EXPECT_EQ(row[0], "     16x16x16x16");
  EXPECT_EQ(row[1], "First");
  EXPECT_EQ(columns_of(lines[4])[1], "Second");
  EXPECT_EQ(std::stod(row[14]), 1e-5);
  EXPECT_EQ(row[15].find("# 0.20 Gflop/s, 0.10 GB/s, version 1, device " + build_digest() + ", tuning took "), 0u)
      << row[15];
}

TEST_F(TuneCacheFile, NothingNewNothingWritten)
{
  made_before();
  std::remove((std::string(folder.path()) + "/tunecache.tsv").c_str());
  save_tune_cache();
  EXPECT_FALSE(folder.has("tunecache.tsv"));
}

TEST_F(TuneCacheFile, DamagedFilesAreSetAside)
{
  const std::string good = made_before();
  const std::size_t heading = good.find('\n') + 1;
  struct Case {
    const char *what;
    std::string content;
  };
  std::string odd_tile = good;
  const std::size_t row = good.find("First");
  const std::size_t tile = good.find('\t', good.find('\t', row) + 1) + 1;
  odd_tile.insert(tile, "-3");
  const std::vector<Case> cases = {
      {"empty", ""},
      {"first line cut off", good.substr(0, 12)},
      {"after the first line", good.substr(0, heading)},
      {"within the columns", good.substr(0, heading + 40)},
      {"within a row", good.substr(0, good.size() - 150)},
      {"without its last character", good.substr(0, good.size() - 1)},
      {"garbage", std::string("\x7f"
                              "ELF\0\1\2\3 nothing \n of use\n",
                              25)},
      {"text", "this is not a tune cache\n"},
      {"a negative tile", odd_tile},
      {"a word for a number", good.substr(0, tile) + "x" + good.substr(tile)},
      {"two times", good.substr(0, good.find("\t# ", row)) + "\t1" + good.substr(good.find("\t# ", row))},
      {"a zero byte in a comment",
       good.substr(0, good.size() - 9) + std::string(1, '\0') + good.substr(good.size() - 9)},
      {"a number too many", good.substr(0, tile) + "1\t" + good.substr(tile)}};
  for (const Case &c : cases) {
    folder.write("tunecache.tsv", c.content);
    std::remove((std::string(folder.path()) + "/tunecache_aside.tsv").c_str());
    const int before = warnings();
    load();
    EXPECT_EQ(warnings(), before + 1) << c.what;
    EXPECT_EQ(folder.read("tunecache_aside.tsv"), c.content) << c.what;
    EXPECT_FALSE(folder.has("tunecache.tsv")) << c.what;
    EXPECT_TRUE(tuned_now("First")) << c.what;
    save_tune_cache();
    EXPECT_EQ(warnings(), before + 1) << c.what;
    load();
    EXPECT_FALSE(tuned_now("First")) << c.what;
  }
}

TEST_F(TuneCacheFile, EveryTruncationIsSurvived)
{
  const std::string good = made_before();
  for (std::size_t n = 0; n <= good.size(); n++) {
    const TuneFile file = parse_tune_file(good.substr(0, n));
    if (file.state == TuneFileState::good) {
      EXPECT_TRUE(n > 0 && good[n - 1] == '\n') << n;
    }
    if (file.state == TuneFileState::good) {
      EXPECT_LE(file.rows.size(), 2u);
    }
  }
  EXPECT_EQ(parse_tune_file(good).rows.size(), 2u);
}

TEST_F(TuneCacheFile, NewerFileIsSetAside)
{
  std::string newer = made_before();
  newer.replace(newer.find("1.1.0"), 5, "1.2.0");
  folder.write("tunecache.tsv", newer);
  const int before = warnings();
  load();
  EXPECT_EQ(warnings(), before + 1);
  EXPECT_EQ(folder.read("tunecache_aside.tsv"), newer);
  EXPECT_TRUE(tuned_now("First"));

  folder.write("tunecache.tsv", newer);
  const Variable unchecked("QUDA_TUNE_VERSION_CHECK", "0");
  load();
  EXPECT_FALSE(tuned_now("First"));
}

TEST_F(TuneCacheFile, OtherLibrarysFileIsLeftAlone)
{
  const std::string foreign =
      "tunecache\t1.1.0\tv1.1.0-2012-gabcdef\tcpu_arch=x86_64,gpu_arch=sm_90,cuda_version=12.4\t"
      "# Last updated Fri Nov 21 10:09:08 2025\n\n          volume\tname\n";
  folder.write("tunecache.tsv", foreign);
  load();
  EXPECT_EQ(warnings(), 1) << log.text();
  EXPECT_NE(log.text().find("tunecache.tsv is of another library and left alone"), std::string::npos) << log.text();
  EXPECT_TRUE(tuned_now("First"));
  save_tune_cache();
  EXPECT_EQ(folder.read("tunecache.tsv"), foreign);
  EXPECT_TRUE(folder.has("tunecache_libquda.tsv"));
  EXPECT_FALSE(folder.has("tunecache_aside.tsv"));
  load();
  EXPECT_FALSE(tuned_now("First"));
  EXPECT_EQ(warnings(), 1) << log.text();
}

TEST_F(TuneCacheFile, RowsOfOtherDevicesStayUnused)
{
  std::string other = made_before();
  const std::string mine = build_digest(), theirs = mine == "00000000" ? "00000001" : "00000000";
  for (std::size_t at; (at = other.find("device " + mine)) != std::string::npos;) other.replace(at + 7, 8, theirs);
  folder.write("tunecache.tsv", other);
  load();
  EXPECT_TRUE(tuned_now("First"));
  save_tune_cache();
  const TuneFile file = parse_tune_file(folder.read("tunecache.tsv"));
  EXPECT_EQ(file.rows.size(), 3u);
  const Variable unchecked("QUDA_TUNE_VERSION_CHECK", "0");
  load();
  EXPECT_FALSE(tuned_now("Second"));
}

TEST_F(TuneCacheFile, RowsOfOtherProcessesAreKept)
{
  load();
  tuned_now("Mine");
  // another process comes, tunes, saves, before this one does
  const std::string theirs = [&] {
    ScratchFolder elsewhere;
    const Variable there("QUDA_RESOURCE_PATH", elsewhere.path());
    const pid_t child = fork();
    if (child == 0) {
      load();
      tuned_now("Theirs");
      tuned_now("Mine", 2e-5);
      save_tune_cache();
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    return elsewhere.read("tunecache.tsv");
  }();
  folder.write("tunecache.tsv", theirs);
  save_tune_cache();
  const TuneFile file = parse_tune_file(folder.read("tunecache.tsv"));
  ASSERT_EQ(file.rows.size(), 2u);
  EXPECT_STREQ(file.rows[0].key.name, "Mine");
  EXPECT_EQ(file.rows[0].seconds, 1e-5);
  EXPECT_STREQ(file.rows[1].key.name, "Theirs");
}

TEST_F(TuneCacheFile, ManyWritersLoseNothing)
{
  constexpr int writers = 8, kernels = 12;
  for (int i = 0; i < writers; i++)
    if (fork() == 0) {
      load();
      for (int k = 0; k < kernels; k++) {
        tuned_now(("Kernel" + std::to_string(i) + "_" + std::to_string(k)).c_str());
        save_tune_cache();
      }
      _exit(0);
    }
  // what can be seen meanwhile is whole
  int seen = 0;
  for (int done = 0; done < writers;) {
    if (waitpid(-1, nullptr, WNOHANG) > 0) done++;
    const std::string content = folder.read("tunecache.tsv");
    if (content.empty() && !folder.has("tunecache.tsv")) continue;
    if (content.empty()) continue; // came into being between the two looks
    seen++;
    EXPECT_EQ(parse_tune_file(content).state, TuneFileState::good);
  }
  EXPECT_GT(seen, 0);
  EXPECT_EQ(parse_tune_file(folder.read("tunecache.tsv")).rows.size(), static_cast<std::size_t>(writers * kernels))
      << log.text();
  EXPECT_EQ(folder.names(), (std::vector<std::string> {"tunecache.tsv", "tunecache_libquda.lock"}));
}

TEST_F(TuneCacheFile, KilledProcessesLoseNothing)
{
  constexpr int runs = 50;
  // how far a run came, in memory it shares with this process
  struct Progress {
    std::atomic<int> saved;   // kernels whose save_tune_cache has returned
    std::atomic<bool> saving; // within save_tune_cache
  };
  void *const shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  const auto kernel = [](int run, int k) { return "Kernel" + std::to_string(run) + "_" + std::to_string(k); };
  std::mt19937 random(20261121);
  std::uniform_int_distribution<int> rows(0, 4);
  std::uniform_real_distribution<double> fraction(0, 2);
  std::set<std::string> promised;
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> a_row = std::chrono::milliseconds(5); // seconds that one takes, here and now
  // where in a save a kill falls depends on what else the machine does
  const auto enough = [&](int within_save) {
    return within_save > runs / 5 && promised.size() > static_cast<std::size_t>(runs);
  };
  int within_save = 0, run = 0;
  for (; run < runs || (run < 10 * runs && !enough(within_save)); run++) {
    Progress &progress = *new (shared) Progress {};
    const pid_t child = fork();
    if (child == 0) {
      alarm(300); // should the killer die first
      load();
      for (int k = 0;; k++) {
        tuned_now(kernel(run, k).c_str());
        progress.saving = true;
        save_tune_cache();
        progress.saving = false;
        progress.saved = k + 1;
      }
    }
    // after some rows, however long they take, at any moment of the next two
    const int least = rows(random);
    const auto start = Clock::now();
    bool alive = true;
    while (alive && progress.saved < least) {
      usleep(100);
      alive = waitpid(child, nullptr, WNOHANG) == 0;
    }
    ASSERT_TRUE(alive) << "run " << run << ": " << progress.saved << " rows";
    if (least > 0) a_row = (Clock::now() - start) / least;
    std::this_thread::sleep_for(fraction(random) * a_row);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    within_save += progress.saving;
    for (int k = 0; k < progress.saved; k++) promised.insert(kernel(run, k));

    if (promised.empty() && !folder.has("tunecache.tsv")) continue;
    const TuneFile file = parse_tune_file(folder.read("tunecache.tsv"));
    ASSERT_EQ(file.state, TuneFileState::good) << "run " << run << ": " << file.why;
    std::set<std::string> stored;
    for (const TuneRow &row : file.rows) stored.insert(row.key.name);
    ASSERT_EQ(stored.size(), file.rows.size()) << "run " << run;
    for (const std::string &name : promised) ASSERT_TRUE(stored.count(name)) << name << " after run " << run;
  }
  munmap(shared, sizeof(Progress));
  EXPECT_TRUE(enough(within_save)) << "the kills prove little: " << within_save << " within a save, " << promised.size()
                                   << " rows";
  EXPECT_FALSE(folder.has("tunecache_aside.tsv"));
  std::printf("%d runs killed, %d of them while saving; %zu rows saved, all there\n", run, within_save,
              promised.size());
}

TEST_F(TuneCacheFile, LockDiesWithItsProcess)
{
  const std::string name = std::string(folder.path()) + "/lock";
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FileLock lock(name, 0);
    const char yes = lock.held();
    if (write(ready[1], &yes, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char held = 0;
  ASSERT_EQ(read(ready[0], &held, 1), 1);
  EXPECT_TRUE(held);
  EXPECT_FALSE(FileLock(name, 0.02).held());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(FileLock(name, 0).held());
  close(ready[0]);
  close(ready[1]);
}

TEST_F(TuneCacheFile, LocksOfOtherUsersAreHeldToo)
{
  if (geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  const std::string name = std::string(folder.path()) + "/lock";
  EXPECT_TRUE(FileLock(name, 0).held());
  ASSERT_EQ(chmod(folder.path(), 0777), 0);
  ASSERT_EQ(chmod(name.c_str(), 0644), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (seteuid(65534) != 0 || access(folder.path(), F_OK) != 0) _exit(2);
    _exit(FileLock(name, 0).held() ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "another user cannot come here";
  EXPECT_EQ(status, 0);
}

TEST_F(TuneCacheFile, WhatCouldNotBeWrittenIsWrittenLater)
{
  load();
  tuned_now("First");
  rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit none {16, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  save_tune_cache();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  save_tune_cache(); // not tried again after every call
  EXPECT_FALSE(folder.has("tunecache.tsv"));
  tuned_now("Second");
  save_tune_cache();
  EXPECT_EQ(parse_tune_file(folder.read("tunecache.tsv")).rows.size(), 2u);

  std::remove(folder.file("tunecache.tsv").c_str());
  tuned_now("Third");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  signal(SIGXFSZ, SIG_IGN);
  save_tune_cache();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  save_tune_cache(TuneSave::last);
  EXPECT_EQ(parse_tune_file(folder.read("tunecache.tsv")).rows.size(), 3u);
}

TEST_F(TuneCacheFile, NumbersHaveAPointInEveryLanguage)
{
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::vector<TuneRow> rows = parse_tune_file(made_before()).rows;
  ASSERT_EQ(rows.size(), 2u);
  rows[0].seconds = 1.25e-5;
  const std::string good = tune_file_text(rows, build_hash(), 0);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string of_c = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8"); // where it is installed
  rows = parse_tune_file(good).rows;
  const std::string again = tune_file_text(rows, build_hash(), 0);
  std::setlocale(LC_NUMERIC, of_c.c_str());
  std::locale::global(before);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].seconds, 1.25e-5);
  EXPECT_EQ(again, good);
}

TEST_F(TuneCacheFile, WhatKilledWritersLeftGoesAfterAnHour)
{
  namespace fs = std::filesystem;
  const fs::path path = fs::path(folder.path()) / "some.tsv";
  const fs::path old = path.string() + ".host.17.part", recent = path.string() + ".host.18.part";
  const fs::path other = path.parent_path() / "another.tsv.host.19.part", named = path.string() + ".part.kept";
  for (const fs::path &left : {old, recent, other, named}) {
    std::ofstream(left) << "half a line";
    if (left != recent) fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  std::string why;
  ASSERT_TRUE(write_whole_file(path.string(), "whole", why)) << why;
  EXPECT_FALSE(fs::exists(old));
  for (const fs::path &left : {recent, other, named}) EXPECT_TRUE(fs::exists(left)) << left;
}

TEST_F(TuneCacheFile, TuningOffLeavesTheFileAlone)
{
  const std::string good = made_before();
  const Variable off("QUDA_ENABLE_TUNING", "0");
  load();
  FakeKernel kernel = fake_kernel(takes(1e-5), "Third");
  kernel.apply();
  save_tune_cache();
  save_tune_cache(TuneSave::after_error);
  EXPECT_EQ(folder.read("tunecache.tsv"), good);
  EXPECT_FALSE(folder.has("tunecache_error.tsv"));
}

TEST_F(TuneCacheFile, AfterAnError)
{
  made_before();
  save_tune_cache(TuneSave::after_error);
  EXPECT_EQ(parse_tune_file(folder.read("tunecache_error.tsv")).rows.size(), 2u);
}

TEST_F(TuneCacheFile, TheUsersCacheDirectory)
{
  const Variable unset("QUDA_RESOURCE_PATH", nullptr), wanted("QUDA_ENABLE_USER_CACHE", nullptr);
  const std::string root = folder.path();
  const struct {
    const char *caches, *home;
    std::string file; // below the folder
  } cases[] = {{"a", "home", "/a/libquda/tunecache.tsv"},
               {nullptr, "home", "/home/.cache/libquda/tunecache.tsv"},
               {nullptr, nullptr, ""}};
  for (const auto &[caches, home, file] : cases) {
    SCOPED_TRACE(file);
    const std::string at_caches = root + "/" + (caches ? caches : ""), at_home = root + "/" + (home ? home : "");
    const Variable xdg("XDG_CACHE_HOME", caches ? at_caches.c_str() : nullptr),
        of_user("HOME", home ? at_home.c_str() : nullptr);
    load();
    EXPECT_TRUE(tuned_now("First"));
    save_tune_cache();
    EXPECT_EQ(resource_path(), "") << "profiles stay where they are asked for";
    load();
    EXPECT_EQ(tuned_now("First"), file.empty());
    EXPECT_EQ(std::filesystem::exists(root + file), true);
  }
  const Variable xdg("XDG_CACHE_HOME", (root + "/never").c_str());
  {
    const Variable off("QUDA_ENABLE_USER_CACHE", "0");
    load();
    EXPECT_TRUE(tuned_now("First"));
    save_tune_cache();
  }
  {
    const Variable untuned("QUDA_ENABLE_TUNING", "0");
    load();
  }
  EXPECT_FALSE(std::filesystem::exists(root + "/never"));
}

TEST_F(TuneCacheFile, NoFolder)
{
  const Variable unwanted("QUDA_ENABLE_USER_CACHE", "0");
  for (const char *none : {"", "/dev/null", "/dev/null/below"}) {
    const Variable unset("QUDA_RESOURCE_PATH", none);
    const int before = warnings();
    load();
    EXPECT_TRUE(tuned_now("First"));
    save_tune_cache();
    EXPECT_EQ(warnings(), before + 1);
    EXPECT_EQ(resource_path(), "");
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(TuneCacheFile, AFolderThatIsNotThereIsMade)
{
  const std::string below = std::string(folder.path()) + "/one/two";
  const Variable deeper("QUDA_RESOURCE_PATH", below.c_str());
  load();
  EXPECT_TRUE(tuned_now("First"));
  save_tune_cache();
  EXPECT_EQ(log.text().find("RESOURCE_PATH"), std::string::npos) << log.text();
  EXPECT_EQ(resource_path(), below);
  EXPECT_TRUE(std::filesystem::exists(below + "/tunecache.tsv"));
}

TEST_F(TuneCacheFile, FolderThatCannotBeWritten)
{
  load();
  tuned_now("First");
  // a folder in the file's place: reading and renaming over it both fail
  std::filesystem::create_directories(std::string(folder.path()) + "/tunecache_libquda.lock");
  const int before = warnings();
  save_tune_cache();
  save_tune_cache();
  EXPECT_EQ(warnings(), before + 1);
}
