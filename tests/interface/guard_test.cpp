/// The boundary of the C interface: what becomes of exceptions.

#include "session.h"

#include "quda_milc_interface.h"

#include "interface/guard.h"

#include "core/error.h"
#include "core/profile.h"
#include "support/overtaking.h"

#include <gtest/gtest.h>

#include <csetjmp>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace
{

using test::Handler;

TEST(Guard, ValuesComeThrough)
{
  EXPECT_EQ(quda::guard("test", [] { return 7; }), 7);
  int done = 0;
  quda::guard("test", [&] { done = 1; });
  EXPECT_EQ(done, 1);
}

TEST(Guard, AFailureReturnsZero)
{
  Handler handler;
  int number = 0;
  EXPECT_EQ(quda::guard("test", []() -> int { quda::fail(quda::ErrorKind::file, "no such file"); }), 0);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_FILE);
  EXPECT_EQ(handler.text(), "test: no such file");
  EXPECT_EQ(quda::guard("test",
                        [&]() -> int * {
                          if (number == 0) throw std::runtime_error("other");
                          return &number;
                        }),
            nullptr);
  EXPECT_EQ(quda::guard("test", []() -> double { throw std::bad_alloc(); }), 0.);
  EXPECT_EQ(handler.calls(), 3);
}

TEST(Guard, ForeignExceptionsHaveAKind)
{
  Handler handler;
  quda::guard("someQuda", [] { throw std::bad_alloc(); });
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_OUT_OF_MEMORY);
  EXPECT_TRUE(handler.says("someQuda")) << handler.text();
  quda::guard("someQuda", [] { throw std::runtime_error("strange words"); });
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_INTERNAL);
  EXPECT_TRUE(handler.says("someQuda") && handler.says("strange words")) << handler.text();
  quda::guard("someQuda", [] { throw 3; });
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_INTERNAL);
  EXPECT_TRUE(handler.says("someQuda")) << handler.text();
}

TEST(Guard, TheOutermostReports)
{
  Handler handler;
  int after = 0;
  quda::guard("outer", [&] {
    quda::guard("inner", [] { quda::fail(quda::ErrorKind::device, "deep down"); });
    after = 1;
  });
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_EQ(handler.text(), "outer: deep down");
  EXPECT_EQ(after, 0);
}

TEST(Guard, TheLastErrorStays)
{
  Handler handler;
  qudaClearLastError();
  const char *text = nullptr;
  EXPECT_EQ(qudaGetLastError(&text), QUDA_ERROR_KIND_NONE);
  EXPECT_STREQ(text, "");
  quda::guard("test", [] { quda::fail(quda::ErrorKind::comms, "lost"); });
  quda::guard("test", [] {});
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_EQ(qudaGetLastError(&text), QUDA_ERROR_KIND_COMMS);
  EXPECT_STREQ(text, "test: lost");
  EXPECT_EQ(qudaGetLastError(nullptr), QUDA_ERROR_KIND_COMMS);
  qudaClearLastError();
  EXPECT_EQ(qudaGetLastError(&text), QUDA_ERROR_KIND_NONE);
  EXPECT_STREQ(text, "");
}

std::jmp_buf out;

/// A handler need not return: the next call finds the library free.
TEST(Guard, AHandlerMayJumpAway)
{
  qudaSetErrorHandler([](QudaErrorKind, const char *, void *) { std::longjmp(out, 1); }, nullptr);
  static volatile int jumped = 0;
  if (setjmp(out) == 0)
    setVerbosityQuda(static_cast<QudaVerbosity>(55), "", nullptr);
  else
    jumped = 1;
  EXPECT_EQ(jumped, 1);
  Handler handler;
  quda::guard("test", [] { quda::fail(quda::ErrorKind::file, "again"); });
  EXPECT_EQ(handler.text(), "test: again");
  EXPECT_EQ(quda::guard("test", [] { return 3; }), 3);
}

/// What a handler was handed stays as it is while other threads fail.
TEST(Guard, EachThreadHasItsText)
{
  static std::string after;
  after.clear();
  qudaSetErrorHandler(
      [](QudaErrorKind kind, const char *message, void *) {
        if (kind != QUDA_ERROR_KIND_FILE) return;
        std::thread([] {
          quda::guard("test", [] { quda::fail(quda::ErrorKind::comms, "a text of another thread, and much longer"); });
        }).join();
        after = message;
      },
      nullptr);
  quda::guard("test", [] { quda::fail(quda::ErrorKind::file, "the text of the first thread"); });
  EXPECT_EQ(after, "test: the text of the first thread");
  qudaSetErrorHandler(nullptr, nullptr);
}

/// Threads of a host take turns: no call begins, and no error is asked for, before the one under way has ended.
TEST(Guard, OneThreadAtATime)
{
  Handler handler;
  support::Overtaking overtaking;
  const auto first = [&] { quda::guard("first", [&] { overtaking.within(); }); };
  EXPECT_FALSE(overtaking(first, [] { quda::guard("other", [] {}); }));
  EXPECT_FALSE(overtaking(first, [] { newQudaGaugeParam(); }));
  EXPECT_FALSE(overtaking(first, [] { qudaClearLastError(); }));
  EXPECT_FALSE(overtaking(first, [] { qudaGetLastError(nullptr); }));
}

TEST(Guard, ChecksHandTheirResultToTheWork)
{
  Handler handler;
  test::Session session;
  int seen = 0;
  EXPECT_EQ(quda::guard_collective(
                "test", [] { return 20; }, [&](int &prepared) { return seen = prepared + 1; }),
            21);
  EXPECT_EQ(
      quda::guard_collective(
          "test", []() -> int { quda::fail(quda::ErrorKind::bad_argument, "no"); }, [&](int &) { return seen = 99; }),
      0);
  EXPECT_EQ(seen, 21);
  EXPECT_EQ(handler.text(), "test: no");
}

/// A job of a function with another name, which says what it does.
quda::Job<int> counted(quda::Checks &call, std::string *said, int number)
{
  quda::Checks checks(call, "inner");
  if (number < 0) quda::fail(quda::ErrorKind::bad_argument, quda::text("%s: number = %d", checks.function, number));
  checks.same("number", number);
  *said += "checked ";
  return {number, [said](int &found) {
            *said += "done ";
            return found + 1;
          }};
}

TEST(Guard, AJobIsCheckedAndThenDone)
{
  Handler handler;
  test::Session session;
  std::string said;
  EXPECT_EQ(quda::guard_job("outer", counted, &said, 7), 8);
  EXPECT_EQ(said, "checked done ");
  const auto twice = [&](quda::Checks &checks) {
    const quda::Job<> first {counted(checks, &said, 1), [](const quda::Job<int> &job) { job(); }};
    return first.then([&] { said += "and more"; });
  };
  said.clear();
  quda::guard_job("outer", twice);
  EXPECT_EQ(said, "checked done and more");
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

TEST(Guard, MessagesOfAJobNameBothFunctions)
{
  Handler handler;
  test::Session session;
  std::string said;
  EXPECT_EQ(quda::guard_job("outer", counted, &said, -1), 0);
  EXPECT_EQ(handler.text(), "outer: inner: number = -1");
  quda::guard_collective(
      "outer", [] {}, [&] { quda::step("outer", counted, &said, -2); });
  EXPECT_EQ(handler.text(), "outer: inner: number = -2");
  EXPECT_EQ(said, "");
  EXPECT_EQ(handler.calls(), 2);
}

/// A call of MILC's agrees twice, in its own time and whatever jobs it takes: on its arguments, then on what they point to.
TEST(Guard, MilcsCallsAgreeOnArgumentsThenOnArrays)
{
  Handler handler;
  test::Session session;
  const int extents[4] = {4, 4, 4, 4}, one[4] = {1, 1, 1, 1};
  qudaSetLayout({extents, one, -1});
  std::vector<double> links(72 * 256), momenta(40 * 256), made(72 * 256);
  QudaMILCSiteArg_t arg {};
  arg.link = links.data();
  arg.mom = momenta.data();
  double weights[6] = {1, 0, 0, 0, 0, 0};
  const auto judged = [](const char *function) { return quda::profile(function).calls(quda::Phase::preamble); };
  qudaMomAction(2, &arg);
  EXPECT_EQ(judged("qudaMomAction"), 2);
  qudaGaugeForce(2, 1, weights, 0.1, &arg);
  EXPECT_EQ(judged("qudaGaugeForce"), 2);
  qudaUpdateU(2, 0.1, &arg);
  EXPECT_EQ(judged("qudaUpdateU"), 2);
  qudaRephase(2, links.data(), 1, 0);
  EXPECT_EQ(judged("qudaRephase"), 2);
  qudaLoadKSLink(2, {}, weights, links.data(), made.data(), nullptr);
  EXPECT_EQ(judged("qudaLoadKSLink"), 2);
  qudaLoadGaugeField(2, 2, {}, links.data());
  EXPECT_EQ(judged("qudaLoadGaugeField"), 2);
  EXPECT_EQ(judged("loadGaugeQuda") + judged("momActionQuda") + judged("computeGaugeForceQuda"), 0);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

} // namespace
