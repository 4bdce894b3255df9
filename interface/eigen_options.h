#pragma once

/// How eigenvectors are found: what eigensolveQuda() and deflated solves both read of QudaEigParam.
/// Errors     : bad_argument and unsupported, naming function, member, value and what is allowed.

#include "quda.h"

#include "interface/guard.h"
#include "ops/links/link_set.h"
#include "solvers/eigen_solver.h"

#include <string>

namespace quda
{

/// A member, its value, and what would be right.
[[noreturn]] void refuse(const char *function, const char *member, const std::string &value, const std::string &allowed,
                         ErrorKind kind = ErrorKind::bad_argument);

/// Checks what every search reads, but sizes.
void check_eigen_search(Checks &checks, const QudaEigParam &param);

/// Refuses files of vectors, where a call has none.
void check_no_eigen_files(Checks &checks, const QudaEigParam &param);

const EigenMethodRow &eigen_method_of(const char *function, const QudaEigParam &param);

/// What is checked of a search for low modes beside that, and its method. owner: the member that asks for them.
const EigenMethodRow &check_low_modes(Checks &checks, const QudaEigParam &param, const char *owner);
/// Number of the n_conv low modes that are in use.
int used_low_modes(const QudaEigParam &param);

/// The vectors of a block; checks block_size where the method reads it.
int eigen_block(Checks &checks, const QudaEigParam &param, const EigenMethodRow &row);

/// The search, its sizes checked; numbers: complex ones of a vector on all ranks.
EigenOptions eigen_options(const char *function, const QudaEigParam &param, const EigenMethodRow &row, int block,
                           long long numbers);

/// Storage of a search that ends in `own`: of cuda_prec_eigensolver, where that is lower and not fixed point, which a
/// search is not in. other_links: it is not on the links that copies are resident of.
LinkStorage eigen_storage(const QudaInvertParam &invert, const LinkStorage &own, bool other_links);

/// What require_convergence says of a search that has ended.
void check_eigen_end(const char *function, const EigenReport &report, const QudaEigParam &param);

} // namespace quda
