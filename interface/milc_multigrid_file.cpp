#include "interface/milc_multigrid_file.h"

#include "core/error.h"
#include "core/log.h"
#include "interface/params/param_table.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <map>
#include <sstream>
#include <vector>

namespace quda
{

namespace
{

  constexpr int most_levels = QUDA_MAX_MG_LEVEL;

  template <class T> using Names = std::map<std::string, T>;
  const Names<bool> truths = {{"true", true}, {"false", false}};
  const Names<QudaPrecision> precisions = {
      {"double", QUDA_DOUBLE_PRECISION}, {"single", QUDA_SINGLE_PRECISION}, {"half", QUDA_HALF_PRECISION}};
  const Names<QudaTransferType> transfers = {{"true", QUDA_TRANSFER_OPTIMIZED_KD},
                                             {"false", QUDA_TRANSFER_COARSE_KD},
                                             {"drop", QUDA_TRANSFER_OPTIMIZED_KD_DROP_LONG}};
  const Names<QudaInverterType> inverters_of_files = {{"gcr", QUDA_GCR_INVERTER},
                                                      {"cgnr", QUDA_CGNR_INVERTER},
                                                      {"cgne", QUDA_CGNE_INVERTER},
                                                      {"ca-cgnr", QUDA_CA_CGNR_INVERTER},
                                                      {"ca-cgne", QUDA_CA_CGNE_INVERTER},
                                                      {"bicgstab", QUDA_BICGSTAB_INVERTER},
                                                      {"bicgstab-l", QUDA_BICGSTABL_INVERTER},
                                                      {"ca-gcr", QUDA_CA_GCR_INVERTER}};
  const Names<QudaSolveType> solves = {{"direct", QUDA_DIRECT_SOLVE}, {"direct-pc", QUDA_DIRECT_PC_SOLVE}};
  const Names<QudaVerbosity> verbosities = {{"silent", QUDA_SILENT},   {"summarize", QUDA_SUMMARIZE},
                                            {"false", QUDA_SUMMARIZE}, {"verbose", QUDA_VERBOSE},
                                            {"true", QUDA_VERBOSE},    {"debug", QUDA_DEBUG_VERBOSE}};

  QudaBoolean flag(bool yes) { return yes ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE; }

  bool communication_avoiding(QudaInverterType type)
  {
    return type == QUDA_CA_GCR_INVERTER || type == QUDA_CA_CGNR_INVERTER || type == QUDA_CA_CGNE_INVERTER;
  }
  /// Powers as far as single precision bears them.
  QudaCABasis basis_of(QudaInverterType type, int size)
  {
    const bool powers = !communication_avoiding(type) || (type == QUDA_CA_GCR_INVERTER && size <= 8);
    return powers ? QUDA_POWER_BASIS : QUDA_CHEBYSHEV_BASIS;
  }

  /// A line of a file.
  struct Line {
    const char *function;
    const std::string &file;
    int number;
    std::vector<std::string> words;

    [[noreturn]] void refuse(const std::string &value, const std::string &allowed) const
    {
      fail(ErrorKind::file, text("%s: mg_param_file = \"%s\", line %d: %s = %s; allowed: %s", function, file.c_str(),
                                 number, words[0].c_str(), value.c_str(), allowed.c_str()));
    }
  };

  class Reader
  {
  public:
    explicit Reader(MilcMultigridParams &all)
        : p_(all.hierarchy)
    {
      QudaEigParam &modes = all.modes;
      number("mg_levels", p_.n_level);
      flag_of("verify_results", p_.run_verify);
      name("preconditioner_precision", all.precision, precisions);
      name("optimized_kd", p_.transfer_type[0], transfers);
      flag_of("allow_truncation", p_.allow_truncation);
      flag_of("dagger_approximation", p_.staggered_kd_dagger_approximation);
      takes("use_mma", 1, [](const Line &, const std::string *) {});
      takes("block_solver_batch_size", 1, [](const Line &, const std::string *) {});
      numbers("nvec", p_.n_vec);
      takes_of_level("geo_block_size", 4, [this](const Line &line, int level, const std::string *words) {
        for (int d = 0; d < 4; d++) read(line, words[d], p_.geo_block_size[level][d]);
      });
      names("setup_inv", p_.setup_inv_type, inverters_of_files);
      numbers("setup_tol", p_.setup_tol);
      numbers("setup_maxiter", p_.setup_maxiter);
      numbers("setup_ca_basis_size", p_.setup_ca_basis_size);
      file_names("mg_vec_infile", p_.vec_infile);
      file_names("mg_vec_outfile", p_.vec_outfile);
      takes_of_level("mg_vec_partfile", 1, [this](const Line &line, int level, const std::string *words) {
        p_.mg_vec_partfile[level] = flag(one_of(line, words[0], truths));
      });
      names("coarse_solver", p_.coarse_solver, inverters_of_files);
      names("coarse_solve_type", p_.smoother_solve_type, solves);
      numbers("coarse_solver_tol", p_.coarse_solver_tol);
      numbers("coarse_solver_maxiter", p_.coarse_solver_maxiter);
      numbers("coarse_solver_ca_basis_size", p_.coarse_solver_ca_basis_size);
      names("smoother_type", p_.smoother, inverters_of_files);
      numbers("nu_pre", p_.nu_pre);
      numbers("nu_post", p_.nu_post);
      names("mg_verbosity", p_.verbosity, verbosities);
      number("deflate_n_ev", modes.n_ev);
      number("deflate_n_kr", modes.n_kr);
      number("deflate_max_restarts", modes.max_restarts);
      number("deflate_tol", modes.tol);
      number("deflate_block_size", modes.block_size);
      flag_of("deflate_use_poly_acc", modes.use_poly_acc);
      number("deflate_a_min", modes.a_min);
      number("deflate_poly_deg", modes.poly_deg);
      flag_of("deflate_vec_partfile", modes.partfile);
    }

    void take(const Line &line) const
    {
      const auto found = keywords_.find(line.words[0]);
      if (found == keywords_.end())
        return warn("%s: mg_param_file = \"%s\", line %d: %s is no keyword that is known here", line.function,
                    line.file.c_str(), line.number, line.words[0].c_str());
      if (line.words.size() < 1 + found->second.words)
        line.refuse(text("%zu words", line.words.size() - 1), text("%zu words behind it", found->second.words));
      found->second.read(line, &line.words[1]);
    }

  private:
    struct Keyword {
      std::size_t words;
      std::function<void(const Line &, const std::string *)> read;
    };
    using Read = std::function<void(const Line &, const std::string *)>;
    using ReadOfLevel = std::function<void(const Line &, int, const std::string *)>;

    void takes(const char *keyword, std::size_t words, Read read) { keywords_[keyword] = {words, std::move(read)}; }
    void takes_of_level(const char *keyword, std::size_t words, const ReadOfLevel &take)
    {
      takes(keyword, 1 + words, [take](const Line &line, const std::string *from) {
        int level = 0;
        read(line, from[0], level);
        if (level < 0 || level >= most_levels) line.refuse("level " + from[0], text("levels 0 to %d", most_levels - 1));
        take(line, level, from + 1);
      });
    }
    template <class T> static void read(const Line &line, const std::string &word, T &to)
    {
      const char *const end = word.data() + word.size();
      const auto [at, error] = std::from_chars(word.data(), end, to);
      if (error != std::errc() || at != end) line.refuse(word, "a number");
    }
    template <class T> static T one_of(const Line &line, const std::string &word, const Names<T> &names)
    {
      const auto found = names.find(word);
      if (found != names.end()) return found->second;
      std::string all;
      for (const auto &[name, value] : names) all += (all.empty() ? "" : ", ") + name;
      line.refuse(word, all);
    }
    template <class T> void number(const char *keyword, T &to)
    {
      takes(keyword, 1, [&to](const Line &line, const std::string *words) { read(line, words[0], to); });
    }
    void flag_of(const char *keyword, QudaBoolean &to)
    {
      takes(keyword, 1,
            [&to](const Line &line, const std::string *words) { to = flag(one_of(line, words[0], truths)); });
    }
    template <class T> void name(const char *keyword, T &to, const Names<T> &names)
    {
      takes(keyword, 1,
            [&to, &names](const Line &line, const std::string *words) { to = one_of(line, words[0], names); });
    }
    template <class T> void numbers(const char *keyword, T (&to)[most_levels])
    {
      takes_of_level(keyword, 1,
                     [&to](const Line &line, int level, const std::string *words) { read(line, words[0], to[level]); });
    }
    template <class T> void names(const char *keyword, T (&to)[most_levels], const Names<T> &names)
    {
      takes_of_level(keyword, 1, [&to, &names](const Line &line, int level, const std::string *words) {
        to[level] = one_of(line, words[0], names);
      });
    }
    void file_names(const char *keyword, char (&to)[most_levels][256])
    {
      takes_of_level(keyword, 1, [&to](const Line &line, int level, const std::string *words) {
        if (words[0].size() >= sizeof to[level]) line.refuse(words[0], "up to 255 characters");
        std::memcpy(to[level], words[0].c_str(), words[0].size() + 1);
      });
    }

    QudaMultigridParam &p_;
    std::map<std::string, Keyword> keywords_;
  };

  /// What a file leaves out.
  MilcMultigridParams standard()
  {
    MilcMultigridParams all {default_param<QudaMultigridParam>(), QUDA_HALF_PRECISION, default_param<QudaEigParam>()};
    QudaMultigridParam &p = all.hierarchy;
    p.n_level = 4;
    p.run_verify = QUDA_BOOLEAN_TRUE;
    p.transfer_type[0] = QUDA_TRANSFER_OPTIMIZED_KD;
    for (int level = 0; level < most_levels; level++) {
      p.n_vec[level] = level == 1 ? 64 : level == 2 ? 96 : level == 3 ? 0 : 24;
      for (int d = 0; d < 4; d++) p.geo_block_size[level][d] = 2;
      p.setup_inv_type[level] = QUDA_CGNR_INVERTER;
      p.setup_tol[level] = 1e-5;
      p.setup_maxiter[level] = 500;
      p.coarse_solver[level] = level == 3 ? QUDA_CA_GCR_INVERTER : QUDA_GCR_INVERTER;
      p.coarse_solver_tol[level] = level == 1 ? 5e-2 : 0.25;
      p.coarse_solver_maxiter[level] = level == 1 || level == 2 ? 4 : 16;
      p.coarse_solver_ca_basis_size[level] = level == 1 || level == 2 ? 4 : 16;
      p.smoother_solve_type[level] = QUDA_DIRECT_PC_SOLVE;
      p.smoother[level] = QUDA_CA_GCR_INVERTER;
      p.nu_pre[level] = 0;
      p.nu_post[level] = level == 0 ? 4 : 2;
      p.verbosity[level] = QUDA_SUMMARIZE;
      p.vec_infile[level][0] = p.vec_outfile[level][0] = 0;
    }
    QudaEigParam &modes = all.modes;
    modes.eig_type = QUDA_EIG_TR_LANCZOS;
    modes.spectrum = QUDA_SPECTRUM_SR_EIG;
    modes.use_norm_op = QUDA_BOOLEAN_TRUE;
    modes.n_ev = 66;
    modes.n_kr = 128;
    modes.max_restarts = 50;
    modes.tol = 1e-3;
    modes.block_size = 1;
    modes.check_interval = 10;
    modes.require_convergence = QUDA_BOOLEAN_TRUE;
    modes.use_poly_acc = QUDA_BOOLEAN_FALSE;
    modes.a_min = 1e-2;
    modes.a_max = 0;
    modes.poly_deg = 20;
    modes.vec_infile[0] = modes.vec_outfile[0] = 0;
    return all;
  }

  /// Numbers of vectors that nothing can be made of, in the words of the file.
  void check_numbers(const char *function, const std::string &file, const MilcMultigridParams &all)
  {
    const QudaMultigridParam &p = all.hierarchy;
    const auto refuse = [&](int level, const std::string &what, const std::string &allowed) {
      fail(ErrorKind::file, text("%s: mg_param_file = \"%s\": nvec %d = %d %s; allowed: %s", function, file.c_str(),
                                 level, p.n_vec[level], what.c_str(), allowed.c_str()));
    };
    const int last = std::clamp(p.n_level, 1, most_levels) - 1;
    for (int level = 1; level < last; level++) {
      const int *const block = p.geo_block_size[level];
      long long room = 1; // of a chirality
      for (int d = 0; d < 4; d++) room *= std::max(block[d], 0);
      if (level > 1)
        room *= p.n_vec[level - 1];
      else
        room = p.transfer_type[0] == QUDA_TRANSFER_COARSE_KD ? 24 * room : 3 * room / 2;
      if (p.n_vec[level] > room)
        refuse(level, text("with geo_block_size %d %d %d %d %d", level, block[0], block[1], block[2], block[3]),
               text("1 to %lld of such aggregates, or larger ones, as geo_block_size 1 4 4 4 4", room));
    }
    if (p.n_vec[last] > all.modes.n_ev)
      refuse(
          last, "low modes of the last level",
          text("0, none, to deflate_n_ev = %d; a level beyond those of the file has the standard's", all.modes.n_ev));
  }

  /// What hosts say of a level beside what stands in files.
  void complete(MilcMultigridParams &all)
  {
    QudaMultigridParam &p = all.hierarchy;
    const int last = std::clamp(p.n_level, 1, most_levels) - 1;
    const bool coarse = p.transfer_type[0] == QUDA_TRANSFER_COARSE_KD;
    p.n_vec[0] = coarse ? 24 : 3;
    std::fill(p.geo_block_size[0], p.geo_block_size[0] + 4, coarse ? 2 : 1);
    for (int level = 0; level < most_levels; level++) {
      const int steps = std::max(p.nu_pre[level], p.nu_post[level]);
      p.spin_block_size[level] = level == 0 || (level == 1 && !coarse) ? 0 : 1;
      p.n_vec_batch[level] = level > 0 && p.n_vec[level] % 16 == 0 ? 16 : 1;
      p.n_block_ortho[level] = 2;
      p.precision_null[level] = p.smoother_halo_precision[level] = all.precision;
      p.cycle_type[level] = QUDA_MG_CYCLE_RECURSIVE;
      p.setup_ca_basis[level] = basis_of(p.setup_inv_type[level], p.setup_ca_basis_size[level]);
      int &basis = p.coarse_solver_ca_basis_size[level];
      basis = std::min(basis, p.coarse_solver_maxiter[level]);
      p.coarse_solver_ca_basis[level] = basis_of(p.coarse_solver[level], basis);
      p.smoother_solver_ca_basis[level] = basis_of(p.smoother[level], steps);
      p.smoother_tol[level] = 1e-10;
      p.omega[level] = 0.85;
      p.coarse_grid_solution_type[level] = level > 1 || coarse ? QUDA_MATPC_SOLUTION : QUDA_MAT_SOLUTION;
      p.location[level] = QUDA_CUDA_FIELD_LOCATION;
      p.vec_load[level] = flag(p.vec_infile[level][0] != 0);
      p.vec_store[level] = flag(p.vec_outfile[level][0] != 0);
    }
    p.compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_YES;
    p.generate_all_levels = QUDA_BOOLEAN_TRUE;
    p.preserve_deflation = QUDA_BOOLEAN_TRUE;
    p.use_eig_solver[last] = flag(p.n_vec[last] > 0);
    all.modes.n_conv = p.n_vec[last];
    if (all.modes.block_size > 1) all.modes.eig_type = QUDA_EIG_BLK_TR_LANCZOS;
    p.mg_vec_partfile[last] = all.modes.partfile;
    all.modes.partfile = QUDA_BOOLEAN_FALSE;
  }

} // namespace

MilcMultigridParams milc_multigrid_params(const char *function, const std::string &file, const std::string &contents)
{
  MilcMultigridParams all = standard();
  const Reader reader(all);
  std::istringstream lines(contents);
  std::string one;
  for (int number = 1; std::getline(lines, one); number++) {
    Line line {function, file, number, {}};
    std::istringstream words(one);
    for (std::string word; words >> word;) line.words.push_back(word);
    if (line.words.empty() || line.words[0][0] == '#') continue;
    reader.take(line);
  }
  check_numbers(function, file, all);
  complete(all);
  return all;
}

} // namespace quda
