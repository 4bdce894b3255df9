#pragma once
/// What tests of quark fields on resident links share: the library on each way to cut a small lattice, and what it
/// makes of a field beside what the plain reference makes of it.

#include "on_grids.h"

#include "quda_milc_interface.h"

#include "core/environment_support.h"
#include "reference/dirac/covariant.h"
#include "reference/gauge/transform.h"

#include <cmath>

namespace test
{

using reference::SpinVectors;

inline const reference::Lattice lattice({4, 4, 6, 8});

inline std::vector<Coords> grids()
{
  switch (ranks()) {
  case 1:
    return {{1, 1, 1, 1}};
  case 2:
    return {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 1, 2}};
  default:
    return {{2, 1, 1, 2}, {1, 2, 1, 2}, {1, 1, 1, 4}};
  }
}

/// A host array of each rank as a field on the whole lattice. parity: all that is taken, zero elsewhere; -1: both.
template <int n, class real> SpinVectors<n> gathered(const std::vector<real> &host, const reference::Lattice &whole,
                                                     const reference::Part &part, int parity = -1)
{
  std::vector<double> all(6 * n * whole.volume());
  const std::size_t half = part.local.half();
  for (std::size_t slot = parity == 1 ? half : 0; slot < (parity == 0 ? half : 2 * half); slot++)
    for (std::size_t i = 0; i < 6 * n; i++)
      all[6 * n * whole.slot(part.global_coords(slot)) + i] = host[6 * n * slot + i];
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  SpinVectors<n> psi(whole.volume());
  for (std::size_t i = 0; i < psi.size(); i++)
    for (int k = 0; k < 3 * n; k++) psi[i].data()[k] = {all[6 * n * i + 2 * k], all[6 * n * i + 2 * k + 1]};
  return psi;
}

template <int n> double norm(const SpinVectors<n> &psi)
{
  double sum = 0;
  for (const auto &s : psi) sum += s.squaredNorm();
  return std::sqrt(sum);
}

/// The library on this rank's part of the lattice, or of another one.
class Here
{
public:
  /// milc: begun by qudaSetLayout(), as MILC counts its ranks.
  explicit Here(const Coords &grid, bool milc = false)
      : Here(lattice, grid, place(grid, milc), milc)
  {
  }
  Here(const reference::Lattice &whole, const Coords &grid, const Coords &at, bool milc = false)
      : part(whole, grid, at)
      , whole_(whole)
      , session_(grid, milc)
      , links(reference::random_gauge(whole, 51))
      , psi(reference::random_spinors(whole, 52))
  {
  }
  void load(QudaPrecision precision, QudaReconstructType reconstruct)
  {
    Storage storage;
    storage.precision = precision;
    storage.reconstruct = reconstruct;
    load(links, gauge_param(part.local.X, storage));
  }
  void load(const reference::GaugeField &gauge, QudaGaugeParam param) const
  {
    HostLinks<double> host(gauge, part, param.gauge_order);
    loadGaugeQuda(host.pointer(), &param);
  }

  /// The largest distance of a color vector of `found` from that of `from`, rotated.
  template <int n> double distance_from_rotated(const std::vector<double> &found, const std::vector<double> &from,
                                                const reference::Rotation &rotation) const
  {
    double worst = 0;
    for (std::size_t slot = 0; slot < part.local.volume(); slot++) {
      const reference::Link &g = rotation[whole_.slot(part.global_coords(slot))];
      for (int spin = 0; spin < n; spin++)
        for (int c = 0; c < 3; c++) {
          const double *q = &from[6 * (n * slot + spin)], *there = &found[6 * (n * slot + spin) + 2 * c];
          reference::Complex sum = 0;
          for (int k = 0; k < 3; k++) sum += g(c, k) * reference::Complex(q[2 * k], q[2 * k + 1]);
          const double here = std::abs(reference::Complex(there[0], there[1]) - sum);
          if (!(here <= worst)) worst = here;
        }
    }
    return worst;
  }

  /// The first n spins of psi here.
  template <int n> std::vector<double> source(int parity = -1) const
  {
    return reference::to_host<double, n>(reference::spins_of<n>(psi), whole_, part, parity);
  }

  /// `out` against what is expected, in units of its rms.
  template <int n> double error_of(const SpinVectors<n> &expected, int parity = -1) const
  {
    const auto wanted = reference::to_host<double, n>(expected, whole_, part, parity);
    double square = 0;
    for (const double x : wanted) square += x * x;
    return largest_difference(out, wanted) / std::sqrt(square / static_cast<double>(wanted.size()));
  }

  /// Runs call(out, in) on the first n spins of psi and compares.
  template <int n, class Call>
  double error_of(const Call &call, const SpinVectors<n> &expected, int parity_in = -1, int parity_out = -1)
  {
    auto in = source<n>(parity_in);
    const auto before = in;
    out.assign(6 * n * part.local.volume() / (parity_out < 0 ? 1 : 2), NAN);
    call(out.data(), in.data());
    EXPECT_TRUE(same_bits(in, before)) << "the input was changed";
    return error_of<n>(expected, parity_out);
  }

  /// Of this rank. Ranks are numbered with t fastest; MILC's with x.
  static Coords place(const Coords &grid, bool milc = false) { return coordinates(grid, rank(), milc); }

  const reference::Part part;

private:
  const reference::Lattice whole_;
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
  template <class Body> void on_all_grids(const Body &body, bool milc = false)
  {
    for (const Coords &grid : grids()) {
      SCOPED_TRACE(support::named(grid));
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
