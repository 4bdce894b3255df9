#pragma once
/// What tests of quark fields on resident links share: the library on each way to cut a small lattice, and what it
/// makes of a field beside what the plain reference makes of it.

#include "session.h"

#include "quda_milc_interface.h"

#include "core/environment_support.h"
#include "reference/dirac/covariant.h"

#include <gtest/gtest.h>
#include <mpi.h>

namespace test
{

using reference::Coords;
using reference::SpinVectors;

inline const reference::Lattice lattice({4, 4, 6, 8});

inline int world(bool size)
{
  int n = 0;
  size ? MPI_Comm_size(MPI_COMM_WORLD, &n) : MPI_Comm_rank(MPI_COMM_WORLD, &n);
  return n;
}

inline std::vector<Coords> grids()
{
  switch (world(true)) {
  case 1:
    return {{1, 1, 1, 1}};
  case 2:
    return {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 1, 2}};
  default:
    return {{2, 1, 1, 2}, {1, 2, 1, 2}, {1, 1, 1, 4}};
  }
}

/// The library on this rank's part of the lattice.
class Here
{
public:
  /// milc: begun by qudaSetLayout(), as MILC counts its ranks.
  explicit Here(const Coords &grid, bool milc = false)
      : part(lattice, grid, place(grid, milc))
      , session_(grid, milc)
      , links(reference::random_gauge(lattice, 51))
      , psi(reference::random_spinors(lattice, 52))
  {
  }
  void load(QudaPrecision precision, QudaReconstructType reconstruct)
  {
    Storage storage;
    storage.precision = precision;
    storage.reconstruct = reconstruct;
    HostLinks<double> host(links, part, QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param = gauge_param(part.local.X, storage);
    loadGaugeQuda(host.pointer(), &param);
  }

  /// Runs call(out, in) on the first n spins of psi and compares with what is expected, in units of its rms.
  template <int n, class Call>
  double error_of(const Call &call, const SpinVectors<n> &expected, int parity_in = -1, int parity_out = -1)
  {
    auto in = reference::to_host<double, n>(reference::spins_of<n>(psi), lattice, part, parity_in);
    const auto before = in;
    const auto wanted = reference::to_host<double, n>(expected, lattice, part, parity_out);
    out.assign(wanted.size(), NAN);
    call(out.data(), in.data());
    EXPECT_TRUE(same_bits(in, before)) << "the input was changed";
    double square = 0;
    for (const double x : wanted) square += x * x;
    return largest_difference(out, wanted) / std::sqrt(square / static_cast<double>(wanted.size()));
  }

  const reference::Part part;

private:
  /// Ranks are numbered with t fastest; MILC's with x.
  static Coords place(const Coords &grid, bool milc)
  {
    Coords at {};
    for (int i = 0, rank = world(false); i < 4; i++) {
      const int d = milc ? i : 3 - i;
      at[d] = rank % grid[d];
      rank /= grid[d];
    }
    return at;
  }

  struct Begun {
    Begun(const Coords &grid, bool milc)
    {
      setVerbosityQuda(QUDA_SILENT, "", nullptr);
      if (milc) {
        qudaSetLayout({lattice.X.data(), grid.data(), -1});
      } else {
        initCommsGridQuda(4, grid.data(), nullptr, nullptr);
        initQuda(-1);
      }
    }
    ~Begun() { endQuda(); }
    Begun(const Begun &) = delete;
    Begun &operator=(const Begun &) = delete;
  };
  const Begun session_;

public:
  const reference::GaugeField links;
  const reference::Spinors psi;
  std::vector<double> out;
};

class QuarkLinks : public testing::Test
{
protected:
  void TearDown() override { EXPECT_EQ(handler_.calls(), 0) << handler_.text(); }

  template <class Body> void on_all_grids(const Body &body, bool milc = false)
  {
    for (const Coords &grid : grids()) {
      SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
      Here here(grid, milc);
      body(here);
    }
  }

  const Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
  Handler handler_;
};

inline QudaInvertParam spinors(QudaDslashType type = QUDA_WILSON_DSLASH)
{
  QudaInvertParam param = wilson_param();
  param.dslash_type = type;
  return param;
}

} // namespace test
