/// The Fortran names of updates and momenta do what the C functions do.

#include "quda_fortran.h"
#include "session.h"

#include <gtest/gtest.h>

#include <vector>

namespace
{

const reference::Lattice lattice({4, 6, 4, 4});

QudaGaugeParam milc()
{
  QudaGaugeParam param = test::gauge_param(lattice.X);
  param.gauge_order = QUDA_MILC_GAUGE_ORDER;
  return param;
}

std::vector<double> random_numbers(long long n, std::uint64_t seed)
{
  reference::SiteRandom random(seed, 0, 0);
  std::vector<double> numbers(static_cast<std::size_t>(n));
  for (double &x : numbers) x = 2 * random.uniform() - 1;
  return numbers;
}

TEST(FortranNames, MomentumAndUpdate)
{
  test::Session session;
  QudaGaugeParam param = milc();
  std::vector<double> momenta = random_numbers(40 * lattice.volume(), 5);
  double kinetic = 0;
  kinetic_quda_(&kinetic, momenta.data(), &param);
  EXPECT_NE(kinetic, 0);
  EXPECT_EQ(kinetic, momActionQuda(momenta.data(), &param));

  const std::vector<double> links = random_numbers(72 * lattice.volume(), 6);
  const double steps[] = {0.1, -0.3};
  std::vector<std::vector<double>> all;
  for (double step : steps)
    for (bool conjugate : {false, true})
      for (bool exact : {false, true}) {
        std::vector<double> fortran = links, c = links;
        update_gauge_field_quda_(fortran.data(), momenta.data(), &step, &conjugate, &exact, &param);
        updateGaugeFieldQuda(c.data(), momenta.data(), step, conjugate, exact, &param);
        EXPECT_EQ(fortran, c) << "dt = " << step << ", conj_mom = " << conjugate << ", exact = " << exact;
        for (const auto &other : all) EXPECT_NE(other, c) << "an argument without effect";
        all.push_back(c);
      }
}

} // namespace
