#pragma once

/**
 * @file
 * The C interface of libquda: parameter structures and functions with the names, layouts and signatures of QUDA's
 * interface of November 2025. Valid C99 and C++; parsers of host codes read it too.
 *
 * Rules for every function unless it says otherwise:
 * - All quantities are in lattice units. mu = 0, 1, 2, 3 is x, y, z, t. Sites of host arrays are even-odd: all even
 * sites first, within a parity x fastest and t slowest. V is the number of local sites.
 * - Arrays belong to the caller, are read or written during the call only, and hold only the sites of this process.
 *   Pointers may be to host memory, or to memory of the device the library works on.
 * - "Resident" fields belong to the library and live until they are freed, replaced, or endQuda() is called.
 * - Parameter structures come from newQuda*Param(); a call reads, and checks, only the members it needs.
 * - "Collective" functions must be called by all processes, in the same order. Others never communicate.
 * - One thread at a time may call.
 * - Errors: a null pointer, an unset or impossible parameter, a call before initQuda(), a missing resident field, a
 * request that this build cannot carry out. By default the message is printed with rank, function, file and line and
 * the program ends; with qudaSetErrorHandler() of quda_ext.h the call returns; that header says in which state.
 */

#include "quda_define.h"
#include "enum_quda.h"
#include "quda_constants.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* C99 has no anonymous union, C++ no complex type: compilers know both, and complain only if asked to be pedantic. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* BEGIN parameter structs: written by utils/generate_param_headers.py from interface/params/ */
/* clang-format off */

/**
 * A gauge or momentum field of the host: lattice, storage, and the precisions the library keeps it in. Take it from
 * newQudaGaugeParam(), then set what has no default.
 */
typedef struct QudaGaugeParam_s {
  size_t struct_size; /**< Size of this structure in bytes, or unset; a wrong size is refused. */
  QudaFieldLocation location;
    /**< Where the host's field lives; where a pointer really points is found out by the library. Default
         QUDA_CPU_FIELD_LOCATION. */
  int X[4]; /**< Local lattice extents in sites, order x y z t, x running fastest. Even, 2 or greater. No default. */
  double anisotropy;
    /**< Factor the host has divided the spatial links by (1: isotropic); the library only needs it to rebuild
         compressed links. Not 0. No default. */
  double tadpole_coeff;
    /**< Tadpole factor u0 of improved staggered links; kept and compared, never applied. Not 0. No default. */
  double scale;
    /**< Normalisation of long links stored with 13 or 9 numbers, and of the TIFR orders; 0 stands for 1. Default 1. */
  QudaLinkType type;
    /**< Which set of links this is; it chooses the resident field that is written or read. No default. */
  QudaGaugeFieldOrder gauge_order; /**< Order of the host's array. No default. */
  QudaTboundary t_boundary;
    /**< Sign the host has put on the temporal links of the last global time slice. No default. */
  QudaPrecision cpu_prec; /**< Precision of the host's array. Single or double. No default. */
  QudaPrecision cuda_prec; /**< Precision of the library's field. No default. */
  QudaReconstructType reconstruct; /**< How many reals of a link the library stores. No default. */
  QudaPrecision cuda_prec_sloppy; /**< Precision of the copy for inner iterations; unset: cuda_prec. */
  QudaReconstructType reconstruct_sloppy; /**< Storage of that copy; unset: reconstruct. */
  QudaPrecision cuda_prec_refinement_sloppy;
    /**< Precision of the copy that refines multi-shift solutions; unset: cuda_prec_sloppy. */
  QudaReconstructType reconstruct_refinement_sloppy; /**< Storage of that copy; unset: reconstruct_sloppy. */
  QudaPrecision cuda_prec_precondition; /**< Precision of the preconditioner's copy; unset: cuda_prec_sloppy. */
  QudaReconstructType reconstruct_precondition; /**< Storage of that copy; unset: reconstruct_sloppy. */
  QudaPrecision cuda_prec_eigensolver; /**< Precision of the eigensolver's copy; unset: cuda_prec. */
  QudaReconstructType reconstruct_eigensolver; /**< Storage of that copy; unset: reconstruct_sloppy. */
  QudaGaugeFixed gauge_fix;
    /**< Whether the links are in temporal gauge; kept and compared, never exploited. No default. */
  int ga_pad;
    /**< Padding of the library's field in checkerboard sites; accepted, our storage needs none. 0 or greater. No
         default. */
  int site_ga_pad; /**< Padding of the thin links while fattening; accepted, not needed. 0 or greater. */
  int staple_pad; /**< Padding of staples while fattening; accepted, not needed. 0 or greater. */
  int llfat_ga_pad; /**< Padding of fat and long links; accepted, not needed. 0 or greater. */
  int mom_ga_pad; /**< Padding of the momentum field; accepted, not needed. 0 or greater. */
  union {
    bool use_split_gauge_bkup;
      /**< Keep the field loaded before a split-grid solve as a back-up; shares its place with pad. */
    int pad; /**< Holds the place of use_split_gauge_bkup in older callers. */
  };
  QudaStaggeredPhase staggered_phase_type; /**< Convention of the staggered phases. Default QUDA_STAGGERED_PHASE_NO. */
  int staggered_phase_applied; /**< 1 when the links already carry the staggered phases. */
  double i_mu;
    /**< Imaginary chemical potential: a temporal link carries the phase exp(i pi i_mu / T), T the global extent. */
  int overlap;
    /**< Width in sites of the overlap of Schwarz domains, in the directions cut between ranks. 0 or greater. */
  int overwrite_gauge; /**< 1: the result replaces the gauge field instead of being added. */
  int overwrite_mom; /**< 1: the result replaces the momentum instead of being added. */
  int use_resident_gauge; /**< 1: take the resident gauge field as input; the host's pointer is not read. */
  int use_resident_mom; /**< 1: take the resident momentum as input; the host's pointer is not read. */
  int make_resident_gauge; /**< 1: keep the resulting gauge field resident. */
  int make_resident_mom; /**< 1: keep the resulting momentum resident. */
  int return_result_gauge; /**< 1: write the resulting gauge field to the host's array. Default 1. */
  int return_result_mom; /**< 1: write the resulting momentum to the host's array. Default 1. */
  size_t gauge_offset; /**< Bytes from the start of a site to its links (QUDA_MILC_SITE_GAUGE_ORDER). */
  size_t mom_offset; /**< Bytes from the start of a site to its momenta (QUDA_MILC_SITE_GAUGE_ORDER). */
  size_t site_size; /**< Bytes of one site (QUDA_MILC_SITE_GAUGE_ORDER). */
} QudaGaugeParam;

/**
 * A Dirac operator, the storage of the host's quark fields, a solver and its results. Take it from
 * newQudaInvertParam(), then set what the call reads and has no default. Masses are in lattice units.
 */
typedef struct QudaInvertParam_s {
  size_t struct_size; /**< Size of this structure in bytes, or unset; a wrong size is refused. */
  QudaFieldLocation input_location; /**< Where the source lives; a hint. Default QUDA_CPU_FIELD_LOCATION. */
  QudaFieldLocation output_location; /**< Where the result lives; a hint. Default QUDA_CPU_FIELD_LOCATION. */
  QudaDslashType dslash_type;
    /**< The Dirac operator; it also fixes spins a site (4, or 1 for staggered kinds). No default. */
  QudaInverterType inv_type; /**< The solver. No default. */
  double mass; /**< Quark mass: staggered and domain-wall operators. No default. */
  double kappa; /**< Hopping parameter: Wilson-like operators, 1 / (2 (4 + m)). No default. */
  double m5; /**< Domain-wall height with its sign: 4 + m5 is the Wilson diagonal, so usually near -1.8. No default. */
  int Ls; /**< Extent of the fifth dimension. 1 to QUDA_MAX_DWF_LS. No default. */
  double _Complex b_5[QUDA_MAX_DWF_LS]; /**< Moebius coefficient b of each fifth-dimension slice. No default. */
  double _Complex c_5[QUDA_MAX_DWF_LS]; /**< Moebius coefficient c of each fifth-dimension slice. No default. */
  double eofa_shift; /**< Shift of the exact one-flavour operator. No default. */
  int eofa_pm; /**< Chirality of the exact one-flavour term: 0 minus, else plus. No default. */
  double mq1; /**< First mass of the exact one-flavour operator. No default. */
  double mq2; /**< Second mass of the exact one-flavour operator. No default. */
  double mq3; /**< Third mass of the exact one-flavour operator. No default. */
  double mu; /**< Twisted mass. No default. */
  double tm_rho; /**< Added to mu in the diagonal of the asymmetric even-odd twisted-clover operator. */
  double epsilon; /**< Mass splitting of a twisted doublet. No default. */
  double evmax; /**< Largest eigenvalue used to scale the rational twisted-clover force. Greater than 0. No default. */
  QudaTwistFlavorType twist_flavor; /**< One twisted flavour or a doublet (fifth extent 2). No default. */
  int laplace3D; /**< Direction that the Laplace operator leaves out; none: 4 or more. 0 or greater. No default. */
  int covdev_mu;
    /**< Direction of the covariant shift: 0 to 3 forwards x y z t, 4 to 7 backwards. 0 to 7. No default. */
  double tol; /**< Wanted |residual| / |source|. 0 or greater. No default. */
  double tol_restart;
    /**< Fall of the residual after which low modes are taken from it again, with eig_param or eigCG; below 1, 0: never.
         0 or greater. Default 5e-5. */
  double tol_hq; /**< Wanted heavy-quark residual; read if residual_type asks for it. 0 or greater. No default. */
  int compute_true_res;
    /**< Of solves with several shifts 1: refine them, and give true residuals; others always do. Default 1. */
  double true_res[QUDA_MAX_MULTI_SRC]; /**< Result: true |residual| / |source| of each source. */
  double true_res_hq[QUDA_MAX_MULTI_SRC]; /**< Result: true heavy-quark residual of each source. */
  int maxiter; /**< Iterations after which the solver stops and says so. 0 or greater. No default. */
  double reliable_delta;
    /**< Drop of the iterated residual that triggers a residual in full precision. 0 or greater. No default. */
  double reliable_delta_refinement;
    /**< The same while multi-shift solutions are refined; unset: reliable_delta. 0 or greater. */
  int use_alternative_reliable; /**< Never read: reliable_delta alone triggers it. */
  int use_sloppy_partial_accumulator; /**< Never read: solutions are added up in single precision at least. */
  int solution_accumulator_pipeline;
    /**< Never read: each step adds to the solution, or each cycle of several. 0 to 16. Default 1. */
  int max_res_increase; /**< Never read: what no longer falls gets a better precision. 0 or greater. Default 1. */
  int max_res_increase_total; /**< Never read, as max_res_increase. 0 or greater. Default 10. */
  int max_hq_res_increase;
    /**< Never read: while it is too large, the target of the other residual is lowered. 0 or greater. Default 1. */
  int max_hq_res_restart_total;
    /**< Never read: while it is too large, the target of the other residual is lowered. 0 or greater. Default 10. */
  int heavy_quark_check; /**< Never read: it is computed with the true residual. Greater than 0. Default 10. */
  int pipeline; /**< Never read: it would change rounding only. 0 or greater. */
  int num_offset; /**< Shifts of a multi-shift solve. 0 to QUDA_MAX_MULTI_SHIFT. */
  int num_src; /**< Sources of a multi-source solve. 1 to QUDA_MAX_MULTI_SRC. Default 1. */
  int num_src_per_sub_partition;
    /**< Of a split grid: sources of each sub-grid, num_src over their number; else never read. 1 to QUDA_MAX_MULTI_SRC.
         Default 1. */
  int split_grid[QUDA_MAX_DIM];
    /**< Sub-grids that the process grid is cut into, x y z t: divisors of its extents. They share the sources of one
         call. Greater than 0. Default 1. */
  int overlap; /**< Width in sites of the overlap of Schwarz domains: 0. 0 or greater. */
  double offset[QUDA_MAX_MULTI_SHIFT]; /**< Shifts, ascending. */
  double tol_offset[QUDA_MAX_MULTI_SHIFT];
    /**< Wanted |residual| / |source| of each shift; 0: as far as the precision goes. 0 or greater. */
  double tol_hq_offset[QUDA_MAX_MULTI_SHIFT]; /**< Wanted heavy-quark residual of each shift. 0 or greater. */
  double true_res_offset[QUDA_MAX_MULTI_SHIFT]; /**< Result: true |residual| / |source| of each shift. */
  double iter_res_offset[QUDA_MAX_MULTI_SHIFT]; /**< Result: iterated |residual| / |source| of each shift. */
  double true_res_hq_offset[QUDA_MAX_MULTI_SHIFT]; /**< Result: true heavy-quark residual of each shift. */
  double residue[QUDA_MAX_MULTI_SHIFT]; /**< Residue of each shift in the rational action; read if compute_action. */
  int compute_action; /**< 1: fill action. */
  double action[2]; /**< Result: <source, solution>, real and imaginary part. */
  QudaSolutionType solution_type; /**< Which system is solved, or which matrix is applied. No default. */
  QudaSolveType solve_type; /**< How it is solved: directly or by normal equations, even-odd or full. No default. */
  QudaMatPCType matpc_type; /**< The parity and form of the even-odd operator. No default. */
  QudaDagType dagger; /**< Whether the adjoint operator is meant. No default. */
  QudaMassNormalization mass_normalization; /**< Normalisation of the operator. No default. */
  QudaSolverNormalization solver_normalization;
    /**< Never read: solves scale sources by powers of two, which changes no digit. Default QUDA_DEFAULT_NORMALIZATION.
         */
  QudaPreserveSource preserve_source; /**< Kept for old callers; the host's source is never changed. */
  QudaPrecision cpu_prec; /**< Precision of the host's quark fields. Single or double. No default. */
  QudaPrecision cuda_prec;
    /**< Precision of the outer solve and of operators; that of the resident links. No default. */
  QudaPrecision cuda_prec_sloppy; /**< Precision of the inner iterations; unset: cuda_prec. */
  QudaPrecision cuda_prec_refinement_sloppy;
    /**< Precision of the inner iterations that refine multi-shift solutions; unset: cuda_prec_sloppy. */
  QudaPrecision cuda_prec_precondition; /**< Precision of the preconditioner; unset: cuda_prec_sloppy. */
  QudaPrecision cuda_prec_eigensolver; /**< Precision of deflation and eigensolver; unset: cuda_prec_sloppy. */
  QudaDiracFieldOrder dirac_order; /**< Order of the host's quark fields. No default. */
  QudaGammaBasis gamma_basis; /**< Basis of the gamma matrices of the host's quark fields. No default. */
  QudaFieldLocation clover_location;
    /**< Where the host's clover field lives; a hint. Default QUDA_CPU_FIELD_LOCATION. */
  QudaPrecision clover_cpu_prec; /**< Precision of the host's clover field. Single or double. No default. */
  QudaPrecision clover_cuda_prec; /**< Precision of the library's clover field. No default. */
  QudaPrecision clover_cuda_prec_sloppy;
    /**< Only checked: solves copy the term in cuda_prec_sloppy; unset: clover_cuda_prec. */
  QudaPrecision clover_cuda_prec_refinement_sloppy;
    /**< Only checked: these copies are in cuda_prec_refinement_sloppy; unset: clover_cuda_prec_sloppy. */
  QudaPrecision clover_cuda_prec_precondition;
    /**< Only checked: the preconditioner's are in cuda_prec_precondition; unset: clover_cuda_prec_sloppy. */
  QudaPrecision clover_cuda_prec_eigensolver;
    /**< Only checked: the eigensolver's are in cuda_prec_eigensolver; unset: clover_cuda_prec. */
  QudaCloverFieldOrder clover_order; /**< Order of the host's clover field. No default. */
  QudaUseInitGuess use_init_guess;
    /**< Whether the solution array holds a first guess. Default QUDA_USE_INIT_GUESS_NO. */
  double clover_csw; /**< Sheikholeslami-Wohlert coefficient; used with kappa when clover_coeff is 0. */
  double clover_coeff; /**< Coefficient of the clover term, kappa * csw for unit diagonal. */
  double clover_rho; /**< Real shift of the clover term's diagonal where it is applied directly. */
  int compute_clover_trlog; /**< 1: fill trlogA. Default 1. */
  double trlogA[2]; /**< Result: log of the clover term's determinant, even and odd sites, summed over ranks. */
  int compute_clover; /**< 1: compute the clover term from the resident links. */
  int compute_clover_inverse; /**< 1: compute its inverse. */
  int return_clover; /**< 1: write the clover term to the host's array. */
  int return_clover_inverse; /**< 1: write its inverse to the host's array. */
  QudaVerbosity verbosity; /**< How much the call prints. No default. */
  int iter; /**< Result: iterations. */
  double gflops; /**< Result: 1e-9 times the floating-point operations, summed over ranks. */
  double secs; /**< Result: seconds, of the slowest rank. */
  double energy; /**< Result: energy in joules, where it is monitored. */
  double power; /**< Result: mean power in watts, where it is monitored. */
  double temp; /**< Result: mean temperature in degrees Celsius, where it is monitored. */
  double clock; /**< Result: mean clock in MHz, where it is monitored. */
  int Nsteps;
    /**< Of minimal residuals alone: how often maxiter iterations are done, at most; unset or less than 1: once. No
         default. */
  int gcrNkrylov;
    /**< Size of the Krylov space of GCR and of the communication-avoiding solvers; l of BiCGstab(l). 1 to 1024. No
         default. */
  QudaInverterType inv_type_precondition; /**< Solver used as preconditioner; unset: none. */
  QudaTune tune; /**< Deprecated and never read: tuning is switched by QUDA_ENABLE_TUNING. Default QUDA_TUNE_NO. */
  void *preconditioner; /**< Handle of newMultigridQuda(), owned by the caller. */
  void *deflation_op; /**< Handle of newDeflationQuda(), owned by the caller. */
  void *eig_param; /**< QudaEigParam of the low modes that are taken from a solve, or null; owned by the caller. */
  QudaBoolean deflate; /**< Never read: a solve with eig_param is deflated. Default QUDA_BOOLEAN_FALSE. */
  QudaDslashType dslash_type_precondition; /**< Never read: it is that of the solve. No default. */
  QudaVerbosity verbosity_precondition; /**< Never read: it prints nothing. No default. */
  double tol_precondition; /**< Never read: a preconditioner does a fixed number of steps. 0 or greater. No default. */
  int maxiter_precondition; /**< Iterations of the preconditioner. 0 or greater. No default. */
  double omega; /**< Relaxation factor of the minimal-residual and steepest-descent solvers. Default 1. */
  QudaCABasis ca_basis; /**< Basis of the communication-avoiding solvers. Default QUDA_POWER_BASIS. */
  double ca_lambda_min; /**< Lower end of the spectrum for a Chebyshev basis. */
  double ca_lambda_max; /**< Upper end of it; 0 or less: estimated and written back. Default -1. */
  QudaCABasis ca_basis_precondition; /**< The same for the preconditioner. Default QUDA_POWER_BASIS. */
  double ca_lambda_min_precondition; /**< Lower end of the spectrum for its Chebyshev basis. */
  double ca_lambda_max_precondition; /**< Upper end of it; 0 or less: estimated. Default -1. */
  int precondition_cycle; /**< How often the preconditioner is applied in a step. 0 or greater. Default 1. */
  QudaSchwarzType schwarz_type; /**< Domain decomposition of the preconditioner; unset: none. */
  QudaAcceleratorType accelerator_type_precondition;
    /**< Accelerator of the preconditioner; unset, none, is what is built. */
  double madwf_diagonal_suppressor; /**< Weight of the diagonal in the domain-wall accelerator. No default. */
  int madwf_ls; /**< Fifth extent inside the domain-wall accelerator. 1 to QUDA_MAX_DWF_LS. No default. */
  int madwf_null_miniter; /**< Least iterations for its null vectors. 0 or greater. No default. */
  double madwf_null_tol; /**< Wanted residual of its null vectors. 0 or greater. No default. */
  int madwf_train_maxiter; /**< Iterations of its training. 0 or greater. No default. */
  QudaBoolean madwf_param_load; /**< Whether its parameters are read from a file. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean madwf_param_save; /**< Whether its parameters are written to a file. Default QUDA_BOOLEAN_FALSE. */
  char madwf_param_infile[256]; /**< File read, zero-terminated. */
  char madwf_param_outfile[256]; /**< File written, zero-terminated. */
  QudaResidualType residual_type;
    /**< Residuals that must reach their tolerance, or'ed. 0 to 7. Default QUDA_L2_RELATIVE_RESIDUAL. */
  QudaPrecision cuda_prec_ritz;
    /**< Precision of the space of newDeflationQuda(), single or double, where QudaEigParam leaves it open. Default
         QUDA_SINGLE_PRECISION. */
  int n_ev;
    /**< Vectors that a right-hand side leaves (eigCG), or that a restart keeps (GMRES-DR). 1 to 1024. Default 8. */
  int max_search_dim;
    /**< Vectors of the window (eigCG), more than twice n_ev; of the search space (GMRES-DR). 1 to 1024. Default 64. */
  int rhs_idx; /**< Sources so far (eigCG); counted up by the library, never read. */
  int deflation_grid; /**< Right-hand sides that fill the space (eigCG). Greater than 0. Default 1. */
  double eigenval_tol;
    /**< Residual |A v - lambda v| of the vectors that a full space keeps (eigCG). 0 or greater. Default 0.1. */
  int eigcg_max_restarts;
    /**< Never read: eigCG does not begin anew when it changes precision. 0 or greater. Default 4. */
  int max_restart_num; /**< How often low modes are taken from the residual again (eigCG). 0 or greater. Default 3. */
  double inc_tol;
    /**< Fall of the residual after which they are, from the second time on (eigCG); below 1, 0: never. 0 or greater.
         Default 0.01. */
  int make_resident_solution; /**< 1: keep the solution resident; the host's array is not written. */
  int use_resident_solution; /**< 1: start from the resident solution. */
  int chrono_make_resident; /**< 1: keep the solution in the chronological history. */
  int chrono_replace_last; /**< 1: let it replace the newest entry. */
  int chrono_use_resident; /**< 1: guess the solution from the history. */
  int chrono_max_dim; /**< Longest history. 0 or greater. */
  int chrono_index; /**< Which history. 0 to 11. */
  QudaPrecision chrono_precision; /**< Precision of the history; unset: cuda_prec. */
  QudaExtLibType extlib_type; /**< Library of small dense problems. Default QUDA_EIGEN_EXTLIB. */
  QudaBoolean native_blas_lapack; /**< Whether batched dense algebra runs on the device. Default QUDA_BOOLEAN_TRUE. */
  QudaBoolean use_mobius_fused_kernel;
    /**< Whether fifth-dimension work is fused; changes rounding only. Default QUDA_BOOLEAN_TRUE. */
  double distance_pc_alpha0; /**< Weight of distance preconditioning; 0: off. */
  int distance_pc_t0; /**< Time slice it is measured from; negative: off. Default -1. */
} QudaInvertParam;

/**
 * An eigenvalue problem of a Dirac operator and how it is solved. Take it from newQudaEigParam(), then set what has no
 * default.
 */
typedef struct QudaEigParam_s {
  size_t struct_size; /**< Size of this structure in bytes, or unset; a wrong size is refused. */
  QudaInvertParam *invert_param; /**< The Dirac operator and the storage of the vectors; owned by the caller. */
  QudaEigType eig_type; /**< The algorithm. Default QUDA_EIG_TR_LANCZOS. */
  QudaBoolean use_poly_acc; /**< Whether a Chebyshev polynomial of the operator is used. Default QUDA_BOOLEAN_FALSE. */
  int poly_deg; /**< Degree of the polynomial. 0 or greater. */
  double a_min; /**< Lower end of the interval the polynomial suppresses; 0: found. */
  double a_max; /**< Upper end of it; 0 or less: estimated and written back. */
  QudaBoolean preserve_deflation;
    /**< Whether the low modes of a deflated solve stay for the next one. Default QUDA_BOOLEAN_FALSE. */
  void *preserve_deflation_space;
    /**< Those modes, a handle: written and read by the library only, null where it holds none. */
  QudaBoolean preserve_evals;
    /**< Whether the matrix projected onto them is kept as well or computed anew. Default QUDA_BOOLEAN_TRUE. */
  bool use_smeared_gauge; /**< Whether the operator is built from the smeared links. */
  QudaBoolean use_dagger; /**< Whether the adjoint operator is meant. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean use_norm_op; /**< Whether the operator times its adjoint is meant. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean use_pc;
    /**< Whether the even-odd operator is meant; vectors then hold one parity. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean use_eigen_qr; /**< Whether the small QR problem goes to the dense library. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean compute_svd;
    /**< Whether singular vectors are computed too (normal operator). Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean compute_gamma5; /**< Whether gamma5 times the operator is meant. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean require_convergence; /**< Whether missing convergence is an error. Default QUDA_BOOLEAN_TRUE. */
  QudaEigSpectrumType spectrum; /**< Which end of the spectrum is wanted. Default QUDA_SPECTRUM_LR_EIG. */
  int n_ev; /**< Size of the space that is searched for converged vectors. Greater than 0. */
  int n_kr; /**< Size of the whole Krylov space, larger than n_ev. Greater than 0. */
  int nLockedMax; /**< Largest number of vectors locked at once. 0 or greater. */
  int n_conv; /**< Vectors wanted, at most n_ev. Greater than 0. */
  int n_ev_deflate; /**< Vectors used to deflate, at most n_conv; -1: all of them. Default -1. */
  double tol; /**< Wanted residual of a vector, relative to its eigenvalue's scale. 0 or greater. */
  double qr_tol; /**< Wanted accuracy of the small QR problem. 0 or greater. */
  int check_interval; /**< Steps between two tests of convergence. 0 or greater. */
  int max_restarts; /**< Restarts after which the solver stops and says so. 0 or greater. */
  int batched_rotate; /**< Vectors rotated at once, to save memory; 0: all. 0 or greater. */
  int block_size;
    /**< Block of the block solvers; 1: the host's first vector is the start. Greater than 0. No default. */
  int compute_evals_batch_size; /**< Eigenvalues computed at once. Greater than 0. Default 4. */
  int max_ortho_attempts; /**< Attempts at orthogonality before giving up. Greater than 0. Default 10. */
  int ortho_block_size; /**< Vectors orthogonalised at once; 0: all. 0 or greater. */
  QudaBoolean arpack_check; /**< Whether the result is compared with ARPACK. Default QUDA_BOOLEAN_FALSE. */
  char arpack_logfile[512]; /**< File of that comparison, zero-terminated. */
  char QUDA_logfile[512]; /**< File of our side of it, zero-terminated. */
  int ortho_dim;
    /**< Direction the three-dimensional solver leaves out; its slices are separate problems. 0 or greater. */
  int ortho_dim_size_local; /**< Local extent of that direction in sites. 0 or greater. */
  int nk; /**< Vectors that a right-hand side leaves in the space of eigCG; 0: invert_param's n_ev. 0 or greater. */
  int np; /**< Vectors that the space has room for, a multiple; 0: n_ev deflation_grid. 0 or greater. */
  QudaBoolean import_vectors; /**< Whether the space of eigCG starts from given vectors. Default QUDA_BOOLEAN_FALSE. */
  QudaPrecision cuda_prec_ritz;
    /**< Precision of the space of eigCG, single or double; unset: invert_param's. No default. */
  QudaMemoryType mem_type_ritz; /**< Memory of Ritz vectors. Default QUDA_MEMORY_DEVICE. */
  QudaFieldLocation location; /**< Where the eigenvectors live. Default QUDA_CUDA_FIELD_LOCATION. */
  QudaBoolean run_verify;
    /**< Whether the space of eigCG says how orthonormal its vectors are. Default QUDA_BOOLEAN_FALSE. */
  char vec_infile[256]; /**< File the vectors are read from instead of computed, zero-terminated; empty: none. */
  char vec_outfile[256]; /**< File the vectors are written to, zero-terminated; empty: none. */
  QudaPrecision save_prec; /**< Precision in that file. Default QUDA_DOUBLE_PRECISION. */
  QudaBoolean io_parity_inflate;
    /**< Whether vectors of one parity are padded to whole fields in it. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean partfile; /**< Whether each rank has a file of its own. Default QUDA_BOOLEAN_FALSE. */
  QudaExtLibType extlib_type; /**< Library of small dense problems. Default QUDA_EIGEN_EXTLIB. */
} QudaEigParam;

/**
 * A multigrid hierarchy: aggregates, set-up, smoothers and coarse solvers, level 0 the finest. Take it from
 * newQudaMultigridParam(), then set what has no default, for the levels in use.
 */
typedef struct QudaMultigridParam_s {
  size_t struct_size; /**< Size of this structure in bytes, or unset; a wrong size is refused. */
  QudaInvertParam *invert_param; /**< The operator of the finest level; owned by the caller. */
  QudaEigParam *eig_param[QUDA_MAX_MG_LEVEL];
    /**< Eigensolver of each level that uses one, or null; owned by the caller. */
  int n_level; /**< Levels in use. 1 to QUDA_MAX_MG_LEVEL. No default. */
  int geo_block_size[QUDA_MAX_MG_LEVEL][QUDA_MAX_DIM];
    /**< Extents in sites of the aggregates. Greater than 0. No default. */
  int spin_block_size[QUDA_MAX_MG_LEVEL];
    /**< Spins merged: 2 on the finest Wilson level, 1 below, 0 for staggered. 0 to 4. No default. */
  int n_vec[QUDA_MAX_MG_LEVEL];
    /**< Near-null vectors: colours of the next coarser level. Greater than 0. No default. */
  QudaPrecision precision_null[QUDA_MAX_MG_LEVEL];
    /**< Precision the vectors are stored in. Default QUDA_SINGLE_PRECISION. */
  int n_block_ortho[QUDA_MAX_MG_LEVEL]; /**< How often the aggregates are orthonormalised. Greater than 0. Default 1. */
  QudaBoolean block_ortho_two_pass[QUDA_MAX_MG_LEVEL];
    /**< Whether each does a second pass. Default QUDA_BOOLEAN_TRUE. */
  QudaVerbosity verbosity[QUDA_MAX_MG_LEVEL]; /**< How much a level prints. Default QUDA_SILENT. */
  QudaBoolean setup_use_mma[QUDA_MAX_MG_LEVEL];
    /**< Whether the set-up uses matrix units. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean dslash_use_mma[QUDA_MAX_MG_LEVEL];
    /**< Whether the coarse operator uses matrix units. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean transfer_use_mma[QUDA_MAX_MG_LEVEL];
    /**< Whether transfers between levels use matrix units. Default QUDA_BOOLEAN_FALSE. */
  QudaInverterType setup_inv_type[QUDA_MAX_MG_LEVEL];
    /**< Solver that finds near-null vectors. Default QUDA_BICGSTAB_INVERTER. */
  int n_vec_batch[QUDA_MAX_MG_LEVEL]; /**< Vectors found at once. Greater than 0. No default. */
  int num_setup_iter[QUDA_MAX_MG_LEVEL]; /**< Passes of the set-up. 0 or greater. Default 1. */
  double setup_tol[QUDA_MAX_MG_LEVEL]; /**< Wanted residual in the set-up. 0 or greater. Default 5e-6. */
  int setup_maxiter[QUDA_MAX_MG_LEVEL]; /**< Iterations in the set-up. 0 or greater. Default 500. */
  int setup_maxiter_refresh[QUDA_MAX_MG_LEVEL];
    /**< Iterations when vectors are refreshed by an update. 0 or greater. */
  QudaCABasis setup_ca_basis[QUDA_MAX_MG_LEVEL];
    /**< Basis of a communication-avoiding set-up solver. Default QUDA_POWER_BASIS. */
  int setup_ca_basis_size[QUDA_MAX_MG_LEVEL]; /**< Size of that basis. Greater than 0. Default 4. */
  double setup_ca_lambda_min[QUDA_MAX_MG_LEVEL]; /**< Lower end of the spectrum for a Chebyshev basis. */
  double setup_ca_lambda_max[QUDA_MAX_MG_LEVEL]; /**< Upper end of it; 0 or less: estimated. Default -1. */
  QudaSetupType setup_type;
    /**< Near-null vectors from M x = 0 or from inverse iteration. Default QUDA_NULL_VECTOR_SETUP. */
  QudaBoolean pre_orthonormalize; /**< Whether vectors are orthonormalised before a pass. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean post_orthonormalize; /**< Whether they are after it. Default QUDA_BOOLEAN_TRUE. */
  QudaInverterType coarse_solver[QUDA_MAX_MG_LEVEL]; /**< Solver that wraps the level below. No default. */
  double coarse_solver_tol[QUDA_MAX_MG_LEVEL]; /**< Its wanted residual. 0 or greater. No default. */
  int coarse_solver_maxiter[QUDA_MAX_MG_LEVEL]; /**< Its iterations. 0 or greater. No default. */
  QudaCABasis coarse_solver_ca_basis[QUDA_MAX_MG_LEVEL];
    /**< Its communication-avoiding basis. Default QUDA_POWER_BASIS. */
  int coarse_solver_ca_basis_size[QUDA_MAX_MG_LEVEL]; /**< Size of that basis. Greater than 0. Default 4. */
  double coarse_solver_ca_lambda_min[QUDA_MAX_MG_LEVEL]; /**< Lower end of the spectrum for a Chebyshev basis. */
  double coarse_solver_ca_lambda_max[QUDA_MAX_MG_LEVEL]; /**< Upper end of it; 0 or less: estimated. Default -1. */
  QudaInverterType smoother[QUDA_MAX_MG_LEVEL]; /**< Solver used as smoother. No default. */
  double smoother_tol[QUDA_MAX_MG_LEVEL]; /**< Its wanted residual. 0 or greater. No default. */
  int nu_pre[QUDA_MAX_MG_LEVEL]; /**< Smoothing steps before the coarse correction. 0 or greater. No default. */
  int nu_post[QUDA_MAX_MG_LEVEL]; /**< Smoothing steps after it. 0 or greater. No default. */
  QudaCABasis smoother_solver_ca_basis[QUDA_MAX_MG_LEVEL];
    /**< Communication-avoiding basis of the smoother. Default QUDA_POWER_BASIS. */
  double smoother_solver_ca_lambda_min[QUDA_MAX_MG_LEVEL]; /**< Lower end of the spectrum for a Chebyshev basis. */
  double smoother_solver_ca_lambda_max[QUDA_MAX_MG_LEVEL]; /**< Upper end of it; 0 or less: estimated. Default -1. */
  double omega[QUDA_MAX_MG_LEVEL]; /**< Relaxation factor of the smoother. No default. */
  QudaPrecision smoother_halo_precision[QUDA_MAX_MG_LEVEL];
    /**< Precision of the smoother's messages; unset: that of the field. */
  QudaSchwarzType smoother_schwarz_type[QUDA_MAX_MG_LEVEL]; /**< Domain decomposition of the smoother; unset: none. */
  int smoother_schwarz_cycle[QUDA_MAX_MG_LEVEL]; /**< Schwarz cycles a smoothing step. Greater than 0. Default 1. */
  QudaSolutionType coarse_grid_solution_type[QUDA_MAX_MG_LEVEL];
    /**< Which residual goes to the coarser level: of the full or of the even-odd system. One of QUDA_MAT_SOLUTION,
         QUDA_MATPC_SOLUTION. No default. */
  QudaSolveType smoother_solve_type[QUDA_MAX_MG_LEVEL];
    /**< Whether the smoother works on the full or on the even-odd system. One of QUDA_DIRECT_SOLVE,
         QUDA_DIRECT_PC_SOLVE. No default. */
  QudaMultigridCycleType cycle_type[QUDA_MAX_MG_LEVEL]; /**< The cycle. No default. */
  QudaBoolean global_reduction[QUDA_MAX_MG_LEVEL];
    /**< Whether sums of the smoother run over all ranks. Default QUDA_BOOLEAN_TRUE. */
  QudaFieldLocation location[QUDA_MAX_MG_LEVEL]; /**< Where a level is solved. No default. */
  QudaFieldLocation setup_location[QUDA_MAX_MG_LEVEL];
    /**< Where a level is set up. Default QUDA_CUDA_FIELD_LOCATION. */
  QudaBoolean use_eig_solver[QUDA_MAX_MG_LEVEL];
    /**< Whether a level's vectors come from the eigensolver. Default QUDA_BOOLEAN_FALSE. */
  QudaComputeNullVector compute_null_vector;
    /**< Whether near-null vectors are computed; else they are read. No default. */
  QudaBoolean generate_all_levels;
    /**< Whether each level finds its own; else they are restricted from the finest. No default. */
  QudaBoolean run_verify; /**< Whether the hierarchy is tested after the set-up. No default. */
  QudaBoolean run_low_mode_check; /**< Whether its overlap with low modes is measured. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean run_oblique_proj_check; /**< Whether oblique projections are measured too. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean vec_load[QUDA_MAX_MG_LEVEL]; /**< Whether a level's vectors are read. Default QUDA_BOOLEAN_FALSE. */
  char vec_infile[QUDA_MAX_MG_LEVEL][256]; /**< Stem of the files read, zero-terminated. */
  QudaBoolean vec_store[QUDA_MAX_MG_LEVEL]; /**< Whether a level's vectors are written. Default QUDA_BOOLEAN_FALSE. */
  char vec_outfile[QUDA_MAX_MG_LEVEL][256]; /**< Stem of the files written, zero-terminated. */
  QudaBoolean mg_vec_partfile[QUDA_MAX_MG_LEVEL];
    /**< Whether each rank has a file of its own. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean coarse_guess;
    /**< Whether deflation of the coarsest level starts from the finer one's vectors. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean preserve_deflation; /**< Whether its deflation space survives an update. Default QUDA_BOOLEAN_FALSE. */
  double mu_factor[QUDA_MAX_MG_LEVEL]; /**< Factor on the twisted mass of a level. Default 1. */
  QudaTransferType transfer_type[QUDA_MAX_MG_LEVEL]; /**< How a level is coarsened. Default QUDA_TRANSFER_AGGREGATE. */
  QudaBoolean allow_truncation;
    /**< Whether long links may be dropped where an aggregate is too short for them. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean staggered_kd_dagger_approximation;
    /**< Whether the adjoint stands in for the inverse of the Kaehler-Dirac block. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean thin_update_only;
    /**< Whether an update replaces links and masses only, and keeps the vectors. Default QUDA_BOOLEAN_FALSE. */
} QudaMultigridParam;

/**
 * What gaugeObservablesQuda() measures, and where it puts the results. Take it from newQudaGaugeObservableParam(), then
 * switch on what is wanted.
 */
typedef struct QudaGaugeObservableParam_s {
  size_t struct_size; /**< Size of this structure in bytes, or unset; a wrong size is refused. */
  QudaBoolean su_project; /**< Whether the measured links are projected to SU(3) first. Default QUDA_BOOLEAN_FALSE. */
  QudaBoolean compute_plaquette; /**< Whether to fill plaquette. Default QUDA_BOOLEAN_FALSE. */
  double plaquette[3]; /**< Result: mean plaquette, all, spatial and temporal planes; 1 for unit links. */
  QudaBoolean compute_rectangle; /**< Whether to fill rectangle. Default QUDA_BOOLEAN_FALSE. */
  double rectangle[3]; /**< Result: mean 1 x 2 rectangle, all, spatial and temporal planes; 1 for unit links. */
  QudaBoolean compute_polyakov_loop; /**< Whether to fill ploop. Default QUDA_BOOLEAN_FALSE. */
  double ploop[2]; /**< Result: mean trace of the Polyakov loop, real and imaginary part; 3 for unit links. */
  QudaBoolean compute_gauge_loop_trace; /**< Whether to fill traces. Default QUDA_BOOLEAN_FALSE. */
  double _Complex *traces;
    /**< Result: trace of each loop, summed over the global lattice; num_paths entries, owned by the caller. */
  int **input_path_buff; /**< Loops as steps: 0 to 3 forwards x y z t, 7 - d backwards; owned by the caller. */
  int *path_length; /**< Steps of each loop; owned by the caller. */
  double *loop_coeff; /**< Coefficient of each loop; owned by the caller. */
  int num_paths; /**< Loops. Greater than 0. No default. */
  int max_length; /**< Longest loop in steps. Greater than 0. No default. */
  double factor; /**< Common factor of all loops. No default. */
  QudaBoolean compute_qcharge; /**< Whether to fill qcharge and energy. Default QUDA_BOOLEAN_FALSE. */
  double qcharge; /**< Result: topological charge of the global lattice. */
  double energy[3]; /**< Result: mean field energy a site, total, spatial and temporal. */
  QudaBoolean compute_qcharge_density; /**< Whether to fill qcharge_density. Default QUDA_BOOLEAN_FALSE. */
  void *qcharge_density;
    /**< Result: charge density of the local sites, even sites first, reals of the measured field's precision; owned by
         the caller. */
  QudaBoolean remove_staggered_phase; /**< Whether staggered phases are taken off first. Default QUDA_BOOLEAN_FALSE. */
} QudaGaugeObservableParam;

/**
 * Smearing of the resident links or their gradient flow. Take it from newQudaGaugeSmearParam(), then set smear_type and
 * what it reads.
 */
typedef struct QudaGaugeSmearParam_s {
  size_t struct_size; /**< Size of this structure in bytes, or unset; a wrong size is refused. */
  unsigned int n_steps; /**< Steps. */
  double epsilon; /**< Size of a flow step in lattice units; mixing of the over-improved stout term. */
  double smear_anisotropy; /**< APE, stout, flow: its square weights sides along t; 0 is 1. 0 or greater. */
  unsigned int rk_order; /**< Order of the Runge-Kutta steps of the flow; 0 stands for 3. One of 0, 3, 4. */
  double alpha; /**< Weight of the staples: APE. */
  double rho; /**< Weight of the staples: stout and over-improved stout. */
  double alpha1; /**< Weight of the outermost staples: HYP. */
  double alpha2; /**< Weight of the middle staples: HYP. */
  double alpha3; /**< Weight of the innermost staples: HYP. */
  unsigned int meas_interval; /**< Steps between two measurements. Greater than 0. */
  QudaGaugeSmearType smear_type; /**< The smearing or the flow. No default. */
  unsigned int adj_n_save;
    /**< Gauge fields that performAdjGFlowHier() keeps at a time, the first links among them; 0 stands for 5. */
  unsigned int hier_threshold;
    /**< Steps in a row that performAdjGFlowHier() makes again from the first of them each time and keeps no links of;
         fewer are treated alike. */
  QudaBoolean restart; /**< Whether a flow goes on from the smeared links. Default QUDA_BOOLEAN_FALSE. */
  double t0; /**< Flow time it starts from, for what is printed. */
  int dir_ignore;
    /**< Direction left alone; negative: t for APE and stout, none for the others; above 3: none. Default -1. */
} QudaGaugeSmearParam;

/**
 * Batched matrix products C = alpha op(A) op(B) + beta C, and inverses. Take it from newQudaBLASParam(), then set what
 * has no default.
 */
typedef struct QudaBLASParam_s {
  size_t struct_size; /**< Size of this structure in bytes, or unset; a wrong size is refused. */
  QudaBLASType blas_type; /**< What is computed, as the function says; must be set. No default. */
  QudaBLASOperation trans_a; /**< op of A. Default QUDA_BLAS_OP_N. */
  QudaBLASOperation trans_b; /**< op of B. Default QUDA_BLAS_OP_N. */
  int m; /**< Rows of op(A) and of C. Greater than 0. No default. */
  int n; /**< Columns of op(B) and of C. Greater than 0. No default. */
  int k; /**< Columns of op(A), rows of op(B). Greater than 0. No default. */
  int lda; /**< Leading extent of A in numbers. Greater than 0. No default. */
  int ldb; /**< Leading extent of B in numbers. Greater than 0. No default. */
  int ldc; /**< Leading extent of C in numbers. Greater than 0. No default. */
  int a_offset; /**< Numbers skipped at the start of A. 0 or greater. */
  int b_offset; /**< Numbers skipped at the start of B. 0 or greater. */
  int c_offset; /**< Numbers skipped at the start of C. 0 or greater. */
  int a_stride; /**< Matrices from one A to the next; 0 stands for 1. 0 or greater. Default 1. */
  int b_stride; /**< Matrices from one B to the next; 0 stands for 1. 0 or greater. Default 1. */
  int c_stride; /**< Matrices from one C to the next; 0 stands for 1. 0 or greater. Default 1. */
  double _Complex alpha; /**< Factor of the product; real numbers take its real part. No default. */
  double _Complex beta; /**< Factor of C as it was; the same. No default. */
  int inv_mat_size; /**< Rows and columns of a matrix to be inverted. Greater than 0. No default. */
  int batch_count; /**< Matrices of each array. Greater than 0. Default 1. */
  QudaBLASDataType data_type; /**< Type of a number. Default QUDA_BLAS_DATATYPE_S. */
  QudaBLASDataOrder data_order; /**< Row- or column-major. Default QUDA_BLAS_DATAORDER_ROW. */
} QudaBLASParam;

/**
 * Gaussian smearing of staggered quark fields with products of two links. Start from an all-zero structure.
 */
typedef struct QudaQuarkSmearParam_s {
  QudaInvertParam *inv_param; /**< Storage and precision of the field, and laplace3D; owned by the caller. */
  int n_steps; /**< Steps. 0 or greater. */
  double width; /**< Width of the Gaussian in sites. */
  int compute_2link; /**< 1: compute the two-link products even if they are resident. */
  int delete_2link; /**< 1: free them at the end. */
  int t0; /**< Global time slice that is smeared, with laplace3D 3; negative: all. */
  double secs; /**< Result: seconds, of the slowest rank. */
  double gflops; /**< Result: 1e-9 times the floating-point operations, summed over ranks. */
  double energy; /**< Result: energy in joules, where it is monitored. */
  double power; /**< Result: mean power in watts, where it is monitored. */
  double temp; /**< Result: mean temperature in degrees Celsius, where it is monitored. */
  double clock; /**< Result: mean clock in MHz, where it is monitored. */
} QudaQuarkSmearParam;

/* clang-format on */
/* END parameter structs */

/* Start and end */

/**
 * The host code's map from process coordinates to ranks.
 * @param[in] coords four coordinates in the process grid, x y z t
 * @param[in] fdata  what was handed to initCommsGridQuda()
 * @return the rank, 0 to number of processes - 1; different coordinates, different ranks
 */
typedef int (*QudaCommsMap)(const int *coords, void *fdata);

/**
 * Set the amount of messages, their prefix, and their destination.
 * @param[in] verbosity amount
 * @param[in] prefix    put before every message; copied, 99 characters at most are kept
 * @param[in] outfile   open file, stdout by default; must stay open until it is replaced or endQuda() is called
 * Collective: no.
 */
void setVerbosityQuda(QudaVerbosity verbosity, const char prefix[], FILE *outfile);

/**
 * Lay out the processes. Called once, before initQuda(); a second call is ignored until endQuda(). A program of one
 * process may leave it out.
 * @param[in] nDim  number of dimensions: 4
 * @param[in] dims  processes in each direction x y z t; their product is the number of processes
 * @param[in] func  map from coordinates to ranks, called for every point of the grid during the call; null: t fastest
 * @param[in] fdata handed to func
 * Collective: yes, over the communicator given before, else over all processes.
 * Errors: nDim other than 4, a product that does not fit, a map that is not one to one.
 */
void initCommsGridQuda(int nDim, const int *dims, QudaCommsMap func, void *fdata);

/**
 * Choose the processes the library works on.
 * @param[in] mycomm address of an MPI_Comm, duplicated by the next initCommsGridQuda(); null: all processes
 * Collective: no. MPI must be initialised. Errors: this build has no MPI.
 */
void setMPICommHandleQuda(void *mycomm);

/**
 * The same as setMPICommHandleQuda().
 * @param[in] mycomm as there
 * Collective: no.
 */
void qudaSetCommHandle(void *mycomm);

/**
 * Start the library: initQudaDevice() and initQudaMemory().
 * @param[in] device number of the device this process works on, -1: chosen by the library. Ignored on the CPU target.
 * Collective: yes. May be called again after endQuda().
 */
void initQuda(int device);

/**
 * Choose and open the device; the first half of initQuda(). The environment variable QUDA_TARGET (cpu, cuda, auto)
 * chooses between CPU and GPU.
 * @param[in] device as in initQuda()
 * Collective: yes. Errors: no such device, no target this processor can run.
 */
void initQudaDevice(int device);

/** Open pools, tables and the tune cache; the second half of initQuda(). Collective: yes. */
void initQudaMemory(void);

/**
 * End the library: free resident fields and pools, name leaked memory, write tune cache and profiles, print the times
 * at QUDA_SUMMARIZE. Does nothing when the library is not initialised; MPI may be finalised already. Collective: yes.
 */
void endQuda(void);

/** Recompute the widths of halos after the host code has changed what is cut between processes. Collective: no. */
void updateR(void);

/**
 * Give cached memory back to the system.
 * @param[in] type which pool: QUDA_MEMORY_DEVICE or QUDA_MEMORY_HOST_PINNED
 * Collective: no.
 */
void flushPoolQuda(QudaMemoryType type);

/* Parameter structures: a structure with every default in place, members without default marked as unset.
   Collective: no. */

/** @return gauge field parameters */
QudaGaugeParam newQudaGaugeParam(void);
/** @return operator and solver parameters */
QudaInvertParam newQudaInvertParam(void);
/** @return multigrid parameters */
QudaMultigridParam newQudaMultigridParam(void);
/** @return eigensolver parameters */
QudaEigParam newQudaEigParam(void);
/** @return choice of gauge observables: none */
QudaGaugeObservableParam newQudaGaugeObservableParam(void);
/** @return smearing and flow parameters */
QudaGaugeSmearParam newQudaGaugeSmearParam(void);
/** @return parameters of small dense problems */
QudaBLASParam newQudaBLASParam(void);

/* Every member and its value, one a line, to the file of setVerbosityQuda(), flushed. Collective: no; printed by the
   ranks that print. */

/** @param[in] param gauge field parameters */
void printQudaGaugeParam(QudaGaugeParam *param);
/** @param[in] param operator and solver parameters */
void printQudaInvertParam(QudaInvertParam *param);
/** @param[in] param multigrid parameters */
void printQudaMultigridParam(QudaMultigridParam *param);
/** @param[in] param eigensolver parameters */
void printQudaEigParam(QudaEigParam *param);
/** @param[in] param gauge observables */
void printQudaGaugeObservableParam(QudaGaugeObservableParam *param);
/** @param[in] param small dense problem */
void printQudaBLASParam(QudaBLASParam *param);

/* Gauge fields */

/**
 * Load a gauge field; it replaces the resident field of its type. Links are stored as given: the host code has put in
 * anisotropy, boundary sign, phases and tadpole factors, and the parameters say so.
 * @param[in]     h_gauge field in param->gauge_order, V x 4 matrices; not read when param->use_resident_gauge is set
 * @param[in,out] param   reads location, X, type, orders, precisions, reconstructs, anisotropy, tadpole_coeff, scale,
 *                        t_boundary, gauge_fix, ga_pad, staggered_phase_*, i_mu, overlap, use_resident_gauge; unset
 *                        precisions and reconstructs of copies are filled in
 * Collective: yes. Errors: an odd local extent, a type other than WILSON, ASQTAD_FAT, ASQTAD_LONG and SMEARED, 12 or 8
 * reals for links that are not in SU(3), WILSON or SMEARED with staggered_phase_applied.
 */
void loadGaugeQuda(void *h_gauge, QudaGaugeParam *param);

/**
 * Save a resident gauge field.
 * @param[out] h_gauge field in param->gauge_order and param->cpu_prec, host memory
 * @param[in]  param   type names the field (WILSON, ASQTAD_FAT, ASQTAD_LONG, SMEARED); X, anisotropy, tadpole_coeff,
 *                     t_boundary and gauge_fix must be those of the field
 * Collective: yes.
 */
void saveGaugeQuda(void *h_gauge, QudaGaugeParam *param);

/** Free all resident gauge fields, the momentum excepted. Collective: no. */
void freeGaugeQuda(void);

/**
 * Free the resident gauge field of one type and its copies.
 * @param[in] link_type WILSON, ASQTAD_FAT, ASQTAD_LONG, SMEARED or TWOLINK
 * Collective: no.
 */
void freeUniqueGaugeQuda(QudaLinkType link_type);

/** Free the smeared resident field. Collective: no. */
void freeGaugeSmearedQuda(void);

/** Free the resident two-link field. Collective: no. */
void freeGaugeTwoLinkQuda(void);

/**
 * A field of matrices on the device, held by the caller through a handle.
 * @param[in] gauge    host field to copy, in param->gauge_order; null: zeros
 * @param[in] geometry matrices a site: 1 or 4
 * @param[in] param    X, gauge_order, cpu_prec
 * @return handle; the caller frees it with destroyGaugeFieldQuda(), else endQuda() does
 * Collective: yes.
 */
void *createGaugeFieldQuda(void *gauge, int geometry, QudaGaugeParam *param);

/**
 * Copy such a field to the host.
 * @param[out] outGauge host field in param->gauge_order
 * @param[in]  inGauge  handle
 * @param[in]  param    X, gauge_order, cpu_prec
 * Collective: yes.
 */
void saveGaugeFieldQuda(void *outGauge, void *inGauge, QudaGaugeParam *param);

/**
 * Free such a field.
 * @param[in] gauge handle; no longer valid afterwards
 * Collective: no.
 */
void destroyGaugeFieldQuda(void *gauge);

/**
 * Copy the resident gauge field; halos are the library's own affair.
 * @param[out] resident_gauge handle of a field of four matrices a site on its lattice
 * Collective: yes.
 */
void copyExtendedResidentGaugeQuda(void *resident_gauge);

/**
 * Project links onto SU(3): the unitary polar factor, its determinant's phase removed.
 * @param[in,out] gauge_h host field; read and written as the resident flags of param say
 * @param[in]     tol     largest deviation from unitarity accepted, by component
 * @param[in]     param   gauge field, use_resident_gauge, make_resident_gauge, return_result_gauge
 * Collective: yes. Errors: links that do not converge, counted.
 */
void projectSU3Quda(void *gauge_h, double tol, QudaGaugeParam *param);

/**
 * Apply the staggered phases if they are not applied, else remove them; resident links that are used change in place.
 * @param[in,out] gauge_h host field; read and written as the resident flags of param say
 * @param[in]     param   staggered_phase_type, staggered_phase_applied, t_boundary, i_mu, reconstruct (18), resident
 *                        flags
 * Collective: yes.
 */
void staggeredPhaseQuda(void *gauge_h, QudaGaugeParam *param);

/**
 * One step of the equations of motion: U' = exp(dt A) U.
 * @param[in,out] gauge    links; read and written as the resident flags of param say
 * @param[in]     momentum A, traceless anti-Hermitian, 10 reals a link
 * @param[in]     dt       step, molecular-dynamics time
 * @param[in]     conj_mom 1: A^dag in place of A
 * @param[in]     exact    1: exponential in closed form, 0: Taylor series of eighth order
 * @param[in]     param    gauge field and resident flags
 * Collective: yes.
 */
void updateGaugeFieldQuda(void *gauge, void *momentum, double dt, int conj_mom, int exact, QudaGaugeParam *param);

/**
 * Replace the resident gauge field (loadGaugeQuda(), QUDA_WILSON_LINKS) by random links exp(sigma H), H = i sum_a h_a
 * lambda_a, the eight h_a normally distributed with variance 1/2. The numbers are a function of seed and global site
 * only (a generator of our own, Philox4x32-10), the same on any process grid. A field stored by two rows
 * (QUDA_RECONSTRUCT_12) gets links that carry its anisotropy and boundary sign, as it can hold no others. Copies of the
 * links that the library made for itself are made anew.
 * @param[in] seed  of the random numbers; where ranks give different ones, of the sites of each
 * @param[in] sigma width, finite; 0: unit links
 * Errors: no resident field. Collective: yes; sigma must agree between ranks.
 */
void gaussGaugeQuda(unsigned long long seed, double sigma);

/**
 * Sum of products of links along paths: out += eb3 U_mu(x) sum_i loop_coeff[i] path_i(x + mu), or = where
 * param->overwrite_gauge is set.
 * @param[in,out] out            V x 4 matrices in param->gauge_order
 * @param[in]     sitelink       links; not read when param->use_resident_gauge is set
 * @param[in]     input_path_buf [4][num_paths][path_length] steps: 0 to 3 forward x y z t, 7 to 4 backward x y z t
 * @param[in]     path_length    [num_paths] steps
 * @param[in]     loop_coeff     [num_paths] weights
 * @param[in]     num_paths      paths a direction
 * @param[in]     max_length     no less than the longest path
 * @param[in]     dt             common factor eb3
 * @param[in]     qudaGaugeParam gauge field and resident flags
 * @return 0
 * Collective: yes.
 */
int computeGaugePathQuda(void *out, void *sitelink, int ***input_path_buf, int *path_length, double *loop_coeff,
                         int num_paths, int max_length, double dt, QudaGaugeParam *qudaGaugeParam);

/**
 * Set the local lattice of the halo packing of the oldest interfaces.
 * @param[in] X four extents
 * Collective: no.
 */
void set_dim(int *X);

/**
 * Pack the borders of a host field; of the oldest interfaces.
 * @param[in]  cpuLink   four links fields
 * @param[out] cpuGhost  four borders
 * @param[in]  nFace     depth
 * @param[in]  precision of both
 * Collective: no.
 */
void pack_ghost(void **cpuLink, void **cpuGhost, int nFace, QudaPrecision precision);

/* Gauge fixing */

/**
 * Fix to Landau or Coulomb gauge by over-relaxation: maximise F = sum_x sum_mu Re tr U_mu(x) / (3 gauge_dir V_global).
 * @param[in,out] gauge            host field, transformed in place
 * @param[in]     gauge_dir        4: Landau, 3: Coulomb
 * @param[in]     Nsteps           iterations at most
 * @param[in]     verbose_interval iterations between printed lines
 * @param[in]     relax_boost      over-relaxation, 1 to 2
 * @param[in]     tolerance        stop below it; 0: never
 * @param[in]     reunit_interval  iterations between reunitarisations
 * @param[in]     stopWtheta       1: the tolerance is theta's, 0: that of the change of F
 * @param[in]     param            gauge field; make_resident_gauge keeps the result
 * @return 0
 * Collective: yes.
 */
int computeGaugeFixingOVRQuda(void *gauge, const unsigned int gauge_dir, const unsigned int Nsteps,
                              const unsigned int verbose_interval, const double relax_boost, const double tolerance,
                              const unsigned int reunit_interval, const unsigned int stopWtheta, QudaGaugeParam *param);

/**
 * The same by steepest descent with Fourier acceleration.
 * @param[in,out] gauge            host field, transformed in place
 * @param[in]     gauge_dir        4: Landau, 3: Coulomb
 * @param[in]     Nsteps           iterations at most
 * @param[in]     verbose_interval iterations between printed lines
 * @param[in]     alpha            step
 * @param[in]     autotune         1: the step shrinks when F falls
 * @param[in]     tolerance        stop below it; 0: never
 * @param[in]     stopWtheta       1: the tolerance is theta's, 0: that of the change of F
 * @param[in]     param            gauge field; make_resident_gauge keeps the result
 * @return 0
 * Collective: yes.
 */
int computeGaugeFixingFFTQuda(void *gauge, const unsigned int gauge_dir, const unsigned int Nsteps,
                              const unsigned int verbose_interval, const double alpha, const unsigned int autotune,
                              const double tolerance, const unsigned int stopWtheta, QudaGaugeParam *param);

/* Observables; global, the same number on all ranks */

/**
 * Plaquette of the resident gauge field, links as stored.
 * @param[out] plaq three reals: mean of the other two, spatial, temporal; 1 for unit links
 * Collective: yes.
 */
void plaqQuda(double plaq[3]);

/**
 * Polyakov loop: sum over space of the trace of the product of temporal links, divided by the spatial volume.
 * @param[out] ploop re and im; 3 for unit links
 * @param[in]  dir   3
 * Collective: yes.
 */
void polyakovLoopQuda(double ploop[2], int dir);

/**
 * The requested observables of the smeared resident field if there is one, else of the resident gauge field.
 * @param[in,out] param selected by compute_* and su_project; results are members, too. With su_project smeared links
 *                      become the projected ones, the gauge field itself stays as it is
 * Collective: yes.
 */
void gaugeObservablesQuda(QudaGaugeObservableParam *param);

/**
 * Traces of closed paths: traces[i] = factor coeff[i] sum_x tr path_i(x).
 * @param[out] traces         [num_paths] complex
 * @param[in]  input_path_buf [num_paths][length] steps: 0 to 3 forward x y z t, 7 to 4 backward x y z t
 * @param[in]  path_length    [num_paths] steps
 * @param[in]  loop_coeff     [num_paths] weights
 * @param[in]  num_paths      number of paths
 * @param[in]  max_length     no less than the longest path
 * @param[in]  factor         common factor
 * Collective: yes.
 */
void computeGaugeLoopTraceQuda(double _Complex *traces, int **input_path_buf, int *path_length, double *loop_coeff,
                               int num_paths, int max_length, double factor);

/* Smearing and gradient flow */

/**
 * Smear the resident gauge field into the smeared resident field, from the start.
 * @param[in]     smear_param smear_type (APE: alpha; STOUT and OVRIMP_STOUT: rho, epsilon; HYP: alpha1 to alpha3),
 * n_steps, meas_interval (0 is refused unless n_steps is 0), dir_ignore, smear_anisotropy; restart is not read
 * @param[in,out] obs_param   array of 1 + n_steps / meas_interval entries: entry 0 measured before, the others after
 * every meas_interval steps; su_project replaces the links that are smeared further
 * Collective: yes, all ranks with the same parameters. Errors: no resident gauge field, flows, sums of links that have
 * no unitary factor (APE, HYP), what gaugeObservablesQuda() refuses.
 */
void performGaugeSmearQuda(QudaGaugeSmearParam *smear_param, QudaGaugeObservableParam *obs_param);

/**
 * Gradient flow of the gauge field into the smeared resident field.
 * @param[in]     smear_param WILSON_FLOW or SYMANZIK_FLOW, n_steps, epsilon (flow time a step), t0, restart (from the
 * smeared resident field), meas_interval, rk_order (3: three stages a step, 4: six), smear_anisotropy
 * @param[in,out] obs_param   as in performGaugeSmearQuda()
 * Collective: yes.
 */
void performWFlowQuda(QudaGaugeSmearParam *smear_param, QudaGaugeObservableParam *obs_param);

/**
 * Gradient flow of the gauge field and, with it, of quark fields.
 * @param[out]    h_out       [nSpinors] full fields at the final flow time
 * @param[in]     h_in        [nSpinors] full fields at the initial one
 * @param[in]     inv_param   precisions, orders, basis and dslash_type (number of spins) of the fields
 * @param[in]     smear_param as in performWFlowQuda()
 * @param[in,out] obs_param   as in performGaugeSmearQuda()
 * @param[in]     nSpinors    number of fields
 * Collective: yes.
 */
void performGFlowQuda(void **h_out, void **h_in, QudaInvertParam *inv_param, QudaGaugeSmearParam *smear_param,
                      QudaGaugeObservableParam *obs_param, size_t nSpinors);

/**
 * Adjoint of performGFlowQuda() on quark fields: with K what its steps, from the same links, make of a field,
 * h_out = K^dag h_in, to rounding. The links before all steps are kept, n_steps gauge fields. Those that the flow begins
 * with become the smeared resident ones, if they are not.
 * @param[out] h_out       [nSpinors] full fields at the initial flow time
 * @param[in]  h_in        [nSpinors] full fields at the final one
 * @param[in]  inv_param   as in performGFlowQuda()
 * @param[in]  smear_param as in performGFlowQuda(); meas_interval is not read
 * @param[in]  nSpinors    number of fields
 * Collective: yes.
 */
void performAdjGFlowSafe(void **h_out, void **h_in, QudaInvertParam *inv_param, QudaGaugeSmearParam *smear_param,
                         size_t nSpinors);

/**
 * The same to the bit, with few links kept and the others made again: from c kept ones at most C(c + r, c) steps are gone
 * back through with no step made more than r times before its own turn.
 * @param[out] h_out       [nSpinors] full fields at the initial flow time
 * @param[in]  h_in        [nSpinors] full fields at the final one
 * @param[in]  inv_param   as in performGFlowQuda()
 * @param[in]  smear_param as in performAdjGFlowSafe(); adj_n_save (c; n_steps and more: as performAdjGFlowSafe()),
 * hier_threshold
 * @param[in]  nSpinors    number of fields
 * Collective: yes.
 */
void performAdjGFlowHier(void **h_out, void **h_in, QudaInvertParam *inv_param, QudaGaugeSmearParam *smear_param,
                         size_t nSpinors);

/**
 * Wuppertal smearing: n_steps times psi = (psi + alpha sum_{x, y, z} hops) / (1 + 6 alpha), links of the smeared
 * resident field if there is one.
 * @param[out] h_out   full field
 * @param[in]  h_in    full field
 * @param[in]  param   precisions, orders, basis and dslash_type of the fields
 * @param[in]  n_steps number of steps
 * @param[in]  alpha   weight of the neighbours
 * Collective: yes.
 */
void performWuppertalnStep(void *h_out, void *h_in, QudaInvertParam *param, unsigned int n_steps, double alpha);

/**
 * Gaussian smearing: n_steps times psi = psi + (omega^2 / 4 n_steps) Laplace psi, in space.
 * @param[out] h_out   full field
 * @param[in]  h_in    full field
 * @param[in]  param   precisions, orders, basis and dslash_type of the fields
 * @param[in]  n_steps number of steps
 * @param[in]  omega   width in lattice units
 * Collective: yes.
 */
void performGaussianSmearNStep(void *h_out, void *h_in, QudaInvertParam *param, const int n_steps, const double omega);

/**
 * Gaussian or Wuppertal smearing, chosen by an argument.
 * @param[out] h_out      full field
 * @param[in]  h_in       full field
 * @param[in]  param      precisions, orders, basis and dslash_type of the fields
 * @param[in]  n_steps    number of steps
 * @param[in]  coeff      width or weight
 * @param[in]  smear_type which
 * Collective: yes.
 */
void performFermionSmearQuda(void *h_out, void *h_in, QudaInvertParam *param, const int n_steps, const double coeff,
                             const QudaFermionSmearType smear_type);

/**
 * Gaussian smearing of a staggered field with products of two links.
 * @param[in,out] h_in        full field of one spin component
 * @param[in,out] smear_param width, n_steps, t0, two-link flags, inv_param; secs and gflops are filled in
 * Collective: yes.
 */
void performTwoLinkGaussianSmearNStep(void *h_in, QudaQuarkSmearParam *smear_param);

/* Staggered links */

/**
 * Fattened, long and unitarised links of improved staggered fermions.
 * @param[out] fatlink    fat links; null: not wanted
 * @param[out] longlink   products of three links; null: not wanted
 * @param[out] ulink      unitarised fat links; null: not wanted
 * @param[in]  inlink     links with phases and boundary sign
 * @param[in]  path_coeff six weights: one link, three links straight (Naik), staples of 3, 5 and 7 links, Lepage
 * @param[in]  param      gauge field, used for all four
 * Collective: yes. Errors: links that cannot be unitarised.
 */
void computeKSLinkQuda(void *fatlink, void *longlink, void *ulink, void *inlink, double *path_coeff,
                       QudaGaugeParam *param);

/**
 * Products of two links in each direction.
 * @param[out] twolink V x 4 matrices
 * @param[in]  inlink  links; null: the resident gauge field
 * @param[in]  param   gauge field, used for both
 * Collective: yes.
 */
void computeTwoLinkQuda(void *twolink, void *inlink, QudaGaugeParam *param);

/* Forces and momenta: traceless anti-Hermitian matrices A_mu(x), 10 reals a link; U' = exp(dt A) U */

/**
 * Load or fetch the resident momentum.
 * @param[in,out] mom   host momentum, V x 4 x 10 reals
 * @param[in]     param make_resident_mom: host to library; return_result_mom: library to host, then freed. Just one of
 *                      the two
 * Collective: yes; X and cuda_prec must agree between ranks.
 */
void momResidentQuda(void *mom, QudaGaugeParam *param);

/**
 * Kinetic energy: sum over links of (1/2) sum_ij |A_ij|^2 - 4.
 * @param[in] momentum host momentum; not read when param->use_resident_mom is set
 * @param[in] param    gauge field, use_resident_mom, make_resident_mom
 * @return energy, the same on all ranks
 * Collective: yes.
 */
double momActionQuda(void *momentum, QudaGaugeParam *param);

/**
 * Replace the resident momentum (momResidentQuda()) by sigma H, H = i sum_a h_a lambda_a, the eight h_a normally
 * distributed with variance 1/2: with sigma = 1 the momenta of a molecular dynamics of momActionQuda(). The numbers are
 * a function of seed and global site only, and others than those of gaussGaugeQuda().
 * @param[in] seed  of the random numbers; where ranks give different ones, of the sites of each
 * @param[in] sigma width, finite; 1: thermal momenta, 0: zero
 * Errors: no resident momentum. Collective: yes; sigma must agree between ranks.
 */
void gaussMomQuda(unsigned long long seed, double sigma);

/**
 * Force of a gauge action: A = TA(A - dt W), W = U_mu(x) sum_i loop_coeff[i] path_i(x + mu), TA the traceless
 * anti-Hermitian part.
 * @param[in,out] mom            host momentum; read and written as the resident flags and overwrite_mom of the
 * parameters say
 * @param[in]     sitelink       links; not read when use_resident_gauge is set
 * @param[in]     input_path_buf [4][num_paths][path_length] steps: 0 to 3 forward x y z t, 7 to 4 backward x y z t
 * @param[in]     path_length    [num_paths] steps, one less than the loop
 * @param[in]     loop_coeff     [num_paths] weights
 * @param[in]     num_paths      paths a direction
 * @param[in]     max_length     no less than the longest path
 * @param[in]     dt             step times coupling, beta / 3
 * @param[in]     qudaGaugeParam gauge field and resident flags
 * @return 0
 * Collective: yes.
 */
int computeGaugeForceQuda(void *mom, void *sitelink, int ***input_path_buf, int *path_length, double *loop_coeff,
                          int num_paths, int max_length, double dt, QudaGaugeParam *qudaGaugeParam);

/**
 * Force of HISQ fermions, through both levels of smearing.
 * @param[in,out] momentum    host momentum; receives the increment only unless use_resident_mom is set
 * @param[in]     dt          step
 * @param[in]     level2_coeff six weights of the second smearing, as in computeKSLinkQuda()
 * @param[in]     fat7_coeff  six weights of the first smearing
 * @param[in]     w_link      unitarised links, MILC order
 * @param[in]     v_link      links before unitarisation
 * @param[in]     u_link      thin links with phases
 * @param[in]     quark       [num_terms] full staggered fields
 * @param[in]     num_terms   number of fields
 * @param[in]     num_naik_terms how many of the last ones carry another Naik weight
 * @param[in]     coeff       [num_terms + num_naik_terms][2] weights of one- and three-link terms
 * @param[in]     param       gauge field and resident flags
 * Collective: yes.
 */
void computeHISQForceQuda(void *momentum, double dt, const double level2_coeff[6], const double fat7_coeff[6],
                          const void *const w_link, const void *const v_link, const void *const u_link, void **quark,
                          int num_terms, int num_naik_terms, double **coeff, QudaGaugeParam *param);

/**
 * Force of naive staggered fermions, from the resident gauge field and resident solutions.
 * @param[in,out] mom          host momentum
 * @param[in]     dt           step
 * @param[in]     delta        further factor
 * @param[in]     gauge        not read
 * @param[in]     x            not read
 * @param[in]     gauge_param  gauge field and resident flags
 * @param[in]     invert_param num_offset, residue, precisions
 * Collective: yes.
 */
void computeStaggeredForceQuda(void *mom, double dt, double delta, void *gauge, void **x, QudaGaugeParam *gauge_param,
                               QudaInvertParam *invert_param);

/**
 * Force of Wilson-type fermions, from the resident gauge and clover fields, added to the momentum: with
 *   S = sum_i coeff[i] phi^dag (M^dag M)^-1 phi - multiplicity ln det A,   x[i] = (M^dag M)^-1 phi, or
 *   (M^dag M + s_i)^-1 phi,
 * A_mu(x) = TA(A_mu(x) + dt U_mu(x) dS/dU_mu(x)), TA the traceless anti-Hermitian part: the step dt of molecular
 * dynamics with the kinetic energy sum |A|^2 / 2. M is the asymmetric even-odd matrix of matpc_type, of either parity
 * (in QUDA the force of odd-odd systems is wrong); A is the clover term on the sites that x is not on, ln det A with a
 * twist half of ln det (A^2 + (2 kappa mu)^2 - (2 kappa epsilon)^2). With dagger = QUDA_DAG_NO M^dag stands in the
 * place of M: (M M^dag)^-1. dslash_type may be QUDA_WILSON_DSLASH, of which symmetric and asymmetric types are one,
 * QUDA_CLOVER_WILSON_DSLASH, QUDA_TWISTED_MASS_DSLASH, QUDA_TWISTED_CLOVER_DSLASH (one flavour or two) and
 * QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH; without a clover term ck and multiplicity are not read. Momenta are returned and
 * kept as the flags say, all combinations. A call that fails leaves the momentum as it was.
 * @param[in,out] mom          host momentum, QDP or MILC order; read unless use_resident_mom or overwrite_mom is set,
 *                             written if return_result_mom is
 * @param[in]     dt           step
 * @param[in]     x            [nvector] solutions on the parity of matpc_type; not read with use_resident_solution,
 *                             which takes those of the last solve with make_resident_solution
 * @param[in]     p            not read
 * @param[in]     coeff        [nvector] weights
 * @param[in]     kappa2       -kappa^2
 * @param[in]     ck           -clover_coeff / 8 = -kappa csw / 8
 * @param[in]     nvector      number of solutions, 1 or more
 * @param[in]     multiplicity weight of the determinant of the clover term; 0: none
 * @param[in]     gauge        not read
 * @param[in]     gauge_param  lattice, order, cpu_prec and resident flags of the momentum, overwrite_mom
 * @param[in]     inv_param    the operator; solution_type = QUDA_MATPCDAG_MATPC_SOLUTION, matpc_type, dagger; cpu_prec,
 *                             dirac_order and gamma_basis of x; cuda_prec, that of the resident links
 * Errors: bad argument (null pointers, numbers that are not finite, a symmetric matpc_type where there is an A,
 * resident fields that are absent or of another lattice, parity or precision, a clover term that has no inverse),
 * unsupported (other operators, storage this build lacks). Collective: yes.
 */
void computeCloverForceQuda(void *mom, double dt, void **x, void **p, double *coeff, double kappa2, double ck,
                            int nvector, double multiplicity, void *gauge, QudaGaugeParam *gauge_param,
                            QudaInvertParam *inv_param);

/**
 * The same with steps and signs as tmLQCD has them. M is the operator of -mu, -tm_rho and otherwise inv_param's, and
 *   A_mu(x) = TA(A_mu(x) - 2 U_mu(x) dS/dU_mu(x)),
 *   S = sum_i c_i phi^dag x_i - ln det (A^2 + (2 kappa mu)^2 - (2 kappa epsilon)^2),   coeff[i] = 4 kappa^2 c_i,
 * the determinant on the sites without x: the same for both parities, while QUDA's is right for odd-odd systems
 * only, and for clover fermions without a twist QUDA counts it four times. For one flavour x_i = (M^dag M)^-1
 * phi. For a doublet x_i = (M^dag M / evmax^2 + r_i)^-1 phi and coeff[i] = 4 kappa^2 c_i / evmax. detratio: the
 * pseudofermion part is |M^-dag M_2^dag phi|^2 instead, M_2 with another tm_rho, x = (M^dag M)^-1 M_2^dag phi, h_x0 =
 * -gamma5 phi, as for a host whose phi is that of gamma5 M; there is then no determinant. For a doublet detratio only
 * leaves out the determinant, for hosts that split their rational function into several terms. dagger =
 * QUDA_DAG_YES; with QUDA_DAG_NO M^dag in place of M.
 * @param[in,out] h_mom       host momentum
 * @param[in]     h_x         [nvector] solutions on one parity; not read with use_resident_solution
 * @param[in]     h_x0        [nvector] with detratio of one flavour gamma5 times the term added to M x; else not read
 * @param[in]     coeff       [nvector] weights, step and sign included
 * @param[in]     nvector     number of solutions
 * @param[in]     gauge_param gauge field and resident flags
 * @param[in]     inv_param   as above; clover_csw; evmax of doublets. Offsets are not read: they drop out
 * @param[in]     detratio    1: ratio of determinants; of a doublet: no determinant of the clover term
 * Errors: as above. Collective: yes.
 */
void computeTMCloverForceQuda(void *h_mom, void **h_x, void **h_x0, double *coeff, int nvector,
                              QudaGaugeParam *gauge_param, QudaInvertParam *inv_param, int detratio);

/* Clover term */

/**
 * Load or compute the clover term A = 1 - clover_coeff sum over mu > nu of gamma_mu gamma_nu F_mu,nu. It stays
 * resident, through loadGaugeQuda() and freeGaugeQuda() too, until one of these functions or endQuda() changes it; each
 * load takes the place of the one before. A gauge field must be resident: its lattice is A's, and A is computed from it
 * when no field is given or param->compute_clover is set. Anisotropic links carry their factors then: loaded with
 * anisotropy 1.
 * @param[in,out] h_clover  A, V x 72 reals, in param->clover_order (PACKED, QDPJIT; BQCD is read only) and
 *                          clover_cpu_prec; null: computed. Not read with compute_clover, written with return_clover
 * @param[in,out] h_clovinv its inverse; null: computed where needed. Not read with compute_clover_inverse, written with
 *                          return_clover_inverse
 * @param[in,out] param     dslash_type, clover_* members, compute_clover*, return_clover*, kappa when clover_coeff is
 * 0: clover_coeff = kappa clover_csw is filled in then; clover_csw is not read otherwise. trlogA is filled with
 * compute_clover_trlog Errors: a term that is to be inverted and is not positive definite. Collective: yes.
 */
void loadCloverQuda(void *h_clover, void *h_clovinv, QudaInvertParam *param);

/** Free the resident clover term, if there is one. Collective: no. */
void freeCloverQuda(void);

/**
 * Compute the resident clover term anew from the resident gauge field; there must be one.
 * @param[in,out] clover_param as in loadCloverQuda(); return_clover and return_clover_inverse are not read
 * Collective: yes.
 */
void createCloverQuda(QudaInvertParam *clover_param);

/**
 * Apply the clover term or its inverse on one parity.
 * @param[out] h_out     field of one parity
 * @param[in]  h_in      field of one parity
 * @param[in]  inv_param precisions, orders, basis; a dslash_type with clover term
 * @param[in]  parity    which
 * @param[in]  inverse   0: A, 1: its inverse
 * Collective: yes.
 */
void cloverQuda(void *h_out, void *h_in, QudaInvertParam *inv_param, QudaParity parity, int inverse);

/* Operators. Fields have [s][c] complex components a site (4 x 3, staggered 1 x 3) in param->dirac_order,
   param->cpu_prec and param->gamma_basis; a field of one parity starts at its own first site. */

/**
 * Apply the hopping term, or hop and inverse site-diagonal block, from one parity to the other. No factor of kappa.
 * Wilson: D psi(x) = sum_mu (1 - gamma_mu) U_mu(x) psi(x + mu) + (1 + gamma_mu) U_mu(x - mu)^dag psi(x - mu).
 * @param[out] h_out     field of one parity, V / 2 sites
 * @param[in]  h_in      field of the other parity
 * @param[in]  inv_param dslash_type, dagger, matpc_type, precisions, orders, basis, the operator's constants
 * @param[in]  parity    parity of h_out
 * Collective: yes. Errors: no resident gauge field of precision cuda_prec.
 */
void dslashQuda(void *h_out, void *h_in, QudaInvertParam *inv_param, QudaParity parity);

/**
 * The same for several fields.
 * @param[out] _hp_out   [num_src] fields of one parity
 * @param[in]  _hp_in    [num_src] fields of the other parity
 * @param[in]  inv_param as in dslashQuda(); num_src, split_grid, num_src_per_sub_partition
 * @param[in]  parity    parity of the results
 * Collective: yes. With split_grid the fields are shared out to sub-grids of ranks, as sources are in
 * invertMultiSrcQuda().
 */
void dslashMultiSrcQuda(void **_hp_out, void **_hp_in, QudaInvertParam *inv_param, QudaParity parity);

/**
 * Apply the operator, M or M_pc as solution_type says, or its Hermitian conjugate, in the normalisation asked for.
 * Wilson: M = 1 - kappa D, M_pc = 1 - kappa^2 D D.
 * @param[out] h_out     full field, or one parity for the PC solution types
 * @param[in]  h_in      the same
 * @param[in]  inv_param as in dslashQuda(); kappa or mass, solution_type, mass_normalization
 * Collective: yes.
 */
void MatQuda(void *h_out, void *h_in, QudaInvertParam *inv_param);

/**
 * Apply M^dag M, or M_pc^dag M_pc; with dagger M M^dag.
 * @param[out] h_out     full field, or one parity for the PC solution types
 * @param[in]  h_in      the same
 * @param[in]  inv_param as in MatQuda()
 * Collective: yes.
 */
void MatDagMatQuda(void *h_out, void *h_in, QudaInvertParam *inv_param);

/**
 * Covariant shift: U_dir(x) psi(x + dir) for dir 0 to 3, U_d(x - d)^dag psi(x - d) with d = dir - 4 for dir 4 to 7.
 * @param[out] h_out     full field
 * @param[in]  h_in      full field
 * @param[in]  dir       direction
 * @param[in]  inv_param precisions, orders, basis; dslash_type gives the number of spins
 * Collective: yes.
 */
void covDevQuda(void *h_out, void *h_in, int dir, QudaInvertParam *inv_param);

/**
 * Covariant shift forward (sym 1), backward (2), or the mean of both (3).
 * @param[out] h_out full field
 * @param[in]  h_in  full field
 * @param[in]  dir   0 to 3
 * @param[in]  sym   1, 2 or 3
 * @param[in]  param as in covDevQuda()
 * Collective: yes.
 */
void shiftQuda(void *h_out, void *h_in, int dir, int sym, QudaInvertParam *param);

/**
 * Apply a staggered spin-taste operator, shifts symmetrised over all orders.
 * @param[out] h_out full staggered field
 * @param[in]  h_in  full staggered field
 * @param[in]  spin  a QudaSpinTasteGamma
 * @param[in]  taste a QudaSpinTasteGamma
 * @param[in]  param as in covDevQuda()
 * Collective: yes.
 */
void spinTasteQuda(void *h_out, void *h_in, int spin, int taste, QudaInvertParam *param);

/* Solvers */

/**
 * Solve the system that solution_type names by the one that solve_type names.
 * @param[in,out] h_x   solution; read when use_init_guess is set
 * @param[in]     h_b   source, not zero
 * @param[in,out] param operator, solver, tolerances; iter, true_res, true_res_hq, secs, gflops, action are filled in;
 *                      with eig_param the low modes that it describes are taken from the residual
 * Collective: yes. A solver that reaches maxiter returns with a warning.
 */
void invertQuda(void *h_x, void *h_b, QudaInvertParam *param);

/**
 * Solve for several sources.
 * @param[in,out] _hp_x [num_src] solutions
 * @param[in]     _hp_b [num_src] sources
 * @param[in,out] param as in invertQuda(); num_src, split_grid, num_src_per_sub_partition
 * Collective: yes. With split_grid K sub-grids of ranks, number j with x fastest, have copies of links and clover term,
 * kept as long as these, and solve for sources n K + j. Results, in all ranks' arrays and in param, are those of a call
 * without it, to the bit but for block CG and estimated windows of Chebyshev polynomials; iter is the most of any. Not
 * with multigrid, eig_param, inverters that fill a space of low modes, domains that are ranks, or resident solutions.
 */
void invertMultiSrcQuda(void **_hp_x, void **_hp_b, QudaInvertParam *param);

/**
 * Solve with several shifts of M^dag M at once.
 * @param[out]    _hp_x [num_offset] solutions
 * @param[in]     _hp_b source
 * @param[in,out] param as in invertQuda(); num_offset, offset (ascending), tol_offset; true_res_offset, iter_res_offset
 *                      and true_res_hq_offset are filled in
 * Collective: yes.
 */
void invertMultiShiftQuda(void **_hp_x, void *_hp_b, QudaInvertParam *param);

/**
 * Open the space of a solver that collects eigenvectors.
 * @param[in] param with the solves' invert_param: inv_type, n_ev, deflation_grid; nk, np and cuda_prec_ritz may be set
 * @return handle for QudaInvertParam's deflation_op; freed by destroyDeflationQuda()
 * Collective: yes.
 */
void *newDeflationQuda(QudaEigParam *param);

/**
 * Free such a space.
 * @param[in] df_instance handle; no longer valid afterwards
 * Collective: no.
 */
void destroyDeflationQuda(void *df_instance);

/**
 * Forget solutions kept for the extrapolation of starting vectors.
 * @param[in] index which history, 0 to 11; negative: all
 * Collective: no.
 */
void flushChronoQuda(int index);

/* Multigrid */

/**
 * Build a multigrid hierarchy.
 * @param[in,out] param levels, blocks, solvers of each level, invert_param of the finest one
 * @return handle for QudaInvertParam's preconditioner; freed by destroyMultigridQuda()
 * Collective: yes.
 */
void *newMultigridQuda(QudaMultigridParam *param);

/**
 * Free a hierarchy.
 * @param[in] mg_instance handle; no longer valid afterwards
 * Collective: no.
 */
void destroyMultigridQuda(void *mg_instance);

/**
 * Follow a change of the gauge field or of the operator's constants.
 * @param[in]     mg_instance handle
 * @param[in,out] param       as in newMultigridQuda(); thin_update_only keeps the coarse operators
 * Collective: yes.
 */
void updateMultigridQuda(void *mg_instance, QudaMultigridParam *param);

/**
 * Write the near-null vectors to vec_outfile.
 * @param[in] mg_instance handle
 * @param[in] param       as in newMultigridQuda()
 * Collective: yes.
 */
void dumpMultigridQuda(void *mg_instance, QudaMultigridParam *param);

/* Eigenvectors */

/**
 * Eigenvectors and eigenvalues of M, M^dag, M^dag M or M M^dag.
 * @param[in,out] h_evecs [n_conv] fields of unit norm, of one parity with use_pc, and left singular ones behind with
 *                        compute_svd; null or null entries: not wanted. Entry 0 may start, where block_size is set
 * @param[out]    h_evals [n_conv] complex numbers; of QUDA_EIG_TR_LANCZOS_3D [t of the whole lattice][n_conv]
 * @param[in,out] param   kind, spectrum, sizes, tolerances, invert_param
 * Collective: yes. Errors: no convergence, with require_convergence.
 */
void eigensolveQuda(void **h_evecs, double _Complex *h_evals, QudaEigParam *param);

/**
 * Lanczos recurrence of the oldest interfaces.
 * @param[in]     k0            first step
 * @param[in]     m             last step
 * @param[in,out] hp_Apsi       fields
 * @param[in,out] hp_r          residual
 * @param[in,out] hp_V          Krylov vectors
 * @param[in,out] hp_alpha      diagonal
 * @param[in,out] hp_beta       off-diagonal
 * @param[in]     eig_param     operator
 * Collective: yes.
 */
void lanczosQuda(int k0, int m, void *hp_Apsi, void *hp_r, void *hp_V, void *hp_alpha, void *hp_beta,
                 QudaEigParam *eig_param);

/* Contractions */

/**
 * Contract two quark fields site by site; nothing is summed over sites. x is conjugated.
 *   OPEN          result[4 a + b] = sum_c conj(x[a][c]) y[b][c]
 *   DR            result[G] = x^dag Gamma_G y, sixteen G: 1; gamma_1 to 4; gamma5; gamma5 gamma_1 to 4; sigma_12, 13,
 *                 14, 23, 24, 34, with sigma_ij = (i / 2) [gamma_i, gamma_j], gamma5 = gamma_1 gamma_2 gamma_3 gamma_4.
 *                 As in QUDA, -i gamma5 gamma_4 stands in place of sigma_13 (entry 11) and -gamma5 in place of sigma_34
 *                 (entry 15); QUDA_CONTRACT_TYPE_DR_CORRECTED of quda_ext.h has the two sigmas
 *   STAGGERED     result[0] = x^dag y
 * Spin indices and gamma matrices are those of the DeGrand-Rossi basis whatever param->gamma_basis is.
 * @param[in]  x         full field [V][4][3] (staggered: [V][3]) complex in param->cpu_prec; host or device memory
 * @param[in]  y         the same; may be x
 * @param[out] result    [V][16] (staggered: [V]) complex in param->cpu_prec, even sites first; overwritten, the
 *                       caller's memory
 * @param[in]  cType     QUDA_CONTRACT_TYPE_OPEN, _DR or _STAGGERED, or QUDA_CONTRACT_TYPE_DR_CORRECTED
 * @param[in]  param     read are cpu_prec, dirac_order (QUDA_DIRAC_ORDER), dslash_type (staggered, asqtad and Laplace:
 *                       fields of one spin, others: of four) and, with four spins, gamma_basis
 * @param[in]  X         four local extents, even; V is their product
 * Collective: no; the result is this rank's. NaN and infinities come through at their sites.
 * Errors: bad argument for null pointers, unset or unknown values, odd extents, a type that does not fit dslash_type;
 * unsupported for other types and orders; not built for a precision this build leaves out.
 */
void contractQuda(const void *x, const void *y, void *result, const QudaContractType cType, QudaInvertParam *param,
                  const int *X);

/**
 * Contract fields and project on momenta, a time (or z) slice at a time: of each slice and momentum the sum over sites
 * of the product over d of exp(i theta_d), or what fft_type makes of it, theta_d = 2 pi m_d (x_d - source_d) / L_d,
 * times
 *   STAGGERED_FT_T : sum over the source's colours k of x_k^dag y_k
 *   DR_FT_T, _Z    : tr X^dag (gamma_5 Gamma_G) Y (gamma_5 Gamma_G), X with sink spins as rows and source spins as
 *                    columns, colours summed, G = 0 to 15: gamma_1 to 4, gamma_5 gamma_1 to 4, 1, gamma_5 = gamma_1
 *                    gamma_2 gamma_3 gamma_4, sigma_12, 13, 14, 23, 24, 34 (another order than contractQuda()'s)
 * Sums are exact sums of products in param's cpu_prec: the same bits on any process grid.
 * @param[in]     x               [spins * src_colors] full fields, source spins outermost, conjugated
 * @param[in]     y               [spins * src_colors] full fields, likewise; may be x
 * @param[in,out] result          *result: [n_mom][slices of the global lattice][16 or 1] complex double; added to
 * @param[in]     cType           QUDA_CONTRACT_TYPE_STAGGERED_FT_T, _DR_FT_T or _DR_FT_Z
 * @param[in]     cs_param_ptr    a QudaInvertParam *, which describes the fields as in contractQuda(); QUDA's own hosts
 *                                pass a class of its sources, which is refused
 * @param[in]     src_colors      colours of the source, 1 to 64
 * @param[in]     X               four local extents, even
 * @param[in]     source_position four global coordinates
 * @param[in]     n_mom           number of momenta
 * @param[in]     mom_modes       [n_mom][4] integers m, momentum 2 pi m / L
 * @param[in]     fft_type        [n_mom][4] symmetry in each direction; _DR types take QUDA_FFT_SYMM_EO, not reading it
 * Collective: yes; the result is complete on every rank. Errors: as in contractQuda(); unsupported for other types.
 */
void contractFTQuda(void **x, void **y, void **result, const QudaContractType cType, void *cs_param_ptr,
                    const int src_colors, const int *X, const int *const source_position, const int n_mom,
                    const int *const mom_modes, const QudaFFTSymmType *const fft_type);

/**
 * Project quark fields on Laplace eigenvectors: of each time slice of the global lattice and each spin the sum over
 * space and colour of conj(evec) quark. Spins stay as the host has them. Chains of 24 products in param's cuda_prec,
 * which begin at the same sites on any process grid, then exact sums: the same bits on any grid and for any tiles.
 * @param[out]    host_sinks [n_quark][n_evec][T global][4] complex double, overwritten
 * @param[in]     host_quark [n_quark] full fields of four spins
 * @param[in]     n_quark    number of quark fields, 1 or more
 * @param[in]     tile_quark how many the library holds at a time, 1 or more
 * @param[in]     host_evec  [n_evec] full fields of one spin
 * @param[in]     n_evec     number of eigenvectors, 1 or more
 * @param[in]     tile_evec  how many the library holds at a time, 1 or more
 * @param[in,out] inv_param  cpu_prec and cuda_prec, double or single; dirac_order, QUDA_DIRAC_ORDER; dslash_type, where
 *                           it is set that of an operator on four spins; secs and gflops are filled in
 * @param[in]     X          four local extents, even, 2 to 512
 * Collective: yes; the result is complete on every rank. Errors: bad_argument for null pointers, numbers and extents
 * out of range, fields of one spin; unsupported for other precisions and orders.
 */
void laphSinkProject(double _Complex *host_sinks, void **host_quark, int n_quark, int tile_quark, void **host_evec,
                     int n_evec, int tile_evec, QudaInvertParam *inv_param, const int X[4]);

/* Small dense problems, local to each process */

/**
 * Products of many small matrices: C_i = alpha op(A_i) op(B_i) + beta C_i, op(A) m x k, op(B) k x n, C m x n. Computed
 * by Eigen on the threads of the processor, in the precision of the numbers; the same bits with any number of threads.
 * An array holds batch_count matrices of lda (ldb, ldc) times the other stored extent, offset numbers after
 * its beginning. A stride of 0 or 1 uses all of them, a larger one every stride-th; there are batch_count
 * divided by the largest of the three strides (and 1) products, rounded down.
 * @param[in]     arrayA     host array; not read if alpha is 0
 * @param[in]     arrayB     the same
 * @param[in,out] arrayC     host array; not read if beta is 0. Numbers between its matrices stay. It may be, or
 *                           overlap, A or B, whose previous content is used
 * @param[in]     native     QUDA_BOOLEAN_TRUE or _FALSE, which choose between two libraries in QUDA; here the same
 * @param[in]     param      all members except inv_mat_size, which is not read. data_type is that of the three arrays;
 *                           real ones take the real parts of alpha and beta. blas_type must be set
 * Collective: no. Errors: bad argument for null pointers, unset or unknown values, a leading extent smaller than a row
 * (data_order row) or column of the stored matrix, a batch_count smaller than a stride.
 */
void blasGEMMQuda(void *arrayA, void *arrayB, void *arrayC, QudaBoolean native, QudaBLASParam *param);

/**
 * Inverses of many small square matrices, by LU decomposition with partial pivoting. Computed by Eigen on the threads of
 * the processor, in the precision of the numbers; the same bits with any number of threads.
 * @param[out] Ainv       host array, batch_count matrices inv_mat_size x inv_mat_size without gaps, by rows or by
 *                        columns as A; may be A. Untouched where the call fails
 * @param[in]  A          the same
 * @param[in]  use_native QUDA_BOOLEAN_TRUE or _FALSE, which choose between two libraries in QUDA; here the same
 * @param[in]  param      inv_mat_size, batch_count and data_type, which may be real, too; blas_type must be set
 * Collective: no. Errors: bad argument for null pointers and unset or unknown values, and, naming the first of them, for
 * matrices with NaN or infinities and for singular ones: those with a pivot of 0 or with epsilon tr(|A^-1| |A|) > 1/2,
 * epsilon that of the precision, of whose inverse no digit would be right.
 */
void blasLUInvQuda(void *Ainv, void *A, QudaBoolean use_native, QudaBLASParam *param);

#ifdef __cplusplus
}
#endif

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
