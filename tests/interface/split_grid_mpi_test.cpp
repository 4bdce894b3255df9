/// Several sources on sub-grids of ranks: solutions, residuals and counts of a call without a split, to the bit; and
/// what cannot be split, refused on all ranks.

#include "on_grids.h"

#include "core/environment_support.h"
#include "reference/dirac/staggered.h"
#include "targets/pool.h"
#include "targets/target.h"

#include <complex>
#include <functional>
#include <random>

namespace
{

using namespace test;
using P = QudaInvertParam;

const reference::Lattice lattice({4, 4, 8, 16});

/// A grid of ranks, and the sub-grids that it is cut into.
struct Cut {
  Coords grid, parts;
  int count() const { return parts[0] * parts[1] * parts[2] * parts[3]; }
};

std::vector<Cut> cuts()
{
  switch (ranks()) {
  case 1:
    return {{{1, 1, 1, 1}, {1, 1, 1, 1}}};
  case 2:
    return {{{1, 1, 1, 2}, {1, 1, 1, 2}}, {{1, 1, 2, 1}, {1, 1, 2, 1}}};
  default:
    return {{{1, 1, 2, 2}, {1, 1, 2, 2}}, {{1, 1, 2, 2}, {1, 1, 1, 2}}, {{1, 1, 1, 4}, {1, 1, 1, 2}}};
  }
}

/// A host's arrays of several fields, numbers of its precision; each rank has numbers of its own.
class Arrays
{
public:
  Arrays(int n, std::size_t reals, QudaPrecision precision, unsigned seed)
      : data_(static_cast<std::size_t>(n), std::vector<char>(reals * static_cast<std::size_t>(precision)))
  {
    std::mt19937 random(seed * 16 + static_cast<unsigned>(rank()));
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (auto &one : data_)
      for (std::size_t i = 0; i < reals; i++) {
        const double x = uniform(random);
        const auto y = static_cast<float>(x);
        std::memcpy(&one[i * static_cast<std::size_t>(precision)],
                    precision == QUDA_DOUBLE_PRECISION ? static_cast<const void *>(&x) : &y,
                    static_cast<std::size_t>(precision));
      }
  }
  void **pointers()
  {
    pointers_.clear();
    for (auto &one : data_) pointers_.push_back(one.data());
    return pointers_.data();
  }
  double *numbers(std::size_t n) { return reinterpret_cast<double *>(data_[n].data()); }
  bool operator==(const Arrays &other) const { return data_ == other.data_; }

private:
  std::vector<std::vector<char>> data_;
  std::vector<void *> pointers_;
};

/// The operator of a row, on links that it loads.
struct Row {
  const char *name;
  P param;
  std::function<void(const reference::Part &, const P &)> load;
  std::size_t reals = 24; // of a site
};

QudaGaugeParam links_param(const reference::Part &part, QudaLinkType type = QUDA_WILSON_LINKS)
{
  Storage storage;
  storage.t_boundary = -1;
  QudaGaugeParam param = gauge_param(part.local.X, storage);
  param.type = type;
  param.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
  param.reconstruct_sloppy = QUDA_RECONSTRUCT_12;
  return param;
}

void load(reference::GaugeField gauge, const reference::Part &part, QudaGaugeParam param)
{
  if (param.type == QUDA_WILSON_LINKS && !param.staggered_phase_applied)
    reference::set_up_links(gauge, param.anisotropy, param.t_boundary);
  HostLinks<double> host(gauge, part, param.gauge_order);
  loadGaugeQuda(host.pointer(), &param);
}

void load_wilson(const reference::Part &part, const P &)
{
  load(reference::random_gauge(lattice, 41), part, links_param(part));
}

/// By 8 numbers, on an anisotropic lattice.
void load_packed(const reference::Part &part, const P &)
{
  QudaGaugeParam param = links_param(part);
  param.reconstruct = QUDA_RECONSTRUCT_8;
  param.reconstruct_sloppy = QUDA_RECONSTRUCT_8;
  param.anisotropy = 1.7;
  load(reference::random_gauge(lattice, 42), part, param);
}

void load_clover(const reference::Part &part, const P &of)
{
  load_wilson(part, of);
  P param = of;
  loadCloverQuda(nullptr, nullptr, &param);
}

/// Term and inverse of the host, which are other links'.
void load_host_clover(const reference::Part &part, const P &of)
{
  load(reference::random_gauge(lattice, 43), part, links_param(part));
  P param = of;
  std::vector<double> term(72 * part.local.volume()), inverse(term);
  param.compute_clover = param.compute_clover_inverse = param.return_clover = param.return_clover_inverse = 1;
  loadCloverQuda(term.data(), inverse.data(), &param);
  load_wilson(part, of);
  param.compute_clover = param.compute_clover_inverse = param.return_clover = param.return_clover_inverse = 0;
  loadCloverQuda(term.data(), inverse.data(), &param);
}

void load_staggered(const reference::Part &part, const P &)
{
  for (const QudaLinkType type : {QUDA_WILSON_LINKS, QUDA_ASQTAD_FAT_LINKS, QUDA_ASQTAD_LONG_LINKS}) {
    QudaGaugeParam param = links_param(part, type);
    const bool of_long = type == QUDA_ASQTAD_LONG_LINKS;
    param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
    param.staggered_phase_applied = 1;
    param.t_boundary = QUDA_PERIODIC_T;
    param.reconstruct_sloppy = of_long ? QUDA_RECONSTRUCT_9 : QUDA_RECONSTRUCT_NO;
    if (of_long) param.reconstruct = QUDA_RECONSTRUCT_13;
    param.scale = -1.0 / 24;
    load(of_long ? reference::random_unitary_long_links(lattice, 63) : reference::random_gauge(lattice, 60 + type),
         part, param);
  }
}

P solve_of(QudaDslashType type, QudaInverterType inverter, QudaSolveType solve, double kappa = 0.11)
{
  P param = wilson_param(QUDA_DOUBLE_PRECISION, kappa);
  param.dslash_type = type;
  param.inv_type = inverter;
  param.solve_type = solve;
  param.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
  param.tol = 1e-9;
  param.maxiter = 60;
  param.reliable_delta = 0.1;
  param.gcrNkrylov = 8;
  param.verbosity = QUDA_SILENT;
  param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
  param.clover_order = QUDA_PACKED_CLOVER_ORDER;
  param.clover_coeff = 0.08;
  return param;
}

template <class Change> P changed(P param, const Change &change)
{
  change(param);
  return param;
}

std::vector<Row> rows()
{
  const P wilson = solve_of(QUDA_WILSON_DSLASH, QUDA_BICGSTAB_INVERTER, QUDA_DIRECT_PC_SOLVE);
  const P clover = changed(wilson, [](P &p) { p.dslash_type = QUDA_CLOVER_WILSON_DSLASH; });
  const P twisted = changed(solve_of(QUDA_TWISTED_MASS_DSLASH, QUDA_CG_INVERTER, QUDA_NORMOP_PC_SOLVE), [](P &p) {
    p.twist_flavor = QUDA_TWIST_SINGLET;
    p.mu = 0.4;
  });
  const P staggered =
      changed(solve_of(QUDA_STAGGERED_DSLASH, QUDA_CG_INVERTER, QUDA_DIRECT_PC_SOLVE), [](P &p) { p.mass = 0.8; });
  const P moebius = changed(solve_of(QUDA_MOBIUS_DWF_DSLASH, QUDA_CG_INVERTER, QUDA_NORMOP_PC_SOLVE), [](P &p) {
    p.mass = 0.3;
    p.m5 = -1.2;
    p.Ls = 4;
    p.maxiter = 12; // whether it has converged or not
    for (int s = 0; s < 4; s++) {
      const std::complex<double> b(1.5 + 0.1 * s), c(0.5);
      std::memcpy(&p.b_5[s], &b, sizeof b);
      std::memcpy(&p.c_5[s], &c, sizeof c);
    }
  });
  return {
      {"Wilson", wilson, load_wilson},
      {"Wilson, half precision inside, guesses, heavy quarks",
       changed(wilson,
               [](P &p) {
                 p.cuda_prec_sloppy = QUDA_HALF_PRECISION;
                 p.use_init_guess = QUDA_USE_INIT_GUESS_YES;
                 p.residual_type = static_cast<QudaResidualType>(QUDA_L2_RELATIVE_RESIDUAL | QUDA_HEAVY_QUARK_RESIDUAL);
                 p.tol_hq = 1e-8;
               }),
       load_wilson},
      {"Wilson on packed links, QDP's order, another basis",
       changed(wilson,
               [](P &p) {
                 p.dirac_order = QUDA_QDP_DIRAC_ORDER;
                 p.gamma_basis = QUDA_UKQCD_GAMMA_BASIS;
                 p.mass_normalization = QUDA_MASS_NORMALIZATION;
                 p.inv_type = QUDA_GCR_INVERTER;
               }),
       load_packed},
      {"Wilson on one parity, CPS's order, single",
       changed(wilson,
               [](P &p) {
                 p.dirac_order = QUDA_CPS_WILSON_DIRAC_ORDER;
                 p.cpu_prec = QUDA_SINGLE_PRECISION;
                 p.solution_type = QUDA_MATPC_SOLUTION;
                 p.matpc_type = QUDA_MATPC_ODD_ODD;
               }),
       load_wilson},
      {"Wilson with a preconditioner",
       changed(wilson,
               [](P &p) {
                 p.inv_type = QUDA_GCR_INVERTER;
                 p.inv_type_precondition = QUDA_MR_INVERTER;
                 p.maxiter_precondition = 3;
                 p.omega = 0.9;
               }),
       load_wilson},
      {"clover", clover, load_clover},
      {"clover of the host", changed(clover, [](P &p) { p.dagger = QUDA_DAG_YES; }), load_host_clover},
      {"twisted mass", twisted, load_wilson},
      {"twisted doublet",
       changed(twisted,
               [](P &p) {
                 p.twist_flavor = QUDA_TWIST_NONDEG_DOUBLET;
                 p.epsilon = 0.2;
               }),
       load_wilson, 48},
      {"twisted clover", changed(twisted, [](P &p) { p.dslash_type = QUDA_TWISTED_CLOVER_DSLASH; }), load_clover},
      {"Hasenbusch twist",
       changed(clover,
               [](P &p) {
                 p.dslash_type = QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH;
                 p.mu = 0.1;
               }),
       load_clover},
      {"staggered", staggered, load_staggered, 6},
      {"improved staggered", changed(staggered, [](P &p) { p.dslash_type = QUDA_ASQTAD_DSLASH; }), load_staggered, 6},
      {"Moebius", moebius, load_wilson, 96},
      {"Moebius, one flavour",
       changed(moebius,
               [](P &p) {
                 p.dslash_type = QUDA_MOBIUS_DWF_EOFA_DSLASH;
                 const std::complex<double> b(1.5);
                 for (int s = 0; s < 4; s++) std::memcpy(&p.b_5[s], &b, sizeof b);
                 p.eofa_pm = 1;
                 p.eofa_shift = -0.2;
                 p.mq1 = 0.05;
                 p.mq2 = 0.3;
                 p.mq3 = 1;
               }),
       load_wilson, 96},
      {"domain wall", changed(moebius, [](P &p) { p.dslash_type = QUDA_DOMAIN_WALL_4D_DSLASH; }), load_wilson, 96},
      {"domain wall, five dimensions", changed(moebius, [](P &p) { p.dslash_type = QUDA_DOMAIN_WALL_DSLASH; }),
       load_wilson, 96},
      {"Laplace",
       changed(solve_of(QUDA_LAPLACE_DSLASH, QUDA_CG_INVERTER, QUDA_NORMOP_SOLVE),
               [](P &p) {
                 p.laplace3D = 4;
                 p.mass = 0.1;
               }),
       load_wilson, 6},
  };
}

std::size_t reals_of(const Row &row, const reference::Part &part)
{
  return row.reals * part.local.volume() / (row.param.solution_type == QUDA_MATPC_SOLUTION ? 2 : 1);
}

/// Sets the sub-grids of a call, and their share of the sources.
void cut_up(P &param, const Cut &cut, int sources)
{
  param.num_src = sources;
  param.num_src_per_sub_partition = sources / cut.count();
  for (std::size_t d = 0; d < 4; d++) param.split_grid[d] = cut.parts[d];
}

constexpr int sources = 4;

/// body(cut, part of the lattice) with the library begun on each grid.
template <class Body> void on_cuts(const Body &body)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  for (const Cut &cut : cuts()) {
    SCOPED_TRACE(testing::Message() << support::named(cut.grid) << " in " << support::named(cut.parts));
    const Session session(cut.grid.data());
    body(cut, support::part_on(cut.grid, lattice));
  }
}

/// A call of several sources, without a split and with it.
void expect_alike(const Row &row, const Cut &cut, const reference::Part &part)
{
  P whole = row.param, split = row.param;
  whole.num_src = sources;
  cut_up(split, cut, sources);
  const std::size_t reals = reals_of(row, part);
  Arrays b(sources, reals, row.param.cpu_prec, 1), x(sources, reals, row.param.cpu_prec, 2), y = x;
  const Arrays before = b;
  invertMultiSrcQuda(x.pointers(), b.pointers(), &whole);
  invertMultiSrcQuda(y.pointers(), b.pointers(), &split);
  EXPECT_TRUE(x == y);
  EXPECT_TRUE(b == before) << "the sources were changed";
  EXPECT_EQ(split.iter, whole.iter);
  EXPECT_GT(split.iter, 2);
  for (int n = 0; n < sources; n++) {
    EXPECT_EQ(split.true_res[n], whole.true_res[n]) << n;
    EXPECT_EQ(split.true_res_hq[n], whole.true_res_hq[n]) << n;
  }
  EXPECT_NEAR(split.gflops / whole.gflops, 1, 1e-12);
}

TEST(SplitGrid, SolvesAsWithout)
{
  on_cuts([](const Cut &cut, const reference::Part &part) {
    for (const Row &row : rows()) {
      SCOPED_TRACE(row.name);
      row.load(part, row.param);
      expect_alike(row, cut, part);
    }
  });
}

TEST(SplitGrid, HopsAsWithout)
{
  on_cuts([](const Cut &cut, const reference::Part &part) {
    for (const Row &row : rows()) {
      SCOPED_TRACE(row.name);
      row.load(part, row.param);
      for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_HALF_PRECISION})
        for (const QudaParity parity : {QUDA_EVEN_PARITY, QUDA_ODD_PARITY}) {
          P whole = row.param, split;
          whole.cuda_prec = precision;
          whole.num_src = sources;
          split = whole;
          cut_up(split, cut, sources);
          const std::size_t reals = row.reals * part.local.half();
          Arrays in(sources, reals, row.param.cpu_prec, 3), x(sources, reals, row.param.cpu_prec, 4), y = x;
          dslashMultiSrcQuda(x.pointers(), in.pointers(), &whole, parity);
          dslashMultiSrcQuda(y.pointers(), in.pointers(), &split, parity);
          EXPECT_TRUE(x == y) << "precision " << precision << " onto " << parity;
          EXPECT_EQ(split.gflops, whole.gflops);
        }
    }
  });
}

TEST(SplitGrid, ShiftsAsWithout)
{
  on_cuts([](const Cut &cut, const reference::Part &part) {
    load_staggered(part, {});
    P whole = solve_of(QUDA_ASQTAD_DSLASH, QUDA_CG_INVERTER, QUDA_DIRECT_PC_SOLVE), split;
    whole.solution_type = QUDA_MATPC_SOLUTION;
    whole.mass = 0.8;
    whole.num_offset = 3;
    for (int k = 0; k < 3; k++) {
      whole.offset[k] = 2.56 + k;
      whole.tol_offset[k] = 1e-8;
    }
    whole.num_src = sources;
    split = whole;
    cut_up(split, cut, sources);
    const std::size_t reals = 6 * part.local.half();
    Arrays b(sources, reals, QUDA_DOUBLE_PRECISION, 5), x(3 * sources, reals, QUDA_DOUBLE_PRECISION, 6), y = x;
    invertMultiSrcMultiShiftQuda(x.pointers(), b.pointers(), &whole);
    invertMultiSrcMultiShiftQuda(y.pointers(), b.pointers(), &split);
    EXPECT_TRUE(x == y);
    for (int k = 0; k < 3; k++) {
      EXPECT_EQ(split.true_res_offset[k], whole.true_res_offset[k]) << k;
      EXPECT_EQ(split.iter_res_offset[k], whole.iter_res_offset[k]) << k;
    }
  });
}

/// Links of the sub-grids follow the resident ones: loaded anew, written in place, freed, on other sub-grids.
TEST(SplitGrid, FollowsTheLinks)
{
  const Row row = rows()[5]; // clover
  on_cuts([&](const Cut &cut, const reference::Part &part) {
    load_clover(part, row.param);
    expect_alike(row, cut, part);
    load(reference::random_gauge(lattice, 77), part, links_param(part));
    expect_alike(row, cut, part);
    P another = row.param;
    another.clover_coeff = 0.05;
    loadCloverQuda(nullptr, nullptr, &another);
    expect_alike(row, cut, part);
    gaussGaugeQuda(17, 0.1);
    expect_alike(row, cut, part);
    expect_alike(row, {cut.grid, {1, 1, 1, cut.parts[3]}}, part);
    expect_alike(row, cut, part);
    freeGaugeQuda();
    load_clover(part, row.param);
    expect_alike(row, cut, part);
  });
}

/// A call with a split that all ranks must refuse in these words; what it was given is left alone, and a right one works.
class Refusals
{
public:
  explicit Refusals(const Row &row, const Cut &cut, const reference::Part &part)
      : row_(row)
      , cut_(cut)
      , part_(part)
      , b_(sources, reals_of(row, part), QUDA_DOUBLE_PRECISION, 7)
      , x_(sources, reals_of(row, part), QUDA_DOUBLE_PRECISION, 8)
  {
  }
  Arrays &b() { return b_; }
  Arrays &x() { return x_; }
  template <class Spoil> void expect(QudaErrorKind kind, const std::vector<std::string> &words, const Spoil &spoil)
  {
    P param = row_.param;
    cut_up(param, cut_, sources);
    spoil(param);
    const Arrays before = x_;
    invertMultiSrcQuda(x_.pointers(), b_.pointers(), &param);
    EXPECT_EQ(handler_.calls(), 1) << words.back();
    EXPECT_EQ(handler_.kind(), kind) << handler_.text();
    for (const std::string &word : words) EXPECT_TRUE(handler_.says(word)) << word << ": " << handler_.text();
    EXPECT_TRUE(x_ == before) << words.back();
    handler_.forget();
    expect_alike(row_, cut_, part_);
  }

private:
  Handler handler_;
  const Row &row_;
  const Cut &cut_;
  const reference::Part &part_;
  Arrays b_, x_;
};

TEST(SplitGrid, RefusesTogether)
{
  if (ranks() == 1) GTEST_SKIP() << "there is nothing to split";
  constexpr QudaErrorKind bad = QUDA_ERROR_KIND_BAD_ARGUMENT, unsupported = QUDA_ERROR_KIND_UNSUPPORTED;
  const Row row = rows()[0];
  const bool last = rank() == ranks() - 1;
  on_cuts([&](const Cut &cut, const reference::Part &part) {
    load_wilson(part, row.param);
    Refusals refuses(row, cut, part);
    const std::string parts = "split_grid = " + std::to_string(cut.parts[0]) + " " + std::to_string(cut.parts[1]);
    refuses.expect(bad, {"QudaInvertParam.split_grid[3] = 3", "allowed: 1"}, [](P &p) { p.split_grid[3] = 3; });
    refuses.expect(bad, {"QudaInvertParam.split_grid[0] = 0"}, [](P &p) { p.split_grid[0] = 0; });
    refuses.expect(bad, {"QudaInvertParam.num_src = 3", "num_src_per_sub_partition = ", parts},
                   [](P &p) { p.num_src = 3; });
    refuses.expect(bad, {"QudaInvertParam.num_src_per_sub_partition = 0"},
                   [](P &p) { p.num_src_per_sub_partition = 0; });
    refuses.expect(bad, {"QudaInvertParam.num_src = 4 with num_src_per_sub_partition = 3"}, [&](P &p) {
      if (last) p.num_src_per_sub_partition = 3;
    });
    refuses.expect(bad, {"QudaInvertParam.split_grid[", "differs between ranks, from 1 to 2"}, [&](P &p) {
      if (last) std::fill_n(p.split_grid, 4, 1);
    });
    refuses.expect(bad, {"QudaInvertParam.tol differs between ranks"}, [&](P &p) {
      if (last) p.tol *= 2;
    });

    QudaEigParam eigen = newQudaEigParam();
    refuses.expect(unsupported, {"QudaInvertParam.eig_param", parts, "allowed: null"},
                   [&](P &p) { p.eig_param = &eigen; });
    refuses.expect(unsupported, {"QudaInvertParam.inv_type_precondition", "QUDA_MG_INVERTER", parts}, [](P &p) {
      p.inv_type = QUDA_GCR_INVERTER;
      p.inv_type_precondition = QUDA_MG_INVERTER;
    });
    refuses.expect(unsupported, {"QudaInvertParam.schwarz_type", "qudaSetSchwarzBlock", parts}, [](P &p) {
      p.inv_type = QUDA_GCR_INVERTER;
      p.inv_type_precondition = QUDA_MR_INVERTER;
      p.maxiter_precondition = 3;
      p.precondition_cycle = 1;
      p.schwarz_type = QUDA_ADDITIVE_SCHWARZ;
    });
    refuses.expect(unsupported, {"QudaInvertParam.inv_type", "QUDA_INC_EIGCG_INVERTER", parts}, [](P &p) {
      p.inv_type = QUDA_INC_EIGCG_INVERTER;
      p.solve_type = QUDA_NORMOP_PC_SOLVE;
      p.n_ev = 8;
      p.max_search_dim = 32;
    });
    refuses.expect(unsupported, {"QudaInvertParam.use_resident_solution = 1", parts},
                   [](P &p) { p.use_resident_solution = 1; });
    refuses.expect(unsupported, {"QudaInvertParam.make_resident_solution = 1", parts},
                   [](P &p) { p.make_resident_solution = 1; });
    refuses.expect(unsupported, {"QudaInvertParam.chrono_use_resident = 1", parts},
                   [](P &p) { p.chrono_use_resident = 1; });
    refuses.expect(unsupported, {"QudaInvertParam.chrono_make_resident = 1", parts}, [](P &p) {
      p.chrono_make_resident = 1;
      p.chrono_max_dim = 2;
    });

    // found by one sub-grid alone, while the others solve
    for (std::size_t n = 0; n < sources; n++) {
      const double was = refuses.b().numbers(n)[5];
      if (last) refuses.b().numbers(n)[5] = NAN;
      refuses.expect(bad, {"invertMultiSrcQuda: _hp_b[" + std::to_string(n) + "] holds a number that is NaN"},
                     [](P &) {});
      refuses.b().numbers(n)[5] = was;
    }
    if (last) refuses.x().numbers(1)[5] = INFINITY;
    refuses.expect(bad, {"invertMultiSrcQuda: _hp_x[1] holds a number that is NaN"},
                   [](P &p) { p.use_init_guess = QUDA_USE_INIT_GUESS_YES; });
  });
}

/// Copies of links go with these, and nothing of the sub-grids outlives the session.
TEST(SplitGrid, LeavesNothingBehind)
{
  const Row row = rows()[5]; // clover
  const auto counts = [] { return quda::device_pool().counts(); };
  const long long before = counts().live_blocks;
  on_cuts([&](const Cut &cut, const reference::Part &part) {
    const std::size_t links = 18 * 4 * sizeof(double) * part.local.volume() * static_cast<std::size_t>(cut.count());
    long long blocks[2];
    for (long long &left : blocks) {
      load_clover(part, row.param);
      expect_alike(row, cut, part);
      const auto bytes = counts().live_bytes;
      expect_alike(row, cut, part);
      EXPECT_EQ(counts().live_bytes, bytes);
      freeCloverQuda();
      freeGaugeQuda();
      EXPECT_GE(bytes - counts().live_bytes, links);
      left = counts().live_blocks;
    }
    EXPECT_EQ(blocks[0], blocks[1]);
  });
  EXPECT_EQ(counts().live_blocks, before);
}

} // namespace
