#pragma once
/// The links, momenta and spinors every kernel works on, in host memory, and the library's fields made from them. They
/// depend on a seed and the site alone. Right-hand side i is i + 1 times the first.
///
/// Comparison is in canonical site order (parity, x_cb): all sites on lattices of up to whole_volume sites, some 4,000
/// of them beyond.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "bench/kernel.h"
#include "fields/clover_field.h"
#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "fields/site_field.h"
#include "reference/field.h"

namespace quda::bench
{

class HostData
{
public:
  static constexpr long long whole_volume = 16LL * 16 * 16 * 32;

  /// links_from: a gauge configuration on a lattice of these extents; empty: random links near the identity. kappa: of
  /// systems that are solved on it.
  HostData(const int dims[4], const std::string &links_from, double kappa);
  /// The same data for a lattice that is cut (ranks.h).
  HostData(HostData &like, std::shared_ptr<Communicator> cut);

  const reference::Lattice &lattice() const { return sites_; }
  bool whole() const { return static_cast<long long>(sites_.volume()) <= whole_volume; }

  double kappa() const { return kappa_; }
  const reference::GaugeField &links();
  const reference::Spinors &spinors();
  const reference::GaugeField &momenta();
  /// {mean, spatial, temporal}
  const std::array<double, 3> &plaquette();

  GaugeField native_links(Precision precision, Reconstruct reconstruct);
  GaugeField native_momenta(Precision precision);
  /// On both parities; numbers are left unset.
  CloverField native_clover(Precision precision);
  /// parity -1: a full field. Memory is as the pool gives it.
  ColorSpinorField native_spinors(Precision precision, int nrhs, int parity = -1);
  /// Right-hand sides of spinors().
  void fill(ColorSpinorField &field);

  /// Whether every component is within the allowed deviation (largest over sites, relative to the root mean square) of
  /// expected(parity, x_cb), which is right-hand side 0. allowed: 0: tolerance(the field's precision).
  bool agrees(const ColorSpinorField &field,
              const std::function<reference::Spinor(int parity, std::size_t x_cb)> &expected, double allowed = 0);

  static double tolerance(Precision precision)
  {
    return precision == Precision::double_ ? 1e-12 : precision == Precision::single ? 5e-6 : 1e-4;
  }

private:
  ColorSpinorField foreign(const ColorSpinorField &like, void *data) const;

  reference::Lattice sites_;
  std::string links_from_;
  double kappa_;
  std::shared_ptr<const Lattice> lattice_;
  std::optional<reference::GaugeField> links_, momenta_;
  reference::Spinors spinors_;
  std::optional<std::array<double, 3>> plaquette_;
};

/// Host arrays of a native field in double precision: [mu] all 18 numbers of a link, or the ten of momenta.
reference::QdpLinks<double> numbers(const GaugeField &field);

// ---- checksums: of fields in the order parity, x_cb, number; of links mu first, of momenta the matrices ----

/// Of right-hand sides, i being i + 1 times the first, that of the first.
Checksum checksum_of(const ColorSpinorField &field);
Checksum checksum_of(const GaugeField &field);
Checksum checksum_of(const SiteField &field);
Checksum checksum_of(const CloverField &field);
/// Entries that are no right-hand sides.
struct AllEntries {
  const SiteField &of;
};
Checksum checksum_of(const AllEntries &field);
Checksum checksum_of(const reference::Spinors &field);
Checksum checksum_of(const reference::GaugeField &field);
Checksum checksum_of(const std::vector<double> &numbers);
template <class real> Checksum checksum_of(const std::vector<std::complex<real>> &numbers)
{
  std::vector<double> reals;
  for (const std::complex<real> &z : numbers) reals.insert(reals.end(), {z.real(), z.imag()});
  return checksum_of(reals);
}
inline Checksum checksum_of(double x) { return checksum_of(std::vector {x}); }
inline Checksum checksum_of(const reference::Complex &z) { return checksum_of(std::vector {z.real(), z.imag()}); }

/// A plain version: what make(host data) gives is the result, of which checksum_of() must know.
template <class Make> Maker plain(Make make)
{
  class Plain : public Kernel
  {
  public:
    Plain(HostData &host, Make make)
        : host_(host)
        , make_(std::move(make))
        , result_(make_(host_))
    {
    }
    void run() override { result_ = make_(host_); }
    Checksum checksum() override { return checksum_of(result_); }

  private:
    HostData &host_;
    Make make_;
    std::invoke_result_t<Make, HostData &> result_;
  };
  return [make](const Setting &setting) { return std::make_unique<Plain>(*setting.host, make); };
}

/// A kernel in one function: set_up(setting) gives a function that owns its fields, runs once, and gives the result, of
/// which checksum_of() must know.
template <class SetUp> Maker runs(SetUp set_up)
{
  class Runs : public Kernel
  {
  public:
    Runs(const Setting &setting, const SetUp &set_up)
        : run_(set_up(setting))
    {
    }
    void run() override { run_(); }
    Checksum checksum() override { return checksum_of(run_()); }

  private:
    std::invoke_result_t<SetUp, const Setting &> run_;
  };
  return [set_up](const Setting &setting) { return std::make_unique<Runs>(setting, set_up); };
}

} // namespace quda::bench
