#pragma once

/// A variable of the environment for the duration of a test.

#include <cstdlib>
#include <string>

class Variable
{
public:
  Variable(const char *name, const char *value)
      : name_(name)
  {
    const char *before = std::getenv(name);
    was_set_ = before != nullptr;
    if (before) before_ = before;
    set(value);
  }
  ~Variable() { set(was_set_ ? before_.c_str() : nullptr); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

  /// null unsets it
  void set(const char *value) const
  {
    if (value)
      setenv(name_, value, 1);
    else
      unsetenv(name_);
  }

private:
  const char *name_;
  std::string before_;
  bool was_set_ = false;
};
