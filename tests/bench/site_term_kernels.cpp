/// Terms of operators that stay on a site, on spinors of both parities: twist, the twisted-mass term of a doublet and
/// of one flavour (120 and 72 flops a site and flavour); matrices in a fifth dimension of eight slices, of neighbours
/// and an inverse (120 and 168 flops a site and slice), and that inverse after Wilson's hop (1,320 more). Each spinor read
/// once and written once.

#include <cmath>

#include <Eigen/LU>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/dirac/fifth.h"
#include "ops/dirac/twist.h"
#include "ops/dirac/wilson.h"
#include "reference/dirac/fifth.h"
#include "reference/dirac/twist.h"
#include "reference/dirac/wilson.h"

namespace quda::bench
{

namespace
{

  constexpr int slices = 8, most_sites = 8 * 8 * 8 * 16;
  const TwistTerm doublet = {0.8, 0.5, -0.3}, single = {0.8, 0.5, 0};
  constexpr double beside = -0.4, wall = 0.1;
  FifthMatrix m5() { return {FifthMatrix::Numbers(slices, 1.0), FifthMatrix::Numbers(slices, beside), wall}; }

  ColorSpinorField layered(const Setting &s, int nrhs, int fifth, int flavours)
  {
    ColorSpinorParam param = s.host->native_spinors(s.precision, nrhs).param();
    param.fifth = fifth;
    param.flavours = flavours;
    return ColorSpinorField(param);
  }
  /// All right-hand sides are the same; layer i of one is i + 1 times the host's spinors.
  ColorSpinorField filled(const Setting &s, int fifth, int flavours)
  {
    ColorSpinorField all = layered(s, s.nrhs, fifth, flavours), column = layered(s, 1, fifth, flavours);
    s.host->fill(column);
    for (int n = 0; n < s.nrhs; n++) all.columns(n, 1) = column;
    all.mark_written();
    return all;
  }

  std::vector<double> numbers_of(const ColorSpinorField &column)
  {
    ColorSpinorParam param = column.param();
    std::vector<double> numbers(column.sites() * column.inner() * column.reals());
    param.order = DiracOrder::dirac;
    param.precision = Precision::double_;
    param.location = Location::host;
    param.create = Create::reference;
    param.data = numbers.data();
    ColorSpinorField host(param);
    host = column;
    return numbers;
  }
  struct Layers {
    const ColorSpinorField &of;
    friend Checksum checksum_of(const Layers &out)
    {
      const std::vector<double> first = numbers_of(out.of.columns(0, 1));
      for (int n = 1; n < out.of.rhs(); n++)
        if (numbers_of(out.of.columns(n, 1)) != first) return bench::checksum_of(std::nan(""));
      return bench::checksum_of(first);
    }
  };

  /// term(out, in), with so many flops a site, of spinors and nothing else.
  template <class Term>
  Entry site_term(const char *name, const char *table, int fifth, int flavours, double flops, const Term &term)
  {
    return {.name = name,
            .computes = Computes::any,
            .tables = {table},
            .work =
                [=](const Setting &s) {
                  const double spinors = fifth * flavours * s.spinors();
                  return Work {
                      .flops = flops * s.sites() * s.nrhs, .read = spinors, .written = spinors, .shape = Shape::copy};
                },
            .make = runs([=](const Setting &s) {
              ColorSpinorField in = filled(s, fifth, flavours);
              return [term, out = ColorSpinorField(in.param()), in = std::move(in)]() mutable {
                term(out, in);
                return Layers {out};
              };
            })};
  }
  Entry twist(const char *name, int flavours, std::vector<double> (*plainly)(HostData &))
  {
    const TwistTerm term = flavours == 2 ? doublet : single;
    Entry entry = site_term(name, "twist", 1, flavours, flavours == 2 ? 240 : 72,
                            [=](ColorSpinorField &out, const ColorSpinorField &in) { apply_twist(out, in, term); });
    entry.most_reference = most_sites;
    entry.reference = plain(plainly);
    return entry;
  }
  Entry fifth(const char *name, const FifthMatrix &matrix, double flops, std::vector<double> (*plainly)(HostData &))
  {
    Entry entry = site_term(name, "fifth", slices, 1, slices * flops,
                            [=](ColorSpinorField &out, const ColorSpinorField &in) { apply_fifth(out, in, matrix); });
    entry.features = "shared cache";
    entry.dims = {8, 8, 16, 32};
    entry.most_reference = most_sites;
    entry.reference = plain(plainly);
    return entry;
  }

  /// In the order parity, layer, site.
  std::vector<double> in_order(const reference::Slices &layers)
  {
    std::vector<double> all;
    for (int p = 0; p < 2; p++)
      for (const reference::Spinors &psi : layers)
        for (const reference::Spinor &v : reference::half_of(psi, p)) {
          const auto *z = reinterpret_cast<const double *>(v.data());
          all.insert(all.end(), z, z + 24);
        }
    return all;
  }
  reference::Slices layers_of(HostData &host, int n)
  {
    reference::Slices all(n, host.spinors());
    for (int i = 0; i < n; i++)
      for (reference::Spinor &v : all[i]) v *= i + 1.0;
    return all;
  }

  template <int flavours> std::vector<double> plain_twist(HostData &host)
  {
    reference::Slices all = layers_of(host, flavours);
    if (flavours == 1) {
      all[0] = reference::twist(all[0], single.a);
    } else {
      const reference::Doublet out = reference::twist(reference::Doublet {all[0], all[1]}, doublet.a, doublet.b);
      all = {out[0], out[1]};
    }
    std::vector<double> numbers = in_order(all);
    for (double &x : numbers) x *= doublet.scale;
    return numbers;
  }
  template <int terms> std::vector<double> plain_fifth(HostData &host)
  {
    reference::FifthMatrix M = reference::fifth_matrix(slices, 1, beside, wall, false);
    if (terms > 2) M = M.inverse().eval();
    return in_order(reference::times(M, layers_of(host, slices)));
  }

  std::vector<double> plain_fifth_hop(HostData &host)
  {
    const reference::Wilson D(host.links());
    reference::Slices psi = layers_of(host, slices);
    for (reference::Spinors &one : psi) one = D.hop(one);
    return in_order(reference::times(reference::fifth_matrix(slices, 1, beside, wall, false).inverse().eval(), psi));
  }

  const Registered site_terms[] = {
      [] {
        Entry entry = twist("twist_doublet", 2, plain_twist<2>);
        entry.features = "shared cache";
        return entry;
      }(),
      twist("twist", 1, plain_twist<1>),
      fifth("fifth", m5(), 120, plain_fifth<2>),
      fifth("fifth_inverse", m5().inverse(), 168, plain_fifth<slices>),
      Entry {.name = "fifth_hop",
             .needs = Needs::links_and_spinors,
             .computes = Computes::any,
             .tables = {"fifth_hop"},
             .features = "stencil, requests ahead",
             .dims = {8, 8, 16, 32},
             .most_reference = most_sites,
             .work =
                 [](const Setting &s) {
                   return Work {.flops = slices * (1320 + 168.0) * s.sites() * s.nrhs,
                                .read = 2 * s.links() + slices * s.spinors(),
                                .written = slices * s.spinors()};
                 },
             .make = runs([](const Setting &s) { // in one kernel or in two
               ColorSpinorField in = filled(s, slices, 1);
               return [links = s.host->native_links(s.precision, s.reconstruct), inverse = m5().inverse(),
                       out = ColorSpinorField(in.param()), in = std::move(in)]() mutable {
                 if (has_fifth_hop(links, inverse)) {
                   fifth_hop(out, in, links, inverse, false);
                 } else {
                   wilson_hop(out, in, links, false);
                   apply_fifth(out, out, inverse);
                 }
                 return Layers {out};
               };
             }),
             .reference = plain(plain_fifth_hop)},
  };

} // namespace

} // namespace quda::bench
