#pragma once

/// Files of the vectors that a hierarchy's levels have, QudaMultigridParam.vec_infile and vec_outfile: SciDAC records as
/// eigenvectors have them (interface/vector_files.h), named STEM_level_L_nvec_N as QUDA names them. Fields of coarser
/// levels have two spins, the chiralities, and as many colors as the finer level has vectors.
///
/// Read       : with vec_load[L], or with compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_NO where the stem is not empty; a
///              coarser level without a file seeks its vectors.
/// Written    : with vec_store[L] by newMultigridQuda(); by dumpMultigridQuda() those of the finest level, and of others
///              whose stem is not empty.
/// mg_vec_partfile[L]: a file a rank.
/// Errors     : bad_argument, unsupported, and file, naming function and member.

#include "quda.h"

#include "interface/quark_job.h"
#include "interface/vector_files.h"
#include "multigrid/multigrid.h"

#include <optional>
#include <vector>

namespace quda
{

/// Files of vectors, an entry for each level that has vectors.
struct MultigridFiles {
  std::vector<std::optional<NamedFile>> in, out;
};

/// Checked, as newMultigridQuda() reads them.
MultigridFiles multigrid_files(Checks &checks, const QudaMultigridParam &param);
/// Files that dumpMultigridQuda() writes.
MultigridFiles multigrid_dump_files(Checks &checks, const QudaMultigridParam &param, const MultigridForm &form);

/// Gives the form the vectors of files. Collective.
void read_multigrid_vectors(const MultigridFiles &files, const QuarkJob &fine, MultigridForm &form);
/// Collective.
void write_multigrid_vectors(const MultigridFiles &files, const Multigrid &hierarchy);

} // namespace quda
