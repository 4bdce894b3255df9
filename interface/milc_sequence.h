#pragma once

/// MILC's sequences of sources that leave low modes for each other (qudaEigCGInvert(), qudaEigCGCloverInvert()): solves
/// by incremental eigCG (interface/incremental.h) with one space, begun by rhs_idx = 0 and freed by last_rhs_flag = 1.
///
/// Read from eig_args: prec_ritz, nev, max_search_dim, deflation_grid, tol_restart, inc_tol, max_restart_num,
/// eigenval_tol. Refused: vec_infile and vec_outfile. Hints: solver_ext_lib, deflation_ext_lib, location_ritz,
/// mem_type_ritz, eigcg_max_restarts.
/// Errors: bad_argument and unsupported, with function, argument and value.

#include "quda.h"
#include "quda_milc_interface.h"

#include "interface/guard.h"

namespace quda
{

struct MilcSequence {
  const QudaEigArgs_t &args;
  int rhs_idx, last_rhs_flag;

  bool begins() const { return rhs_idx == 0; }
  bool ends() const { return last_rhs_flag == 1; }
};

/// Checks the sequence, and sets the members of param that the solve reads.
void check_sequence(Checks &checks, const MilcSequence &sequence, QudaInvertParam &param);
/// Carries out invertQuda() with the space of the sequence. Collective.
void invert_in_sequence(Session &session, const char *function, const MilcSequence &sequence, void *solution,
                        void *source, QudaInvertParam &param);

} // namespace quda
