#pragma once
/// Launches of a program that includes this are not tuned, so that many small fields cost nothing: results never depend
/// on it.

#include <cstdlib>

namespace support
{

inline const bool untuned = setenv("QUDA_ENABLE_TUNING", "0", 1) == 0;

} // namespace support
