/// Multigrid through the C interface: files of vectors, low modes of the coarsest level, refreshes of three levels, adjoint
/// and normal systems, the search for parameters.

#include "multigrid_calls.h"

#include "quda_ext.h"

#include "support/scratch_folder.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <optional>

using namespace test;

/// Vectors that a file has make the hierarchy that they come from, to the bit.
TEST_F(MultigridCalls, VectorsInFiles)
{
  const ScratchFolder folder;
  const std::string stem = folder.file("vectors");
  const Case on(quenched_links());
  const host_operator wilson {light, 0, 0};
  host_multigrid host;
  c_chroma_clover(&host, &wilson, 2, small_blocks, 1);
  QudaMultigridParam &param = host.hierarchy;
  const Spinors b = source_for(on, host.outer, 9);
  const auto name = [&stem](char(&to)[256], const char *suffix) {
    std::snprintf(to, sizeof to, "%s%s", stem.c_str(), suffix);
  };
  param.vec_store[0] = QUDA_BOOLEAN_TRUE;
  name(param.vec_outfile[0], "");
  Spinors x;
  int iterations = 0;
  {
    const Hierarchy hierarchy(host);
    x = solved(on, b, host.outer);
    iterations = host.outer.iter;
    name(param.vec_outfile[0], "_dumped");
    dumpMultigridQuda(host.outer.preconditioner, &param);
  }
  param.vec_store[0] = QUDA_BOOLEAN_FALSE;
  param.setup_maxiter[0] = 1; // of no use by itself
  for (const char *suffix : {"", "_dumped"})
    for (const bool asked : {true, false}) {
      name(param.vec_infile[0], suffix);
      param.vec_load[0] = asked ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
      param.compute_null_vector = asked ? QUDA_COMPUTE_NULL_VECTOR_YES : QUDA_COMPUTE_NULL_VECTOR_NO;
      const Hierarchy hierarchy(host);
      const Spinors again = solved(on, b, host.outer);
      EXPECT_EQ(host.outer.iter, iterations);
      EXPECT_EQ(reference::deviation(again, x), 0);
    }
  // no such file, and too few vectors
  name(param.vec_infile[0], "_none");
  EXPECT_NE(refused(QUDA_ERROR_KIND_FILE, [&] { newMultigridQuda(&param); }).find("vec_infile[0]"), std::string::npos);
  std::filesystem::rename(stem + "_level_0_nvec_16", stem + "_level_0_nvec_12");
  name(param.vec_infile[0], "");
  param.n_vec[0] = 12;
  EXPECT_NE(refused(QUDA_ERROR_KIND_FILE, [&] { newMultigridQuda(&param); }).find("vec_infile[0]"), std::string::npos);
}

/// Vectors of all levels, whose files make the hierarchy that they come from; one alone, too.
TEST_F(MultigridCalls, VectorsOfCoarserLevelsInFiles)
{
  const ScratchFolder folder;
  const std::string stem = folder.file("vectors");
  const Case on(quenched_links());
  const host_operator wilson {light, 0, 0};
  const int blocks[2][4] = {{2, 2, 1, 2}, {1, 1, 2, 2}};
  for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION}) {
    host_multigrid host;
    c_chroma_clover(&host, &wilson, 3, blocks, 1);
    QudaMultigridParam &param = host.hierarchy;
    host.inner.cuda_prec_sloppy = host.inner.cuda_prec_precondition = precision;
    param.n_vec[0] = 5;
    param.n_vec[1] = 6;
    for (int level = 0; level < 2; level++) {
      param.coarse_solver_maxiter[level + 1] = 8;
      std::snprintf(param.vec_outfile[level], sizeof param.vec_outfile[level], "%s_a", stem.c_str());
      std::snprintf(param.vec_infile[level], sizeof param.vec_infile[level], "%s_b", stem.c_str());
      param.vec_store[level] = level == 0 ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
    }
    const Spinors b = source_for(on, host.outer, 9);
    Spinors x;
    int iterations = 0;
    {
      const Hierarchy hierarchy(host);
      x = solved(on, b, host.outer);
      iterations = host.outer.iter;
      std::snprintf(param.vec_outfile[0], sizeof param.vec_outfile[0], "%s_b", stem.c_str());
      std::snprintf(param.vec_outfile[1], sizeof param.vec_outfile[1], "%s_b", stem.c_str());
      dumpMultigridQuda(host.outer.preconditioner, &param);
    }
    EXPECT_TRUE(std::filesystem::exists(stem + "_a_level_0_nvec_5"));
    EXPECT_FALSE(std::filesystem::exists(stem + "_a_level_1_nvec_6"));
    param.vec_store[0] = QUDA_BOOLEAN_FALSE;
    param.setup_maxiter[0] = param.setup_maxiter[1] = 1; // of no use by itself
    for (const bool both : {true, false}) {
      param.vec_load[0] = QUDA_BOOLEAN_TRUE;
      param.vec_load[1] = both ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
      const Hierarchy hierarchy(host);
      const Spinors again = solved(on, b, host.outer);
      if (both) {
        EXPECT_EQ(host.outer.iter, iterations);
        EXPECT_EQ(reference::deviation(again, x), 0);
      } else {
        EXPECT_NE(reference::deviation(again, x), 0); // of other vectors
      }
    }
    // another number of vectors on the finer level
    param.vec_load[0] = QUDA_BOOLEAN_FALSE;
    param.vec_load[1] = QUDA_BOOLEAN_TRUE;
    param.n_vec[0] = 4;
    const std::string text = refused(QUDA_ERROR_KIND_FILE, [&] { newMultigridQuda(&param); });
    EXPECT_TRUE(text.find("vec_infile[1]") != std::string::npos && text.find("5 colors") != std::string::npos) << text;
  }
}

/// As tmLQCD's inputs for the physical point: low modes of the coarsest level, kept over updates.
TEST_F(MultigridCalls, LowModesOfTheCoarsestLevel)
{
  const Case on(quenched_links());
  const host_operator twisted {light, 0.003, 0};
  host_multigrid host;
  c_tmlqcd_multigrid(&host, &twisted, 2, small_blocks, 1.0);
  host.hierarchy.coarse_solver_tol[1] = 1e-2;
  QudaEigParam modes = newQudaEigParam();
  c_tmlqcd_low_modes(&host, &modes, 16);
  const Spinors b = source_for(on, host.outer, 5);
  const auto coarse_iterations = [&] {
    const Spinors x = solved(on, b, host.outer);
    EXPECT_LT(host.outer.iter, host.outer.maxiter);
    QudaMultigridLevelProfile levels[2];
    multigridProfileQuda(host.outer.preconditioner, 2, levels);
    EXPECT_EQ(levels[1].solves, host.outer.iter);
    EXPECT_EQ(levels[1].rows, 2 * host.hierarchy.n_vec[0]);
    EXPECT_GT(levels[0].smoother_secs, 0);
    EXPECT_GT(levels[0].flops, 0);
    EXPECT_GT(levels[0].setup_secs, 0);
    return levels[1].iterations;
  };
  long long with = 0, without = 0;
  for (const bool deflated : {false, true}) {
    host.hierarchy.use_eig_solver[1] = deflated ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
    Hierarchy hierarchy(host);
    (deflated ? with : without) = coarse_iterations();
    if (!deflated) continue;
    for (const bool keep : {false, true}) {
      host.hierarchy.preserve_deflation = keep ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
      hierarchy.update(false);
      EXPECT_LE(std::abs(static_cast<double>(coarse_iterations() - with)), 3) << keep;
    }
  }
  EXPECT_LT(static_cast<double>(with), 0.7 * static_cast<double>(without));
  std::printf("  %lld iterations of the coarse solver, %lld without low modes\n", with, without);
}

/// Along tmLQCD's trajectories: vectors of every level, of the finest one or of the coarser one alone are improved, and low
/// modes of the last level kept or found anew.
TEST_F(MultigridCalls, RefreshesOfThreeLevels)
{
  reference::GaugeField links = quenched_links();
  std::optional<Case> on(std::in_place, links);
  const host_operator twisted {light, 0.003, 0};
  const int blocks[2][4] = {{2, 2, 1, 2}, {1, 1, 2, 2}};
  host_multigrid host;
  c_tmlqcd_multigrid(&host, &twisted, 3, blocks, 1.0);
  host.hierarchy.n_vec[0] = 8;
  host.hierarchy.n_vec[1] = 10;
  QudaEigParam modes = newQudaEigParam();
  c_tmlqcd_low_modes(&host, &modes, 8);
  host.hierarchy.use_eig_solver[2] = QUDA_BOOLEAN_TRUE;
  Hierarchy hierarchy(host);
  int first = 0;
  for (const std::array<int, 2> &steps : {std::array<int, 2> {0, 0}, {10, 10}, {10, 0}, {0, 10}, {10, 10}}) {
    SCOPED_TRACE(testing::Message() << steps[0] << " and " << steps[1] << " steps");
    if (first > 0) {
      links = moved(links, 8);
      on.emplace(links);
      for (int level = 0; level < 2; level++)
        host.hierarchy.setup_maxiter_refresh[level] = steps[static_cast<std::size_t>(level)];
      hierarchy.update(false);
      host.hierarchy.preserve_deflation =
          host.hierarchy.preserve_deflation == QUDA_BOOLEAN_TRUE ? QUDA_BOOLEAN_FALSE : QUDA_BOOLEAN_TRUE;
    }
    const Spinors b = source_for(*on, host.outer, 5);
    solved(*on, b, host.outer);
    EXPECT_LT(host.outer.iter, host.outer.maxiter);
    if (first == 0) first = host.outer.iter;
    EXPECT_LE(host.outer.iter, 1.5 * first);
  }
}

/// M^dag x = b, M^dag M x = b by two solves, and by PCG.
TEST_F(MultigridCalls, AdjointsAndNormalEquations)
{
  const Case on(quenched_links());
  const host_operator wilson {light, 0, 0};
  host_multigrid host;
  c_chroma_clover(&host, &wilson, 2, small_blocks, 1);
  const Hierarchy hierarchy(host);
  const Spinors b = source_for(on, host.outer, 5);
  solved(on, b, host.outer);
  const int direct = host.outer.iter;
  struct Form {
    QudaInverterType inverter;
    QudaSolutionType solution;
    QudaSolveType solve;
    QudaDagType dagger;
    double factor; // of the iterations of the matrix itself, at most
  };
  for (const Form &form :
       {Form {QUDA_GCR_INVERTER, QUDA_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_DAG_YES, 1.4},
        Form {QUDA_GCR_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_DAG_NO, 2.8},
        Form {QUDA_PCG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_NO, 2.8},
        Form {QUDA_PCG_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_YES, 2.8},
        Form {QUDA_GCR_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_YES, 2.8}}) {
    QudaInvertParam param = host.outer;
    param.inv_type = form.inverter;
    param.solution_type = form.solution;
    param.solve_type = form.solve;
    param.dagger = form.dagger;
    param.reliable_delta = 1e-2;
    const Spinors x = solved(on, b, param);
    EXPECT_LT(residual(on, x, b, param), 3 * param.tol);
    EXPECT_LE(param.iter, form.factor * direct + 2) << direct << " directly";
    std::printf("  %d iterations, %d directly\n", param.iter, direct);
  }
}

/// What a search finds is no worse than what it began with, by operations the same each time, and works.
TEST_F(MultigridCalls, SearchForParameters)
{
  const Case on(quenched_links());
  const host_operator clover {0.135, 0, 1.5};
  host_multigrid host;
  c_pyquda(&host, &clover, 2, small_blocks);
  load_clover(host.outer);
  host.hierarchy.n_vec[0] = 8;
  host.hierarchy.setup_maxiter[0] = 60;
  host.inner.verbosity = QUDA_SUMMARIZE;
  QudaMultigridParam found[2];
  QudaMultigridTuneParam how = newQudaMultigridTuneParam();
  for (QudaMultigridParam &param : found) {
    Output output;
    how = newQudaMultigridTuneParam();
    how.by_flops = 1;
    param = host.hierarchy;
    tuneMultigridQuda(&param, &host.outer, &how);
    EXPECT_TRUE(output.says("smoothing steps after") && output.says("n_level = ") &&
                output.says("coarse_solver[1] = QUDA_CA_GCR_INVERTER;") && output.says("taken"))
        << output.text();
  }
  EXPECT_EQ(std::memcmp(&found[0], &found[1], sizeof found[0]), 0);
  EXPECT_LT(how.gflop[1], how.gflop[0]);
  EXPECT_GT(how.iterations[0], 0);
  EXPECT_GE(how.n_vec, 16);
  host.hierarchy = found[0];
  const Hierarchy hierarchy(host);
  const Spinors b = source_for(on, host.outer, 5);
  solved(on, b, host.outer);
  EXPECT_LT(host.outer.true_res[0], 1.2 * host.outer.tol);
}
