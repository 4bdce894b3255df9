/// Clover terms. clover_term from links: 11,088 flops a site; links once, 72 numbers a site written. clover_inverse,
/// with determinants: 2,172 flops a site. clover_apply, the term times spinors of both parities: 504 flops a site.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/clover/term.h"
#include "ops/dirac/clover.h"
#include "reference/dirac/clover.h"

namespace quda::bench
{

namespace
{

  constexpr double term_coefficient = 0.125;

  double term_bytes(const Setting &s)
  {
    return s.sites() * (72 * s.real() + (s.precision == Precision::half ? CloverField::blocks * sizeof(float) : 0));
  }

  /// A clover term in a precision.
  CloverField term_of(const Setting &s)
  {
    CloverField term = s.host->native_clover(Precision::double_), stored = s.host->native_clover(s.precision);
    clover_term(term, s.host->native_links(Precision::double_, Reconstruct::none), term_coefficient);
    stored = term;
    return stored;
  }

  reference::SiteMatrices plain_term(HostData &host) { return reference::clover_term(host.links(), term_coefficient); }

  std::vector<double> packed(HostData &host, const reference::SiteMatrices &A)
  {
    return reference::to_packed<double>(A, host.lattice(), reference::Part(host.lattice()));
  }

  constexpr int most_sites = 16 * 16 * 16 * 16;

  /// What make(made, term) makes of a term, and plainly of the plain one.
  Entry from_term(const char *name, const char *features, double flops, void (*make)(CloverField &, CloverField &),
                  reference::SiteMatrices (*plainly)(reference::SiteMatrices))
  {
    return {
        .name = name,
        .tables = {name},
        .features = features,
        .most_reference = most_sites,
        .work =
            [=](const Setting &s) {
              return Work {
                  .flops = flops * s.sites(), .read = term_bytes(s), .written = term_bytes(s), .shape = Shape::copy};
            },
        .make = runs([=](const Setting &s) {
          return [=, term = term_of(s), made = s.host->native_clover(s.precision)]() mutable -> const CloverField & {
            make(made, term);
            return made;
          };
        }),
        .reference = plain([=](HostData &host) { return packed(host, plainly(plain_term(host))); })};
  }

  const Registered clover_entries[] = {
      Entry {.name = "clover_term",
             .needs = Needs::links,
             .tables = {"clover_term"},
             .features = "stencil, requests ahead",
             .most_reference = most_sites,
             .work =
                 [](const Setting &s) {
                   return Work {.flops = 11088 * s.sites(), .read = s.links(), .written = term_bytes(s)};
                 },
             .make = runs([](const Setting &s) {
               return [links = s.host->native_links(s.precision, s.reconstruct),
                       term = s.host->native_clover(s.precision)]() mutable -> const CloverField & {
                 clover_term(term, links, term_coefficient);
                 return term;
               };
             }),
             .reference = plain([](HostData &host) { return packed(host, plain_term(host)); })},
      from_term(
          "clover_inverse", "exact sums", 2 * 1086, [](CloverField &made, CloverField &A) { clover_inverse(&made, A); },
          [](reference::SiteMatrices all) { return reference::inverse(all); }),
      from_term(
          "clover_square", "", 2 * 657, [](CloverField &made, CloverField &A) { clover_square(made, A, 1); },
          [](reference::SiteMatrices all) {
            for (auto &a : all) a = a * a + reference::SiteMatrix::Identity();
            return all;
          }),
      from_term(
          "clover_product", "", 2 * 846, [](CloverField &made, CloverField &A) { clover_product(made, A, A); },
          [](reference::SiteMatrices all) {
            for (auto &a : all) a = a * a;
            return all;
          }),
      Entry {.name = "clover_apply",
             .computes = Computes::any,
             .tables = {"clover_apply"},
             .features = "streaming stores",
             .most_reference = most_sites,
             .work =
                 [](const Setting &s) {
                   return Work {
                       .flops = 504 * s.sites() * s.nrhs, .read = term_bytes(s) + s.spinors(), .written = s.spinors()};
                 },
             .make = runs([](const Setting &s) {
               ColorSpinorField in = s.host->native_spinors(s.precision, s.nrhs);
               s.host->fill(in);
               return [term = term_of(s), out = ColorSpinorField(in.param()),
                       in = std::move(in)]() mutable -> const ColorSpinorField & {
                 apply_clover(out, in, term);
                 return out;
               };
             }),
             .reference = plain([](HostData &host) { return reference::times(plain_term(host), host.spinors()); })},
  };

} // namespace

} // namespace quda::bench
