#include "programs/common/quarks.h"

#include <cstdint>
#include <cstring>

#include "reference/random.h"

namespace program
{

namespace
{
  /// A site and flavour.
  struct Entry {
    reference::Coords x; // in the whole lattice
    std::size_t flavour;
  };
  std::size_t entries(const HostGauge &gauge, int parity)
  {
    return (parity < 0 ? 2 : 1) * gauge.flavours() * gauge.part().local.half();
  }
  /// Parity of the sites of an entry where fields say p, and back.
  std::size_t parity_of(const HostGauge &gauge, std::size_t p, std::size_t flavour)
  {
    return gauge.five_dimensions() ? (p + flavour) % 2 : p;
  }
  /// Number i of a share.
  Entry entry(const HostGauge &gauge, int parity, std::size_t i)
  {
    const std::size_t half = gauge.part().local.half(), one = gauge.flavours() * half;
    const std::size_t p = parity < 0 ? i / one : static_cast<std::size_t>(parity);
    const std::size_t flavour = i / half % gauge.flavours();
    return {gauge.part().global_coords(parity_of(gauge, p, flavour) * half + i % half), flavour};
  }
  /// Its number in a field on the whole lattice.
  std::size_t in_whole(const HostGauge &gauge, const Entry &e)
  {
    const std::size_t half = gauge.global().half(), slot = gauge.global().slot(e.x);
    return (parity_of(gauge, slot / half, e.flavour) * gauge.flavours() + e.flavour) * half + slot % half;
  }
  unsigned long seed_of(unsigned long seed, std::size_t flavour) { return seed + 1000003 * flavour; }

  /// value(entry) of every entry of the share.
  template <class Value> std::vector<double> share_of(const HostGauge &gauge, int parity, const Value &value)
  {
    const std::size_t reals = 6 * gauge.spins(), count = entries(gauge, parity);
    std::vector<double> out(reals * count);
    for (std::size_t i = 0; i < count; i++) {
      const reference::Spinor psi = value(entry(gauge, parity, i));
      std::memcpy(&out[reals * i], psi.data(), reals * sizeof(double));
    }
    return out;
  }
} // namespace

QudaInvertParam invert_param(const Options &options)
{
  QudaInvertParam param = newQudaInvertParam();
  param.dslash_type = options.dslash_type;
  param.inv_type = options.inv_type;
  param.mass = options.mass;
  param.kappa = options.kappa;
  param.dagger = options.dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
  param.mass_normalization = options.normalization;
  param.matpc_type = options.matpc;
  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec = options.prec;
  param.cuda_prec_sloppy = options.prec_sloppy == QUDA_INVALID_PRECISION ? options.prec : options.prec_sloppy;
  param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param.dirac_order = QUDA_DIRAC_ORDER;
  param.input_location = QUDA_CPU_FIELD_LOCATION;
  param.output_location = QUDA_CPU_FIELD_LOCATION;
  param.verbosity = options.verbosity;
  param.twist_flavor = options.flavor;
  param.mu = options.mu;
  param.epsilon = options.epsilon;
  param.tm_rho = options.tm_rho;
  param.m5 = options.m5;
  param.Ls = options.Ls;
  for (int i = 0; i < options.Ls; i++) {
    param.b_5[i] = options.b5;
    param.c_5[i] = options.c5;
  }
  param.eofa_pm = options.eofa_plus;
  param.eofa_shift = options.eofa_shift;
  param.mq1 = options.eofa_mq1;
  param.mq2 = options.eofa_mq2;
  param.mq3 = options.eofa_mq3;
  if (has_clover_term(options)) {
    param.clover_cpu_prec = QUDA_DOUBLE_PRECISION;
    param.clover_cuda_prec = param.cuda_prec;
    param.clover_cuda_prec_sloppy = param.cuda_prec_sloppy;
    param.clover_order = QUDA_PACKED_CLOVER_ORDER;
    param.clover_csw = options.clover_csw;
    param.clover_coeff = options.clover_coeff;
    param.compute_clover = options.compute_clover;
    param.compute_clover_inverse = 1;
  }
  return param;
}

std::vector<double> random_share(const HostGauge &gauge, unsigned long seed, int parity)
{
  return share_of(gauge, parity, [&](const Entry &e) {
    return reference::random_spinor(seed_of(seed, e.flavour), gauge.global().lexicographic(e.x));
  });
}

std::vector<double> point_share(const HostGauge &gauge, const reference::Coords &site, int spin, int colour, int parity)
{
  return share_of(gauge, parity, [&](const Entry &e) {
    reference::Spinor psi = reference::Spinor::Zero();
    if (e.x == site && e.flavour == 0) psi(spin, colour) = 1;
    return psi;
  });
}

std::vector<double> share(const HostGauge &gauge, const reference::Spinors &whole, int parity)
{
  return share_of(gauge, parity, [&](const Entry &e) { return whole[in_whole(gauge, e)]; });
}

std::size_t number_in_whole(const HostGauge &gauge, int parity, std::size_t i)
{
  const Entry e = entry(gauge, parity, i);
  return e.flavour * gauge.global().volume() + gauge.global().lexicographic(e.x);
}

reference::Spinors random_field(const HostGauge &gauge, unsigned long seed)
{
  const std::size_t half = gauge.global().half();
  reference::Spinors all(gauge.flavours() * gauge.global().volume());
  for (std::size_t f = 0; f < gauge.flavours(); f++) {
    const reference::Spinors one = reference::random_spinors(gauge.global(), seed_of(seed, f));
    for (std::size_t slot = 0; slot < one.size(); slot++)
      all[(parity_of(gauge, slot / half, f) * gauge.flavours() + f) * half + slot % half] = one[slot];
  }
  for (reference::Spinor &psi : all)
    for (Eigen::Index s = static_cast<Eigen::Index>(gauge.spins()); s < 4; s++) psi.row(s).setZero();
  return all;
}

reference::Spinors gathered(const Process &process, const HostGauge &gauge, const std::vector<double> &share,
                            int parity)
{
  const std::size_t reals = 6 * gauge.spins();
  reference::Spinors whole(gauge.flavours() * gauge.global().volume());
  std::vector<std::uint64_t> words(24 * whole.size(), 0);
  for (std::size_t i = 0; i < entries(gauge, parity); i++)
    std::memcpy(&words[24 * in_whole(gauge, entry(gauge, parity, i))], &share[reals * i], reals * sizeof(double));
  const auto combine = process.combine();
  if (combine.add) combine.add(words.data(), words.size());
  for (std::size_t i = 0; i < whole.size(); i++)
    std::memcpy(static_cast<void *>(whole[i].data()), &words[24 * i], 24 * sizeof(double));
  return whole;
}

} // namespace program
