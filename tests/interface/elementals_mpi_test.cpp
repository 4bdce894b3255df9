/// laphElementalsQuda through the C interface, against the plain reference, on every way to cut a small lattice:
/// displacements along resident and smeared links, momenta, precisions, and the same bits whatever the tiles, the grid
/// and the rank.

#include "quark_links.h"

#include "reference/contract/distillation.h"

namespace
{

using namespace test;
using reference::Complex;
using Vectors = std::vector<SpinVectors<1>>;
using Path = std::vector<int>;

constexpr int n_evec = 6;
const std::vector<Path> paths = {
    {},
    {QUDA_DISPLACEMENT_DERIVATIVE_X},
    {QUDA_DISPLACEMENT_AHEAD_Y, QUDA_DISPLACEMENT_AHEAD_Y, QUDA_DISPLACEMENT_BEHIND_X},
    {QUDA_DISPLACEMENT_BEHIND_Z, QUDA_DISPLACEMENT_DERIVATIVE_Y, QUDA_DISPLACEMENT_DERIVATIVE_Z},
    {QUDA_DISPLACEMENT_AHEAD_X, QUDA_DISPLACEMENT_BEHIND_Y, QUDA_DISPLACEMENT_AHEAD_Z}};
/// Those of more than one panel, and none but the first.
std::vector<std::array<int, 3>> some_modes(int n)
{
  std::vector<std::array<int, 3>> modes = {{0, 0, 0}, {1, -1, 2}, {0, 3, 0}, {-5, 2, 1}, {0, 0, 1}};
  for (int i = 5; i < n; i++) modes.push_back({i, -i, 1 - i % 3});
  modes.resize(static_cast<std::size_t>(n));
  return modes;
}

Vectors some_vectors()
{
  Vectors all;
  for (int i = 0; i < n_evec; i++) all.push_back(reference::spins_of<1>(reference::random_spinors(lattice, 700 + i)));
  return all;
}

SpinVectors<1> displaced(const reference::GaugeField &links, SpinVectors<1> v, const Path &path)
{
  for (const int step : path) {
    const int d = step < 3 ? step : step < 8 ? 7 - step : step - 8;
    if (step < 8)
      v = reference::carried<1>(links, v, d, step < 3 ? 1 : -1);
    else
      v = reference::combined<1>(0.5, reference::carried<1>(links, v, d, 1), -0.5,
                                 reference::carried<1>(links, v, d, -1));
  }
  return v;
}

std::vector<Complex> expected(const reference::GaugeField &links, const Vectors &vectors,
                              const std::vector<Path> &of_paths, const std::vector<std::array<int, 3>> &modes)
{
  std::vector<Complex> all;
  for (const Path &path : of_paths) {
    Vectors right;
    for (const auto &v : vectors) right.push_back(displaced(links, v, path));
    const auto one = reference::elementals(vectors, right, modes, lattice);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

/// A call's arguments.
struct Call {
  std::vector<Path> of_paths = paths;
  std::vector<std::array<int, 3>> modes = some_modes(5);
  QudaBoolean smeared = QUDA_BOOLEAN_FALSE;
  QudaPrecision precision = QUDA_DOUBLE_PRECISION;
  int tile = n_evec;

  template <class real = double> std::vector<Complex> operator()(const Here &here, const Vectors &vectors) const
  {
    std::vector<std::vector<real>> host;
    std::vector<void *> pointers;
    for (const auto &v : vectors) host.push_back(reference::to_host<real, 1>(v, lattice, here.part));
    for (auto &v : host) pointers.push_back(v.data());
    const auto before = host;
    std::vector<const int *> steps;
    std::vector<int> lengths;
    for (const Path &path : of_paths) {
      steps.push_back(path.empty() ? nullptr : path.data());
      lengths.push_back(static_cast<int>(path.size()));
    }
    QudaInvertParam param = newQudaInvertParam(); // nothing else need be set
    param.cpu_prec = static_cast<QudaPrecision>(sizeof(real));
    param.cuda_prec = precision;
    param.dirac_order = QUDA_DIRAC_ORDER;
    constexpr std::size_t guard = 4; // numbers behind the result, written by nobody
    std::vector<Complex> out(
        of_paths.size() * modes.size() * static_cast<std::size_t>(lattice.X[3] * n_evec * n_evec) + guard, NAN);
    laphElementalsQuda(reinterpret_cast<double _Complex *>(out.data()), pointers.data(), n_evec, tile, steps.data(),
                       lengths.data(), static_cast<int>(of_paths.size()), modes[0].data(),
                       static_cast<int>(modes.size()), smeared, &param, here.part.local.X.data());
    EXPECT_TRUE(host == before) << "an input was changed";
    EXPECT_GT(param.secs, 0);
    EXPECT_GT(param.gflops, 0);
    for (std::size_t i = 0; i < guard; i++) EXPECT_TRUE(std::isnan(out[out.size() - 1 - i].real()));
    out.resize(out.size() - guard);
    return out;
  }
};

/// The largest difference in units of the root mean square.
double deviation(const std::vector<Complex> &found, const std::vector<Complex> &right)
{
  if (found.size() != right.size()) return INFINITY;
  double largest = 0, squares = 0;
  for (std::size_t k = 0; k < right.size(); k++) {
    const double here = std::abs(found[k] - right[k]);
    if (!(here <= largest)) largest = here;
    squares += std::norm(right[k]);
  }
  return largest / std::sqrt(squares / static_cast<double>(right.size()));
}

/// What all ranks and grids must agree on.
class OneBitPattern
{
public:
  void compare(const std::vector<Complex> &found)
  {
    if (first_.empty()) first_ = found;
    EXPECT_TRUE(same_bits(found, first_));
  }
  ~OneBitPattern()
  {
    std::vector<double> lowest(2 * first_.size()), highest;
    std::memcpy(lowest.data(), first_.data(), first_.size() * sizeof(Complex));
    highest = lowest;
    const int n = static_cast<int>(lowest.size());
    MPI_Allreduce(MPI_IN_PLACE, lowest.data(), n, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, highest.data(), n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_TRUE(same_bits(lowest, highest)) << "ranks differ";
  }

private:
  std::vector<Complex> first_;
};

} // namespace

TEST_F(QuarkLinks, ElementalsAsTheReference)
{
  const Vectors vectors = some_vectors();
  std::vector<Complex> right;
  OneBitPattern in_double, in_single;
  on_all_grids([&](Here &here) {
    here.load(QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO);
    Call call;
    if (right.empty()) right = expected(here.links, vectors, paths, call.modes);
    for (const int tile : {n_evec, 4, 1, 100}) {
      call.tile = tile;
      const auto found = call(here, vectors);
      EXPECT_LE(deviation(found, right), 1e-14) << tile;
      in_double.compare(found);
    }
    EXPECT_LE(deviation(call.operator()<float>(here, vectors), right), 1e-6);
    call.precision = QUDA_SINGLE_PRECISION; // below that of the links
    const auto found = call(here, vectors);
    EXPECT_LE(deviation(found, right), 1e-5);
    in_single.compare(found);
  });
}

/// Without displacements there need be no links; more momenta than are worked on at a time.
TEST_F(QuarkLinks, ElementalsWithoutLinks)
{
  const Vectors vectors = some_vectors();
  OneBitPattern bits;
  on_all_grids([&](Here &here) {
    Call call {{{}}, some_modes(19)};
    const auto found = call(here, vectors);
    EXPECT_LE(deviation(found, expected(here.links, vectors, call.of_paths, call.modes)), 1e-14);
    bits.compare(found);
    // where lanes lie otherwise
    here.load(QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO);
    call.of_paths = {{}, {QUDA_DISPLACEMENT_AHEAD_X}};
    const auto both = call(here, vectors);
    bits.compare({both.begin(), both.begin() + static_cast<std::ptrdiff_t>(found.size())});
    // momenta are periodic, that of one call does not depend on the others
    call.of_paths = {{}};
    call.modes = {{lattice.X[0] + 1, lattice.X[1] - 1, 2 - lattice.X[2]}};
    const std::size_t one = found.size() / 19;
    const auto alone = call(here, vectors);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), found.begin() + static_cast<std::ptrdiff_t>(one)));
  });
}

/// Displacements along the smeared links, and covariance: links and vectors rotated give the same.
TEST_F(QuarkLinks, ElementalsOnSmearedLinks)
{
  const Vectors vectors = some_vectors();
  on_all_grids([&](Here &here) {
    here.load(QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO);
    const reference::GaugeField smeared = reference::random_gauge(lattice, 91);
    QudaGaugeParam param = gauge_param(here.part.local.X);
    param.type = QUDA_SMEARED_LINKS;
    here.load(smeared, param);
    Call call;
    call.smeared = QUDA_BOOLEAN_TRUE;
    const auto right = expected(smeared, vectors, paths, call.modes);
    EXPECT_LE(deviation(call(here, vectors), right), 1e-14);
    const reference::Rotation rotation = reference::random_rotation(lattice, 5);
    here.load(reference::transformed(smeared, rotation), param);
    Vectors turned = vectors;
    for (auto &v : turned)
      for (std::size_t slot = 0; slot < v.size(); slot++) v[slot] = (rotation[slot] * v[slot].transpose()).transpose();
    EXPECT_LE(deviation(call(here, turned), right), 1e-13);
  });
}
