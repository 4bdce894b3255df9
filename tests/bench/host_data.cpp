#include "bench/host_data.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "files/gauge_file.h"
#include "reference/force/momentum.h"
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

HostData::HostData(HostData &like, std::shared_ptr<Communicator> cut)
    : sites_(like.sites_)
    , links_from_(like.links_from_)
    , kappa_(like.kappa_)
    , lattice_(Lattice::create(sites_.X.data(), std::move(cut)))
    , links_(like.links())
    , spinors_(like.spinors())
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

const reference::GaugeField &HostData::momenta()
{
  if (!momenta_) momenta_ = reference::random_momentum(sites_, seed);
  return *momenta_;
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
  if (over_their_unit(reconstruct)) param.link_type = LinkType::three;
  // the reference keeps its links as QDP order has them
  for (int mu = 0; mu < 4; mu++) param.data[mu] = const_cast<reference::Complex *>(links().U[mu].front().data());
  const GaugeField host(param);

  GaugeFieldParam native;
  native.lattice = lattice_;
  native.precision = precision;
  native.reconstruct = reconstruct;
  native.link_type = param.link_type;
  GaugeField links(native);
  links = host;
  return links;
}

GaugeField HostData::native_momenta(Precision precision)
{
  reference::QdpLinks<double> ten;
  GaugeFieldParam param;
  param.lattice = lattice_;
  param.precision = precision;
  param.link_type = LinkType::momentum;
  param.reconstruct = Reconstruct::r10;
  GaugeField momentum(param);
  param.precision = Precision::double_;
  param.order = GaugeOrder::qdp;
  param.location = Location::host;
  param.create = Create::reference;
  for (int mu = 0; mu < 4; mu++) {
    for (const reference::Link &a : momenta().U[mu]) {
      const auto numbers = reference::ten_numbers(a);
      ten[mu].insert(ten[mu].end(), numbers.begin(), numbers.end());
    }
    param.data[mu] = ten[mu].data();
  }
  momentum = GaugeField(param);
  return momentum;
}

CloverField HostData::native_clover(Precision precision)
{
  CloverParam param;
  param.lattice = lattice_;
  param.precision = precision;
  return CloverField(param);
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

double Setting::sites() const { return static_cast<double>(host->lattice().volume()); }

reference::QdpLinks<double> numbers(const GaugeField &field)
{
  reference::QdpLinks<double> arrays;
  GaugeFieldParam param = field.param();
  param.precision = Precision::double_;
  if (param.link_type != LinkType::momentum) param.reconstruct = Reconstruct::none;
  std::fill_n(param.R, 4, 0);
  param.order = GaugeOrder::qdp;
  param.location = Location::host;
  param.create = Create::reference;
  for (int mu = 0; mu < 4; mu++) {
    arrays[mu].resize(static_cast<std::size_t>(field.lattice().volume()) * static_cast<int>(param.reconstruct));
    param.data[mu] = arrays[mu].data();
  }
  GaugeField host(param);
  host = field;
  return arrays;
}

namespace
{

  void describe_foreign(ColorSpinorParam &param) { param.order = DiracOrder::dirac; }
  void describe_foreign(SiteFieldParam &param) { param.native = false; }
  void describe_foreign(CloverParam &param) { param.native = false; }

  /// All numbers of a field, in host memory.
  template <class F> std::vector<double> saved(const F &field)
  {
    std::vector<double> numbers(static_cast<std::size_t>(field.sites()) * field.inner() * field.reals());
    auto param = field.param();
    describe_foreign(param);
    param.precision = Precision::double_;
    param.location = Location::host;
    param.create = Create::reference;
    param.data = numbers.data();
    F host(param);
    host = field;
    return numbers;
  }

  /// (parity, entry, x_cb, number), entries being right-hand sides.
  template <class F> Checksum of_entries(const F &field)
  {
    const std::vector<double> all = saved(field);
    const int entries = field.inner();
    const std::size_t run = all.size() / (static_cast<std::size_t>(field.parities()) * entries);
    Checksum sum;
    std::vector<double> mean(run);
    for (int p = 0; p < field.parities(); p++) {
      std::fill(mean.begin(), mean.end(), 0.0);
      for (int i = 0; i < entries; i++) {
        const double *from = all.data() + (static_cast<std::size_t>(p) * entries + i) * run;
        // of multiples 1, 2, .. the first one; no two right-hand sides may change places
        const double weight = 6.0 * (i + 1) / (entries * (entries + 1.0) * (2.0 * entries + 1));
        for (std::size_t k = 0; k < run; k++) mean[k] += weight * from[k];
      }
      sum.add(mean.data(), run);
    }
    return sum;
  }

} // namespace

Checksum checksum_of(const ColorSpinorField &field) { return of_entries(field); }
Checksum checksum_of(const SiteField &field) { return of_entries(field); }
Checksum checksum_of(const AllEntries &field) { return checksum_of(saved(field.of)); }
Checksum checksum_of(const CloverField &field) { return checksum_of(saved(field)); }

Checksum checksum_of(const GaugeField &field)
{
  const reference::QdpLinks<double> all = numbers(field);
  Checksum sum;
  const bool momenta = field.link_type() == LinkType::momentum;
  for (const std::vector<double> &links : all)
    for (std::size_t at = 0; momenta && at < links.size(); at += 10) {
      const reference::Link a = reference::from_ten(links.data() + at);
      sum.add(reinterpret_cast<const double *>(a.data()), 18);
    }
  for (const std::vector<double> &links : all)
    if (!momenta) sum.add(links.data(), links.size());
  return sum;
}

Checksum checksum_of(const reference::Spinors &field)
{
  Checksum sum;
  for (const reference::Spinor &psi : field) sum.add(reinterpret_cast<const double *>(psi.data()), 24);
  return sum;
}

Checksum checksum_of(const reference::GaugeField &field)
{
  Checksum sum;
  for (const auto &links : field.U)
    for (const reference::Link &u : links) sum.add(reinterpret_cast<const double *>(u.data()), 18);
  return sum;
}

Checksum checksum_of(const std::vector<double> &numbers)
{
  Checksum sum;
  sum.add(numbers.data(), numbers.size());
  return sum;
}

} // namespace quda::bench
