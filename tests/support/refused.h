#pragma once
/// Calls that are refused, and what their messages say.

#include <initializer_list>
#include <source_location>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

/// The message a call is refused with.
template <class F> std::string refused(quda::ErrorKind kind, F &&call)
{
  try {
    call();
  } catch (const quda::Error &error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

inline bool contains(const std::string &s, const std::string &part) { return s.find(part) != std::string::npos; }

/// Its message has all of these words.
template <class F> void expect_refused(quda::ErrorKind kind, std::initializer_list<std::string> words, F &&call,
                                       const std::source_location &where = std::source_location::current())
{
  const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "refused");
  const std::string message = refused(kind, call);
  for (const std::string &word : words) EXPECT_TRUE(contains(message, word)) << word << " is missing in: " << message;
}

/// What a work fails with: on all ranks together, alone, or not at all.
template <class Work> std::string failure(Work &&work)
{
  try {
    work();
  } catch (const quda::FoundTogether &error) {
    return error.what();
  } catch (const std::exception &error) {
    return std::string("alone: ") + error.what();
  }
  return "none";
}
