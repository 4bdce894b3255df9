#include "gauge_file_parse.h"

#include <cinttypes>

namespace quda_files
{

void set_lattice(GaugeFile &file, const std::int64_t dims[4], std::uint64_t available)
{
  const std::uint64_t site = site_bytes(file), most = available / site;
  std::uint64_t volume = 1;
  for (int d = 0; d < 4; d++) {
    if (dims[d] < 1 || dims[d] > INT32_MAX)
      refuse(file.path,
             "lattice %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 ": the extent in %c is not a possible one", dims[0],
             dims[1], dims[2], dims[3], "xyzt"[d]);
    const auto extent = static_cast<std::uint64_t>(dims[d]);
    if (volume > most / extent)
      refuse(file.path,
             "truncated or wrong: %" PRIu64 " bytes of links are there, less than the lattice %" PRId64 " %" PRId64
             " %" PRId64 " %" PRId64 " needs at %" PRIu64 " a site",
             available, dims[0], dims[1], dims[2], dims[3], site);
    volume *= extent;
    file.dims[d] = static_cast<int>(dims[d]);
  }
  file.data_bytes = volume * site;
}

void set_whole_lattice(GaugeFile &file, const std::int64_t dims[4])
{
  const std::uint64_t available = file.file_bytes - file.data_offset;
  set_lattice(file, dims, available);
  if (file.data_bytes != available)
    refuse(file.path, "%" PRIu64 " bytes follow the header, but its lattice %d %d %d %d needs %" PRIu64, available,
           file.dims[0], file.dims[1], file.dims[2], file.dims[3], file.data_bytes);
}

} // namespace quda_files
