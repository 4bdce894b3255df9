#include "gauge_file_part.h"

#include <cmath>
#include <vector>

namespace quda_files
{

namespace
{
  // A sum of doubles in units of 2^-50, exact, so that neither the order of sites nor the process grid matters.
  class FixedSum
  {
  public:
    // False if a term is too large to be from a gauge field.
    bool add(double term)
    {
      if (!(std::abs(term) < 0x1p44)) return false;
      sum_ += static_cast<__int128>(std::nearbyint(term * 0x1p50));
      return true;
    }

    double over_all(const Combine &combine) const
    {
      std::uint64_t limbs[4];
      for (int i = 0; i < 4; i++) limbs[i] = static_cast<std::uint64_t>(sum_ >> 32 * i) & 0xffffffffu;
      if (combine.add) combine.add(limbs, 4);
      unsigned __int128 total = 0;
      for (int i = 0; i < 4; i++) total += static_cast<unsigned __int128>(limbs[i]) << 32 * i;
      return static_cast<double>(static_cast<__int128>(total)) * 0x1p-50;
    }

  private:
    __int128 sum_ = 0;
  };

  // out = a b, or a b^dag
  void multiply(const double a[18], const double b[18], bool adjoint, double out[18])
  {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double re = 0, im = 0;
        for (int k = 0; k < 3; k++) {
          const double *p = a + 2 * (3 * i + k), *q = b + 2 * (adjoint ? 3 * j + k : 3 * k + j);
          const double q_im = adjoint ? -q[1] : q[1];
          re += p[0] * q[0] - p[1] * q_im;
          im += p[0] * q_im + p[1] * q[0];
        }
        out[2 * (3 * i + j)] = re;
        out[2 * (3 * i + j) + 1] = im;
      }
  }

  double real_trace(const double u[18]) { return u[0] + u[8] + u[16]; }

  // A part's links and those of the sites one step ahead, read from the file if another rank has them.
  class Links
  {
  public:
    Links(const GaugeFile &file, const Part &part, const double *const links[4])
        : part_(part)
        , links_(links)
    {
      for (int d = 0; d < 4; d++)
        if (part.extents[d] != file.dims[d]) read_face(file, d);
    }

    const double *at(int mu, const int x[4]) const { return links_[mu] + 18 * slot_of(part_.extents, x); }

    const double *ahead(int mu, const int x[4], int d) const
    {
      int y[4] = {x[0], x[1], x[2], x[3]};
      if (++y[d] < part_.extents[d]) return at(mu, y);
      y[d] = 0;
      return faces_[d].empty() ? at(mu, y) : &faces_[d][place(y, d) * 72 + static_cast<unsigned>(18 * mu)];
    }

  private:
    // Lexicographic in the part: a face is short in its own direction, whose coordinate is 0.
    std::size_t place(const int x[4], int d) const
    {
      std::size_t index = 0;
      for (int i = 3; i >= 0; i--)
        index = index * (i == d ? 1 : static_cast<std::size_t>(part_.extents[i])) + static_cast<std::size_t>(x[i]);
      return index;
    }

    void read_face(const GaugeFile &file, int d)
    {
      Part face = part_;
      face.extents[d] = 1;
      face.origin[d] = (part_.origin[d] + part_.extents[d]) % file.dims[d];
      faces_[d].resize(72 * face.volume());
      each_site(file, face, [&](std::uint64_t, const int x[4], const unsigned char *bytes) {
        load_site(file, bytes, &faces_[d][72 * place(x, d)]);
      });
    }

    const Part &part_;
    const double *const *links_;
    std::vector<double> faces_[4];
  };

  // Adds the six plaquettes and four traces of a site.
  bool add_site(const Links &links, const int x[4], FixedSum &plaquettes, FixedSum &traces)
  {
    for (int nu = 0; nu < 4; nu++) {
      if (!traces.add(real_trace(links.at(nu, x)))) return false;
      for (int mu = 0; mu < nu; mu++) {
        double there[18], back[18], loop[18];
        multiply(links.at(mu, x), links.ahead(nu, x, mu), false, there);
        multiply(links.at(nu, x), links.ahead(mu, x, nu), false, back);
        multiply(there, back, true, loop);
        if (!plaquettes.add(real_trace(loop))) return false;
      }
    }
    return true;
  }
} // namespace

Means means_of(const GaugeFile &file, const Part &part, const double *const pointers[4], const Combine &combine)
{
  FixedSum plaquettes, traces;
  agree(file.path, "measure", combine, [&] {
    const Links links(file, part, pointers);
    const auto &X = part.extents;
    int x[4];
    for (x[3] = 0; x[3] < X[3]; x[3]++)
      for (x[2] = 0; x[2] < X[2]; x[2]++)
        for (x[1] = 0; x[1] < X[1]; x[1]++)
          for (x[0] = 0; x[0] < X[0]; x[0]++)
            if (!add_site(links, x, plaquettes, traces)) {
              const auto s = part.global(x);
              refuse(file.path, "the plaquette or trace of the links at site %d %d %d %d is not that of a gauge field",
                     s[0], s[1], s[2], s[3]);
            }
  });
  double volume = 1;
  for (int extent : file.dims) volume *= extent;
  return {plaquettes.over_all(combine) / (18 * volume), traces.over_all(combine) / (12 * volume)};
}

} // namespace quda_files
