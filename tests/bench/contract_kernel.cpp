/// contract_open, contract_bilinears: two spinor fields of both parities, site by site, 16 complex numbers a site. 288
/// and 544 flops a site; each spinor once, each result once. contract_propagators: two propagators of twelve columns.
/// plane_waves: sums over time slices of a complex number a site times eight plane waves. slice_products: 32 colour
/// vectors times twelve quark fields, 96 flops a site each, summed over time slices; each field once. wave_panel: elementals
/// of 32 colour vectors with four plane waves, 24 flops a site, pair and wave and 36 a vector and wave; vectors twice, the
/// products of vectors and waves written and read.

#include <algorithm>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/contract/elementals.h"
#include "ops/contract/plane_waves.h"
#include "ops/contract/propagators.h"
#include "ops/contract/sitewise.h"
#include "ops/contract/slice_products.h"
#include "reference/contract/distillation.h"
#include "reference/contract/propagators.h"
#include "reference/contract/sitewise.h"

namespace quda::bench
{

namespace
{

  constexpr double result_reals = 32;
  double flops_of(Contraction type) { return type == Contraction::open ? 288 : 544; }

  reference::SpinMatrix expected(const reference::Spinor &x, const reference::Spinor &y, Contraction type)
  {
    static const auto gammas = reference::contraction_gammas(false);
    const reference::SpinMatrix open = reference::open_contraction(x, y);
    if (type == Contraction::open) return open;
    reference::SpinMatrix bilinears;
    for (int G = 0; G < 16; G++) bilinears.data()[G] = gammas[G].cwiseProduct(open).sum();
    return bilinears;
  }

  template <Contraction type> class Contract : public Kernel
  {
  public:
    explicit Contract(const Setting &setting)
        : host_(*setting.host)
        , x_(host_.native_spinors(setting.precision, setting.nrhs))
        , y_(host_.native_spinors(setting.precision, setting.nrhs))
        , result_(contraction_param(x_, type))
    {
      host_.fill(x_);
      reference::Spinors y(host_.spinors().size() * setting.nrhs);
      for (int p = 0; p < 2; p++)
        for (int i = 0; i < setting.nrhs; i++)
          for (std::size_t x_cb = 0; x_cb < half(); x_cb++) y[(p * setting.nrhs + i) * half() + x_cb] = other(p, x_cb);
      ColorSpinorParam param = y_.param();
      param.order = DiracOrder::dirac;
      param.precision = Precision::double_;
      param.location = Location::host;
      param.create = Create::reference;
      param.data = y.front().data();
      y_ = ColorSpinorField(param);
    }
    void run() override { contract(x_, y_, result_, type); }
    static Work work(const Setting &s)
    {
      return {.flops = flops_of(type) * s.sites() * s.nrhs,
              .read = 2 * s.spinors(),
              .written = result_reals * s.real() * s.sites() * s.nrhs,
              .shape = Shape::copy};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(result_);
    }

  private:
    std::size_t half() const { return host_.lattice().half(); }
    /// The second field: the first, site by site from the end.
    const reference::Spinor &other(int parity, std::size_t x_cb)
    {
      return host_.spinors()[2 * half() - 1 - (parity * half() + x_cb)];
    }

    HostData &host_;
    ColorSpinorField x_, y_;
    SiteField result_;
  };

  template <Contraction type> Entry contraction(const char *name)
  {
    return {.name = name,
            .tables = {name},
            .features = "streaming stores",
            .work = Contract<type>::work,
            .make = made<Contract<type>>,
            .reference = plain([](HostData &host) {
              const reference::Spinors &x = host.spinors();
              std::vector<double> result(x.size() * 32);
#pragma omp parallel for
              for (std::size_t i = 0; i < x.size(); i++) {
                const reference::SpinMatrix one = expected(x[i], x[x.size() - 1 - i], type);
                std::copy_n(reinterpret_cast<const double *>(one.data()), 32, &result[32 * i]);
              }
              return result;
            })};
  }

  const Registered contractions[] = {contraction<Contraction::open>("contract_open"),
                                     contraction<Contraction::bilinears>("contract_bilinears")};

  constexpr int spinors_each = 12;

  /// With X = psi w^T for each colour of the source: psi^dag M psi times w^T M w, M = gamma5 Gamma_G; (parity, G,
  /// x_cb).
  std::vector<double> products_of(HostData &host)
  {
    constexpr int order[16] = {1, 2, 3, 4, 6, 7, 8, 9, 0, 5, 10, 11, 12, 13, 14, 15};
    const auto gammas = reference::contraction_gammas(true);
    const std::size_t half = host.lattice().half();
    const reference::Spinors &psi = host.spinors();
    std::vector<double> result(32 * psi.size());
    for (int G = 0; G < 16; G++) {
      const reference::SpinMatrix M = reference::gamma5(reference::Basis::degrand_rossi) * gammas[order[G]];
      reference::Complex of_source = 0;
      for (int k = 0; k < 3; k++) {
        Eigen::Vector4cd w;
        for (int s = 0; s < 4; s++) w(s) = 3.0 * s + k + 1;
        of_source += (w.transpose() * M * w).value();
      }
      for (std::size_t i = 0; i < psi.size(); i++) {
        const reference::Complex one = of_source * (psi[i].adjoint() * M * psi[i]).trace();
        double *const to = &result[2 * ((i / half * 16 + G) * half + i % half)];
        to[0] = one.real();
        to[1] = one.imag();
      }
    }
    return result;
  }

  const Registered propagators({.name = "contract_propagators",
                                .needs = Needs::own,
                                .tables = {"contract_propagators"},
                                .features = "many columns at a site",
                                .dims = {8, 8, 8, 16},
                                .work =
                                    [](const Setting &s) {
                                      return Work {.flops = (24.0 * 16 * spinors_each + 384) * s.sites(),
                                                   .read = 2 * spinors_each * 24 * s.real() * s.sites(),
                                                   .written = 32 * s.real() * s.sites()};
                                    },
                                .make = runs([](const Setting &s) { // column i is i + 1 times the host's spinors
                                  ColorSpinorField x = s.host->native_spinors(s.precision, spinors_each), y(x.param());
                                  s.host->fill(x);
                                  s.host->fill(y);
                                  return [result = SiteField(propagators_param(x)), x = std::move(x),
                                          y = std::move(y)]() mutable {
                                    contract_propagators(x, y, result);
                                    return AllEntries {result};
                                  };
                                }),
                                .reference = plain(products_of)});

  constexpr int n_waves = 8, wave_origin[4] = {1, 0, 3, 2};

  /// Number w of eight, and the same for the plain reference.
  PlaneWave wave_number(int w) { return {{w % 3, 1 - w % 2, w - 4, 1}, {}}; }

  const Registered
      plane_waves({.name = "plane_waves",
                   .needs = Needs::own,
                   .tables = {"plane_waves"},
                   .features = "exact sums, several launches",
                   .work =
                       [](const Setting &s) {
                         return Work {.flops = 24.0 * n_waves * s.sites(), .read = 2 * s.real() * s.sites()};
                       },
                   .make = runs([](const Setting &s) { // of the first component of the spinors
                     std::vector<reference::Complex> all;
                     for (const reference::Spinor &psi : s.host->spinors()) all.push_back(psi(0, 0));
                     SiteField numbers(SiteFieldParam {s.host->native_spinors(s.precision, 1).param(), 2, true});
                     SiteFieldParam host = numbers.param();
                     host.native = false;
                     host.precision = Precision::double_;
                     host.location = Location::host;
                     host.create = Create::reference;
                     host.data = all.data();
                     numbers = SiteField(host);
                     std::vector<PlaneWave> waves;
                     for (int w = 0; w < n_waves; w++) waves.push_back(wave_number(w));
                     return [numbers = std::move(numbers), waves] {
                       return sum_plane_waves(numbers, 3, waves, wave_origin);
                     };
                   }),
                   .reference = plain([](HostData &host) {
                     reference::SiteNumbers numbers;
                     for (const reference::Spinor &psi : host.spinors()) numbers.push_back({psi(0, 0)});
                     std::vector<reference::PlaneWave> waves;
                     for (int w = 0; w < n_waves; w++) {
                       const PlaneWave wave = wave_number(w);
                       waves.push_back({{wave.mode[0], wave.mode[1], wave.mode[2], wave.mode[3]}, {3, 3, 3, 3}});
                     }
                     const reference::Coords origin {wave_origin[0], wave_origin[1], wave_origin[2], wave_origin[3]};
                     return reference::sum_waves(numbers, host.lattice(), waves, 3, origin);
                   })});

  constexpr int n_vectors = 32, n_quarks = 12;

  /// n fields on a lattice whose slices fill registers, number i being i + 1 times the first spins of the host's spinors.
  ColorSpinorField multiples(const Setting &s, int spins, int n)
  {
    ColorSpinorParam param = s.host->native_spinors(s.precision, 1).param();
    const Lattice &like = *param.lattice;
    param.lattice = Lattice::sliced(like.X(), like.shared_communicator(), 3);
    param.spins = spins;
    param.rhs = n;
    ColorSpinorField all(param);
    std::vector<double> numbers(6 * spins * s.host->spinors().size());
    param.rhs = 1;
    param.order = DiracOrder::dirac;
    param.precision = Precision::double_;
    param.location = Location::host;
    param.create = Create::reference;
    param.data = numbers.data();
    for (int i = 0; i < n; i++) {
      double *to = numbers.data();
      for (const reference::Spinor &psi : s.host->spinors())
        for (int k = 0; k < 3 * spins; k++) {
          *to++ = (i + 1) * psi.data()[k].real();
          *to++ = (i + 1) * psi.data()[k].imag();
        }
      all.columns(i, 1) = ColorSpinorField(param);
    }
    return all;
  }

  /// One product, times the numbers of the fields.
  std::vector<reference::Complex> products_with_slices(HostData &host)
  {
    const reference::Propagator one = {host.spinors()};
    const std::vector<reference::Complex> sums = reference::slice_products(one, one, host.lattice());
    std::vector<reference::Complex> all;
    for (int q = 0; q < n_quarks; q++)
      for (int e = 0; e < n_vectors; e++)
        for (const reference::Complex &sum : sums) all.push_back((q + 1.0) * (e + 1.0) * sum);
    return all;
  }

  const Registered
      slice_products_entry({.name = "slice_products",
                            .needs = Needs::own,
                            .tables = {"slice_products"},
                            .features = "many columns, exact sums of cubes",
                            .dims = {16, 16, 16, 16},
                            .work =
                                [](const Setting &s) {
                                  return Work {.flops = 96.0 * n_vectors * n_quarks * s.sites(),
                                               .read = (6 * n_vectors + 24 * n_quarks) * s.real() * s.sites()};
                                },
                            .make = runs([](const Setting &s) { // quark fields have all spins, vectors spin 0
                              return [vectors = multiples(s, 1, n_vectors), quarks = multiples(s, 4, n_quarks)] {
                                return slice_products(vectors, quarks);
                              };
                            }),
                            .reference = plain(products_with_slices),
                            .times_reference = false});

  const PlaneWave vector_waves[] = {wave_number(0), wave_number(1), wave_number(2), wave_number(3)};

  /// (wave, t, i, j): sums of |v|^2 times the waves, times the numbers of the vectors.
  std::vector<reference::Complex> elementals_of(HostData &host)
  {
    reference::SiteNumbers squares;
    for (const reference::Spinor &psi : host.spinors()) squares.push_back({psi.row(0).squaredNorm()});
    std::vector<reference::PlaneWave> waves;
    for (const PlaneWave &wave : vector_waves)
      waves.push_back({{wave.mode[0], wave.mode[1], wave.mode[2], wave.mode[3]}, {3, 3, 3, 3}});
    const reference::Coords origin {wave_origin[0], wave_origin[1], wave_origin[2], wave_origin[3]};
    std::vector<reference::Complex> all;
    for (const reference::Complex &sum : reference::sum_waves(squares, host.lattice(), waves, 3, origin))
      for (int i = 0; i < n_vectors; i++)
        for (int j = 0; j < n_vectors; j++) all.push_back((i + 1.0) * (j + 1.0) * sum);
    return all;
  }

  const Registered elementals_entry({.name = "wave_panel",
                                     .needs = Needs::own,
                                     .tables = {"wave_panel"},
                                     .features = "many columns, products in a panel of fields",
                                     .dims = {16, 16, 16, 16},
                                     .work =
                                         [](const Setting &s) {
                                           const double vectors = 6 * n_vectors * s.real() * s.sites(),
                                                        panel = std::size(vector_waves) * vectors;
                                           return Work {.flops = (24.0 * n_vectors + 36) * n_vectors *
                                                                 std::size(vector_waves) * s.sites(),
                                                        .read = 2 * vectors + panel,
                                                        .written = panel};
                                         },
                                     .make = runs([](const Setting &s) {
                                       return [vectors = multiples(s, 1, n_vectors)] {
                                         return elementals(vectors, vectors, vector_waves, wave_origin);
                                       };
                                     }),
                                     .reference = plain(elementals_of),
                                     .times_reference = false});

} // namespace

} // namespace quda::bench
