/// Links and momenta through the orders of host programs that leave room between them: each number has its place, and
/// what lies between is left alone.

#include <gtest/gtest.h>

#include "reference/random.h"
#include "support/native_fields.h"

using namespace quda;

namespace
{

const reference::Coords shapes[] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}};
constexpr double scale = 0.375, filler = 7;

/// Where a host keeps its links: `reals` in each of `arrays`, and the place of a number of a link.
struct Order {
  GaugeOrder order;
  int arrays;
  double factor; // host's number = factor times the link's
  long long (*reals)(const reference::Coords &X);
  long long (*at)(const reference::Coords &X, const reference::Coords &x, int mu, int row, int column, int part);
};

long long volume(const reference::Coords &X) { return 1LL * X[0] * X[1] * X[2] * X[3]; }
long long cb(const reference::Coords &X, const reference::Coords &x)
{
  return (((1LL * x[3] * X[2] + x[2]) * X[1] + x[1]) * X[0] + x[0]) / 2;
}
int parity(const reference::Coords &x) { return (x[0] + x[1] + x[2] + x[3]) & 1; }
long long with_border(const reference::Coords &X) { return (X[0] / 2 + 2LL) * (X[1] + 2) * (X[2] + 2) * (X[3] + 2); }
long long padded(const reference::Coords &X) { return 1LL * X[0] * X[1] * (X[2] + 4) * X[3] / 2; }

constexpr long long site_reals = 131, site_first = 11; // of the structure, and before its links

const Order orders[] = {
    {GaugeOrder::milc_site, 1, 1, [](const reference::Coords &X) { return site_reals * volume(X); },
     [](const reference::Coords &X, const reference::Coords &x, int mu, int row, int column, int part) {
       return (parity(x) * volume(X) / 2 + cb(X, x)) * site_reals + site_first + 18 * mu + 6 * row + 2 * column + part;
     }},
    {GaugeOrder::qdpjit, 4, 1, [](const reference::Coords &X) { return 18 * volume(X); },
     [](const reference::Coords &X, const reference::Coords &x, int, int row, int column, int part) {
       return ((part * 9LL + 3 * row + column) * 2 + parity(x)) * (volume(X) / 2) + cb(X, x);
     }},
    {GaugeOrder::tifr, 1, scale, [](const reference::Coords &X) { return 72 * volume(X); },
     [](const reference::Coords &X, const reference::Coords &x, int mu, int row, int column, int part) {
       return ((2LL * mu + parity(x)) * (volume(X) / 2) + cb(X, x)) * 18 + 6 * column + 2 * row + part;
     }},
    {GaugeOrder::tifr_padded, 1, scale, [](const reference::Coords &X) { return 144 * padded(X); },
     [](const reference::Coords &X, const reference::Coords &x, int mu, int row, int column, int part) {
       const reference::Coords in {X[0], X[1], X[2] + 4, X[3]}, there {x[0], x[1], x[2] + 2, x[3]};
       return ((2LL * mu + parity(x)) * padded(X) + cb(in, there)) * 18 + 6 * column + 2 * row + part;
     }},
    {GaugeOrder::bqcd, 1, 1, [](const reference::Coords &X) { return 144 * with_border(X); },
     [](const reference::Coords &X, const reference::Coords &x, int mu, int row, int column, int part) {
       return ((2LL * mu + parity(x)) * with_border(X) + cb(X, x)) * 18 + 6 * column + 2 * row + part;
     }},
};

template <class real> using Arrays = std::vector<std::vector<real>>;

/// The host's arrays with these links in them, and the filler elsewhere.
template <class real> Arrays<real> arrays_of(const Order &order, const reference::GaugeField &gauge)
{
  const reference::Coords &X = gauge.lattice.X;
  Arrays<real> arrays(order.arrays, std::vector<real>(order.reals(X), filler));
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
      for (int k = 0; k < 9; k++) {
        const reference::Coords x = gauge.lattice.coords(slot);
        const reference::Complex u = gauge.U[mu][slot].data()[k];
        std::vector<real> &array = arrays[order.arrays == 4 ? mu : 0];
        array[order.at(X, x, mu, k / 3, k % 3, 0)] = static_cast<real>(u.real() * order.factor);
        array[order.at(X, x, mu, k / 3, k % 3, 1)] = static_cast<real>(u.imag() * order.factor);
      }
  return arrays;
}

GaugeFieldParam param_of(const support::Place &place, bool momentum)
{
  GaugeFieldParam param;
  param.lattice = place.lattice;
  param.link_type = momentum ? LinkType::momentum : LinkType::general;
  param.reconstruct = momentum ? Reconstruct::r10 : Reconstruct::none;
  param.scale = scale;
  return param;
}

template <class real>
GaugeField host_field(const support::Place &place, GaugeOrder order, Arrays<real> &arrays, bool momentum = false)
{
  GaugeFieldParam param = param_of(place, momentum);
  param.order = order;
  param.precision = sizeof(real) == 8 ? Precision::double_ : Precision::single;
  param.location = Location::host;
  param.create = Create::reference;
  for (std::size_t i = 0; i < arrays.size(); i++) param.data[i] = arrays[i].data();
  if (order == GaugeOrder::milc_site) {
    param.data[0] = arrays[0].data() + site_first;
    param.site_bytes = site_reals * static_cast<long long>(sizeof(real));
  }
  return GaugeField(param);
}

template <class real> void expect_places(const Order &order, const reference::Coords &shape)
{
  const reference::Lattice lattice(shape);
  const support::Place place(lattice, make_single_communicator());
  const reference::GaugeField gauge = reference::random_gauge(lattice, 71, reference::Kind::general);
  Arrays<real> given = arrays_of<real>(order, gauge);
  const Arrays<real> before = given;
  GaugeField native(param_of(place, false));
  native = host_field(place, order.order, given);
  EXPECT_EQ(given, before);

  reference::QdpLinks<double> qdp = reference::to_qdp<double>(gauge, place.part), found = qdp;
  for (auto &array : found) std::fill(array.begin(), array.end(), 0);
  Arrays<double> there(found.begin(), found.end());
  host_field(place, GaugeOrder::qdp, there) = native;
  const double most = sizeof(real) == 8 ? 1e-15 : 1e-6; // the factor rounds
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < qdp[mu].size(); i++) ASSERT_NEAR(there[mu][i], qdp[mu][i], most) << mu << ' ' << i;

  Arrays<real> saved = given;
  for (auto &array : saved)
    for (real &x : array)
      if (x != real(filler)) x = 0;
  host_field(place, order.order, saved) = native;
  for (std::size_t i = 0; i < given.size(); i++)
    for (std::size_t k = 0; k < given[i].size(); k++) ASSERT_NEAR(saved[i][k], given[i][k], most) << i << ' ' << k;
}

} // namespace

TEST(HostOrders, EveryNumberHasItsPlaceAndTheRestIsLeftAlone)
{
  support::on_targets([] {
    for (const Order &order : orders)
      for (const reference::Coords &shape : shapes) {
        SCOPED_TRACE(static_cast<int>(order.order));
        expect_places<double>(order, shape);
        expect_places<float>(order, shape);
      }
  });
}

TEST(HostOrders, MomentaInsideOfSites)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const auto sites = static_cast<std::size_t>(lattice.volume());
    Arrays<double> given(1, std::vector<double>(site_reals * sites, filler));
    reference::SiteRandom random(72, 1, 1);
    for (std::size_t slot = 0; slot < sites; slot++)
      for (int k = 0; k < 40; k++) given[0][slot * site_reals + site_first + k] = random.uniform();
    GaugeField native(param_of(place, true));
    native = host_field(place, GaugeOrder::milc_site, given, true);
    Arrays<double> milc(1, std::vector<double>(40 * sites));
    host_field(place, GaugeOrder::milc, milc, true) = native;
    for (std::size_t slot = 0; slot < sites; slot++)
      for (int k = 0; k < 40; k++) ASSERT_EQ(milc[0][40 * slot + k], given[0][slot * site_reals + site_first + k]);
    Arrays<double> saved(1, std::vector<double>(given[0].size(), filler));
    host_field(place, GaugeOrder::milc_site, saved, true) = native;
    EXPECT_EQ(saved, given);
  });
}
