#pragma once

/// Quark fields of all ranks in one file (lib/files/vector_file.h), which only the first rank writes and reads, with
/// pieces that travel through the communicator; or in parts, each rank's sites in its own file, which several ranks
/// read on the grid that wrote it. A single rank has one file either way.
/// Memory    : the fields in the host's memory, in the file's precision, and a piece of the file.
/// Errors    : of kind file, on all ranks, with function and member. Collective: yes.

#include "fields/color_spinor_field.h"
#include "files/vector_file.h"

#include <string>
#include <vector>

namespace quda
{

/// A member that names a file, and its function.
struct NamedFile {
  const char *function, *member;
  std::string path;
  const char *structure = "QudaEigParam";
  bool parts = false; // one file per rank
};

/// One of `like`'s right-hand sides in the host's memory in the form of files, in double or single precision.
ColorSpinorField file_field(const ColorSpinorParam &like, Precision precision);

/// Writes all fields, of one shape and of file_field()'s kind. inflate: writes fields of one parity on all sites. Until
/// the file is whole, it does not exist or is unchanged.
void save_vectors(const NamedFile &file, const std::vector<ColorSpinorField> &fields, bool inflate,
                  const quda_files::VectorNote &note);

struct LoadedVectors {
  std::vector<ColorSpinorField> fields; // in the file's precision
  std::string says;                     // the file's text on their matrix
};
/// Reads `count` fields like one of `like`'s right-hand sides, inflated or not. Refuses other fields, and fields that
/// fail their checksums.
LoadedVectors load_vectors(const NamedFile &file, const ColorSpinorParam &like, int count);

/// Refuses a folder in which no file can be created, before anything is computed.
void check_can_be_made(const NamedFile &file);

} // namespace quda
