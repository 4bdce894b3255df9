#include "interface/milc_sequence.h"

#include "interface/jobs.h"
#include "interface/milc_site.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "solvers/incremental.h"

#include <utility>

namespace quda
{

namespace
{

  void check_fall(Checks &checks, const char *name, double fall)
  {
    if (!(fall >= 0 && fall < 1))
      fail(ErrorKind::bad_argument, text("%s: %s = %g; allowed: 0 to below 1", checks.function, name, fall));
    checks.same(name, fall);
  }

  void check_whole(Checks &checks, const char *name, int value, int low, int high)
  {
    check_range(checks.function, name, value, low, high);
    checks.same(name, value);
  }

  void check_no_file(Checks &checks, const char *name, const char *file)
  {
    if (file && file[0])
      fail(ErrorKind::unsupported,
           text("%s: %s = \"%s\"; allowed: null, or an empty name", checks.function, name, file));
  }

} // namespace

void check_sequence(Checks &checks, const MilcSequence &sequence, QudaInvertParam &param)
{
  const char *function = checks.function;
  const QudaEigArgs_t &args = sequence.args;
  check_whole(checks, "rhs_idx", sequence.rhs_idx, 0, 1 << 30);
  check_whole(checks, "last_rhs_flag", sequence.last_rhs_flag, 0, 1);
  const bool open = checks.session.spaces.find(checks.session.milc.space) != nullptr;
  checks.same("whether a sequence of sources has begun", open);
  if (!sequence.begins() && !open)
    fail(ErrorKind::bad_argument,
         text("%s: rhs_idx = %d, but no sequence of sources has begun; allowed: 0", function, sequence.rhs_idx));
  if (args.prec_ritz != QUDA_DOUBLE_PRECISION && args.prec_ritz != QUDA_SINGLE_PRECISION)
    refuse(function, "eig_args.prec_ritz", args.prec_ritz, "QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION");
  checks.same("eig_args.prec_ritz", static_cast<int>(args.prec_ritz));
  check_whole(checks, "eig_args.nev", args.nev, 1, most_directions);
  check_whole(checks, "eig_args.max_search_dim", args.max_search_dim, 2 * args.nev + 1, most_directions);
  check_whole(checks, "eig_args.deflation_grid", args.deflation_grid, 1, most_modes / args.nev);
  check_whole(checks, "eig_args.max_restart_num", args.max_restart_num, 0, 1 << 30);
  check_fall(checks, "eig_args.tol_restart", args.tol_restart);
  check_fall(checks, "eig_args.inc_tol", args.inc_tol);
  check_target(checks, "eig_args.eigenval_tol", args.eigenval_tol);
  check_no_file(checks, "eig_args.vec_infile", args.vec_infile);
  check_no_file(checks, "eig_args.vec_outfile", args.vec_outfile);
  const IncrementalSpace *const space = checks.session.spaces.find(checks.session.milc.space);
  if (!sequence.begins() && space->each() != args.nev)
    fail(ErrorKind::bad_argument, text("%s: eig_args.nev = %d with rhs_idx = %d; allowed: %d, as with rhs_idx = 0",
                                       function, args.nev, sequence.rhs_idx, space->each()));
  param.inv_type = QUDA_INC_EIGCG_INVERTER;
  param.cuda_prec_ritz = args.prec_ritz;
  param.n_ev = args.nev;
  param.max_search_dim = args.max_search_dim;
  param.deflation_grid = args.deflation_grid;
  param.tol_restart = args.tol_restart;
  param.inc_tol = args.inc_tol;
  param.max_restart_num = args.max_restart_num;
  param.eigenval_tol = args.eigenval_tol;
  param.rhs_idx = sequence.rhs_idx;
}

void invert_in_sequence(Session &session, const char *function, const MilcSequence &sequence, void *solution,
                        void *source, QudaInvertParam &param)
{
  void *&space = session.milc.space;
  if (sequence.begins()) {
    session.spaces.free(std::exchange(space, nullptr));
    QudaEigParam eigen = default_param<QudaEigParam>();
    eigen.invert_param = &param;
    space = step(function, jobs::newDeflationQuda, &eigen);
  }
  param.deflation_op = space;
  step(function, jobs::invertQuda, solution, source, &param);
  if (sequence.ends()) session.spaces.free(std::exchange(space, nullptr));
}

} // namespace quda
