#pragma once

/// Files of the vectors of eigensolveQuda: what its parameters ask for, checked before anything is computed.
/// Errors: bad_argument, unsupported and file, naming function, member and value. Collective: no.

#include "core/error.h"
#include "interface/quark_job.h"
#include "interface/vector_files.h"

#include <string>

namespace quda
{

struct EigenFiles {
  NamedFile in {}, out {}; // of empty paths: none
  std::string matrix {};   // whose eigenvectors they are, in words
  std::string boundary {}; // of fermions in t
};
/// slices: that are problems of their own. one_slice: the host has one, for which there are no files.
EigenFiles eigen_files(Checks &checks, const QudaEigParam &param, const QuarkJob &job, bool slices, bool one_slice);

} // namespace quda
