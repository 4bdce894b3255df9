#include "interface/multigrid_staggered.h"

#include "interface/params/param_table.h"
#include "ops/multigrid/hypercubes.h"

#include <algorithm>

namespace quda
{

namespace
{

  using P = QudaMultigridParam;

  constexpr const char *of_staggered = " with staggered fermions";

  std::string extents(const int *X) { return text("%d %d %d %d", X[0], X[1], X[2], X[3]); }

  void check_first_transfer(Checks &checks, const P &param)
  {
    const char *function = checks.function;
    check(checks, param, first(1, &P::transfer_type), first(1, &P::n_vec));
    const QudaTransferType type = param.transfer_type[0];
    if (type != QUDA_TRANSFER_OPTIMIZED_KD && type != QUDA_TRANSFER_OPTIMIZED_KD_DROP_LONG &&
        type != QUDA_TRANSFER_COARSE_KD)
      refuse(function, "QudaMultigridParam.transfer_type[0]", value_text(type) + of_staggered,
             "QUDA_TRANSFER_OPTIMIZED_KD, QUDA_TRANSFER_OPTIMIZED_KD_DROP_LONG, QUDA_TRANSFER_COARSE_KD; aggregates of "
             "the operator itself make one with small eigenvalues of its own",
             ErrorKind::unsupported);
    if (param.n_vec[0] != 3 && param.n_vec[0] != hypercube_rows / 2)
      refuse(function, "QudaMultigridParam.n_vec[0]", std::to_string(param.n_vec[0]) + of_staggered,
             "3, 24: all that there are on a hypercube");
    const int *const block = param.geo_block_size[0];
    const auto all = [block](int extent) {
      return std::all_of(block, block + 4, [extent](int b) { return b == extent; });
    };
    if (!all(1) && !all(2))
      refuse(function, "QudaMultigridParam.geo_block_size[0]", extents(block) + of_staggered,
             "1 1 1 1, 2 2 2 2: hypercubes");
  }

  void check_no_files(Checks &checks, const P &param)
  {
    const char *function = checks.function;
    check(checks, param, first(1, &P::vec_load), first(1, &P::vec_store), &P::compute_null_vector);
    const char *const allowed = "QUDA_BOOLEAN_FALSE: level 0 has no vectors";
    if (param.vec_load[0])
      refuse(function, "QudaMultigridParam.vec_load[0]", value_text(param.vec_load[0]) + of_staggered, allowed,
             ErrorKind::unsupported);
    if (param.vec_store[0])
      refuse(function, "QudaMultigridParam.vec_store[0]", value_text(param.vec_store[0]) + of_staggered, allowed,
             ErrorKind::unsupported);
    if (param.use_eig_solver[0])
      refuse(function, "QudaMultigridParam.use_eig_solver[0]", value_text(param.use_eig_solver[0]) + of_staggered,
             allowed, ErrorKind::unsupported);
    if (param.compute_null_vector == QUDA_COMPUTE_NULL_VECTOR_NO)
      refuse(function, "QudaMultigridParam.compute_null_vector", value_text(param.compute_null_vector) + of_staggered,
             "QUDA_COMPUTE_NULL_VECTOR_YES", ErrorKind::unsupported);
  }

  /// The parameters with blocks of level 1 counted in hypercubes.
  P in_hypercubes(const char *function, const P &param)
  {
    P all = param;
    if (param.n_level < 3) return all;
    all.spin_block_size[1] = 1;
    if (param.transfer_type[0] == QUDA_TRANSFER_COARSE_KD) return all;
    for (int d = 0; d < 4; d++) {
      int &extent = all.geo_block_size[1][d];
      if (extent < 2 || extent % 2)
        refuse(function, "QudaMultigridParam.geo_block_size[1]", extents(param.geo_block_size[1]) + of_staggered,
               "even numbers, sites of level 0, which are made of hypercubes");
      extent /= 2;
    }
    return all;
  }

} // namespace

QudaMultigridParam on_hypercubes(Checks &checks, const P &param, const int local[4])
{
  check_first_transfer(checks, param);
  check_no_files(checks, param);
  P all = in_hypercubes(checks.function, param);
  for (int d = 0; d < 4; d++)
    if (local[d] % 4)
      refuse(checks.function, "QudaMultigridParam.transfer_type[0]",
             value_text(param.transfer_type[0]) + " and local extents of " + extents(local) + of_staggered,
             "extents that are multiples of 4, of which hypercubes make even ones", ErrorKind::unsupported);
  std::copy(hypercube, hypercube + 4, all.geo_block_size[0]);
  all.n_vec[0] = hypercube_rows / 2;
  all.spin_block_size[0] = 2;
  all.transfer_type[0] = QUDA_TRANSFER_AGGREGATE;
  return all;
}

} // namespace quda
