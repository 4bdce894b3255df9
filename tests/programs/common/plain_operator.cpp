#include "programs/common/plain_operator.h"

#include "programs/common/quarks.h"

namespace program
{

void load_clover(const HostGauge &gauge, const Options &options)
{
  if (!has_clover_term(options)) return;
  QudaInvertParam param = invert_param(options);
  param.solution_type = QUDA_MAT_SOLUTION;
  param.solve_type = QUDA_DIRECT_PC_SOLVE;
  std::vector<double> term;
  if (!options.compute_clover) term = PlainOperator(gauge, options).packed_clover(gauge.part());
  loadCloverQuda(options.compute_clover ? nullptr : term.data(), nullptr, &param);
}

} // namespace program
