#pragma once
/// Ctrl-C ends a run between two samples; what was measured is printed and written. A second one ends it at once.

namespace quda::bench
{

void watch_interrupt();
bool interrupted();

} // namespace quda::bench
