/// Files of eigenvectors (vec_infile, vec_outfile): the bits come back, the bytes are SciDAC's, what does not fit is
/// refused by name, and a file is whole or as it was.

#include "eigen_call.h"

#include <chrono>
#include <csignal>
#include <random>

#include <sys/resource.h>
#include <sys/wait.h>

#include "core/environment_support.h"
#include "files/written_fields.h"
#include "interface/vector_files.h"

namespace
{

using namespace test;
using reference::Coords;

class VectorFiles : public ::testing::Test
{
protected:
  void save(EigenCall &call, std::size_t reals)
  {
    std::strcpy(call.param.vec_outfile, path.c_str());
    call.run(reals);
    call.param.vec_outfile[0] = 0;
  }
  /// Nothing can be found without restarts and in so small a space: what comes is the file's.
  void load(EigenCall &call, std::size_t reals)
  {
    std::strcpy(call.param.vec_infile, path.c_str());
    call.param.max_restarts = 0;
    call.run(reals);
  }
  /// What a load says, of kind file unless another is named.
  void expect_refused(EigenCall &call, std::size_t reals, const std::vector<std::string> &words,
                      QudaErrorKind kind = QUDA_ERROR_KIND_FILE)
  {
    Handler handler;
    load(call, reals);
    EXPECT_EQ(handler.kind(), kind) << handler.text();
    for (const std::string &word : words) EXPECT_TRUE(handler.says(word)) << word << " in: " << handler.text();
  }

  Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
  Session session_;
  ScratchFolder folder;
  const std::string path = folder.file("vectors");
  const Case on {reference::random_gauge(reference::Lattice({2, 2, 2, 4}), 17)};
  const std::size_t reals = 24 * on.lattice.volume();
};

void of_parity(EigenCall &call, int parity)
{
  call.param.use_pc = parity >= 0 ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
  call.invert.matpc_type = parity == 1 ? QUDA_MATPC_ODD_ODD : QUDA_MATPC_EVEN_EVEN;
}

/// The numbers of the one record of data, as other programs read them.
template <class real> std::vector<double> numbers_in(const std::string &content)
{
  const std::size_t type = content.find("scidac-binary-data"), begin = type + 128;
  std::uint64_t length = 0;
  for (std::size_t i = type - 8; i < type; i++) length = length << 8 | static_cast<unsigned char>(content[i]);
  std::vector<double> numbers;
  for (std::size_t at = begin; at < begin + length; at += sizeof(real)) {
    char bytes[sizeof(real)];
    for (std::size_t i = 0; i < sizeof(real); i++) bytes[i] = content[at + sizeof(real) - 1 - i];
    real number;
    std::memcpy(&number, bytes, sizeof number);
    numbers.push_back(static_cast<double>(number));
  }
  return numbers;
}

} // namespace

TEST_F(VectorFiles, BringBackTheBits)
{
  for (const int parity : {-1, 0, 1})
    for (const bool general : {false, true})
      for (const bool inflate : {false, true}) {
        SCOPED_TRACE(testing::Message() << "parity " << parity << ", general " << general << ", inflated " << inflate);
        const std::size_t numbers = parity < 0 ? reals : reals / 2;
        EigenCall saved, loaded;
        for (EigenCall *call : {&saved, &loaded}) {
          of_parity(*call, parity);
          if (!general) continue;
          call->param.use_norm_op = QUDA_BOOLEAN_FALSE;
          call->param.eig_type = QUDA_EIG_IR_ARNOLDI;
          call->param.spectrum = QUDA_SPECTRUM_LR_EIG;
        }
        saved.param.io_parity_inflate = inflate ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
        save(saved, numbers);
        load(loaded, numbers);
        EXPECT_TRUE(same_bits(loaded.values, saved.values));
        for (std::size_t i = 0; i < 4; i++) EXPECT_TRUE(same_bits(loaded.vectors[i], saved.vectors[i])) << i;
        EXPECT_EQ(folder.names().size(), 1u);
      }
}

TEST_F(VectorFiles, SlicesAndSingularVectors)
{
  EigenCall saved, loaded;
  for (EigenCall *call : {&saved, &loaded}) call->param.compute_svd = QUDA_BOOLEAN_TRUE;
  save(saved, reals);
  load(loaded, reals);
  EXPECT_TRUE(same_bits(loaded.values, saved.values));
  EXPECT_TRUE(same_bits(loaded.vectors[7], saved.vectors[7]));

  EigenCall slices, again;
  for (EigenCall *call : {&slices, &again}) {
    call->param.use_norm_op = QUDA_BOOLEAN_FALSE;
    call->param.eig_type = QUDA_EIG_TR_LANCZOS_3D;
    call->param.ortho_dim = 3;
    call->param.n_conv = 2;
    call->param.n_ev = 3;
    call->param.n_kr = 8;
    call->param.invert_param = &call->invert;
    call->invert.dslash_type = QUDA_LAPLACE_DSLASH;
    call->invert.laplace3D = 3;
    call->param.tol = 1e-9;
    call->vectors.assign(2, std::vector<double>(reals / 4));
    call->values.resize(8);
    std::strcpy(call == &slices ? call->param.vec_outfile : call->param.vec_infile, path.c_str());
    void *pointers[2] = {call->vectors[0].data(), call->vectors[1].data()};
    eigensolveQuda(pointers, reinterpret_cast<double _Complex *>(call->values.data()), &call->param);
  }
  EXPECT_TRUE(same_bits(again.values, slices.values));
  EXPECT_TRUE(same_bits(again.vectors[1], slices.vectors[1]));
}

TEST_F(VectorFiles, InSinglePrecisionAreGoodToIt)
{
  EigenCall saved, loaded, again;
  saved.param.save_prec = QUDA_SINGLE_PRECISION;
  save(saved, reals);
  load(loaded, reals);
  EXPECT_LE(largest_difference(std::vector<double> {loaded.values[0].real(), loaded.values[3].real()},
                               std::vector<double> {saved.values[0].real(), saved.values[3].real()}),
            1e-6);
  EXPECT_LE(largest_difference(loaded.vectors[2], saved.vectors[2]), 1e-7);
  EXPECT_GT(largest_difference(loaded.vectors[2], saved.vectors[2]), 0);
  // in their precision the numbers are as they were
  std::strcpy(again.param.vec_infile, path.c_str());
  again.param.save_prec = QUDA_SINGLE_PRECISION;
  const std::string before = content_of(path);
  save(again, reals);
  EXPECT_EQ(numbers_in<float>(content_of(path)), numbers_in<float>(before));
}

TEST_F(VectorFiles, OfASpaceInSinglePrecisionBringBackTheBits)
{
  for (const QudaPrecision precision : {QUDA_SINGLE_PRECISION, QUDA_DOUBLE_PRECISION}) {
    EigenCall saved, loaded;
    for (EigenCall *call : {&saved, &loaded}) {
      call->invert.cuda_prec_eigensolver = QUDA_SINGLE_PRECISION;
      call->param.tol = 1e-6;
      call->param.save_prec = precision;
    }
    save(saved, reals);
    load(loaded, reals);
    EXPECT_TRUE(same_bits(loaded.values, saved.values));
    EXPECT_TRUE(same_bits(loaded.vectors[2], saved.vectors[2]));
  }
}

TEST_F(VectorFiles, AreReadableByOthers)
{
  for (const int parity : {-1, 1})
    for (const bool inflate : {false, true}) {
      SCOPED_TRACE(testing::Message() << "parity " << parity << ", inflated " << inflate);
      EigenCall call;
      of_parity(call, parity);
      call.param.io_parity_inflate = inflate ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
      save(call, parity < 0 ? reals : reals / 2);
      const std::string content = content_of(path);
      const bool halved = parity >= 0 && !inflate;
      for (const char *words : {halved ? "<dims>1 2 2 4 </dims>" : "<dims>2 2 2 4 </dims>", "<precision>D</precision>",
                                "<colors>3</colors>", "<spins>4</spins>", "<typesize>192</typesize>",
                                "<datacount>4</datacount>", "scidac-record-xml", "scidac-checksum",
                                "libquda-eigenvectors", "antiperiodic", "<lattice>2 2 2 4</lattice>", "kappa = 0.13"})
        EXPECT_NE(content.find(words), std::string::npos) << words;
      std::vector<double> expected;
      for (std::size_t i = 0; i < on.lattice.volume(); i++) {
        const std::size_t slot = on.lattice.slot(on.lattice.coords_of_index(i));
        const bool there = parity < 0 || slot >= on.lattice.half();
        if (!there && halved) continue;
        const std::size_t at = 24 * (slot - (parity < 0 || !there ? 0 : on.lattice.half()));
        for (const std::vector<double> &v : call.vectors)
          for (std::size_t k = 0; k < 24; k++) expected.push_back(there ? v[at + k] : 0);
      }
      EXPECT_EQ(numbers_in<double>(content), expected);
    }
}

TEST_F(VectorFiles, ThatDoNotFitAreRefusedByName)
{
  EigenCall saved;
  save(saved, reals);
  {
    EigenCall fewer(3);
    expect_refused(fewer, reals, {"vec_infile", path, "holds 4 fields", "n_conv = 3"});
  }
  {
    EigenCall even;
    of_parity(even, 0);
    expect_refused(even, reals / 2, {"vec_infile", path, "on all sites", "on even"});
  }
  {
    EigenCall one_spin;
    one_spin.invert.dslash_type = QUDA_LAPLACE_DSLASH;
    one_spin.invert.laplace3D = 4;
    one_spin.param.use_norm_op = QUDA_BOOLEAN_FALSE;
    expect_refused(one_spin, reals / 4, {"vec_infile", path, "have 4 spins, the call's 1"});
  }
  {
    EigenCall other;
    other.invert.kappa = 0.12;
    expect_refused(other, reals,
                   {"vec_infile = \"" + path, "0 of 4 vectors", "kappa = 0.12,", "kappa = 0.13", "tol = 1e-11"},
                   QUDA_ERROR_KIND_BAD_ARGUMENT);
    other.param.require_convergence = QUDA_BOOLEAN_FALSE; // then it is a warning
    load(other, reals);
    EXPECT_TRUE(same_bits(other.vectors[3], saved.vectors[3]));
  }
  {
    EigenCall none;
    std::filesystem::rename(path, path + "2");
    expect_refused(none, reals, {"vec_infile", path, "cannot be opened"});
    std::filesystem::rename(path + "2", path);
  }
  const Case larger(reference::random_gauge(reference::Lattice({2, 2, 4, 4}), 17));
  EigenCall call;
  expect_refused(call, 2 * reals, {"vec_infile", path, "lattice is 2 2 2 4, the call's 2 2 4 4"});
}

TEST_F(VectorFiles, OneThatDoesNotBelongIsNamed)
{
  EigenCall saved, loaded;
  save(saved, reals);
  quda::ColorSpinorParam shape;
  const int X[4] = {2, 2, 2, 4};
  shape.lattice = quda::Lattice::create(X, quda::default_communicator());
  const quda::NamedFile file {"test", "vec_infile", path};
  quda::LoadedVectors vectors = quda::load_vectors(file, shape, 4);
  EXPECT_TRUE(std::memcmp(vectors.fields[2].data(), saved.vectors[2].data(), reals * sizeof(double)) == 0);
  static_cast<double *>(vectors.fields[2].data())[77] += 1e-6;
  quda::save_vectors(file, vectors.fields, false, {});
  expect_refused(loaded, reals, {"3 of 4 vectors", "pair 2, of lambda"}, QUDA_ERROR_KIND_BAD_ARGUMENT);
}

TEST_F(VectorFiles, OfOtherProgramsHaveNoRecordOfOurs)
{
  EigenCall saved, loaded;
  save(saved, reals);
  const std::string whole = content_of(path);
  write_content(path, whole.substr(0, whole.find("libquda-eigenvectors") - 16));
  load(loaded, reals);
  EXPECT_TRUE(same_bits(loaded.values, saved.values));
  EXPECT_TRUE(same_bits(loaded.vectors[3], saved.vectors[3]));
  write_content(path, whole + whole.substr(whole.find("scidac-private-record-xml") - 16));
  expect_refused(loaded, reals, {"second record 'scidac-private-record-xml'"});
}

TEST_F(VectorFiles, ThatAreDamagedAreRefused)
{
  EigenCall saved, loaded;
  save(saved, reals);
  const std::string whole = content_of(path);
  const std::size_t data = whole.find("scidac-binary-data") + 128;
  for (const std::size_t at : {data, data + 12345, data + 4 * 8 * reals - 1}) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    write_content(path, flipped);
    expect_refused(loaded, reals, {"vec_infile", path, "checksums"});
  }
  for (const std::size_t bytes : {data / 2, data + 777, data + 4 * 8 * reals, whole.size() - 200}) {
    write_content(path, whole.substr(0, bytes));
    expect_refused(loaded, reals, {"vec_infile", path, "truncated at byte"});
  }
  write_content(path, "not a file of vectors, but long enough to have the header of a record in it, if it were one; it "
                      "goes on for so long that there is room for one hundred and forty-four bytes");
  expect_refused(loaded, reals, {"vec_infile", path, "bad LIME magic number"});
  std::string float_links = whole;
  float_links.replace(float_links.find("<typesize>192"), 13, "<typesize>144");
  write_content(path, float_links);
  expect_refused(loaded, reals, {"vec_infile", path, "not a file of quark fields", "144 bytes"});
  std::string other_precision = whole;
  other_precision.replace(other_precision.find("<precision>D"), 12, "<precision>H");
  write_content(path, other_precision);
  expect_refused(loaded, reals, {"vec_infile", path, "<precision> 'H'"});
}

TEST_F(VectorFiles, WhoseParametersAreWrongAreRefusedBeforehand)
{
  const auto refused = [&](const std::vector<std::string> &words, auto change) {
    EigenCall call;
    std::strcpy(call.param.vec_outfile, path.c_str());
    change(call.param);
    Handler handler;
    call.run(reals);
    EXPECT_EQ(handler.calls(), 1);
    for (const std::string &word : words) EXPECT_TRUE(handler.says(word)) << word << " in: " << handler.text();
    EXPECT_EQ(call.invert.gflops, 0); // nothing was computed
  };
  refused({"save_prec", "QUDA_HALF_PRECISION"}, [](QudaEigParam &p) { p.save_prec = QUDA_HALF_PRECISION; });
  refused({"vec_outfile = \"/no/such/folder/vectors\"", "No such file"},
          [](QudaEigParam &p) { std::strcpy(p.vec_outfile, "/no/such/folder/vectors"); });
  refused({"vec_outfile", "255 characters"}, [](QudaEigParam &p) { std::memset(p.vec_outfile, 'x', 256); });
}

TEST_F(VectorFiles, OnAFullDiskStayAsTheyWere)
{
  // The limit of a file's size stands for the disk's.
  EigenCall first, second;
  save(first, reals);
  const std::string before = content_of(path);
  rlimit limit, was;
  getrlimit(RLIMIT_FSIZE, &was);
  limit = was;
  limit.rlim_cur = before.size() / 2;
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  {
    Handler handler;
    setrlimit(RLIMIT_FSIZE, &limit);
    save(second, reals);
    setrlimit(RLIMIT_FSIZE, &was);
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_FILE);
    EXPECT_TRUE(handler.says("vec_outfile")) << handler.text();
    EXPECT_TRUE(handler.says("File too large")) << handler.text();
  }
  std::signal(SIGXFSZ, ignored);
  EXPECT_TRUE(content_of(path) == before);
  EXPECT_EQ(folder.names().size(), 1u);
  EXPECT_TRUE(same_bits(second.vectors[0], first.vectors[0])); // the host has them nevertheless
}

TEST_F(VectorFiles, WhoseWriterIsKilledAreWhole)
{
  using namespace quda;
  ColorSpinorParam shape;
  const int X[4] = {4, 4, 4, 8};
  shape.lattice = Lattice::create(X, default_communicator());
  std::vector<ColorSpinorField> fields;
  for (int i = 0; i < 4; i++) {
    fields.push_back(file_field(shape, Precision::double_));
    auto *const numbers = static_cast<double *>(fields.back().data());
    for (int k = 0; k < 24 * 512; k++) numbers[k] = i + k / 3.0;
  }
  const NamedFile file {"test", "vec_outfile", path};
  const auto write = [&](int number) {
    *static_cast<double *>(fields[3].data()) = number;
    save_vectors(file, fields, false, {});
  };
  const auto start = std::chrono::steady_clock::now();
  write(0);
  const std::chrono::duration<double, std::micro> one = std::chrono::steady_clock::now() - start;
  std::mt19937 random(78);
  std::uniform_int_distribution<useconds_t> moment(500, 2000 + static_cast<useconds_t>(8 * one.count()));
  int last = 0, in_midst = 0;
  for (int round = 0; round < 300 && (round < 20 || in_midst < 10 || last == 0); round++) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      for (int i = last + 1;; i++) write(i); // until it is killed
    usleep(moment(random));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "round " << round << ": it ended by itself";
    const LoadedVectors loaded = load_vectors(file, shape, 4);
    const int now = static_cast<int>(*static_cast<const double *>(loaded.fields[3].data()));
    *static_cast<double *>(fields[3].data()) = now;
    for (std::size_t i = 0; i < 4; i++)
      EXPECT_EQ(std::memcmp(loaded.fields[i].data(), fields[i].data(), 24 * 512 * sizeof(double)), 0) << i;
    EXPECT_GE(now, last) << "round " << round;
    last = now;
    for (const std::string &name : folder.names())
      if (name != "vectors") {
        EXPECT_EQ(name.substr(name.size() - 5), ".part");
        std::filesystem::remove(folder.file(name));
        in_midst++;
      }
  }
  EXPECT_GE(in_midst, 10) << "kills found a write under way";
  EXPECT_GT(last, 0) << "no write came to its end";
}
