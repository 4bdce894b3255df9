#pragma once

/// Errors of the library: one exception type with a kind and a complete message.
///
/// The code below the C interface throws Error and nothing else of its own; every C function catches at its boundary.
/// A message names the function, the parameter, its value and what is allowed; Error adds the place it was thrown from.
/// fail(ErrorKind::bad_argument, text("%s: X[%d] = %d must be even", function, d, x));
///
/// Collective: no.

#include <stdexcept>
#include <string>

namespace quda
{

enum class ErrorKind {
  bad_argument = 1,  ///< a value from the caller that no build accepts
  unsupported = 2,   ///< a known request that the library does not carry out
  not_built = 3,     ///< available in the library, left out of this build
  out_of_memory = 4, ///< host or device memory is exhausted
  device = 5,        ///< the device or its driver reported a failure
  comms = 6,         ///< a failure of the communication layer, or ranks that disagree
  file = 7,          ///< a file is absent, unreadable, damaged or cannot be written
  internal = 8       ///< a broken promise inside the library
};

/// A place in the source. The standard's own type is missing with Clang 14.
struct SourceLocation {
  const char *file;
  int line;
  const char *function;

  /// Evaluated as a default argument, this is the place of the call.
  static constexpr SourceLocation current(const char *file = __builtin_FILE(), int line = __builtin_LINE(),
                                          const char *function = __builtin_FUNCTION())
  {
    return {file, line, function};
  }
};

class Error : public std::runtime_error
{
public:
  Error(ErrorKind kind, const std::string &message, SourceLocation where = SourceLocation::current());

  ErrorKind kind() const noexcept { return kind_; }
  const char *file() const noexcept { return where_.file; }
  int line() const noexcept { return where_.line; }
  const char *function() const noexcept { return where_.function; }

private:
  ErrorKind kind_;
  SourceLocation where_; // string literals of the compiler: they outlive the exception
};

/// A failure that all ranks find at the same place, from data that all of them share, so that all of them can return.
class FoundTogether : public Error
{
public:
  // Written out: some compilers' front ends cannot inherit a constructor with default arguments.
  FoundTogether(ErrorKind kind, const std::string &message, SourceLocation where = SourceLocation::current())
      : Error(kind, message, where)
  {
  }
};

[[noreturn]] void fail(ErrorKind kind, const std::string &message, SourceLocation where = SourceLocation::current());

/// A string formatted by printf's rules.
__attribute__((format(printf, 1, 2))) std::string text(const char *format, ...);

} // namespace quda
