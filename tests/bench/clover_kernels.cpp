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

  class CloverTermFromLinks : public Kernel
  {
  public:
    explicit CloverTermFromLinks(const Setting &s)
        : links_(s.host->native_links(s.precision, s.reconstruct))
        , term_(s.host->native_clover(s.precision))
    {
    }
    void run() override { clover_term(term_, links_, term_coefficient); }
    static Work work(const Setting &s)
    {
      return {.flops = 11088 * s.sites(), .read = s.links(), .written = term_bytes(s)};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(term_);
    }

  private:
    GaugeField links_;
    CloverField term_;
  };

  /// A^-1, A^2 + 1, or A A as a product of two.
  enum class Made { inverse, square, product };
  template <Made what> class CloverFromTerm : public Kernel
  {
  public:
    explicit CloverFromTerm(const Setting &s)
        : term_(term_of(s))
        , made_(s.host->native_clover(s.precision))
    {
    }
    void run() override
    {
      if (what == Made::square)
        clover_square(made_, term_, 1);
      else if (what == Made::product)
        clover_product(made_, term_, term_);
      else
        clover_inverse(&made_, term_);
    }
    static Work work(const Setting &s)
    {
      return {.flops = 2 *
                       (what == Made::square    ? 657
                        : what == Made::product ? 846
                                                : 1086) *
                       s.sites(),
              .read = term_bytes(s),
              .written = term_bytes(s),
              .shape = Shape::copy};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(made_);
    }

  private:
    CloverField term_, made_;
  };

  class CloverApply : public Kernel
  {
  public:
    explicit CloverApply(const Setting &s)
        : term_(term_of(s))
        , in_(s.host->native_spinors(s.precision, s.nrhs))
        , out_(s.host->native_spinors(s.precision, s.nrhs))
    {
      s.host->fill(in_);
    }
    void run() override { apply_clover(out_, in_, term_); }
    static Work work(const Setting &s)
    {
      return {.flops = 504 * s.sites() * s.nrhs, .read = term_bytes(s) + s.spinors(), .written = s.spinors()};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(out_);
    }

  private:
    CloverField term_;
    ColorSpinorField in_, out_;
  };

  reference::SiteMatrices plain_term(HostData &host) { return reference::clover_term(host.links(), term_coefficient); }

  std::vector<double> packed(HostData &host, const reference::SiteMatrices &A)
  {
    return reference::to_packed<double>(A, host.lattice(), reference::Part(host.lattice()));
  }

  constexpr int most_sites = 16 * 16 * 16 * 16;

  const Registered clover_entries[] = {
      Entry {.name = "clover_term",
             .needs = Needs::links,
             .tables = {"clover_term"},
             .features = "stencil, requests ahead",
             .most_reference = most_sites,
             .work = CloverTermFromLinks::work,
             .make = made<CloverTermFromLinks>,
             .reference = plain([](HostData &host) { return packed(host, plain_term(host)); })},
      Entry {.name = "clover_inverse",
             .tables = {"clover_inverse"},
             .features = "exact sums",
             .most_reference = most_sites,
             .work = CloverFromTerm<Made::inverse>::work,
             .make = made<CloverFromTerm<Made::inverse>>,
             .reference = plain([](HostData &host) { return packed(host, reference::inverse(plain_term(host))); })},
      Entry {.name = "clover_square",
             .tables = {"clover_square"},
             .most_reference = most_sites,
             .work = CloverFromTerm<Made::square>::work,
             .make = made<CloverFromTerm<Made::square>>,
             .reference = plain([](HostData &host) {
               reference::SiteMatrices squares = plain_term(host);
               for (auto &a : squares) a = a * a + reference::SiteMatrix::Identity();
               return packed(host, squares);
             })},
      Entry {.name = "clover_product",
             .tables = {"clover_product"},
             .most_reference = most_sites,
             .work = CloverFromTerm<Made::product>::work,
             .make = made<CloverFromTerm<Made::product>>,
             .reference = plain([](HostData &host) {
               reference::SiteMatrices squares = plain_term(host);
               for (auto &a : squares) a = a * a;
               return packed(host, squares);
             })},
      Entry {.name = "clover_apply",
             .computes = Computes::any,
             .tables = {"clover_apply"},
             .features = "streaming stores",
             .most_reference = most_sites,
             .work = CloverApply::work,
             .make = made<CloverApply>,
             .reference = plain([](HostData &host) { return reference::times(plain_term(host), host.spinors()); })},
  };

} // namespace

} // namespace quda::bench
