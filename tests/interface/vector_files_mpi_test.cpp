/// Files of eigenvectors on several ranks: written by one process and read by all, and the other way; what the first
/// rank finds wrong is told on all.

#include "on_grids.h"
#include "solves.h"

#include <mpi.h>

#include "core/environment_support.h"
#include "files/written_fields.h"

namespace
{

using namespace test;
using reference::Coords;

struct Found {
  std::vector<double> values, vector;
};

/// Three pairs of the square, on odd sites or on all; the last vector.
Found found(const Coords &grid, const Coords &coord, bool pc, const std::string &in, const std::string &out,
            bool parts = false, bool inflate = false)
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
  param.partfile = parts ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
  param.io_parity_inflate = inflate ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
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

/// One record of a file; empty: there is none.
std::string record_of(const std::string &content, const std::string &type)
{
  const std::size_t at = content.find(type + '\0');
  if (at == std::string::npos) return {};
  std::uint64_t length = 0;
  for (std::size_t i = at - 8; i < at; i++) length = length << 8 | static_cast<unsigned char>(content[i]);
  return content.substr(at + 128, length);
}

/// A folder of all ranks.
class SharedFolder
{
public:
  SharedFolder()
  {
    if (rank() == 0) {
      own_ = std::make_unique<ScratchFolder>();
      std::strcpy(name_, own_->path());
    }
    MPI_Bcast(name_, sizeof name_, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  std::string file(const std::string &name) const { return std::string(name_) + "/" + name; }

private:
  std::unique_ptr<ScratchFolder> own_;
  char name_[256] = {};
};

} // namespace

/// With partfile each rank's sites stand in a file of its own, the numbers of which are those of one file; they come
/// back on the same grid, and nothing else does.
TEST(VectorFilesOnRanks, InParts)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const int ranks = test::ranks(), rank = test::rank();
  const Coords grid = ranks == 4 ? Coords {2, 1, 1, 2} : Coords {1, 1, 1, ranks}, coord = coordinates(grid, rank);
  const SharedFolder folder;
  const std::string tail = ranks > 1 ? ".vol000" + std::to_string(rank) : "";
  const Session session(grid.data());
  for (const int kind : {0, 1, 2}) { // all sites, odd ones, odd ones among all
    SCOPED_TRACE(kind);
    const bool pc = kind > 0, inflate = kind == 2;
    const std::string whole = folder.file("whole") + std::to_string(kind),
                      parts = folder.file("parts") + std::to_string(kind);
    const Found saved = found(grid, coord, pc, "", parts, true, inflate);
    found(grid, coord, pc, "", whole, false, inflate);
    const Found loaded = found(grid, coord, pc, parts, "", true);
    EXPECT_TRUE(same_bits(loaded.vector, saved.vector));
    EXPECT_TRUE(same_bits(loaded.values, saved.values));
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string mine = content_of(parts + tail), all = content_of(whole);
    const std::string numbers = record_of(mine, "scidac-binary-data"), among = record_of(all, "scidac-binary-data"),
                      sites = record_of(mine, "scidac-sitelist");
    const std::size_t of_site = 3 * 24 * 8;
    if (ranks == 1) {
      EXPECT_EQ(dateless(mine), dateless(all)); // QIO's way, too
      continue;
    }
    ASSERT_EQ(sites.size() * of_site, 4 * numbers.size());
    EXPECT_EQ(numbers.size() * static_cast<std::size_t>(ranks), among.size());
    for (std::size_t i = 0; i < sites.size() / 4; i++) {
      std::size_t site = 0;
      for (std::size_t k = 0; k < 4; k++) site = site << 8 | static_cast<unsigned char>(sites[4 * i + k]);
      ASSERT_EQ(numbers.compare(of_site * i, of_site, among, of_site * site, of_site), 0) << i;
    }
    EXPECT_EQ(record_of(mine, "scidac-checksum"), rank == 0 ? record_of(all, "scidac-checksum") : "");
    EXPECT_EQ(record_of(mine, "libquda-eigenvectors"), rank == 0 ? record_of(all, "libquda-eigenvectors") : "");
    EXPECT_EQ(record_of(mine, "scidac-private-file-xml").find("<volfmt>2") != std::string::npos, rank == 0);

    const auto refused = [&](const std::string &in, bool as_parts, const std::string &words, const Coords &on,
                             const Coords &at) {
      const Handler handler;
      found(on, at, pc, in, "", as_parts);
      EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_FILE);
      EXPECT_TRUE(handler.says(words)) << handler.text();
      MPI_Barrier(MPI_COMM_WORLD);
    };
    refused(parts, false, "cannot be opened", grid, coord);
    refused(parts + ".vol0000", false, "volfmt 2", grid, coord);
    refused(whole, true, "cannot be opened", grid, coord);
    // a bit of the last rank's numbers, then one of its sites
    for (const char *record : {"scidac-binary-data", "scidac-sitelist"}) {
      std::string bad = mine;
      char &byte = bad[bad.find(std::string(record) + '\0') + 128 + 1003 % record_of(mine, record).size()];
      byte = static_cast<char>(byte ^ 1);
      if (rank == ranks - 1) write_content(parts + tail, bad);
      MPI_Barrier(MPI_COMM_WORLD);
      refused(parts, true, record == std::string("scidac-binary-data") ? "is damaged: checksums" : "this rank's", grid,
              coord);
      if (rank == ranks - 1) write_content(parts + tail, mine);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == ranks - 1) write_content(parts + tail, mine.substr(0, mine.size() - 2000));
    MPI_Barrier(MPI_COMM_WORLD);
    refused(parts, true, "truncated", grid, coord);
  }
}

TEST(VectorFilesOnRanks, PassFromOneGridToAnother)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const int ranks = test::ranks(), rank = test::rank();
  const Coords grid = ranks == 4 ? Coords {2, 1, 1, 2} : Coords {1, 1, 1, ranks}, coord = coordinates(grid, rank);
  const SharedFolder folder;
  const auto file = [&](const std::string &by, bool pc) { return folder.file(by + (pc ? "_odd" : "_all")); };
  const reference::Lattice lattice({4, 4, 4, 8});
  const reference::Part part(lattice, grid, coord);
  Found alone[2];
  {
    const Alone session;
    for (const bool pc : {false, true})
      alone[pc] = found(Alone::grid, Alone::place, pc, "", rank == 0 ? file("one", pc) : "");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  {
    Session session(grid.data());
    for (const bool pc : {false, true}) {
      SCOPED_TRACE(pc ? "odd sites" : "all sites");
      const Found here = found(grid, coord, pc, file("one", pc), file("all", pc));
      EXPECT_TRUE(same_bits(here.values, alone[pc].values));
      EXPECT_TRUE(same_bits(here.vector, support::part_of(alone[pc].vector, lattice, part, pc ? 1 : -1)));
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
                                       {folder.file("none"), "", "cannot be opened"},
                                       {"", "/no/such/folder/vectors", "vec_outfile"}};
    for (const auto &[in, out, words] : refusals) {
      Handler handler;
      found(grid, coord, true, in, out);
      EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_FILE);
      EXPECT_TRUE(handler.says(words)) << handler.text();
    }
  }
  {
    const Alone session;
    const Found again = found(Alone::grid, Alone::place, false, file("all", false), "");
    EXPECT_TRUE(same_bits(again.values, alone[false].values));
    EXPECT_TRUE(same_bits(again.vector, alone[false].vector));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}
