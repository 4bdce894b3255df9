/// Common parts of the readers of the formats: the lattice of the links, one parser per format.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "files/lime.h"
#include "gauge_file.h"

namespace quda_files
{

/// Reals per site in a file with this many rows per link.
constexpr std::uint64_t reals_per_site(int rows) { return 4 * 6 * static_cast<std::uint64_t>(rows); }

/// Bytes of a site in the file.
inline std::uint64_t site_bytes(const GaugeFile &file)
{
  return reals_per_site(file.rows) * static_cast<std::uint64_t>(file.precision);
}

/// Sets extents and bytes of the links; refuses an extent that is not positive, or links of more than `available`
/// bytes; cannot overflow. Precision and rows must be set before.
void set_lattice(GaugeFile &file, const std::int64_t dims[4], std::uint64_t available);

/// The same if nothing may follow the links; file_bytes and data_offset must be set before.
void set_whole_lattice(GaugeFile &file, const std::int64_t dims[4]);

constexpr std::pair<std::uint32_t, Format> milc_magics[] = {
    {20103, Format::milc_v5}, {59354, Format::milc_v1}, {53546, Format::milc_1996}};
constexpr char nersc_begin[] = "BEGIN_HEADER";

GaugeFile parse_milc(InputFile &bytes, Format format, bool big_endian);
GaugeFile parse_lime(InputFile &bytes);
GaugeFile parse_nersc(InputFile &bytes);

} // namespace quda_files
