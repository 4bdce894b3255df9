#include "reference/random/philox.h"

namespace reference
{

Words philox(Words c, std::uint32_t k0, std::uint32_t k1)
{
  for (int round = 0; round < 10; round++) {
    const std::uint64_t a = std::uint64_t(0xD2511F53u) * c[0];
    const std::uint64_t b = std::uint64_t(0xCD9E8D57u) * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(a)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

std::array<double, 2> LinkStream::draw(std::uint32_t number) const
{
  const std::uint32_t use =
      static_cast<std::uint32_t>(purpose) << 30 | static_cast<std::uint32_t>(mu) << 28 | update << 20 | number;
  const Words w = philox({static_cast<std::uint32_t>(site), static_cast<std::uint32_t>(site >> 32), use, sweep},
                         static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
  const auto uniform = [](std::uint64_t high, std::uint64_t low) {
    return (static_cast<double>((high << 32 | low) >> 12) + 0.5) / 4503599627370496.0;
  };
  return {uniform(w[0], w[1]), uniform(w[2], w[3])};
}

} // namespace reference
