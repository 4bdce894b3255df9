#pragma once
/// Ctrl-C ends a run between two samples; what was measured is printed and written. A second one ends it at once. Of
/// several ranks the first one's counts.

namespace quda::bench
{

void watch_interrupt();
/// Collective over ranks().
bool interrupted();

} // namespace quda::bench
