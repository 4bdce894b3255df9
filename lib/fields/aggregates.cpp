#include "fields/aggregates.h"

#include "core/error.h"

namespace quda
{

namespace
{

  void count_blocks(const int X[4], const int block[4], int coarse[4], bool even)
  {
    const auto refuse = [&](int d, const char *why) {
      fail(ErrorKind::bad_argument,
           text("block[%d] = %d is not allowed: %s; the local extent X[%d] is %d", d, block[d], why, d, X[d]));
    };
    long long sites = 1;
    for (int d = 0; d < 4; d++) {
      if (block[d] < 1) refuse(d, "a block has at least one site in each direction");
      if (X[d] % block[d]) refuse(d, "it must divide the local extent");
      coarse[d] = X[d] / block[d];
      if (even && coarse[d] % 2) refuse(d, "it leaves an odd number of blocks, which must be even");
      sites *= block[d];
    }
    if (sites < 2)
      refuse(0,
             text("block = %d %d %d %d has one site, at least two are needed", block[0], block[1], block[2], block[3])
                 .c_str());
  }

} // namespace

void count_aggregates(const int X[4], const int block[4], int count[4]) { count_blocks(X, block, count, false); }

void coarse_extents(const int X[4], const int block[4], int coarse[4]) { count_blocks(X, block, coarse, true); }

} // namespace quda
