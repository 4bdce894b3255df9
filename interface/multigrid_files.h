#pragma once

/// Files of the vectors that a hierarchy's finest level has, QudaMultigridParam.vec_infile[0] and vec_outfile[0]:
/// SciDAC records as eigenvectors have them (interface/vector_files.h), named STEM_level_0_nvec_N as QUDA names them.
///
/// Read       : with vec_load[0], or with compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_NO where the stem is not empty; those of
///              coarser levels are sought.
/// Written    : with vec_store[0] by newMultigridQuda(), and by dumpMultigridQuda().
/// Errors     : bad_argument, unsupported, and file, naming function and member.

#include "quda.h"

#include "interface/quark_job.h"
#include "interface/vector_files.h"
#include "multigrid/multigrid.h"

#include <optional>

namespace quda
{

struct MultigridFiles {
  std::optional<NamedFile> in, out;
};

/// Checked, as newMultigridQuda() reads them.
MultigridFiles multigrid_files(Checks &checks, const QudaMultigridParam &param);
/// The file of dumpMultigridQuda(); vectors: their number.
NamedFile multigrid_dump_file(Checks &checks, const QudaMultigridParam &param, int vectors);

/// Gives the form the vectors of a file. Collective.
void read_multigrid_vectors(const NamedFile &file, const QuarkJob &fine, MultigridForm &form);
/// Collective.
void write_multigrid_vectors(const NamedFile &file, const Multigrid &hierarchy);

} // namespace quda
