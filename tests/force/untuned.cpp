/// Tuning is off in these tests unless one asks for it: what kernels compute does not depend on it, and trying it out
/// is all that would take time here.

#include <cstdlib>

namespace
{

const int off = setenv("QUDA_ENABLE_TUNING", "0", 0);

} // namespace
