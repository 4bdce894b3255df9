/// The promise of linear_operator.h for every kind of operator: fields that are needed in between are made at the first
/// call, and later calls of a size take nothing from the pool.

#include "clover_case.h"
#include "dirac_checks.h"

#include "reference/gauge/links.h"
#include "reference/random.h"
#include "targets/target.h"

using namespace quda;
using namespace dirac_test;

TEST(EveryKind, TakesNoMemoryAfterItsFirstCall)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 4, 4});
    reference::GaugeField gauge = reference::random_gauge(lattice, 11);
    reference::set_up_links(gauge, 1, -1);
    const CloverCase on(gauge, 0.2, {Precision::double_, Reconstruct::none, 1, -1});
    LinkSet fat, of_long;
    const auto load = [&](LinkSet &set, LinkType type) {
      set.load(std::make_unique<GaugeField>(
          support::native_links(on.place, gauge, {Precision::double_, Reconstruct::none, 1, 1, type})));
    };
    load(fat, LinkType::general);
    load(of_long, LinkType::three);
    const TwistParam one = {.mu = 0.31, .rho = 0.05}, two = {.mu = 0.31, .epsilon = 0.17, .flavours = 2};
    const std::pair<const char *, DiracParam> kinds[] = {
        {"Wilson", WilsonFermions {0.12}},
        {"clover", CloverFermions {0.12, &on.clover}},
        {"Hasenbusch, symmetric", HasenbuschFermions {0.12, &on.clover, 0.3}},
        {"Hasenbusch, asymmetric", HasenbuschFermions {0.12, &on.clover, 0.3, MatPC::odd_odd_asymmetric}},
        {"twisted mass", TwistedFermions {0.12, one}},
        {"twisted mass doublet", TwistedFermions {0.12, two}},
        {"twisted clover", TwistedFermions {0.12, one, &on.clover}},
        {"twisted clover doublet", TwistedFermions {0.12, two, &on.clover}},
        {"staggered", StaggeredFermions {0.1}},
        {"improved staggered", StaggeredFermions {0.1, &of_long}},
        {"Laplace", LaplaceVectors {0.12}},
        {"covariant shift", CovariantShift {}}};
    for (const auto &[name, param] : kinds) {
      SCOPED_TRACE(name);
      const auto dirac = make_dirac(param, std::get_if<StaggeredFermions>(&param) ? fat : on.links, on.storage());
      const bool even_odd = !std::holds_alternative<CovariantShift>(param);
      const ColorSpinorField b = random_field(dirac->shape(-1, 2), on.place, 7);
      ColorSpinorField x(b.param());
      const auto settles = [&](const char *what, const auto &work) {
        work();
        const long long before = device_pool().counts().requests;
        work();
        EXPECT_EQ(device_pool().counts().requests, before) << what;
      };
      const auto operator_settles = [&](const char *what, const LinearOperator &A) {
        const ColorSpinorParam shape = A.shape(2);
        const ColorSpinorField in = random_field(shape, on.place, 8);
        ColorSpinorField out(shape);
        const Normal normal(A);
        settles(what, [&] {
          for (const bool dagger : {false, true}) {
            A(out, in, dagger);
            A.apply({.out = out, .in = in, .dagger = dagger, .end = {.x = &out, .y = &in, .b = -0.5}});
            ColorSpinorField fewer = out.columns(0, 1);
            A(fewer, in.columns(1, 1), dagger);
          }
          normal(out, in);
        });
      };
      operator_settles("full", *dirac->full());
      for (const bool dagger : {false, true}) {
        ColorSpinorField to = x.half(0);
        settles("dslash", [&] { dirac->dslash(to, b.half(1), dagger); });
      }
      if (!even_odd) continue;
      for (const MatPC matpc : all_matpc) {
        operator_settles("schur", *dirac->schur(matpc));
        ColorSpinorField c(dirac->shape(parity_of(matpc), 2)), here = x.half(parity_of(matpc));
        for (const bool dagger : {false, true})
          settles("around a solution", [&] {
            dirac->prepare(c, b, matpc, dagger);
            dirac->prepare_guess(here, matpc, dagger);
            dirac->reconstruct(x, b, matpc, dagger);
          });
      }
    }
  });
}
