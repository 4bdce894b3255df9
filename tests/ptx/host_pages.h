#pragma once
/// Page-locked memory that work still waiting in a stream will write or read: its pages are closed to the host until
/// the work is done, so that a host which does not wait is found. It then goes on with what it finds there.

#include <cstddef>
#include <cstdint>
#include <string>

namespace ptx
{

/// Takes signals of bad accesses from now on: of closed pages, and of a device's addresses on the host, which are
/// reported before the process ends as it would.
void watch_host();

/// `written`: by the work, so that the host may neither read nor write; else it may read. Returns a number for
/// open_pages().
int close_pages(std::uint64_t first, std::size_t bytes, bool written, const std::string &work);
void open_pages(int number);

} // namespace ptx
