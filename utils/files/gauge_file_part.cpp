#include "gauge_file_part.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace quda_files
{

Part part_of(const GaugeFile &file, const int local[4], const int grid[4], const int coord[4])
{
  Part part = {};
  for (int d = 0; d < 4; d++) {
    const char dir = "xyzt"[d];
    if (grid[d] < 1) refuse(file.path, "process grid %d in %c must be positive", grid[d], dir);
    if (coord[d] < 0 || coord[d] >= grid[d])
      refuse(file.path, "process coordinate %d in %c is outside a grid of %d", coord[d], dir, grid[d]);
    if (file.dims[d] % grid[d] != 0)
      refuse(file.path, "lattice extent %d in %c is not divisible by the process grid's %d", file.dims[d], dir,
             grid[d]);
    if (local[d] != file.dims[d] / grid[d])
      refuse(file.path, "local extent %d in %c times process grid %d is not the file's %d", local[d], dir, grid[d],
             file.dims[d]);
    if (local[d] % 2 != 0) refuse(file.path, "local extent %d in %c must be even", local[d], dir);
    part.extents[d] = local[d];
    part.origin[d] = coord[d] * local[d];
  }
  return part;
}

std::uint64_t slot_of(const std::array<int, 4> &X, const int x[4])
{
  const std::uint64_t lex =
      ((std::uint64_t(x[3]) * static_cast<unsigned>(X[2]) + static_cast<unsigned>(x[2])) * static_cast<unsigned>(X[1]) +
       static_cast<unsigned>(x[1])) *
          static_cast<unsigned>(X[0]) +
      static_cast<unsigned>(x[0]);
  const std::uint64_t half =
      std::uint64_t(X[0]) * static_cast<unsigned>(X[1]) * static_cast<unsigned>(X[2]) * static_cast<unsigned>(X[3]) / 2;
  return ((x[0] + x[1] + x[2] + x[3]) & 1) * half + lex / 2;
}

void refuse_link(const GaugeFile &file, const Fault &f)
{
  refuse(file.path, "the link at site %d %d %d %d, direction %c, row %d, column %d holds %g", f.site[0], f.site[1],
         f.site[2], f.site[3], "xyzt"[f.k / 18], f.k % 18 / 6, f.k % 6 / 2, f.value);
}

void rebuild_third_row(double u[18])
{
  for (int c = 0; c < 3; c++) {
    const double *a = u + 2 * ((c + 1) % 3), *b = u + 2 * ((c + 2) % 3); // of the first row; the second's 6 further
    const double re = (a[0] * b[6] - a[1] * b[7]) - (b[0] * a[6] - b[1] * a[7]);
    const double im = (a[0] * b[7] + a[1] * b[6]) - (b[0] * a[7] + b[1] * a[6]);
    u[12 + 2 * c] = re;
    u[12 + 2 * c + 1] = -im;
  }
}

namespace
{
  double load_real(const GaugeFile &file, const unsigned char *bytes)
  {
    if (file.precision == 4) {
      const std::uint32_t bits = load_u32(bytes, file.big_endian);
      float single;
      std::memcpy(&single, &bits, sizeof(single));
      return single;
    }
    const std::uint64_t bits = load_u64(bytes, file.big_endian);
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }

} // namespace

void load_site(const GaugeFile &file, const unsigned char *bytes, double site[72])
{
  for (double *u = site; u < site + 72; u += 18) {
    for (int k = 0; k < 6 * file.rows; k++, bytes += file.precision) u[k] = load_real(file, bytes);
    if (file.rows == 2) rebuild_third_row(u);
  }
}

void each_site(const GaugeFile &file, const Part &part, const TakeSite &take)
{
  InputFile bytes(file.path);
  if (bytes.size() != file.file_bytes)
    refuse(file.path, "has %" PRIu64 " bytes, but had %" PRIu64 " when its head was read", bytes.size(),
           file.file_bytes);
  const std::uint64_t site = site_bytes(file);
  std::vector<unsigned char> buffer;
  each_run(file.dims, part, [&](std::uint64_t first, const int x[4], int sites) {
    buffer.resize(site * static_cast<std::uint64_t>(sites));
    bytes.read(file.data_offset + first * site, buffer.data(), buffer.size());
    for (int i = 0; i < sites; i++) {
      const int here[4] = {x[0] + i % part.extents[0], x[1] + i / part.extents[0], x[2], x[3]};
      take(first + static_cast<unsigned>(i), here, buffer.data() + site * static_cast<std::uint64_t>(i));
    }
  });
}

void read_part(const GaugeFile &file, const Part &part, double *const links[4], Checksum &checksum,
               std::optional<Fault> &fault)
{
  each_site(file, part, [&](std::uint64_t index, const int x[4], const unsigned char *bytes) {
    checksum.add_site(index, bytes);
    double site[72];
    load_site(file, bytes, site);
    for (int k = 0; k < 72 && !fault; k++)
      if (!std::isfinite(site[k])) fault = Fault {part.global(x), k, site[k]};
    const std::uint64_t slot = slot_of(part.extents, x);
    for (int mu = 0; mu < 4; mu++) std::copy_n(site + 18 * mu, 18, links[mu] + 18 * slot);
  });
}

} // namespace quda_files
