#include "reference/propagator.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace reference
{

namespace
{

  std::uint64_t big_endian(const unsigned char *bytes)
  {
    std::uint64_t bits = 0;
    for (int b = 0; b < 8; b++) bits = bits << 8 | bytes[b];
    return bits;
  }

} // namespace

Propagator read_propagator(const std::string &path, const Lattice &lattice)
{
  std::ifstream file(path, std::ios::binary);
  std::array<unsigned char, 144> head; // of a record: magic number, version, flags, length, type
  std::uint64_t length = 0;
  while (file.read(reinterpret_cast<char *>(head.data()), head.size())) {
    length = big_endian(head.data() + 8);
    if (std::strcmp(reinterpret_cast<const char *>(head.data() + 16), "scidac-binary-data") == 0) break;
    file.seekg(static_cast<std::streamoff>((length + 7) / 8 * 8), std::ios::cur);
  }
  constexpr std::size_t site_reals = 288;
  std::vector<unsigned char> bytes(lattice.volume() * site_reals * 8);
  if (!file || length != bytes.size() ||
      !file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    throw std::runtime_error(path + ": no propagator on this lattice");
  const auto real_at = [&](std::size_t i) {
    const std::uint64_t bits = big_endian(bytes.data() + 8 * i);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  Propagator all;
  for (int column = 0; column < 12; column++) {
    all[column].resize(lattice.volume());
    for (std::size_t slot = 0; slot < lattice.volume(); slot++)
      for (int spin = 0; spin < 4; spin++)
        for (int colour = 0; colour < 3; colour++) {
          const std::size_t at = lattice.lexicographic(lattice.coords(slot)) * site_reals +
                                 2 * (((spin * 4 + column / 3) * 3 + colour) * 3 + column % 3);
          all[column][slot](spin, colour) = Complex(real_at(at), real_at(at + 1));
        }
  }
  return all;
}

std::vector<double> correlator(const Propagator &S, const Lattice &lattice)
{
  std::vector<double> sum(lattice.X[3]);
  for (const Spinors &column : S)
    for (std::size_t slot = 0; slot < column.size(); slot++) sum[lattice.coords(slot)[3]] += column[slot].squaredNorm();
  return sum;
}

} // namespace reference
