#pragma once
/// Shared memory of a block of the kernels of site terms, double precision.

namespace quda
{

struct SiteTermsTable {
  int (*twist_one)(int x, int y, int z);
  int (*twist_two)(int x, int y, int z);
  int (*fifth)(int x, int y, int z);
};

} // namespace quda
