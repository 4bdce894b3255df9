/// Calls of staggered operators that are wrong in one thing.

#include "bad_calls.h"

#include <cmath>

namespace test
{

TEST_F(BadCalls, Staggered)
{
  using P = QudaInvertParam;
  using Spoil = std::function<void(P &)>;
  const auto param_of = [](QudaDslashType type, const Spoil &spoil) {
    P param = wilson_param();
    param.dslash_type = type;
    param.mass = 0.1;
    param.mass_normalization = QUDA_MASS_NORMALIZATION;
    param.inv_type = QUDA_CG_INVERTER;
    param.solve_type = QUDA_DIRECT_PC_SOLVE;
    param.tol = 1e-6;
    param.maxiter = 100;
    param.reliable_delta = 0.1;
    spoil(param);
    return param;
  };
  constexpr auto naive = QUDA_STAGGERED_DSLASH, improved = QUDA_ASQTAD_DSLASH;
  const auto one_hop = [&](QudaDslashType type, const Spoil &spoil) {
    return [this, param = param_of(type, spoil)]() mutable {
      dslashQuda(out.data(), in.data(), &param, QUDA_EVEN_PARITY);
    };
  };
  const auto one_matrix = [&](const Spoil &spoil) {
    return [this, param = param_of(naive, spoil)]() mutable { MatQuda(out.data(), in.data(), &param); };
  };
  const auto square = [&](const Spoil &spoil) {
    return [this, param = param_of(naive, spoil)]() mutable { MatDagMatQuda(out.data(), in.data(), &param); };
  };
  const auto solve = [&](const Spoil &spoil) {
    return [this, param = param_of(naive, spoil)]() mutable { invertQuda(out.data(), in.data(), &param); };
  };
  const auto shifts = [&](const Spoil &spoil) {
    const auto good = [spoil](P &p) {
      p.solution_type = QUDA_MATPC_SOLUTION;
      p.num_offset = 2;
      for (int k = 0; k < 2; k++) p.offset[k] = p.tol_offset[k] = 1e-3 * (k + 1);
      spoil(p);
    };
    return [this, param = param_of(naive, good)]() mutable {
      void *x[] = {out.data(), out.data()};
      invertMultiShiftQuda(x, in.data(), &param);
    };
  };
  const auto sources = [&](const Spoil &spoil) {
    return [this, param = param_of(naive, spoil)]() mutable {
      void *x[] = {out.data(), out.data()}, *b[] = {in.data(), in.data()};
      invertMultiSrcQuda(x, b, &param);
    };
  };
  const auto load_of = [&](QudaLinkType type, const OfGauge &spoil) {
    return load([type, spoil](QudaGaugeParam &p) {
      p.type = type;
      p.scale = 1;
      spoil(p);
    });
  };
  const double unset = newQudaInvertParam().mass;
  expect_refused({
      {"no fat links", one_hop(improved, [](auto &) {}), bad, {"dslashQuda", "QUDA_ASQTAD_FAT_LINKS are resident"}},
      {"fat links of 13 numbers",
       load_of(QUDA_ASQTAD_FAT_LINKS, [](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_13; }),
       unsupported,
       {"loadGaugeQuda", "QudaGaugeParam.reconstruct", "QUDA_RECONSTRUCT_13"}},
      {"long links of 12 numbers",
       load_of(QUDA_ASQTAD_LONG_LINKS, [](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_12; }),
       bad,
       {"loadGaugeQuda", "reconstruct = 12"}},
      {"mass unset", one_matrix([=](auto &p) { p.mass = unset; }), bad, {"MatQuda", "QudaInvertParam.mass", "unset"}},
      {"mass not a number", one_matrix([](auto &p) { p.mass = NAN; }), bad, {"QudaInvertParam.mass = "}},
      {"mass of a hop",
       one_hop(naive,
               [](auto &p) {
                 p.mass = 0;
                 p.mass_normalization = QUDA_KAPPA_NORMALIZATION;
               }),
       bad,
       {"dslashQuda", "mass = 0 with mass_normalization = QUDA_KAPPA_NORMALIZATION"}},
      {"square on one parity",
       square([](auto &p) { p.solution_type = QUDA_MATPC_SOLUTION; }),
       bad,
       {"MatDagMatQuda", "QUDA_MATPC_SOLUTION", "QUDA_STAGGERED_DSLASH"}},
      {"normal equations on one parity",
       solve([](auto &p) { p.solve_type = QUDA_NORMOP_PC_SOLVE; }),
       bad,
       {"invertQuda", "QUDA_NORMOP_PC_SOLVE", "QUDA_DIRECT_PC_SOLVE"}},
      {"a square on one parity to be solved",
       solve([](auto &p) { p.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION; }),
       bad,
       {"invertQuda", "QUDA_MATPCDAG_MATPC_SOLUTION"}},
      {"CG of what is not Hermitian",
       solve([](auto &p) { p.solve_type = QUDA_DIRECT_SOLVE; }),
       bad,
       {"invertQuda", "not Hermitian"}},
      {"shifts of a full system",
       shifts([](auto &p) { p.solution_type = QUDA_MAT_SOLUTION; }),
       bad,
       {"invertMultiShiftQuda", "QUDA_MAT_SOLUTION", "QUDA_MATPC_SOLUTION, of staggered fermions"}},
      {"shifts by normal equations",
       shifts([](auto &p) { p.solve_type = QUDA_NORMOP_PC_SOLVE; }),
       bad,
       {"invertMultiShiftQuda", "QUDA_NORMOP_PC_SOLVE", "QUDA_DIRECT_PC_SOLVE, of staggered fermions"}},
      {"a negative shift",
       shifts([](auto &p) { p.offset[1] = -1; }),
       bad,
       {"invertMultiShiftQuda", "QudaInvertParam.offset[1] = -1"}},
      {"shifts by another inverter",
       shifts([](auto &p) { p.inv_type = QUDA_BICGSTAB_INVERTER; }),
       bad,
       {"invertMultiShiftQuda", "QUDA_BICGSTAB_INVERTER"}},
      {"a split grid of sources",
       sources([](auto &p) {
         p.num_src = 2;
         p.split_grid[1] = 2;
       }),
       unsupported,
       {"invertMultiSrcQuda", "split_grid[1] = 2"}},
      {"sources of a system that is not Hermitian",
       sources([](auto &p) {
         p.num_src = 2;
         p.solve_type = QUDA_DIRECT_SOLVE;
       }),
       bad,
       {"invertMultiSrcQuda", "not Hermitian"}},
      {"no mass to reconstruct with", solve([](auto &p) { p.mass = 0; }), bad, {"invertQuda", "mass = 0"}},
  });

  // fat links alone, and long ones of another precision
  QudaGaugeParam param = good_gauge();
  param.type = QUDA_ASQTAD_FAT_LINKS;
  loadGaugeQuda(links.pointer(), &param);
  expect_refused({{"no long links", one_hop(improved, [](auto &) {}), bad, {"QUDA_ASQTAD_LONG_LINKS are resident"}}});
  param.type = QUDA_ASQTAD_LONG_LINKS;
  param.scale = 1;
  param.cuda_prec = QUDA_SINGLE_PRECISION;
  loadGaugeQuda(links.pointer(), &param);
  expect_refused({{"long links of low precision",
                   one_hop(improved, [](auto &) {}),
                   bad,
                   {"long links are of 4 (QUDA_SINGLE_PRECISION)", "QUDA_DOUBLE_PRECISION"}}});
  const reference::Lattice other({4, 4, 4, 4});
  HostLinks<double> shorter(reference::GaugeField {other}, reference::Part {other}, QUDA_QDP_GAUGE_ORDER);
  param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.X[3] = 4;
  loadGaugeQuda(shorter.pointer(), &param);
  expect_refused({{"long links of another lattice",
                   one_hop(improved, [](auto &) {}),
                   bad,
                   {"long links have extents 4 4 4 4", "4 4 4 6"}}});
}

} // namespace test
