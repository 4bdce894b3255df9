#pragma once
/// The message a call is refused with.

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

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
