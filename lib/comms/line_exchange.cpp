#include "comms/line_exchange.h"

#include <cstring>
#include <vector>

namespace quda
{

void exchange_line(Communicator &communicator, int d, const void *send, void *receive, std::size_t bytes)
{
  const int n = communicator.extent(d), mine = communicator.coordinate(d);
  const auto *const from = static_cast<const char *>(send);
  auto *const to = static_cast<char *>(receive);
  std::memcpy(to + mine * bytes, from + mine * bytes, bytes);

  // outgoing blocks, nearest destination first; the first block of what arrives is this rank's
  std::vector<char> leaving((n - 1) * bytes), arriving((n - 1) * bytes);
  for (int k = 1; k < n; k++) std::memcpy(&leaving[(k - 1) * bytes], from + (mine + k) % n * bytes, bytes);
  for (int step = 1; step < n; step++) {
    const std::size_t size = (n - step) * bytes;
    Request received = communicator.receive_start(arriving.data(), size, d, +1);
    Request sent = communicator.send_start(leaving.data(), size, d, +1);
    communicator.wait(received);
    communicator.wait(sent);
    std::memcpy(to + (mine - step + n) % n * bytes, arriving.data(), bytes);
    std::memmove(leaving.data(), arriving.data() + bytes, size - bytes);
  }
}

} // namespace quda
