/// Launches of these tests go by hand: measuring each of their many small ones would take ten times as long as all the
/// rest. The choice exercises the hooks.

#include <cstdlib>

namespace
{

const int by_hand = setenv("QUDA_TUNE_FORCE", "tile=8,prefetch=2,streaming=1,schedule=1", 0);

} // namespace
