/// Programs that apply a Dirac operator, or solve its systems: those of the kind that `type` is of, which is the
/// operator where the command line names none. They return what main returns.
#pragma once

#include <string>

#include <quda.h>

namespace program
{

/// The hop, the even-odd preconditioned matrix or the matrix on a random field: time, and comparison with the plain
/// reference.
int dslash_program(int argc, char **argv, const std::string &name, QudaDslashType type);

/// Linear systems solved for random or point sources: iterations, time, residuals; each solution is put into the plain
/// reference operator. in_sequence: where the command line says nothing else, one source after the other by incremental
/// eigCG.
int invert_program(int argc, char **argv, const std::string &name, QudaDslashType type, bool in_sequence = false);

/// Eigenvalues and eigenvectors of the matrix or its square, or singular vectors: time, and each pair put into the plain
/// reference operator.
int eigen_program(int argc, char **argv, const std::string &name, QudaDslashType type);

} // namespace program
