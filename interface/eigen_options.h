#pragma once

/// Options of an eigenvector search: the members of QudaEigParam that eigensolveQuda() and deflated solves both read.
/// Errors     : bad_argument and unsupported, with function, member, value and the allowed values.

#include "quda.h"

#include "interface/guard.h"
#include "ops/links/link_set.h"
#include "solvers/eigen_solver.h"

#include <string>

namespace quda
{

/// Checks what every search reads, except sizes.
void check_eigen_search(Checks &checks, const QudaEigParam &param);

/// Refuses files of vectors, for calls without them.
void check_no_eigen_files(Checks &checks, const QudaEigParam &param);

const EigenMethodRow &eigen_method_of(const char *function, const QudaEigParam &param);

/// Checks a search for low modes beyond that, and returns its method. owner: the member that asks for them.
const EigenMethodRow &check_low_modes(Checks &checks, const QudaEigParam &param, const char *owner);
/// Number of the n_conv low modes in use.
int used_low_modes(const QudaEigParam &param);

/// Size of a block; checks block_size if the method reads it.
int eigen_block(Checks &checks, const QudaEigParam &param, const EigenMethodRow &row);

/// The search, with checked sizes; numbers: complex numbers of a vector on all ranks.
EigenOptions eigen_options(const char *function, const QudaEigParam &param, const EigenMethodRow &row, int block,
                           long long numbers);

/// Storage of a search that ends in `own`: in cuda_prec_eigensolver if that is lower and not fixed point, which
/// searches do not use. other_links: it runs on links other than those with resident copies.
LinkStorage eigen_storage(Session &session, const QudaInvertParam &invert, const LinkStorage &own, bool other_links);

/// Applies require_convergence to a search that has ended.
void check_eigen_end(const char *function, const EigenReport &report, const QudaEigParam &param);

} // namespace quda
