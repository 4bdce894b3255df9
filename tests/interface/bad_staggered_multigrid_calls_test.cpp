/// Bad calls of multigrid for staggered quarks, QUDA's and MILC's.

#include "bad_calls.h"
#include "c_multigrid.h"

#include "quda_milc_interface.h"

#include "core/environment_support.h"
#include "support/scratch_folder.h"

#include <cmath>

namespace test
{

namespace
{

  using OfHierarchy = std::function<void(QudaMultigridParam &)>;

  std::function<void()> hierarchy(const OfHierarchy &spoil)
  {
    return [spoil] {
      const host_operator wilson {0.12, 0, 0};
      constexpr int blocks[2][4] = {{1, 1, 1, 1}, {2, 2, 2, 2}};
      host_multigrid host;
      c_chroma_clover(&host, &wilson, 3, blocks, 1);
      host.inner.dslash_type = QUDA_STAGGERED_DSLASH;
      host.inner.mass = 0.1;
      QudaMultigridParam &p = host.hierarchy;
      p.transfer_type[0] = QUDA_TRANSFER_OPTIMIZED_KD;
      p.spin_block_size[0] = p.spin_block_size[1] = 0;
      p.n_vec[0] = 3;
      p.n_vec[1] = 8;
      p.invert_param = &host.inner;
      spoil(p);
      destroyMultigridQuda(newMultigridQuda(&p));
    };
  }

} // namespace

TEST_F(BadCalls, MultigridOfStaggeredQuarks)
{
  expect_refused({
      beyond("aggregates of the operator itself",
             {"newMultigridQuda", "transfer_type[0]", "QUDA_TRANSFER_AGGREGATE", "QUDA_TRANSFER_OPTIMIZED_KD"},
             hierarchy([](auto &p) { p.transfer_type[0] = QUDA_TRANSFER_AGGREGATE; })),
      fault("no such transfer", {"transfer_type[0] = 77"},
            hierarchy([](auto &p) { p.transfer_type[0] = static_cast<QudaTransferType>(77); })),
      fault("vectors of level 0", {"n_vec[0] = 5", "3, 24"}, hierarchy([](auto &p) { p.n_vec[0] = 5; })),
      fault("blocks of level 0", {"geo_block_size[0] = 1 1 2 1", "hypercubes"},
            hierarchy([](auto &p) { p.geo_block_size[0][2] = 2; })),
      fault("half hypercubes", {"geo_block_size[1] = 2 3 2 2", "even"},
            hierarchy([](auto &p) { p.geo_block_size[1][1] = 3; })),
      beyond("an extent of 6", {"transfer_type[0]", "4 4 4 6", "multiples of 4"}, hierarchy([](auto &) {})),
      beyond("files of level 0", {"vec_load[0]", "level 0 has no vectors"},
             hierarchy([](auto &p) { p.vec_load[0] = QUDA_BOOLEAN_TRUE; })),
      beyond("the same, written", {"vec_store[0]", "level 0 has no vectors"},
             hierarchy([](auto &p) { p.vec_store[0] = QUDA_BOOLEAN_TRUE; })),
      beyond("vectors that nobody seeks", {"compute_null_vector", "QUDA_COMPUTE_NULL_VECTOR_NO"},
             hierarchy([](auto &p) { p.compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_NO; })),
      beyond("massless quarks", {"invert_param", "mass = 0"}, hierarchy([](auto &p) {
               p.invert_param->mass_normalization = QUDA_MASS_NORMALIZATION;
               p.invert_param->mass = 0;
             })),
      fault("mass", {"mass = nan"}, hierarchy([](auto &p) { p.invert_param->mass = NAN; })),
      fault("no long links", {"QUDA_ASQTAD_FAT_LINKS"},
            hierarchy([](auto &p) { p.invert_param->dslash_type = QUDA_ASQTAD_DSLASH; })),
      beyond("transfers of staggered quarks on others",
             {"transfer_type[0]", "QUDA_TRANSFER_OPTIMIZED_KD", "QUDA_TRANSFER_AGGREGATE"},
             hierarchy([](auto &p) { p.invert_param->dslash_type = QUDA_WILSON_DSLASH; })),
  });
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

TEST_F(BadCalls, MultigridOfMilc)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const ScratchFolder folder;
  const int one[4] = {1, 1, 1, 1};
  QudaInvertArgs_t args {};
  args.max_iter = 10;
  double residuals[2];
  int iterations = 0, not_a_handle = 0;
  const std::vector<double> array(72 * lattice.volume());
  const void *const fat = array.data();
  const auto create = [&](int external, int precision, double mass, const void *of_fat, const char *file) {
    return [=] { qudaMultigridCreate(external, precision, mass, args, of_fat, nullptr, file); };
  };
  const auto file = [&](const std::string &contents) {
    return [&, contents] {
      folder.write("multigrid", contents);
      qudaMultigridCreate(2, 2, 0.1, args, fat, nullptr, folder.file("multigrid").c_str());
    };
  };
  const auto solve = [&](double mass, int rebuild, void *source, void *solution) {
    return [=, &residuals, &iterations, &not_a_handle]() mutable {
      qudaInvertMG(2, 2, mass, args, 1e-6, 0, fat, nullptr, &not_a_handle, rebuild, source, solution, residuals,
                   residuals + 1, &iterations);
    };
  };
  expect_refused({
      fault("before a layout", {"qudaMultigridCreate", "qudaInit()"}, create(2, 2, 0.1, fat, "/dev/null")),
  });
  qudaSetLayout({lattice.X.data(), one, -1});
  const QudaErrorKind in_file = QUDA_ERROR_KIND_FILE;
  expect_refused({
      fault("precision of the host", {"qudaMultigridCreate", "precision = 3"}, create(3, 2, 0.1, fat, "/dev/null")),
      fault("precision", {"qudaMultigridCreate", "quda_precision = 0"}, create(2, 0, 0.1, fat, "/dev/null")),
      fault("mass", {"qudaMultigridCreate", "mass = nan"}, create(2, 2, NAN, fat, "/dev/null")),
      fault("no links", {"qudaMultigridCreate", "milc_fatlink"}, create(2, 2, 0.1, nullptr, "/dev/null")),
      fault("no file", {"qudaMultigridCreate", "mg_param_file"}, create(2, 2, 0.1, fat, nullptr)),
      {"a file that is not there",
       create(2, 2, 0.1, fat, "/no/such/file"),
       in_file,
       {"qudaMultigridCreate", "mg_param_file = \"/no/such/file\""}},
      {"not a number", file("mg_levels 3\nnvec 1 many\n"), in_file, {"line 2", "nvec = many", "a number"}},
      {"a level too many", file("# levels\nnvec 7 24\n"), in_file, {"line 2", "nvec = level 7", "0 to 4"}},
      {"a word missing", file("geo_block_size 1 4 4 4\n"), in_file, {"line 1", "geo_block_size = 4 words", "5 words"}},
      {"no such solver", file("coarse_solver 1 pardiso\n"), in_file, {"coarse_solver = pardiso", "ca-gcr"}},
      {"no such transfer", file("optimized_kd maybe\n"), in_file, {"optimized_kd = maybe", "drop"}},
      {"no such precision", file("preconditioner_precision quarter\n"), in_file, {"quarter", "half"}},
      {"the standard", file(""), in_file, {"nvec 1 = 64", "geo_block_size 1 2 2 2 2", "1 to 24", "1 4 4 4 4"}},
      {"more vectors than a level has",
       file("geo_block_size 1 4 4 4 4\nnvec 1 4\n"),
       in_file,
       {"nvec 2 = 96", "geo_block_size 2 2 2 2 2", "1 to 64"}},
      {"more low modes than are sought",
       file("mg_levels 3\ngeo_block_size 1 4 4 4 4\nnvec 1 24\n"),
       in_file,
       {"nvec 2 = 96", "last level", "deflate_n_ev = 66"}},
      beyond("what the hierarchy refuses", {"newMultigridQuda", "transfer_type[0]", "4 4 4 6"},
             file("mg_levels 3\ngeo_block_size 1 2 2 2 2\nnvec 1 8\nnvec 2 0\n")),
      fault("mass of a solve", {"qudaInvertMG", "mass = nan"}, solve(NAN, 1, in.data(), out.data())),
      fault("a solve without a hierarchy", {"qudaInvertMG", "mg_pack_ptr"}, solve(0.1, 1, in.data(), out.data())),
      fault("no handle", {"qudaMultigridDestroy", "mg_pack_ptr"}, [&] { qudaMultigridDestroy(&not_a_handle); }),
  });
  qudaMultigridDestroy(nullptr);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

} // namespace test
