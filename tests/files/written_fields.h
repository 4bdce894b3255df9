/// Fields that the tests of gauge files write.
#pragma once

#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "files/gauge_file.h"
#include "reference/field.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/scratch_folder.h"

inline std::string content_of(const std::string &path)
{
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline void write_content(const std::string &path, const std::string &content)
{
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

/// The four pointers of QDP links.
struct LinkPointers {
  explicit LinkPointers(const reference::QdpLinks<double> &links)
  {
    for (int mu = 0; mu < 4; mu++) p[mu] = links[mu].data();
  }
  const double *p[4];
};

/// A format as it is written in the tests; each has a name for file names and messages.
struct Variant {
  const char *name;
  quda_files::Format format;
  int precision, rows;

  quda_files::WriteOptions options() const { return {format, precision, rows, "made <for> a & test", "a Tuesday"}; }
};

/// For names of tests.
inline void PrintTo(const Variant &variant, std::ostream *out) { *out << variant.name; }

inline const Variant variants[] = {
    {"ildg_double", quda_files::Format::ildg, 8, 3},     {"ildg_single", quda_files::Format::ildg, 4, 3},
    {"scidac_double", quda_files::Format::scidac, 8, 3}, {"scidac_single", quda_files::Format::scidac, 4, 3},
    {"nersc_double", quda_files::Format::nersc, 8, 3},   {"nersc_single", quda_files::Format::nersc, 4, 3},
    {"nersc2_double", quda_files::Format::nersc, 8, 2},  {"nersc2_single", quda_files::Format::nersc, 4, 2},
    {"milc", quda_files::Format::milc_v5, 4, 3},
};

/// What a file of this kind holds of a field: rounded, third rows remade.
inline reference::GaugeField stored(const Variant &variant, const reference::GaugeField &field)
{
  reference::GaugeField out = variant.precision == 4 ? reference::rounded_to_single(field) : field;
  return variant.rows == 2 ? reference::reconstructed_12(out) : out;
}

/// The number of links that differ: all three rows bit for bit, or two and the third nearly.
inline int differing_links(const Variant &variant, const reference::GaugeField &a, const reference::GaugeField &b)
{
  int count = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < a.lattice.volume(); slot++) {
      const reference::Link &u = a.U[mu][slot], &v = b.U[mu][slot];
      const bool same = u.topRows(variant.rows) == v.topRows(variant.rows) && (u - v).cwiseAbs().maxCoeff() < 1e-15;
      if (!same) count++;
    }
  return count;
}
