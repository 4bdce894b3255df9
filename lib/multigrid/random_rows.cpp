#include "multigrid/random_rows.h"

#include "ops/multigrid/rows.h"

namespace quda
{

namespace
{

  constexpr unsigned long long seed = 1234;

  /// Uniform random numbers of a site of the whole lattice.
  class SiteNumbers
  {
  public:
    SiteNumbers(unsigned long long stream, unsigned long long site)
        : state_(mixed(stream) ^ mixed(site + 0x632be59bd9b4e019ull))
    {
    }
    /// -1 to 1
    double next()
    {
      state_ += 0x9e3779b97f4a7c15ull;
      return static_cast<double>(static_cast<long long>(mixed(state_))) * 0x1p-63;
    }

  private:
    static unsigned long long mixed(unsigned long long z)
    {
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
      z = (z ^ z >> 27) * 0x94d049bb133111ebull;
      return z ^ z >> 31;
    }
    unsigned long long state_;
  };

} // namespace

void random_rows(ColorSpinorField &out, int rows, unsigned long long first)
{
  const Lattice &lattice = out.lattice();
  RowArray numbers(static_cast<std::size_t>(out.sites()) * static_cast<std::size_t>(out.rhs() * rows));
  std::complex<double> *to = numbers.data();
  const long long begin = out.parities() == 2 || out.parity() == 0 ? 0 : lattice.volume_cb();
  for (long long slot = begin; slot < begin + out.sites(); slot++) {
    int x[4];
    lattice.slot_coordinates(slot, x);
    unsigned long long site = 0;
    for (int d = 3; d >= 0; d--)
      site = site * static_cast<unsigned long long>(lattice.global_X()[d]) +
             static_cast<unsigned long long>(lattice.origin()[d] + x[d]);
    for (int j = 0; j < out.rhs(); j++) {
      SiteNumbers random(seed + first + static_cast<unsigned>(j), site);
      for (int r = 0; r < rows; r++) {
        const double re = random.next(), im = random.next();
        *to++ = {re, im};
      }
    }
  }
  from_host(out, rows, numbers);
}

} // namespace quda
