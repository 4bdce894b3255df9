#include "interface/params/complete_param.h"

#include "interface/params/param_table.h"

namespace quda
{

namespace
{

  template <class Enum> void complete(Enum &member, Enum from)
  {
    if (static_cast<int>(member) == params::unset_int) member = from;
  }

} // namespace

void complete_gauge_param(QudaGaugeParam &param)
{
  complete(param.cuda_prec_sloppy, param.cuda_prec);
  complete(param.cuda_prec_eigensolver, param.cuda_prec);
  complete(param.cuda_prec_refinement_sloppy, param.cuda_prec_sloppy);
  complete(param.cuda_prec_precondition, param.cuda_prec_sloppy);
  complete(param.reconstruct_sloppy, param.reconstruct);
  complete(param.reconstruct_eigensolver, param.reconstruct_sloppy);
  complete(param.reconstruct_refinement_sloppy, param.reconstruct_sloppy);
  complete(param.reconstruct_precondition, param.reconstruct_sloppy);
}

void complete_invert_param(QudaInvertParam &param)
{
  complete(param.cuda_prec_sloppy, param.cuda_prec);
  complete(param.cuda_prec_refinement_sloppy, param.cuda_prec_sloppy);
  complete(param.cuda_prec_precondition, param.cuda_prec_sloppy);
  complete(param.cuda_prec_eigensolver, param.cuda_prec_sloppy);
  complete(param.chrono_precision, param.cuda_prec);
}

void complete_clover_param(QudaInvertParam &param)
{
  complete(param.clover_cuda_prec_sloppy, param.clover_cuda_prec);
  complete(param.clover_cuda_prec_eigensolver, param.clover_cuda_prec);
  complete(param.clover_cuda_prec_refinement_sloppy, param.clover_cuda_prec_sloppy);
  complete(param.clover_cuda_prec_precondition, param.clover_cuda_prec_sloppy);
}

} // namespace quda
