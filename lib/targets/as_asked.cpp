#include "targets/as_asked.h"

namespace quda
{

namespace
{
  thread_local bool as_asked = false; // a LaunchesAsAsked exists
} // namespace

LaunchesAsAsked::LaunchesAsAsked()
    : before_(as_asked)
{
  as_asked = true;
}

LaunchesAsAsked::~LaunchesAsAsked() { as_asked = before_; }

bool launches_as_asked() { return as_asked; }

} // namespace quda
