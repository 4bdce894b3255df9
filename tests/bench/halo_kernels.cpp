/// What crosses between ranks, on a lattice that is cut (ranks.h): packing, a message, which without --gridsize is to
/// oneself, unpacking. Bytes: what is packed once read, twice written (message, halo) and once read there.
///   halo_exchange  whole spinors of both parities, one layer    wilson_halo  half spinors, as the hop needs them
///   gauge_border   links two sites deep, corners included

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/dirac/hop_halo.h"
#include "ops/dirac/wilson.h"
#include "ops/halo/exchange.h"
#include "ops/halo/gauge_border.h"

namespace quda::bench
{

namespace
{

  constexpr int border_depth = 2;

  /// Sites of all faces, both sides.
  double face_sites(const Setting &s)
  {
    double sites = 0;
    for (const int extent : s.host->lattice().X) sites += 2 * s.sites() / extent;
    return sites;
  }

  Work crossing(double bytes) { return {.read = 2 * bytes, .written = 2 * bytes, .touched = 3 * bytes}; }

  const Registered halos[] = {
      Entry {.name = "halo_exchange",
             .computes = Computes::floating,
             .tables = {"halo_pack", "halo_unpack"},
             .features = "halo",
             .cut = true,
             .work = [](const Setting &s) { return crossing(face_sites(s) / s.sites() * s.spinors()); },
             .make = runs([](const Setting &s) {
               ColorSpinorField field = s.host->native_spinors(s.precision, s.nrhs);
               s.host->fill(field);
               // what arrives is seen by hops alone (wilson_cut)
               return [field = std::move(field)]() -> const ColorSpinorField & {
                 HaloExchange halo("halo_exchange", field.lattice(), {halo_shape(field, 1, field.precision())});
                 halo.pack(field);
                 halo.send();
                 halo.finish();
                 return field;
               };
             })},
      Entry {.name = "wilson_halo",
             .needs = Needs::links_and_spinors,
             .computes = Computes::floating,
             .tables = {"wilson_pack", "halo_unpack"},
             .features = "halo",
             .cut = true,
             .work =
                 [](const Setting &s) { // whole spinors are read, half spinors cross
                   Work work = crossing(face_sites(s) / 2 * 12 * s.real() * s.nrhs);
                   work.read += face_sites(s) / 2 * (12 * s.nrhs + 0.5 * static_cast<int>(s.reconstruct)) * s.real();
                   return work;
                 },
             .make = runs([](const Setting &s) {
               ColorSpinorField field = s.host->native_spinors(s.precision, s.nrhs, 0);
               s.host->fill(field);
               return [links = s.host->native_links(s.precision, s.reconstruct),
                       field = std::move(field)]() mutable -> const ColorSpinorField & {
                 const Epilogue end;
                 const HopFields fields = {field, field, links, false, end};
                 HaloExchange halo = hop_halo(wilson_kind, fields);
                 pack_hop_halo(halo, wilson_kind, fields);
                 halo.send();
                 halo.finish();
                 return field;
               };
             })},
      Entry {.name = "gauge_border",
             .needs = Needs::links,
             .tables = {"gauge_border"},
             .features = "halo",
             .cut = true,
             .work =
                 [](const Setting &s) {
                   double with_border = 1;
                   for (const int extent : s.host->lattice().X) with_border *= (extent + 2.0 * border_depth) / extent;
                   return crossing((with_border - 1) * s.links());
                 },
             .make = runs([](const Setting &s) {
               return [links = extended(s.host->native_links(s.precision, s.reconstruct),
                                        border_depth)]() mutable -> const GaugeField & {
                 exchange_border(links);
                 return links;
               };
             })},
  };

} // namespace

} // namespace quda::bench
