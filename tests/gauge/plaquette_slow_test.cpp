/// The plaquette of unit links on a lattice whose links pass 4 GiB.

#include <gtest/gtest.h>

#include <cstdlib>
#include <unistd.h>

#include "ops/gauge/plaquette.h"
#include "support/native_fields.h"

using namespace quda;

TEST(LargeLattice, UnitPlaquette)
{
  const long long memory = static_cast<long long>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  const int X[4] = {64, 64, 64, 32};
  const long long sites = 64LL * 64 * 64 * 32;
  if (memory < 2 * sites * 72 * 8)
    GTEST_SKIP() << "needs " << 2 * sites * 72 * 8 << " bytes, " << memory << " are free";
  choose_target();
  std::vector<double> host(sites * 72, 0.0);
  for (long long link = 0; link < 4 * sites; link++)
    for (int c = 0; c < 3; c++) host[18 * link + 8 * c] = 1;
  GaugeFieldParam param;
  param.lattice = Lattice::create(X, make_single_communicator());
  GaugeField links(param);
  param.order = GaugeOrder::milc;
  param.location = Location::host;
  param.create = Create::reference;
  param.data[0] = host.data();
  links = GaugeField(param);
  const PlaquetteAverage average = plaquette(links);
  EXPECT_EQ(average.spatial, 1.0);
  EXPECT_EQ(average.temporal, 1.0);
}
