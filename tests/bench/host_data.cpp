#include "bench/host_data.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gauge_file.h"
#include "reference/gauge/plaquette.h"
#include "reference/random.h"

namespace quda::bench
{

namespace
{

  constexpr std::uint64_t seed = 1234;
  constexpr std::size_t sampled_sites = 2000; // of a parity
  constexpr int components = 12;

} // namespace

HostData::HostData(const int dims[4], const std::string &links_from, double kappa)
    : sites_({dims[0], dims[1], dims[2], dims[3]})
    , links_from_(links_from)
    , kappa_(kappa)
    , lattice_(Lattice::create(dims, default_communicator()))
{
}

const reference::GaugeField &HostData::links()
{
  if (links_) return *links_;
  if (links_from_.empty())
    links_ = reference::random_gauge(sites_, seed, reference::Kind::weak);
  else {
    // of a file in single precision the third rows are not what reconstruct 12 makes
    links_ = reference::from_qdp(sites_, quda_files::read_gauge(quda_files::inspect(links_from_)));
    for (auto &links : links_->U)
      for (reference::Link &u : links) u = reference::special_unitary(u);
  }
  return *links_;
}

const reference::Spinors &HostData::spinors()
{
  if (spinors_.empty()) spinors_ = reference::random_spinors(sites_, seed);
  return spinors_;
}

const std::array<double, 3> &HostData::plaquette()
{
  if (!plaquette_) plaquette_ = reference::plaquette(links());
  return *plaquette_;
}

GaugeField HostData::native_links(Precision precision, Reconstruct reconstruct)
{
  GaugeFieldParam param;
  param.lattice = lattice_;
  param.order = GaugeOrder::qdp;
  param.location = Location::host;
  param.create = Create::reference;
  // the reference keeps its links as QDP order has them
  for (int mu = 0; mu < 4; mu++) param.data[mu] = const_cast<reference::Complex *>(links().U[mu].front().data());
  const GaugeField host(param);

  GaugeFieldParam native;
  native.lattice = lattice_;
  native.precision = precision;
  native.reconstruct = reconstruct;
  GaugeField links(native);
  links = host;
  return links;
}

ColorSpinorField HostData::native_spinors(Precision precision, int nrhs, int parity)
{
  ColorSpinorParam param;
  param.lattice = lattice_;
  param.precision = precision;
  param.rhs = nrhs;
  param.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
  param.parity = std::max(parity, 0);
  return ColorSpinorField(param);
}

ColorSpinorField HostData::foreign(const ColorSpinorField &like, void *data) const
{
  ColorSpinorParam param = like.param();
  param.precision = Precision::double_;
  param.order = DiracOrder::dirac;
  param.location = Location::host;
  param.create = Create::reference;
  param.data = data;
  return ColorSpinorField(param);
}

void HostData::fill(ColorSpinorField &field)
{
  const std::size_t half = sites_.half();
  const reference::Spinors &psi = spinors();
  reference::Spinors host(half * field.parities() * field.inner());
  for (int p = 0; p < field.parities(); p++)
    for (int i = 0; i < field.inner(); i++) {
      const std::size_t to = (p * field.inner() + i) * half, from = (p + field.parity()) * half;
#pragma omp parallel for
      for (std::size_t x = 0; x < half; x++) host[to + x] = (i + 1.0) * psi[from + x];
    }
  field = foreign(field, host.front().data());
}

bool HostData::agrees(const ColorSpinorField &field,
                      const std::function<reference::Spinor(int parity, std::size_t x_cb)> &expected, double allowed)
{
  const std::size_t half = sites_.half();
  reference::Spinors host(half * field.parities() * field.inner());
  ColorSpinorField copy = foreign(field, host.front().data());
  copy = field;

  const std::size_t n = whole() ? half : std::min(sampled_sites, half);
  double largest = 0, squares = 0;
  bool numbers = true; // a NaN is no maximum
  for (int p = 0; p < field.parities(); p++) {
#pragma omp parallel for reduction(max : largest) reduction(+ : squares) reduction(&& : numbers)
    for (std::size_t k = 0; k < n; k++) {
      // evenly over the lattice, and not by a divisor of its extents
      const std::size_t x = whole() ? k : (k * 2654435761u) % half;
      const reference::Spinor right = expected(p + field.parity(), x);
      squares += right.squaredNorm();
      for (int i = 0; i < field.inner(); i++) {
        const reference::Spinor &found = host[(p * field.inner() + i) * half + x];
        const double deviation = (found / (i + 1.0) - right).cwiseAbs().maxCoeff();
        numbers = numbers && std::isfinite(deviation);
        largest = std::max(largest, deviation);
      }
    }
  }
  const double rms = std::sqrt(squares / (static_cast<double>(components * n) * field.parities()));
  return numbers && largest <= (allowed > 0 ? allowed : tolerance(field.precision())) * rms;
}

} // namespace quda::bench
