#pragma once

#include "quda_define.h"
#include "enum_quda.h"
#include "quda_constants.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define double_complex double _Complex

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
  double_complex b_5[QUDA_MAX_DWF_LS]; /**< Moebius coefficient b of each fifth-dimension slice. No default. */
  double_complex c_5[QUDA_MAX_DWF_LS]; /**< Moebius coefficient c of each fifth-dimension slice. No default. */
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
  int laplace3D; /**< Dimensions of the Laplace operator: 3 leaves out t. 3 to 4. No default. */
  int covdev_mu;
    /**< Direction of the covariant shift: 0 to 3 forwards x y z t, 4 to 7 backwards. 0 to 7. No default. */
  double tol; /**< Wanted |residual| / |source|. 0 or greater. No default. */
  double tol_restart; /**< Drop of the residual after which a deflated solve restarts. 0 or greater. Default 5e-5. */
  double tol_hq; /**< Wanted heavy-quark residual; read if residual_type asks for it. 0 or greater. No default. */
  int compute_true_res; /**< 1: recompute the residual in full precision at the end. Default 1. */
  double true_res[QUDA_MAX_MULTI_SRC]; /**< Result: true |residual| / |source| of each source. */
  double true_res_hq[QUDA_MAX_MULTI_SRC]; /**< Result: true heavy-quark residual of each source. */
  int maxiter; /**< Iterations after which the solver stops and says so. 0 or greater. No default. */
  double reliable_delta;
    /**< Drop of the iterated residual that triggers a residual in full precision. 0 or greater. No default. */
  double reliable_delta_refinement;
    /**< The same while multi-shift solutions are refined; unset: reliable_delta. 0 or greater. */
  int use_alternative_reliable; /**< 1: trigger it by an estimate of the rounding error instead. */
  int use_sloppy_partial_accumulator; /**< 1: add up the solution in the sloppy precision between such updates. */
  int solution_accumulator_pipeline;
    /**< How many solution updates are gathered into one; 0 stands for 1. 0 to 16. Default 1. */
  int max_res_increase; /**< Rises of the true residual in a row that are tolerated. 0 or greater. Default 1. */
  int max_res_increase_total; /**< Rises of the true residual in all that are tolerated. 0 or greater. Default 10. */
  int max_hq_res_increase;
    /**< Rises of the heavy-quark residual in a row that are tolerated. 0 or greater. Default 1. */
  int max_hq_res_restart_total;
    /**< Restarts for the heavy-quark residual that are tolerated. 0 or greater. Default 10. */
  int heavy_quark_check; /**< Iterations between two heavy-quark residuals. Greater than 0. Default 10. */
  int pipeline; /**< Iterations of a solver fused into one pass; changes rounding only. 0 or greater. */
  int num_offset; /**< Shifts of a multi-shift solve. 0 to QUDA_MAX_MULTI_SHIFT. */
  int num_src; /**< Sources of a multi-source solve. 1 to QUDA_MAX_MULTI_SRC. Default 1. */
  int num_src_per_sub_partition; /**< Sources each part of a split grid solves. 1 to QUDA_MAX_MULTI_SRC. Default 1. */
  int split_grid[QUDA_MAX_DIM]; /**< Parts the process grid is cut into, x y z t. Greater than 0. Default 1. */
  int overlap; /**< Width in sites of the overlap of Schwarz domains. 0 or greater. */
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
    /**< Whether the source is scaled to norm 1 during the solve. Default QUDA_DEFAULT_NORMALIZATION. */
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
  QudaPrecision clover_cuda_prec_sloppy; /**< Its copy for inner iterations; unset: clover_cuda_prec. */
  QudaPrecision clover_cuda_prec_refinement_sloppy;
    /**< Its copy for multi-shift refinement; unset: clover_cuda_prec_sloppy. */
  QudaPrecision clover_cuda_prec_precondition; /**< Its copy for the preconditioner; unset: clover_cuda_prec_sloppy. */
  QudaPrecision clover_cuda_prec_eigensolver; /**< Its copy for the eigensolver; unset: clover_cuda_prec. */
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
  int Nsteps; /**< Steps of the minimal-residual solver. Greater than 0. No default. */
  int gcrNkrylov;
    /**< Size of the Krylov space of GCR and of the communication-avoiding solvers; l of BiCGstab(l). Greater than 0. No
         default. */
  QudaInverterType inv_type_precondition; /**< Solver used as preconditioner; unset: none. */
  QudaTune tune; /**< Deprecated and never read: tuning is switched by QUDA_ENABLE_TUNING. Default QUDA_TUNE_NO. */
  void *preconditioner; /**< Handle of newMultigridQuda(), owned by the caller. */
  void *deflation_op; /**< Handle of newDeflationQuda(), owned by the caller. */
  void *eig_param; /**< QudaEigParam of a deflated solve, or null; owned by the caller. */
  QudaBoolean deflate; /**< Whether the solve is deflated. Default QUDA_BOOLEAN_FALSE. */
  QudaDslashType dslash_type_precondition; /**< Dirac operator of the preconditioner. No default. */
  QudaVerbosity verbosity_precondition; /**< How much the preconditioner prints. No default. */
  double tol_precondition; /**< Wanted |residual| / |source| of the preconditioner. 0 or greater. No default. */
  int maxiter_precondition; /**< Iterations of the preconditioner. 0 or greater. No default. */
  double omega; /**< Relaxation factor of the minimal-residual and steepest-descent solvers. Default 1. */
  QudaCABasis ca_basis; /**< Basis of the communication-avoiding solvers. Default QUDA_POWER_BASIS. */
  double ca_lambda_min; /**< Lower end of the spectrum for a Chebyshev basis. */
  double ca_lambda_max; /**< Upper end of it; 0 or less: estimated and written back. Default -1. */
  QudaCABasis ca_basis_precondition; /**< The same for the preconditioner. Default QUDA_POWER_BASIS. */
  double ca_lambda_min_precondition; /**< Lower end for the preconditioner. */
  double ca_lambda_max_precondition;
    /**< Upper end for the preconditioner; 0 or less: estimated and written back. Default -1. */
  int precondition_cycle; /**< How often the preconditioner is applied in a step. 0 or greater. Default 1. */
  QudaSchwarzType schwarz_type; /**< Domain decomposition of the preconditioner; unset: none. */
  QudaAcceleratorType accelerator_type_precondition; /**< Accelerator of the preconditioner; unset: none. */
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
  QudaPrecision cuda_prec_ritz; /**< Precision of Ritz vectors (eigCG). Default QUDA_SINGLE_PRECISION. */
  int n_ev; /**< Eigenvectors wanted a solve (eigCG). Greater than 0. Default 8. */
  int max_search_dim; /**< Largest search space (eigCG). Greater than 0. Default 64. */
  int rhs_idx; /**< Number of the source in a sequence (eigCG); counted up by the library. */
  int deflation_grid; /**< Solves that feed the deflation space (eigCG). Greater than 0. Default 1. */
  double eigenval_tol; /**< Wanted accuracy of an eigenvalue that is kept (eigCG). 0 or greater. Default 0.1. */
  int eigcg_max_restarts; /**< Restarts of eigCG. 0 or greater. Default 4. */
  int max_restart_num; /**< Restarts of the deflated solve after it. 0 or greater. Default 3. */
  double inc_tol; /**< Tolerance of the incremental stage of eigCG. 0 or greater. Default 0.01. */
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
  double a_min; /**< Lower end of the interval the polynomial suppresses. */
  double a_max; /**< Upper end of it; 0 or less: estimated and written back. */
  QudaBoolean preserve_deflation; /**< Whether the deflation space outlives the solve. Default QUDA_BOOLEAN_FALSE. */
  void *preserve_deflation_space; /**< That space; written and read by the library only. */
  QudaBoolean preserve_evals;
    /**< Whether its eigenvalues are kept as well or computed anew. Default QUDA_BOOLEAN_TRUE. */
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
  int n_ev_deflate; /**< Vectors used to deflate; -1: n_conv. Default -1. */
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
  int nk; /**< Eigenvectors of the deflation space of eigCG. 0 or greater. */
  int np; /**< Vectors of its search space. 0 or greater. */
  QudaBoolean import_vectors; /**< Whether the deflation space starts from given vectors. Default QUDA_BOOLEAN_FALSE. */
  QudaPrecision cuda_prec_ritz; /**< Precision of Ritz vectors. No default. */
  QudaMemoryType mem_type_ritz; /**< Memory of Ritz vectors. Default QUDA_MEMORY_DEVICE. */
  QudaFieldLocation location; /**< Where the eigenvectors live. Default QUDA_CUDA_FIELD_LOCATION. */
  QudaBoolean run_verify; /**< Whether the deflation space is tested. Default QUDA_BOOLEAN_FALSE. */
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
  double_complex *traces;
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
  double smear_anisotropy; /**< Anisotropy of the flow; 0 stands for 1. 0 or greater. */
  unsigned int rk_order; /**< Order of the Runge-Kutta steps of the flow; 0 stands for 3. One of 0, 3, 4. */
  double alpha; /**< Weight of the staples: APE. */
  double rho; /**< Weight of the staples: stout and over-improved stout. */
  double alpha1; /**< Weight of the outermost staples: HYP. */
  double alpha2; /**< Weight of the middle staples: HYP. */
  double alpha3; /**< Weight of the innermost staples: HYP. */
  unsigned int meas_interval; /**< Steps between two measurements. Greater than 0. */
  QudaGaugeSmearType smear_type; /**< The smearing or the flow. No default. */
  unsigned int adj_n_save; /**< Fields kept while the flow is run backwards. */
  unsigned int hier_threshold; /**< Steps below which the hierarchical backward flow stores every field. */
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
  QudaBLASType blas_type; /**< What is computed. No default. */
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
  double_complex alpha; /**< Factor of the product. No default. */
  double_complex beta; /**< Factor of C as it was. No default. */
  int inv_mat_size; /**< Rows and columns of a matrix to be inverted. Greater than 0. No default. */
  int batch_count; /**< Matrices. Greater than 0. Default 1. */
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

typedef int (*QudaCommsMap)(const int *coords, void *fdata);

void blasGEMMQuda(void *, void *, void *, QudaBoolean, QudaBLASParam *);
void blasLUInvQuda(void *, void *, QudaBoolean, QudaBLASParam *);
void cloverQuda(void *, void *, QudaInvertParam *, QudaParity, int);
void createCloverQuda(QudaInvertParam *);
void freeCloverQuda(void);
void loadCloverQuda(void *, void *, QudaInvertParam *);
void contractFTQuda(void **, void **, void **, const QudaContractType, void *, const int, const int *, const int *const, const int, const int *const, const QudaFFTSymmType *const);
void contractQuda(const void *, const void *, void *, const QudaContractType, QudaInvertParam *, const int *);
void laphSinkProject(double_complex *, void **, int, int, void **, int, int, QudaInvertParam *, const int *);
void MatDagMatQuda(void *, void *, QudaInvertParam *);
void MatQuda(void *, void *, QudaInvertParam *);
void covDevQuda(void *, void *, int, QudaInvertParam *);
void dslashMultiSrcQuda(void **, void **, QudaInvertParam *, QudaParity);
void dslashQuda(void *, void *, QudaInvertParam *, QudaParity);
void shiftQuda(void *, void *, int, int, QudaInvertParam *);
void spinTasteQuda(void *, void *, int, int, QudaInvertParam *);
void eigensolveQuda(void **, double_complex *, QudaEigParam *);
void lanczosQuda(int, int, void *, void *, void *, void *, void *, QudaEigParam *);
void computeCloverForceQuda(void *, double, void **, void **, double *, double, double, int, double, void *, QudaGaugeParam *, QudaInvertParam *);
int computeGaugeForceQuda(void *, void *, int ***, int *, double *, int, int, double, QudaGaugeParam *);
void computeHISQForceQuda(void *, double, const double *, const double *, const void *const, const void *const, const void *const, void **, int, int, double **, QudaGaugeParam *);
void computeStaggeredForceQuda(void *, double, double, void *, void **, QudaGaugeParam *, QudaInvertParam *);
void computeTMCloverForceQuda(void *, void **, void **, double *, int, QudaGaugeParam *, QudaInvertParam *, int);
void gaussMomQuda(unsigned long long, double);
double momActionQuda(void *, QudaGaugeParam *);
void momResidentQuda(void *, QudaGaugeParam *);
int computeGaugePathQuda(void *, void *, int ***, int *, double *, int, int, double, QudaGaugeParam *);
void copyExtendedResidentGaugeQuda(void *);
void *createGaugeFieldQuda(void *, int, QudaGaugeParam *);
void destroyGaugeFieldQuda(void *);
void freeGaugeQuda(void);
void freeGaugeSmearedQuda(void);
void freeGaugeTwoLinkQuda(void);
void freeUniqueGaugeQuda(QudaLinkType);
void gaussGaugeQuda(unsigned long long, double);
void loadGaugeQuda(void *, QudaGaugeParam *);
void pack_ghost(void **, void **, int, QudaPrecision);
void projectSU3Quda(void *, double, QudaGaugeParam *);
void saveGaugeFieldQuda(void *, void *, QudaGaugeParam *);
void saveGaugeQuda(void *, QudaGaugeParam *);
void set_dim(int *);
void staggeredPhaseQuda(void *, QudaGaugeParam *);
void updateGaugeFieldQuda(void *, void *, double, int, int, QudaGaugeParam *);
int computeGaugeFixingFFTQuda(void *, const unsigned int, const unsigned int, const unsigned int, const double, const unsigned int, const double, const unsigned int, QudaGaugeParam *);
int computeGaugeFixingOVRQuda(void *, const unsigned int, const unsigned int, const unsigned int, const double, const double, const unsigned int, const unsigned int, QudaGaugeParam *);
void computeKSLinkQuda(void *, void *, void *, void *, double *, QudaGaugeParam *);
void computeTwoLinkQuda(void *, void *, QudaGaugeParam *);
void endQuda(void);
void initCommsGridQuda(int, const int *, QudaCommsMap, void *);
void initQuda(int);
void initQudaDevice(int);
void initQudaMemory(void);
void qudaSetCommHandle(void *);
void setMPICommHandleQuda(void *);
void setVerbosityQuda(QudaVerbosity, const char *, FILE *);
void updateR(void);
void destroyDeflationQuda(void *);
void flushChronoQuda(int);
void invertMultiShiftQuda(void **, void *, QudaInvertParam *);
void invertMultiSrcQuda(void **, void **, QudaInvertParam *);
void invertQuda(void *, void *, QudaInvertParam *);
void *newDeflationQuda(QudaEigParam *);
void flushPoolQuda(QudaMemoryType);
void destroyMultigridQuda(void *);
void dumpMultigridQuda(void *, QudaMultigridParam *);
void *newMultigridQuda(QudaMultigridParam *);
void updateMultigridQuda(void *, QudaMultigridParam *);
void computeGaugeLoopTraceQuda(double_complex *, int **, int *, double *, int, int, double);
void gaugeObservablesQuda(QudaGaugeObservableParam *);
void plaqQuda(double *);
void polyakovLoopQuda(double *, int);
QudaBLASParam newQudaBLASParam(void);
QudaEigParam newQudaEigParam(void);
QudaGaugeObservableParam newQudaGaugeObservableParam(void);
QudaGaugeParam newQudaGaugeParam(void);
QudaGaugeSmearParam newQudaGaugeSmearParam(void);
QudaInvertParam newQudaInvertParam(void);
QudaMultigridParam newQudaMultigridParam(void);
void printQudaBLASParam(QudaBLASParam *);
void printQudaEigParam(QudaEigParam *);
void printQudaGaugeObservableParam(QudaGaugeObservableParam *);
void printQudaGaugeParam(QudaGaugeParam *);
void printQudaInvertParam(QudaInvertParam *);
void printQudaMultigridParam(QudaMultigridParam *);
void performAdjGFlowHier(void **, void **, QudaInvertParam *, QudaGaugeSmearParam *, size_t);
void performAdjGFlowSafe(void **, void **, QudaInvertParam *, QudaGaugeSmearParam *, size_t);
void performFermionSmearQuda(void *, void *, QudaInvertParam *, const int, const double, const QudaFermionSmearType);
void performGFlowQuda(void **, void **, QudaInvertParam *, QudaGaugeSmearParam *, QudaGaugeObservableParam *, size_t);
void performGaugeSmearQuda(QudaGaugeSmearParam *, QudaGaugeObservableParam *);
void performGaussianSmearNStep(void *, void *, QudaInvertParam *, const int, const double);
void performTwoLinkGaussianSmearNStep(void *, QudaQuarkSmearParam *);
void performWFlowQuda(QudaGaugeSmearParam *, QudaGaugeObservableParam *);
void performWuppertalnStep(void *, void *, QudaInvertParam *, unsigned int, double);

#ifdef __cplusplus
}
#endif
