#include "programs/common/quarks.h"

#include <cstdint>
#include <cstring>

#include "programs/common/plain_operator.h"
#include "reference/random.h"

namespace program
{

namespace
{
  /// site_value(coordinates in the whole lattice) of every site of the share.
  template <class SiteValue>
  std::vector<double> share_of(const HostGauge &gauge, int parity, const SiteValue &site_value)
  {
    const std::size_t reals = 6 * gauge.spins();
    const reference::Part &part = gauge.part();
    const std::size_t sites = parity < 0 ? part.local.volume() : part.local.half();
    const std::size_t first = parity == 1 ? part.local.half() : 0;
    std::vector<double> out(reals * sites);
    for (std::size_t i = 0; i < sites; i++) {
      const reference::Spinor psi = site_value(part.global_coords(first + i));
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
  if (options.dslash_type == QUDA_CLOVER_WILSON_DSLASH) {
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

void load_clover(const HostGauge &gauge, const Options &options)
{
  if (options.dslash_type != QUDA_CLOVER_WILSON_DSLASH) return;
  QudaInvertParam param = invert_param(options);
  param.solution_type = QUDA_MAT_SOLUTION;
  param.solve_type = QUDA_DIRECT_PC_SOLVE;
  std::vector<double> term;
  if (!options.compute_clover) term = PlainOperator(gauge, options).packed_clover(gauge.part());
  loadCloverQuda(options.compute_clover ? nullptr : term.data(), nullptr, &param);
}

std::vector<double> random_share(const HostGauge &gauge, unsigned long seed, int parity)
{
  return share_of(gauge, parity, [&](const reference::Coords &x) {
    return reference::random_spinor(seed, gauge.global().lexicographic(x));
  });
}

std::vector<double> point_share(const HostGauge &gauge, const reference::Coords &site, int spin, int colour, int parity)
{
  return share_of(gauge, parity, [&](const reference::Coords &x) {
    reference::Spinor psi = reference::Spinor::Zero();
    if (x == site) psi(spin, colour) = 1;
    return psi;
  });
}

std::vector<double> share(const HostGauge &gauge, const reference::Spinors &whole, int parity)
{
  return share_of(gauge, parity, [&](const reference::Coords &x) { return whole[gauge.global().slot(x)]; });
}

reference::Spinors random_field(const HostGauge &gauge, unsigned long seed)
{
  reference::Spinors psi = reference::random_spinors(gauge.global(), seed);
  for (reference::Spinor &one : psi)
    for (Eigen::Index s = static_cast<Eigen::Index>(gauge.spins()); s < 4; s++) one.row(s).setZero();
  return psi;
}

reference::Spinors gathered(const Process &process, const HostGauge &gauge, const std::vector<double> &share,
                            int parity)
{
  const std::size_t reals = 6 * gauge.spins();
  const reference::Part &part = gauge.part();
  const std::size_t first = parity == 1 ? part.local.half() : 0;
  std::vector<std::uint64_t> words(24 * gauge.global().volume(), 0);
  for (std::size_t i = 0; i < share.size() / reals; i++)
    std::memcpy(&words[24 * gauge.global().slot(part.global_coords(first + i))], &share[reals * i],
                reals * sizeof(double));
  const auto combine = process.combine();
  if (combine.add) combine.add(words.data(), words.size());
  reference::Spinors whole(gauge.global().volume());
  for (std::size_t slot = 0; slot < whole.size(); slot++)
    std::memcpy(static_cast<void *>(whole[slot].data()), &words[24 * slot], 24 * sizeof(double));
  return whole;
}

} // namespace program
