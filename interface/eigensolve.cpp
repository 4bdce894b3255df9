/// Eigenvectors of operators on quark fields.
///
///   eigensolveQuda : n_conv eigenvalues and vectors of M, or with use_pc of M_pc (matpc_type), of its adjoint
///                    (use_dagger), of A^dag A of either (use_norm_op), of gamma5 M (compute_gamma5)
/// lib/dirac/dirac.h defines M and M_pc; the mass is not normalised. Links are the resident ones, or with
/// use_smeared_gauge the smeared ones.
/// Methods  : eig_type; Lanczos methods and polynomials require Hermitian matrices: A^dag A, the Laplace operator, M_pc
///            of staggered fermions, gamma5 M of Wilson and clover fermions, gamma5 M_pc of Wilson and, if matpc_type
///            is asymmetric, of clover fermions; Arnoldi methods take all. A restart keeps at least n_ev Ritz vectors
///            of a space of n_kr. QUDA_EIG_TR_LANCZOS_3D treats the time slices of the three-dimensional Laplace
///            operator as separate problems, all at once: h_evals[t of the whole lattice][n_conv], and each slice of a
///            vector has unit norm.
/// Result   : in the order of `spectrum`; each vector has unit norm, and its residual |A v - lambda v| in
///            cuda_prec is below tol |lambda|, or as small as rounding allows. The space is in
///            cuda_prec_eigensolver or, if that is half, quarter or unset, in single precision or cuda_prec. With
///            compute_svd (of A^dag A) the values are |A v|, and the vectors A v / |A v| follow the others. On a
///            lattice of one time slice, X[3] = 1, the modes are those of the three-dimensional Laplace operator,
///            with either method.
/// Vectors  : a null array of vectors, or a null entry of it, is skipped. If block_size is set, the search starts from
///            the first vector, provided that it is finite and not zero.
/// Window   : use_poly_acc with poly_deg. SR, SM: a_min to a_max is suppressed, eigenvalues below are found; LR, LM:
///            those above. a_max <= 0 and a_min = 0 are determined by Lanczos steps; a_max is then written back.
/// Files    : vec_outfile gets the n_conv vectors, in save_prec; vec_infile replaces the search (the file's values are
///            computed anew, and residuals decide as in a search, except for rounding of the file's precision). SciDAC
///            format, all ranks in one file, with the first rank's names, or with partfile one file NAME.volNNNN per
///            rank, read on the grid that wrote them. Vectors of one parity are stored on a lattice of half the extent
///            in x, with io_parity_inflate on all sites, and are read from either.
/// Not read : ortho_block_size, max_ortho_attempts, batched_rotate, qr_tol, use_eigen_qr, check_interval, nLockedMax,
///            compute_evals_batch_size, extlib_type, mem_type_ritz, location: internal choices of the library.
/// Errors   : parameter structures are checked as far as the call reads them. Without convergence, bad_argument if
///            require_convergence asks for it, else a warning; the same for vectors of a file that are not
///            eigenvectors. Kind file for faults of a file; if only writing failed, the host has its vectors.

#include "interface/eigen_options.h"

#include "core/log.h"
#include "core/profile.h"
#include "dirac/dirac_system.h"
#include "dirac/make_dirac.h"
#include "dirac/sliced.h"
#include "interface/eigen_files.h"
#include "interface/quark_job.h"
#include "interface/resident.h"
#include "interface/vector_files.h"
#include "ops/blas/block.h"
#include "ops/copy/slices.h"
#include "solvers/eigen_solver.h"
#include "solvers/krylov_method.h"
#include "targets/target.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>

namespace quda
{

namespace
{

  struct EigenJob {
    QuarkJob quarks;         // its h_out are the vectors that the host has memory for
    std::vector<int> places; // their places among all vectors
    bool start;              // whether the first of them may be a start vector
    bool slices;             // whether they are separate problems
    DiracSystemForm system;
    EigenOptions options;
    LinkStorage space; // in the precision of the space
    EigenFiles files {};
  };

  void check_members(Checks &checks, const QudaEigParam &param)
  {
    using P = QudaEigParam;
    check(checks, param, &P::invert_param);
    check_eigen_search(checks, param);
    check(checks, param, &P::use_smeared_gauge, &P::use_dagger, &P::use_norm_op, &P::use_pc, &P::compute_svd,
          &P::compute_gamma5);
  }

  /// Symmetries of M or M_pc, and of gamma5 times it; with_gamma5 is empty if that product does not exist.
  struct Symmetries {
    Symmetry itself = Symmetry::general;
    std::optional<Symmetry> with_gamma5 {};
  };

  Symmetries symmetries(const DiracParam &dirac, const QudaEigParam &param)
  {
    const bool asymmetric = param.use_pc && !symmetric(static_cast<MatPC>(param.invert_param->matpc_type));
    const Symmetry hermitian = Symmetry::hermitian, general = Symmetry::general;
    if (std::holds_alternative<LaplaceVectors>(dirac)) return {hermitian, {}};
    if (std::holds_alternative<StaggeredFermions>(dirac)) return {param.use_pc ? hermitian : general, {}};
    if (std::holds_alternative<WilsonFermions>(dirac)) return {general, hermitian};
    if (std::holds_alternative<CloverFermions>(dirac))
      return {general, !param.use_pc || asymmetric ? hermitian : general};
    if (const SpinorShape shape = spinor_shape(dirac); shape.spins == 4 && shape.flavours == 1)
      return {general, general};
    return {general, {}};
  }

  void check_matrix(const char *function, EigenJob &job, const QudaEigParam &param, const EigenMethodRow &row)
  {
    const auto dslash = [&] { return "dslash_type = " + value_text(param.invert_param->dslash_type); };
    if (param.compute_svd && !param.use_norm_op)
      refuse(function, "QudaEigParam.compute_svd", "QUDA_BOOLEAN_TRUE",
             "QUDA_BOOLEAN_FALSE where use_norm_op = QUDA_BOOLEAN_FALSE");
    const Symmetries of = symmetries(job.quarks.dirac, param);
    if (param.compute_gamma5) {
      if (param.use_norm_op || param.use_dagger)
        refuse(function, "QudaEigParam.compute_gamma5", "QUDA_BOOLEAN_TRUE",
               "QUDA_BOOLEAN_FALSE with use_norm_op or use_dagger");
      if (!of.with_gamma5)
        refuse(function, "QudaEigParam.compute_gamma5", "QUDA_BOOLEAN_TRUE", "QUDA_BOOLEAN_FALSE with " + dslash());
      job.system.gamma5 = *of.with_gamma5;
    }
    const Symmetry symmetry = param.use_norm_op      ? Symmetry::positive
                              : param.compute_gamma5 ? *of.with_gamma5
                                                     : of.itself;
    const std::string why = "use_norm_op = QUDA_BOOLEAN_TRUE, or a matrix that is Hermitian itself; that of " +
                            dslash() + ", use_pc = " + value_text(param.use_pc) +
                            ", compute_gamma5 = " + value_text(param.compute_gamma5) + " is not";
    if (symmetry == Symmetry::general) {
      if (row.hermitian)
        refuse(function, "QudaEigParam.eig_type", value_text(param.eig_type),
               "QUDA_EIG_IR_ARNOLDI, QUDA_EIG_BLK_IR_ARNOLDI, " + why);
      if (param.use_poly_acc)
        refuse(function, "QudaEigParam.use_poly_acc", "QUDA_BOOLEAN_TRUE", "QUDA_BOOLEAN_FALSE, " + why);
    }
    const bool imaginary = param.spectrum == QUDA_SPECTRUM_LI_EIG || param.spectrum == QUDA_SPECTRUM_SI_EIG;
    if (imaginary && (row.hermitian || param.use_poly_acc))
      refuse(function, "QudaEigParam.spectrum", value_text(param.spectrum),
             "QUDA_SPECTRUM_SR_EIG, QUDA_SPECTRUM_LR_EIG, QUDA_SPECTRUM_SM_EIG, QUDA_SPECTRUM_LM_EIG of Hermitian "
             "matrices");
  }

  /// Checks slices as separate problems.
  void check_slices(Checks &checks, const EigenJob &job, const QudaEigParam &param, bool asked)
  {
    using P = QudaEigParam;
    const char *function = checks.function;
    const auto *const laplace = std::get_if<LaplaceVectors>(&job.quarks.dirac);
    if (!laplace || laplace->omitted != 3 || param.use_pc)
      refuse(
          function, "QudaEigParam.eig_type", value_text(param.eig_type),
          "another method, or dslash_type = QUDA_LAPLACE_DSLASH with laplace3D = 3 on all sites, which leads from no "
          "time slice to another");
    if (param.compute_svd)
      refuse(function, "QudaEigParam.compute_svd", "QUDA_BOOLEAN_TRUE",
             "QUDA_BOOLEAN_FALSE with QUDA_EIG_TR_LANCZOS_3D or X[3] = 1");
    if (!asked) return;
    check(checks, param, &P::ortho_dim, &P::ortho_dim_size_local);
    if (param.ortho_dim != 3)
      refuse(function, "QudaEigParam.ortho_dim", text("%d", param.ortho_dim), "3", ErrorKind::unsupported);
    const int slices = job.quarks.one_slice ? 1 : job.quarks.links->precise().lattice().X(3);
    if (param.ortho_dim_size_local != 0 && param.ortho_dim_size_local != slices)
      refuse(function, "QudaEigParam.ortho_dim_size_local", text("%d", param.ortho_dim_size_local),
             text("X[3] = %d, or 0", slices));
  }

  EigenJob prepare(Checks &checks, void *const *h_evecs, const void *h_evals, const QudaEigParam *param)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    check_struct(function, param);
    check_members(checks, *param);
    const QudaInvertParam &invert = *param->invert_param;
    check_struct(function, &invert);
    check_not_null(function, "h_evals", h_evals);
    check_mass(checks, invert);
    if (param->use_pc) check(checks, invert, &P::matpc_type);
    check_if_set(checks, invert, &P::cuda_prec_eigensolver);
    const EigenMethodRow &row = eigen_method_of(function, *param);
    QudaInvertParam described = invert;
    described.solution_type = param->use_pc ? QUDA_MATPC_SOLUTION : QUDA_MAT_SOLUTION;
    EigenJob job {
        .quarks = quark_job(checks, described, false,
                            {.smeared = param->use_smeared_gauge, .one_slice_allowed = !staggered(invert.dslash_type)}),
        .places = {},
        .start = false,
        .slices = row.slices,
        .system = {},
        .options = {},
        .space = {}};
    const bool one_slice = job.quarks.one_slice;
    if (distance_preconditioned(invert))
      refuse(function, "QudaInvertParam.distance_pc_alpha0", invert.distance_pc_alpha0, "0, or distance_pc_t0 = -1");
    const bool block_set = !is_unset(*param, &QudaEigParam::block_size);
    const int block = eigen_block(checks, *param, row);
    if (param->use_pc) job.system.matpc = static_cast<MatPC>(invert.matpc_type);
    job.system.dagger = param->use_dagger;
    job.system.normal = param->use_norm_op;
    check_matrix(function, job, *param, row);
    if (one_slice && (row.blocks || !row.hermitian))
      refuse(function, "QudaEigParam.eig_type", value_text(param->eig_type),
             "QUDA_EIG_TR_LANCZOS, QUDA_EIG_TR_LANCZOS_3D on the resident links, which have X[3] = 1",
             ErrorKind::unsupported);
    job.slices = row.slices || one_slice;
    if (job.slices) check_slices(checks, job, *param, row.slices);
    const int parts = param->use_pc ? 2 : job.slices ? job.quarks.links->precise().lattice().global_X()[3] : 1;
    job.options = eigen_options(function, *param, row, block, numbers_of(job.quarks, parts));
    if (job.slices) {
      const Lattice &lattice = job.quarks.links->precise().lattice();
      job.options.problems = {lattice.X(3), static_cast<int>(lattice.origin()[3]),
                              static_cast<int>(lattice.global_X()[3])};
      job.options.together = &lattice.communicator();
    }
    job.space = eigen_storage(checks.session, invert, job.quarks.storage, param->use_smeared_gauge || one_slice);
    job.files = eigen_files(checks, *param, job.quarks, job.slices, one_slice);
    const int parity = param->use_pc ? parity_of(*job.system.matpc) : -1;
    const int vectors = param->compute_svd ? 2 * param->n_conv : param->n_conv;
    for (int i = 0; h_evecs && i < vectors; i++) {
      checks.same("whether an entry of h_evecs is null", h_evecs[i] == nullptr);
      if (!h_evecs[i]) continue;
      add_output(function, job.quarks, invert, {text("h_evecs[%d]", i), h_evecs[i], parity});
      job.places.push_back(i);
    }
    job.start = block_set && !job.places.empty() && job.places[0] == 0;
    return job;
  }

  /// Operators of a job, and the conversion between their fields and the host's.
  struct Operators {
    std::unique_ptr<DiracSystem> full, lower;
    std::unique_ptr<Sliced> slices, lower_slices;

    const LinearOperator &outer() const { return slices ? static_cast<const LinearOperator &>(*slices) : *full; }
    const LinearOperator &inner() const
    {
      if (!lower) return outer();
      return lower_slices ? static_cast<const LinearOperator &>(*lower_slices) : *lower;
    }
    /// Shape of a host's field in the precision of the space.
    ColorSpinorParam shape() const { return lower ? lower->shape(1) : full->shape(1); }
  };

  std::unique_ptr<DiracSystem> system_of(const EigenJob &job, const LinkStorage &storage, bool normal)
  {
    DiracSystemForm form = job.system;
    form.normal = normal;
    return std::make_unique<DiracSystem>(make_dirac(job.quarks.dirac, *job.quarks.links, storage), form);
  }

  Operators operators_of(const EigenJob &job)
  {
    const bool mixed = job.space.precision != job.quarks.storage.precision, normal = job.system.normal;
    Operators all;
    all.full = system_of(job, job.quarks.storage, normal);
    if (mixed) all.lower = system_of(job, job.space, normal);
    if (!job.slices) return all;
    all.slices = std::make_unique<Sliced>(*all.full);
    if (mixed) all.lower_slices = std::make_unique<Sliced>(*all.lower, all.slices->lattice());
    return all;
  }

  /// The host's first vector, if it can start the search.
  std::optional<ColorSpinorField> start_of(EigenJob &job, const Operators &operators)
  {
    std::optional<ColorSpinorField> start;
    if (!job.start) return start;
    start.emplace(operators.shape());
    if (job.quarks.one_slice) job.quarks.staged_out[0].fetch();
    *start = job.quarks.h_out[0];
    const double largest = blas::block::amax(*start)[0];
    if (!(std::isfinite(largest) && largest > 0)) return std::nullopt;
    blas::block::convert(*start, *start, 1 / largest);
    if (!job.slices) return start;
    ColorSpinorField slices(operators.inner().shape(job.options.problems.count));
    to_slices(slices, *start);
    const std::vector<double> norms = blas::block::norm2(slices);
    double empty = std::count(norms.begin(), norms.end(), 0.0);
    job.options.together->max(&empty, 1);
    if (empty > 0) return std::nullopt;
    return slices;
  }

  /// Vectors from a file in the form of a solver's result; their precision and the file's description of them.
  struct GivenVectors {
    std::vector<ColorSpinorField> fields {};
    double roundoff = 0;
    std::string says {};
  };

  GivenVectors read_vectors(const EigenJob &job, const Operators &operators)
  {
    LoadedVectors loaded = load_vectors(job.files.in, operators.shape(), job.options.pairs);
    GivenVectors given;
    given.roundoff = unit_roundoff(loaded.fields[0].precision());
    given.says = std::move(loaded.says);
    ColorSpinorField whole(operators.shape());
    for (const ColorSpinorField &field : loaded.fields) {
      given.fields.emplace_back(operators.inner().shape(job.options.problems.count));
      if (!job.slices) {
        given.fields.back() = field;
        continue;
      }
      whole = field;
      to_slices(given.fields.back(), whole);
    }
    return given;
  }

  /// Reports vectors of a file that are not the requested eigenvectors.
  void check_given(const EigenJob &job, const EigenReport &report, const GivenVectors &given, const QudaEigParam &param)
  {
    if (report.converged) return;
    std::string what = text(
        "%s: QudaEigParam.vec_infile = \"%s\": %d of %d vectors belong to the call's matrix (%s, %s) with tol = %g",
        job.files.in.function, job.files.in.path.c_str(), report.good, param.n_conv, job.files.matrix.c_str(),
        job.files.boundary.c_str(), param.tol);
    what += text("; |A v - lambda v| is up to %g", report.worst);
    const auto worst = std::find(report.residuals.begin(), report.residuals.end(), report.worst);
    if (worst != report.residuals.end()) { // it may be on another rank
      const auto i = worst - report.residuals.begin();
      const std::complex<double> value = report.values[static_cast<std::size_t>(i)];
      what += text(", that of pair %td, of lambda = (%.9g, %.9g)", i % param.n_conv, value.real(), value.imag());
    }
    if (!given.says.empty()) what += "; by the file they are those of " + given.says;
    if (!param.require_convergence) return warn("%s", what.c_str());
    throw FoundTogether(ErrorKind::bad_argument, what);
  }

  /// The values of all problems, for slices from all ranks.
  std::vector<double> values_of(const EigenJob &job, const Operators &operators, const EigenReport &report)
  {
    const ProblemSet &problems = job.options.problems;
    const auto pairs = static_cast<std::size_t>(job.options.pairs);
    std::vector<double> all(2 * pairs * static_cast<std::size_t>(problems.all));
    if (!operators.slices || operators.slices->lattice()->communicator().rank() == 0)
      for (std::size_t i = 0; i < report.values.size(); i++) {
        const std::size_t at = 2 * (pairs * static_cast<std::size_t>(problems.first) + i);
        all[at] = report.values[i].real();
        all[at + 1] = report.values[i].imag();
      }
    if (operators.slices) job.options.together->sum(all.data(), static_cast<int>(all.size()));
    return all;
  }

  void print_pairs(const char *name, const EigenJob &job, const EigenReport &report)
  {
    for (std::size_t i = 0; i < report.values.size() && log_prints(Verbosity::verbose); i++) {
      const int pair = static_cast<int>(i) % job.options.pairs, slice = static_cast<int>(i) / job.options.pairs;
      const std::string of = job.slices ? text("slice %d, ", job.options.problems.first + slice) : "";
      print(Verbosity::verbose, "%s: %seigenvalue %4d = (%+.16e, %+.16e), residual %9.6e\n", name, of.c_str(), pair,
            report.values[i].real(), report.values[i].imag(), report.residuals[i]);
    }
  }

  void eigensolve(const char *function, EigenJob &job, double *evals, QudaEigParam &param)
  {
    QudaInvertParam &invert = *param.invert_param;
    job.quarks.timer.start();
    const VerbosityScope printing(verbosity_of(invert));
    if (log_prints(Verbosity::debug)) printQudaEigParam(&param);
    const Operators operators = operators_of(job);
    EigenSolver solver(operators.outer(), operators.inner(), job.options);
    EigenReport report;
    if (job.files.in.path.empty()) {
      {
        const std::optional<ColorSpinorField> start = start_of(job, operators);
        const PhaseScope phase(Phase::compute);
        report = solver.solve(start ? &*start : nullptr);
      }
      print(Verbosity::summarize,
            "%s: %d of %d pairs converged after %d restarts and %lld products, residuals up to %9.6e\n", solver.name(),
            report.good, param.n_conv, report.restarts, report.products, report.worst);
      check_eigen_end(function, report, param);
    } else {
      GivenVectors given = read_vectors(job, operators);
      {
        const PhaseScope phase(Phase::compute);
        report = solver.judge_given(std::move(given.fields), given.roundoff);
      }
      print(Verbosity::summarize, "%s: %d of %d pairs of \"%s\" are good, residuals up to %9.6e\n", function,
            report.good, param.n_conv, job.files.in.path.c_str(), report.worst);
      check_given(job, report, given, param);
    }
    print_pairs(solver.name(), job, report);
    std::vector<double> values = values_of(job, operators, report);
    const std::vector<double> found = values; // eigenvalues, before they become singular values
    const PhaseScope phase(Phase::d2h);
    std::size_t next = 0;
    std::optional<ColorSpinorField> whole;
    std::vector<ColorSpinorField> kept; // for the file
    const auto give = [&](int place, const ColorSpinorField &field) {
      const bool given = next < job.places.size() && job.places[next] == place;
      const bool saved = !job.files.out.path.empty() && place < param.n_conv;
      if (!given && !saved) return;
      if (job.slices) {
        if (!whole) whole.emplace(operators.shape());
        from_slices(*whole, field);
      }
      const ColorSpinorField &vector = job.slices ? *whole : field;
      if (saved) {
        kept.push_back(file_field(operators.shape(), static_cast<Precision>(param.save_prec)));
        kept.back() = vector;
      }
      if (!given) return;
      job.quarks.h_out[next] = vector;
      if (job.quarks.one_slice) job.quarks.staged_out[next].give();
      next++;
    };
    for (int i = 0; i < param.n_conv; i++) give(i, solver.vector(i));
    double flops = report.flops;
    if (param.compute_svd) {
      const auto matrix = system_of(job, job.quarks.storage, false);
      ColorSpinorField v(matrix->shape(1)), left(matrix->shape(1));
      for (int i = 0; i < param.n_conv; i++) {
        blas::block::convert(v, solver.vector(i));
        (*matrix)(left, v);
        const double norm = std::sqrt(blas::norm2(left));
        values[2 * static_cast<std::size_t>(i)] = norm / std::sqrt(blas::norm2(v));
        values[2 * static_cast<std::size_t>(i) + 1] = 0;
        if (norm > 0) blas::ax(1 / norm, left);
        give(param.n_conv + i, left);
      }
      flops += matrix->flops_done();
    }
    if (job.quarks.one_slice) values.resize(2 * static_cast<std::size_t>(param.n_conv));
    std::copy(values.begin(), values.end(), evals);
    if (job.files.in.path.empty() && param.use_poly_acc && param.a_max <= 0) param.a_max = report.window.most;
    report_work(job.quarks, invert, flops);
    if (kept.empty()) return;
    quda_files::VectorNote note;
    note.boundary = job.files.boundary;
    note.matrix = job.files.matrix;
    for (std::size_t i = 0; i < found.size(); i += 2) note.values.emplace_back(found[i], found[i + 1]);
    save_vectors(job.files.out, kept, param.io_parity_inflate, note);
  }

} // namespace

} // namespace quda

extern "C" {

void eigensolveQuda(void **h_evecs, double _Complex *h_evals, QudaEigParam *param)
{
  quda::guard_collective(
      __func__, [&](quda::Checks &checks) { return quda::prepare(checks, h_evecs, h_evals, param); },
      [&, function = __func__](quda::EigenJob &job) {
        quda::eigensolve(function, job, reinterpret_cast<double *>(h_evals), *param);
      });
}

} // extern "C"
