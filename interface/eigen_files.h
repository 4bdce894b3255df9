#pragma once

/// Files of the vectors of eigensolveQuda, from its parameters; all is checked before anything is computed.
/// Errors: bad_argument, unsupported and file, with function, member and value. Collective: no.

#include "core/error.h"
#include "interface/quark_job.h"
#include "interface/vector_files.h"

#include <string>

namespace quda
{

struct EigenFiles {
  NamedFile in {}, out {}; // empty paths: none
  std::string matrix {};   // description of the matrix whose eigenvectors they are
  std::string boundary {}; // of fermions in t
};
/// slices: each slice is its own problem. one_slice: the host has only one, for which there are no files.
EigenFiles eigen_files(Checks &checks, const QudaEigParam &param, const QuarkJob &job, bool slices, bool one_slice);

} // namespace quda
