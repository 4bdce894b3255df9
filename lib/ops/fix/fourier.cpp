#include "ops/fix/fourier.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "comms/line_exchange.h"
#include "core/error.h"

#ifdef QUDA_FFTW
#include <fftw3.h>
#endif

namespace quda
{

#ifdef QUDA_FFTW

using Complex = std::complex<double>;

/// The lines of one direction: those of the rank's sites, divided among the ranks of a line of the grid.
struct FourierFilter::Lines {
  const Lattice &lattice;
  int d, ranks;
  long long local, length; // sites of a line on this rank, in all
  long long lines, share;  // of the rank's sites, all components; most lines that one rank takes
  long long stride;        // from site to site of a line, in components
  std::vector<Complex> out, in;
  fftw_complex *line;
  fftw_plan plan[2];

  Lines(const Lattice &lattice, int d, int components)
      : lattice(lattice)
      , d(d)
      , ranks(lattice.communicator().extent(d))
      , local(lattice.X(d))
      , length(lattice.global_X()[d])
      , lines(lattice.volume() / local * components)
      , share((lines + ranks - 1) / ranks)
      , stride(components)
      , line(fftw_alloc_complex(length))
  {
    for (int e = 0; e < d; e++) stride *= lattice.X(e);
    if (ranks > 1) {
      out.resize(ranks * share * local);
      in.resize(ranks * share * local);
    }
    const int n = static_cast<int>(length);
    plan[0] = fftw_plan_dft_1d(n, line, line, FFTW_FORWARD, FFTW_ESTIMATE);
    plan[1] = fftw_plan_dft_1d(n, line, line, FFTW_BACKWARD, FFTW_ESTIMATE);
  }
  Lines(const Lines &) = delete;
  ~Lines()
  {
    for (fftw_plan one : plan) fftw_destroy_plan(one);
    fftw_free(line);
  }

  /// Its first number among data in lexicographic order.
  long long first(long long n) const { return n / stride * stride * local + n % stride; }

  void transform(Complex *data, bool back)
  {
    auto *const z = reinterpret_cast<Complex *>(line);
    if (ranks == 1) {
      for (long long n = 0; n < lines; n++) {
        Complex *const begin = data + first(n);
        for (long long j = 0; j < length; j++) z[j] = begin[j * stride];
        fftw_execute(plan[back]);
        for (long long j = 0; j < length; j++) begin[j * stride] = z[j];
      }
      return;
    }
    Communicator &comm = lattice.communicator();
    const std::size_t block = share * local;
    for (long long n = 0; n < lines; n++)
      for (long long j = 0; j < local; j++) out[n * local + j] = data[first(n) + j * stride];
    exchange_line(comm, d, out.data(), in.data(), block * sizeof(Complex));
    const long long mine = std::clamp(lines - comm.coordinate(d) * share, 0LL, share);
    for (long long n = 0; n < mine; n++) {
      for (int c = 0; c < ranks; c++) std::copy_n(&in[c * block + n * local], local, z + c * local);
      fftw_execute(plan[back]);
      for (int c = 0; c < ranks; c++) std::copy_n(z + c * local, local, &in[c * block + n * local]);
    }
    exchange_line(comm, d, in.data(), out.data(), block * sizeof(Complex));
    for (long long n = 0; n < lines; n++)
      for (long long j = 0; j < local; j++) data[first(n) + j * stride] = out[n * local + j];
  }
};

void check_fourier(const char *) {}

FourierFilter::FourierFilter(std::shared_ptr<const Lattice> lattice, int directions, int components)
    : lattice_(std::move(lattice))
    , directions_(directions)
    , components_(components)
{
  for (int d = 0; d < directions; d++) lines_.push_back(std::make_unique<Lines>(*lattice_, d, components));
}

void FourierFilter::apply(Complex *data)
{
  const Lattice &lattice = *lattice_;
  const long long volume = lattice.volume();
  // lexicographic order, and with it the number of each site in an array of the host
  std::vector<Complex> field(volume * components_);
  std::vector<double> sine2[4];
  double modes = 1;
  for (int d = 0; d < directions_; d++) {
    const auto length = static_cast<double>(lattice.global_X()[d]);
    modes *= length;
    for (int i = 0; i < lattice.X(d); i++) {
      const double s = std::sin(std::numbers::pi * static_cast<double>(lattice.origin()[d] + i) / length);
      sine2[d].push_back(s * s);
    }
  }
  const auto for_sites = [&](auto &&f) {
    long long n = 0;
    int x[4];
    for (x[3] = 0; x[3] < lattice.X(3); x[3]++)
      for (x[2] = 0; x[2] < lattice.X(2); x[2]++)
        for (x[1] = 0; x[1] < lattice.X(1); x[1]++)
          for (x[0] = 0; x[0] < lattice.X(0); x[0]++) f(n++, x);
  };
  for_sites([&](long long n, const int(&x)[4]) {
    std::copy_n(data + lattice.slot(x) * components_, components_, &field[n * components_]);
  });
  for (auto &one : lines_) one->transform(field.data(), false);
  for_sites([&](long long n, const int(&x)[4]) {
    double s = 0;
    bool still = true;
    for (int d = 0; d < directions_; d++) {
      s += sine2[d][x[d]];
      still = still && lattice.origin()[d] + x[d] == 0;
    }
    const double factor = still ? 0 : 4 / (modes * s);
    for (int i = 0; i < components_; i++) field[n * components_ + i] *= factor;
  });
  for (auto &one : lines_) one->transform(field.data(), true);
  for_sites([&](long long n, const int(&x)[4]) {
    std::copy_n(&field[n * components_], components_, data + lattice.slot(x) * components_);
  });
}

#else

struct FourierFilter::Lines {
};

void check_fourier(const char *function)
{
  fail(ErrorKind::not_built, text("%s: Fourier transforms are not built; FFTW was not found when the library was "
                                  "configured",
                                  function));
}

FourierFilter::FourierFilter(std::shared_ptr<const Lattice> lattice, int directions, int components)
    : lattice_(std::move(lattice))
    , directions_(directions)
    , components_(components)
{
  check_fourier("Fourier filter");
}

void FourierFilter::apply(std::complex<double> *) { check_fourier("Fourier filter"); }

#endif

FourierFilter::~FourierFilter() = default;

} // namespace quda
