#pragma once

/// Files of a hierarchy's vectors, QudaMultigridParam.vec_infile and vec_outfile: SciDAC records as for eigenvectors
/// (interface/vector_files.h), named STEM_level_L_nvec_N as QUDA names them. Fields of coarser levels have two spins,
/// the chiralities, and as many colors as the finer level has vectors.
///
/// Read       : with vec_load[L], or with compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_NO if the stem is not empty; a
///              coarser level without a file seeks its vectors.
/// Written    : with vec_store[L] by newMultigridQuda(); by dumpMultigridQuda() on the finest level, and on other
///              levels if the stem is not empty.
/// mg_vec_partfile[L]: one file per rank.
/// Errors     : bad_argument, unsupported, and file, with function and member.

#include "quda.h"

#include "interface/quark_job.h"
#include "interface/vector_files.h"
#include "multigrid/multigrid.h"

#include <optional>
#include <vector>

namespace quda
{

/// Files of vectors, one entry per level with vectors.
struct MultigridFiles {
  std::vector<std::optional<NamedFile>> in, out;
};

/// Checked files that newMultigridQuda() reads.
MultigridFiles multigrid_files(Checks &checks, const QudaMultigridParam &param);
/// Files that dumpMultigridQuda() writes.
MultigridFiles multigrid_dump_files(Checks &checks, const QudaMultigridParam &param, const MultigridForm &form);

/// Reads the form's vectors from files. Collective.
void read_multigrid_vectors(const MultigridFiles &files, const QuarkJob &fine, MultigridForm &form);
/// Writes a hierarchy's vectors. Collective.
void write_multigrid_vectors(const MultigridFiles &files, const Multigrid &hierarchy);

} // namespace quda
