#pragma once

/// Quark fields of all ranks in one file (lib/files/vector_file.h), written and read by the first rank alone, pieces of
/// which travel through the communicator; or in parts, each rank's sites in a file of its own, which several ranks
/// read on the grid that it was written on. One rank alone has one file either way.
/// Memory    : of the fields in the host's memory, in the file's precision, and of a piece of the file.
/// Errors    : of kind file, on all ranks, naming function and member. Collective: yes.

#include "fields/color_spinor_field.h"
#include "files/vector_file.h"

#include <string>
#include <vector>

namespace quda
{

/// A member that names a file, and whose it is.
struct NamedFile {
  const char *function, *member;
  std::string path;
  const char *structure = "QudaEigParam";
  bool parts = false; // a file a rank
};

/// A field in the host's memory as files have it, in double or single precision: of one of `like`'s right-hand sides.
ColorSpinorField file_field(const ColorSpinorParam &like, Precision precision);

/// Writes all fields, alike and of file_field()'s kind. inflate: those of one parity on all sites. The file is not there,
/// or as it was, until it is whole.
void save_vectors(const NamedFile &file, const std::vector<ColorSpinorField> &fields, bool inflate,
                  const quda_files::VectorNote &note);

struct LoadedVectors {
  std::vector<ColorSpinorField> fields; // of the file's precision
  std::string says;                     // of what matrix they are, by the file
};
/// Reads `count` fields like one of `like`'s right-hand sides, inflated ones or not. Refuses other fields than these,
/// and what checksums do not confirm.
LoadedVectors load_vectors(const NamedFile &file, const ColorSpinorParam &like, int count);

/// Refuses a folder in which no file can be made, before anything is computed.
void check_can_be_made(const NamedFile &file);

} // namespace quda
