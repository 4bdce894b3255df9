/// What the readers of the formats share: the lattice of the links, one parser a format.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "files/lime.h"
#include "gauge_file.h"

namespace quda_files
{

/// Real numbers of a site, as they stand in a file with this many rows a link.
constexpr std::uint64_t reals_per_site(int rows) { return 4 * 6 * static_cast<std::uint64_t>(rows); }

/// InputFile of a site in the file.
inline std::uint64_t site_bytes(const GaugeFile &file)
{
  return reals_per_site(file.rows) * static_cast<std::uint64_t>(file.precision);
}

/// Sets extents and bytes of the links, or refuses where an extent is not positive or the links would need more than
/// `available` bytes; cannot overflow. Precision and rows are to be set before.
void set_lattice(GaugeFile &file, const std::int64_t dims[4], std::uint64_t available);

/// The same where nothing follows the links, or a refusal; file_bytes and data_offset are to be set before.
void set_whole_lattice(GaugeFile &file, const std::int64_t dims[4]);

constexpr std::pair<std::uint32_t, Format> milc_magics[] = {
    {20103, Format::milc_v5}, {59354, Format::milc_v1}, {53546, Format::milc_1996}};
constexpr char nersc_begin[] = "BEGIN_HEADER";

GaugeFile parse_milc(InputFile &bytes, Format format, bool big_endian);
GaugeFile parse_lime(InputFile &bytes);
GaugeFile parse_nersc(InputFile &bytes);

} // namespace quda_files
