/// Files of eigenvectors on several ranks: written by one process and read by all, and the other way; what the first
/// rank finds wrong is told on all.

#include "solves.h"

#include <mpi.h>

#include "core/environment_support.h"
#include "files/written_fields.h"

namespace
{

using namespace test;
using reference::Coords;

const Coords one {1, 1, 1, 1};

struct Found {
  std::vector<double> values, vector;
};

/// Three pairs of the square, on odd sites or on all; the last vector.
Found found(const Coords &grid, const Coords &coord, bool pc, const std::string &in, const std::string &out)
{
  const reference::Lattice lattice({4, 4, 4, 8});
  const Case on(reference::random_gauge(lattice, 31), grid, coord);
  QudaInvertParam invert = wilson_param(QUDA_DOUBLE_PRECISION, kappa);
  invert.verbosity = QUDA_SILENT;
  invert.matpc_type = QUDA_MATPC_ODD_ODD;
  QudaEigParam param = newQudaEigParam();
  param.invert_param = &invert;
  param.n_conv = 3;
  param.n_ev = 5;
  param.n_kr = 16;
  param.tol = 1e-3;
  param.max_restarts = in.empty() ? 40 : 0;
  param.spectrum = QUDA_SPECTRUM_LR_EIG;
  param.use_norm_op = QUDA_BOOLEAN_TRUE;
  param.use_pc = pc ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
  std::strcpy(param.vec_infile, in.c_str());
  std::strcpy(param.vec_outfile, out.c_str());
  Found here;
  here.values.resize(6);
  here.vector.resize(24 * (pc ? on.part.local.half() : on.part.local.volume()));
  void *vectors[3] = {nullptr, nullptr, here.vector.data()};
  eigensolveQuda(vectors, reinterpret_cast<double _Complex *>(here.values.data()), &param);
  return here;
}

/// All but the date.
std::string dateless(std::string content)
{
  const std::size_t from = content.find("<date>"), to = content.find("</date>");
  return content.erase(from, to - from);
}

} // namespace

TEST(VectorFilesOnRanks, PassFromOneGridToAnother)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Coords grid = ranks == 4 ? Coords {2, 1, 1, 2} : Coords {1, 1, 1, ranks};
  const Coords coord = ranks == 4 ? Coords {rank / 2, 0, 0, rank % 2} : Coords {0, 0, 0, rank};
  std::unique_ptr<ScratchFolder> own;
  char name[256] = {};
  if (rank == 0) {
    own = std::make_unique<ScratchFolder>();
    std::strcpy(name, own->path());
  }
  MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  const std::string folder = std::string(name) + "/";
  const auto file = [&](const char *by, bool pc) { return folder + by + (pc ? "_odd" : "_all"); };
  const reference::Lattice lattice({4, 4, 4, 8});
  const reference::Part part(lattice, grid, coord);
  Found alone[2];
  MPI_Comm self = MPI_COMM_SELF;
  setMPICommHandleQuda(&self);
  {
    Session session(one.data());
    for (const bool pc : {false, true}) alone[pc] = found(one, {0, 0, 0, 0}, pc, "", rank == 0 ? file("one", pc) : "");
  }
  setMPICommHandleQuda(nullptr);
  MPI_Barrier(MPI_COMM_WORLD);
  {
    Session session(grid.data());
    for (const bool pc : {false, true}) {
      SCOPED_TRACE(pc ? "odd sites" : "all sites");
      const Found here = found(grid, coord, pc, file("one", pc), file("all", pc));
      EXPECT_TRUE(same_bits(here.values, alone[pc].values));
      std::vector<double> mine;
      for (std::size_t slot = pc ? part.local.half() : 0; slot < part.local.volume(); slot++) {
        const std::size_t at = 24 * (lattice.slot(part.global_coords(slot)) - (pc ? lattice.half() : 0));
        mine.insert(mine.end(), alone[pc].vector.begin() + at, alone[pc].vector.begin() + at + 24);
      }
      EXPECT_TRUE(same_bits(here.vector, mine));
      if (rank == 0) {
        EXPECT_TRUE(dateless(content_of(file("all", pc))) == dateless(content_of(file("one", pc))));
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      std::string flipped = content_of(file("one", true));
      char &byte = flipped[flipped.find("scidac-binary-data") + 5000];
      byte = static_cast<char>(byte ^ 4);
      write_content(file("one", true), flipped);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string refusals[][3] = {{file("one", true), "", "checksums"},
                                       {folder + "none", "", "cannot be opened"},
                                       {"", "/no/such/folder/vectors", "vec_outfile"}};
    for (const auto &[in, out, words] : refusals) {
      Handler handler;
      found(grid, coord, true, in, out);
      EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_FILE);
      EXPECT_TRUE(handler.says(words)) << handler.text();
    }
  }
  setMPICommHandleQuda(&self);
  {
    Session session(one.data());
    const Found again = found(one, {0, 0, 0, 0}, false, file("all", false), "");
    EXPECT_TRUE(same_bits(again.values, alone[false].values));
    EXPECT_TRUE(same_bits(again.vector, alone[false].vector));
  }
  setMPICommHandleQuda(nullptr);
  MPI_Barrier(MPI_COMM_WORLD);
}
