#pragma once

/**
 * @file
 * The functions MILC calls, with the names, layouts and signatures of QUDA's interface of February 2025. Valid C99 and
 * C++.
 *
 * Rules for every function unless it says otherwise, in addition to those of quda.h:
 * - Precisions are 1 (single) or 2 (double). external_precision: of the host's arrays; quda_precision: of the
 * arithmetic.
 * - Fields are in MILC's order: sites even-odd, links [site][mu][row][column], colour vectors [site][colour], Wilson
 * vectors [site][spin][colour] in the DeGrand-Rossi basis, momenta 10 reals a link.
 * - Functions that take QudaMILCSiteArg_t read and write links and momenta inside the host's site array or in separate
 *   arrays, as the structure says.
 * - phase_in: 1 if the links carry staggered phases and the boundary sign; these are removed first.
 * - Links, once loaded, are used again until qudaLoadKSLink() or qudaLoadUnitarizedLink() makes others or *num_iters is
 * -1 on entry.
 * - Collective: yes. Arrays are the caller's.
 */

#include "quda.h"

/** Defined if the device shares memory with the host: then MILC takes its arrays from qudaAllocateManaged(). */
#if defined(__COMPUTE_CAPABILITY__)
#if __COMPUTE_CAPABILITY__ >= 600
#define USE_QUDA_MANAGED 1
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Location of the host's links and momenta: in separate arrays, or inside the structures of a site array. */
typedef struct QudaMILCSiteArg_s {
  void *site;         /**< first site of the site array; null: separate arrays */
  void *link;         /**< links, when they have their own array */
  size_t link_offset; /**< bytes from the start of a site to its links */
  void *mom;          /**< momenta, when they have their own array */
  size_t mom_offset;  /**< bytes from the start of a site to its momenta */
  size_t size;        /**< bytes of a site */
} QudaMILCSiteArg_t;

/** Options of a solve. MILC sets max_iter, evenodd, mixed_precision, naik_epsilon and tadpole; the others where needed.
 */
typedef struct QudaInvertArgs_s {
  int max_iter;                 /**< iterations at most */
  QudaParity evenodd;           /**< parity of source and solution */
  int mixed_precision;          /**< inner iterations: 0 as outside, 1 single, 2 half */
  double boundary_phase[4];     /**< phase of the fermions at the border, in units of pi, x y z t */
  int make_resident_solution;   /**< 1: keep the solution, do not return it */
  int use_resident_solution;    /**< 1: start from the solution kept */
  QudaInverterType solver_type; /**< solver */
  double tadpole;               /**< tadpole factor of the long links */
  double naik_epsilon;          /**< correction of the Naik term */
} QudaInvertArgs_t;

/** Options of a solver that collects eigenvectors. */
typedef struct QudaEigArgs_s {
  QudaPrecision prec_ritz;          /**< precision of the vectors, single or double */
  int nev;                          /**< vectors a solve */
  int max_search_dim;               /**< vectors of the window, more than twice nev */
  int deflation_grid;               /**< sources whose vectors fill the space */
  double tol_restart;               /**< fall of the residual after which low modes are taken from it again */
  int eigcg_max_restarts;           /**< never read */
  int max_restart_num;              /**< how often they are */
  double inc_tol;                   /**< fall of the residual from the second time on */
  double eigenval_tol;              /**< residual |A v - lambda v| of the vectors that a full space keeps */
  QudaExtLibType solver_ext_lib;    /**< never read, as the next three */
  QudaExtLibType deflation_ext_lib; /**< library of the deflation's */
  QudaFieldLocation location_ritz;  /**< where the vectors live */
  QudaMemoryType mem_type_ritz;     /**< in which memory */
  char *vec_infile;                 /**< file to read them from: null or empty, as none is */
  char *vec_outfile;                /**< file to write them to: likewise */
} QudaEigArgs_t;

/** Lattice and process grid. */
typedef struct QudaLayout_s {
  const int *latsize;  /**< [4] extents of the global lattice, x y z t */
  const int *machsize; /**< [4] processes in each direction */
  int device;          /**< as in initQuda() */
} QudaLayout_t;

/** Start of the library. */
typedef struct QudaInitArgs_s {
  QudaVerbosity verbosity; /**< how much is printed */
  QudaLayout_t layout;     /**< lattice and process grid */
} QudaInitArgs_t;

/** Unitarisation of fat links and its derivative. */
typedef struct QudaHisqParams_s {
  int reunit_allow_svd;        /**< 1: singular values where the closed form is inaccurate */
  int reunit_svd_only;         /**< 1: always singular values */
  double reunit_svd_abs_error; /**< determinant below which they are used */
  double reunit_svd_rel_error; /**< relative error above which they are used */
  double force_filter;         /**< least eigenvalue in the force */
} QudaHisqParams_t;

/** Fattening. */
typedef struct QudaFatLinkArgs_s {
  int su3_source;        /**< 1: the thin links are in SU(3) */
  int use_pinned_memory; /**< accepted, not needed */
} QudaFatLinkArgs_t;

/** Contractions at several momenta. */
typedef struct QudaContractArgs_s {
  int n_mom;                 /**< number of momenta */
  int *mom_modes;            /**< [n_mom][4] integers m, momentum 2 pi m / L */
  QudaFFTSymmType *fft_type; /**< [n_mom][4] symmetry in each direction */
  int *source_position;      /**< [4] global coordinates */
  double flops;              /**< result: operations */
  double dtime;              /**< result: seconds */
} QudaContractArgs_t;

/** Gaussian smearing with two-link products. */
typedef struct QudaTwoLinkQuarkSmearArgs_s {
  int n_steps;       /**< number of steps */
  double width;      /**< width in lattice units */
  int compute_2link; /**< 1: compute the two-link field anew */
  int delete_2link;  /**< 1: free it afterwards */
  int t0;            /**< global time slice, negative: all */
  int laplaceDim;    /**< directions, 3 or 4 */
} QudaTwoLinkQuarkSmearArgs_t;

/* Start and end, memory */

/**
 * Choose the processes.
 * @param[in] mycomm address of an MPI_Comm; null: a program of one process
 * Collective: no.
 */
void qudaSetMPICommHandle(void *mycomm);

/**
 * Start the library: verbosity, layout, device.
 * @param[in] input verbosity and layout
 */
void qudaInit(QudaInitArgs_t input);

/**
 * Lay out lattice and processes; ranks count with x fastest.
 * @param[in] layout lattice and process grid
 * Errors: an odd local extent.
 */
void qudaSetLayout(QudaLayout_t layout);

/** End the library, as endQuda(). */
void qudaFinalize(void);

/**
 * Page-locked host memory.
 * @param[in] bytes size
 * @return address; the caller frees it with qudaFreePinned()
 * Collective: no.
 */
void *qudaAllocatePinned(size_t bytes);

/**
 * @param[in] ptr memory of qudaAllocatePinned()
 * Collective: no.
 */
void qudaFreePinned(void *ptr);

/**
 * Memory that host and device share.
 * @param[in] bytes size
 * @return address; the caller frees it with qudaFreeManaged()
 * Collective: no.
 */
void *qudaAllocateManaged(size_t bytes);

/**
 * @param[in] ptr memory of qudaAllocateManaged()
 * Collective: no.
 */
void qudaFreeManaged(void *ptr);

/* Staggered links */

/**
 * Constants of unitarisation and force; the first call counts.
 * @param[in] hisq_params the constants
 * Collective: no.
 */
void qudaHisqParamsInit(QudaHisqParams_t hisq_params);

/**
 * Fat and long links.
 * @param[in]  precision      of all fields
 * @param[in]  fatlink_args   options
 * @param[in]  path_coeff     [6] weights, as in computeKSLinkQuda()
 * @param[in]  inlink         thin links with phases
 * @param[out] fatlink        fat links
 * @param[out] longlink       long links; null: not wanted
 */
void qudaLoadKSLink(int precision, QudaFatLinkArgs_t fatlink_args, const double path_coeff[6], void *inlink,
                    void *fatlink, void *longlink);

/**
 * Fat links and their unitary parts.
 * @param[in]  precision      of all fields
 * @param[in]  fatlink_args   options
 * @param[in]  path_coeff     [6] weights, as in computeKSLinkQuda()
 * @param[in]  inlink         thin links with phases
 * @param[out] fatlink        fat links; null: not wanted
 * @param[out] ulink          unitary links
 */
void qudaLoadUnitarizedLink(int precision, QudaFatLinkArgs_t fatlink_args, const double path_coeff[6], void *inlink,
                            void *fatlink, void *ulink);

/** Free the two-link field. Collective: no. */
void qudaFreeTwoLink(void);

/* Staggered operators */

/**
 * Apply the improved staggered hop from one parity to the other.
 * @param[in]  external_precision, quda_precision 1 or 2
 * @param[in]  inv_args      evenodd: parity of the result
 * @param[in]  milc_fatlink  fat links
 * @param[in]  milc_longlink long links
 * @param[in]  source        full-size array, read on the other parity
 * @param[out] solution      full-size array, written on evenodd
 * @param[in]  num_iters     -1: load the links anew
 */
void qudaDslash(int external_precision, int quda_precision, QudaInvertArgs_t inv_args, const void *const milc_fatlink,
                const void *const milc_longlink, void *source, void *solution, int *num_iters);

/**
 * Covariant shift, as shiftQuda().
 * @param[in]  external_precision, quda_precision 1 or 2
 * @param[in]  links            links; null: the resident ones
 * @param[in]  source           full field
 * @param[out] solution         full field
 * @param[in]  dir              0 to 3
 * @param[in]  sym              1 forward, 2 backward, 3 mean
 * @param[in]  reloadGaugeField 1: load the links anew
 */
void qudaShift(int external_precision, int quda_precision, const void *const links, void *source, void *solution,
               int dir, int sym, int reloadGaugeField);

/**
 * Spin-taste operator, as spinTasteQuda().
 * @param[in]  external_precision, quda_precision 1 or 2
 * @param[in]  links            links; null: the resident ones
 * @param[in]  source           full field
 * @param[out] solution         full field
 * @param[in]  spin             a QudaSpinTasteGamma
 * @param[in]  taste            a QudaSpinTasteGamma
 * @param[in]  reloadGaugeField 1: load the links anew
 */
void qudaSpinTaste(int external_precision, int quda_precision, const void *const links, void *source, void *solution,
                   int spin, int taste, int reloadGaugeField);

/**
 * Gaussian smearing with two-link products, in place.
 * @param[in]     external_precision, quda_precision 1 or 2
 * @param[in]     gauge       links; not read unless compute_2link is set
 * @param[in,out] source      full field
 * @param[in]     qsmear_args options
 */
void qudaTwoLinkGaussianSmear(int external_precision, int quda_precision, void *gauge, void *source,
                              QudaTwoLinkQuarkSmearArgs_t qsmear_args);

/**
 * Contract two staggered fields and project on momenta, as contractFTQuda().
 * @param[in]     external_precision 1 or 2
 * @param[in,out] cont_args momenta; flops and dtime are filled in
 * @param[in]     quark1    full field, conjugated
 * @param[in]     quark2    full field
 * @param[in,out] corr      [n_mom][T global] complex double; added to
 */
void qudaContractFT(int external_precision, QudaContractArgs_t *cont_args, void *const quark1, void *const quark2,
                    double *corr);

/* Staggered solvers: (4 m^2 - D D) x = b on one parity. A target of 0 is not tested; both 0 is an error. */

/**
 * Solve for one source.
 * @param[in]     external_precision, quda_precision 1 or 2
 * @param[in]     mass                     m
 * @param[in]     inv_args                 options
 * @param[in]     target_residual          relative residual
 * @param[in]     target_fermilab_residual heavy-quark residual
 * @param[in]     milc_fatlink             fat links
 * @param[in]     milc_longlink            long links; null: naive staggered
 * @param[in]     source                   b, full-size array, read on evenodd
 * @param[in,out] solution                 x, full-size array; starting vector and result on evenodd
 * @param[out]    final_residual           true residual
 * @param[out]    final_fermilab_residual  true heavy-quark residual
 * @param[in,out] num_iters                in: -1 loads the links anew; out: iterations
 */
void qudaInvert(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                double target_residual, double target_fermilab_residual, const void *const milc_fatlink,
                const void *const milc_longlink, void *source, void *solution, double *const final_residual,
                double *const final_fermilab_residual, int *num_iters);

/**
 * Solve for several sources; parameters as in qudaInvert(), the residuals those of the worst source.
 * @param[in]     external_precision, quda_precision, mass, inv_args, target_residual, target_fermilab_residual
 * @param[in]     fatlink, longlink        links
 * @param[in]     sourceArray              [num_src] sources
 * @param[in,out] solutionArray            [num_src] solutions
 * @param[out]    final_residual, final_fermilab_residual one number each
 * @param[in,out] num_iters                as in qudaInvert()
 * @param[in]     num_src                  number of sources
 */
void qudaInvertMsrc(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                    double target_residual, double target_fermilab_residual, const void *const fatlink,
                    const void *const longlink, void **sourceArray, void **solutionArray, double *const final_residual,
                    double *const final_fermilab_residual, int *num_iters, int num_src);

/**
 * Solve (offset[i] - D D) x_i = b for several shifts.
 * @param[in]     external_precision, quda_precision 1 or 2
 * @param[in]     num_offsets              number of shifts
 * @param[in]     offset                   [num_offsets] 4 m^2, ascending
 * @param[in]     inv_args                 options
 * @param[in]     target_residual          [num_offsets], entry 0 not 0
 * @param[in]     target_fermilab_residual [num_offsets]
 * @param[in]     milc_fatlink, milc_longlink links
 * @param[in]     source                   b, as in qudaInvert()
 * @param[out]    solutionArray            [num_offsets] solutions
 * @param[out]    final_residual, final_fermilab_residual [num_offsets] true residuals
 * @param[in,out] num_iters                as in qudaInvert()
 */
void qudaMultishiftInvert(int external_precision, int quda_precision, int num_offsets, double *const offset,
                          QudaInvertArgs_t inv_args, const double *target_residual,
                          const double *target_fermilab_residual, const void *const milc_fatlink,
                          const void *const milc_longlink, void *source, void **solutionArray,
                          double *const final_residual, double *const final_fermilab_residual, int *num_iters);

/**
 * Solve, collecting eigenvectors; parameters as in qudaInvert() and
 * @param[in]     external_precision, quda_precision, mass, inv_args, target_residual, target_fermilab_residual
 * @param[in]     fatlink, longlink, source
 * @param[in,out] solution      as in qudaInvert()
 * @param[in]     eig_args      options
 * @param[in]     rhs_idx       number of this source; 0 starts a new space, and needs none before it
 * @param[in]     last_rhs_flag 1: the space is freed afterwards
 * @param[out]    final_residual, final_fermilab_residual true residuals
 * @param[in,out] num_iters     as in qudaInvert()
 */
void qudaEigCGInvert(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                     double target_residual, double target_fermilab_residual, const void *const fatlink,
                     const void *const longlink, void *source, void *solution, QudaEigArgs_t eig_args,
                     const int rhs_idx, const int last_rhs_flag, double *const final_residual,
                     double *const final_fermilab_residual, int *num_iters);

/**
 * Solve with overlapping domains as preconditioner; parameters as in qudaInvert() and
 * @param[in]     external_precision, quda_precision, mass, inv_args, target_residual, target_fermilab_residual
 * @param[in]     domain_overlap [4] widths in sites
 * @param[in]     fatlink, longlink, source
 * @param[in,out] solution       as in qudaInvert()
 * @param[out]    final_residual, final_fermilab_residual true residuals
 * @param[in,out] num_iters      as in qudaInvert()
 */
void qudaDDInvert(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                  double target_residual, double target_fermilab_residual, const int *const domain_overlap,
                  const void *const fatlink, const void *const longlink, void *source, void *solution,
                  double *const final_residual, double *const final_fermilab_residual, int *num_iters);

/**
 * Build a multigrid hierarchy for staggered fermions.
 * @param[in] external_precision, quda_precision 1 or 2
 * @param[in] mass           m
 * @param[in] inv_args       options
 * @param[in] milc_fatlink   fat links
 * @param[in] milc_longlink  long links
 * @param[in] mg_param_file  text file with the options of each level
 * @return handle; the caller frees it with qudaMultigridDestroy()
 */
void *qudaMultigridCreate(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                          const void *const milc_fatlink, const void *const milc_longlink,
                          const char *const mg_param_file);

/**
 * Solve (2 m + D) x = b on full fields with multigrid; parameters as in qudaInvert() and
 * @param[in]     external_precision, quda_precision, mass, inv_args, target_residual, target_fermilab_residual
 * @param[in]     milc_fatlink, milc_longlink links
 * @param[in]     mg_pack_ptr     handle
 * @param[in]     mg_rebuild_type 1: the hierarchy is rebuilt when links change, 0: its finest level only
 * @param[in]     source          b
 * @param[in,out] solution        x
 * @param[out]    final_residual, final_fermilab_residual true residuals
 * @param[in,out] num_iters       as in qudaInvert()
 */
void qudaInvertMG(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                  double target_residual, double target_fermilab_residual, const void *const milc_fatlink,
                  const void *const milc_longlink, void *mg_pack_ptr, int mg_rebuild_type, void *source, void *solution,
                  double *const final_residual, double *const final_fermilab_residual, int *num_iters);

/**
 * Free a multigrid hierarchy.
 * @param[in] mg_pack_ptr handle; no longer valid afterwards
 * Collective: no.
 */
void qudaMultigridDestroy(void *mg_pack_ptr);

/* Clover fermions */

/**
 * Load the links of clover fermions.
 * @param[in] external_precision, quda_precision 1 or 2
 * @param[in] inv_args  boundary_phase
 * @param[in] milc_link links
 */
void qudaLoadGaugeField(int external_precision, int quda_precision, QudaInvertArgs_t inv_args, const void *milc_link);

/** Free them. Collective: no. */
void qudaFreeGaugeField(void);

/**
 * Load or compute the clover term.
 * @param[in]  external_precision, quda_precision 1 or 2
 * @param[in]  inv_args        options
 * @param[in]  milc_clover     clover term; null: computed
 * @param[in]  milc_clover_inv its inverse; null: computed
 * @param[in]  solution_type   system to be solved later
 * @param[in]  solve_type      how
 * @param[in]  clover_coeff    kappa csw
 * @param[in]  compute_trlog   1: traces wanted
 * @param[out] trlog           [2] sum over sites of a parity of ln det A
 */
void qudaLoadCloverField(int external_precision, int quda_precision, QudaInvertArgs_t inv_args, void *milc_clover,
                         void *milc_clover_inv, QudaSolutionType solution_type, QudaSolveType solve_type,
                         double clover_coeff, int compute_trlog, double *trlog);

/** Free it. Collective: no. */
void qudaFreeCloverField(void);

/**
 * Solve M x = b for clover fermions.
 * @param[in]     external_precision, quda_precision 1 or 2
 * @param[in]     kappa                    hopping parameter
 * @param[in]     clover_coeff             kappa csw
 * @param[in]     inv_args                 options
 * @param[in]     target_residual          relative residual
 * @param[in]     target_fermilab_residual heavy-quark residual
 * @param[in]     milc_link                links; null: the loaded ones
 * @param[in]     milc_clover              clover term; null: the loaded one
 * @param[in]     milc_clover_inv          its inverse; null: computed
 * @param[in]     source                   b, full field
 * @param[out]    solution                 x, full field
 * @param[out]    final_residual, final_fermilab_residual true residuals
 * @param[out]    num_iters                iterations
 */
void qudaCloverInvert(int external_precision, int quda_precision, double kappa, double clover_coeff,
                      QudaInvertArgs_t inv_args, double target_residual, double target_fermilab_residual,
                      const void *milc_link, void *milc_clover, void *milc_clover_inv, void *source, void *solution,
                      double *const final_residual, double *const final_fermilab_residual, int *num_iters);

/**
 * The same, collecting eigenvectors; parameters as in qudaCloverInvert() and qudaEigCGInvert().
 * @param[in]  external_precision, quda_precision, kappa, clover_coeff, inv_args, target_residual,
 * target_fermilab_residual
 * @param[in]  milc_link, milc_clover, milc_clover_inv, source
 * @param[out] solution x
 * @param[in]  eig_args, rhs_idx, last_rhs_flag as in qudaEigCGInvert(); links and term are taken with rhs_idx = 0 and
 *             freed after the last source
 * @param[out] final_residual, final_fermilab_residual, num_iters as in qudaCloverInvert()
 */
void qudaEigCGCloverInvert(int external_precision, int quda_precision, double kappa, double clover_coeff,
                           QudaInvertArgs_t inv_args, double target_residual, double target_fermilab_residual,
                           const void *milc_link, void *milc_clover, void *milc_clover_inv, void *source,
                           void *solution, QudaEigArgs_t eig_args, const int rhs_idx, const int last_rhs_flag,
                           double *const final_residual, double *const final_fermilab_residual, int *num_iters);

/**
 * Solve (M_pc^dag M_pc + offset[i]) x_i = b on even sites, with the loaded links and clover term.
 * @param[in]  external_precision, quda_precision 1 or 2
 * @param[in]  num_offsets     number of shifts
 * @param[in]  offset          [num_offsets] shifts, ascending
 * @param[in]  kappa           hopping parameter
 * @param[in]  clover_coeff    kappa csw
 * @param[in]  inv_args        options
 * @param[in]  target_residual [num_offsets] relative residuals
 * @param[in]  source          b
 * @param[out] solutionArray   [num_offsets] solutions
 * @param[out] final_residual  [num_offsets] residuals
 * @param[out] num_iters       iterations
 */
void qudaCloverMultishiftInvert(int external_precision, int quda_precision, int num_offsets, double *const offset,
                                double kappa, double clover_coeff, QudaInvertArgs_t inv_args,
                                const double *target_residual, void *source, void **solutionArray,
                                double *const final_residual, int *num_iters);

/* Forces and updates */

/**
 * Force of HISQ fermions, as computeHISQForceQuda().
 * @param[in]  precision       of all fields
 * @param[in]  num_terms       number of fields
 * @param[in]  num_naik_terms  how many of the last ones carry another Naik weight
 * @param[in]  dt              step
 * @param[in]  coeff           [num_terms + num_naik_terms][2] weights of one- and three-link terms
 * @param[in]  quark_field     [num_terms] full fields
 * @param[in]  level2_coeff    [6] weights of the second smearing
 * @param[in]  fat7_coeff      [6] weights of the first smearing
 * @param[in]  w_link          unitarised links
 * @param[in]  v_link          links before unitarisation
 * @param[in]  u_link          thin links with phases
 * @param[out] milc_momentum   increment of the momentum
 */
void qudaHisqForce(int precision, int num_terms, int num_naik_terms, double dt, double **coeff, void **quark_field,
                   const double level2_coeff[6], const double fat7_coeff[6], const void *const w_link,
                   const void *const v_link, const void *const u_link, void *const milc_momentum);

/**
 * Force of asqtad fermions; of older interfaces, not carried out.
 * @param[in]  precision      of all fields
 * @param[in]  act_path_coeff [6] weights
 * @param[in]  one_link_src   [4] outer products
 * @param[in]  naik_src       [4] outer products at distance 3
 * @param[in]  link           links
 * @param[out] milc_momentum  momentum
 */
void qudaAsqtadForce(int precision, const double act_path_coeff[6], const void *const one_link_src[4],
                     const void *const naik_src[4], const void *const link, void *const milc_momentum);

/**
 * Outer products of quark fields; of older interfaces, not carried out.
 * @param[in]  precision      of all fields
 * @param[in]  num_terms      number of fields
 * @param[in]  num_naik_terms how many carry another Naik weight
 * @param[in]  coeff          weights
 * @param[in]  scale          common factor
 * @param[in]  quark_field    [num_terms] full fields
 * @param[out] oprod          outer products
 */
void qudaComputeOprod(int precision, int num_terms, int num_naik_terms, double **coeff, double scale,
                      void **quark_field, void *oprod[3]);

/**
 * Force of the improved gauge action, added to the momentum.
 * @param[in]     precision       of links and momenta
 * @param[in]     num_loop_types  1: plaquette, 2: and rectangle, 3: and parallelogram
 * @param[in]     milc_loop_coeff [3] weights
 * @param[in]     eb3             step times beta / 3
 * @param[in,out] arg             links and momenta
 */
void qudaGaugeForce(int precision, int num_loop_types, double milc_loop_coeff[3], double eb3, QudaMILCSiteArg_t *arg);

/** qudaGaugeForce() for links with phases. @param[in] precision, num_loop_types, milc_loop_coeff, eb3, arg as there
 *  @param[in] phase_in see the head of this file */
void qudaGaugeForcePhased(int precision, int num_loop_types, double milc_loop_coeff[3], double eb3,
                          QudaMILCSiteArg_t *arg, int phase_in);

/**
 * Force of clover fermions: computeCloverForceQuda() of (M M^dag)^-1, M on even sites, with the links of
 * qudaLoadGaugeField() and the term of qudaLoadCloverField(); added to the host's momenta, or to those of
 * qudaMomLoad().
 * @param[in,out] mom          momentum, MILC order; neither read nor written where momenta are resident
 * @param[in]     dt           step
 * @param[in]     x            [nvec] solutions on even sites; not read with inv_args.use_resident_solution
 * @param[in]     p            not read
 * @param[in]     coeff        [nvec] weights
 * @param[in]     kappa        hopping parameter
 * @param[in]     ck           -clover_coeff / 8
 * @param[in]     nvec         number of solutions
 * @param[in]     multiplicity weight of the determinant
 * @param[in]     gauge        not read
 * @param[in]     precision    of all fields, 1 or 2, that of the resident links
 * @param[in]     inv_args     use_resident_solution
 */
void qudaCloverForce(void *mom, double dt, void **x, void **p, double *coeff, double kappa, double ck, int nvec,
                     double multiplicity, void *gauge, int precision, QudaInvertArgs_t inv_args);

/**
 * Trace of the clover term with a sigma matrix; of older interfaces.
 * @param[out] out    field of matrices
 * @param[in]  clover not read
 * @param[in]  mu, nu plane
 */
void qudaCloverTrace(void *out, void *clover, int mu, int nu);

/**
 * Derivative of a clover leaf; of older interfaces.
 * @param[out] out       field of matrices
 * @param[in]  gauge     links
 * @param[in]  oprod     outer products
 * @param[in]  mu, nu    plane
 * @param[in]  coeff     weight
 * @param[in]  precision of all fields
 * @param[in]  parity    of the results
 * @param[in]  conjugate 1: Hermitian conjugate
 */
void qudaCloverDerivative(void *out, void *gauge, void *oprod, int mu, int nu, double coeff, int precision, int parity,
                          int conjugate);

/**
 * U' = exp(eps A) U, in place.
 * @param[in]     precision of links and momenta
 * @param[in]     eps       step
 * @param[in,out] arg       links and momenta
 */
void qudaUpdateU(int precision, double eps, QudaMILCSiteArg_t *arg);

/** qudaUpdateU() for links with phases. @param[in] precision, eps, arg as there
 *  @param[in] phase_in see the head of this file */
void qudaUpdateUPhased(int precision, double eps, QudaMILCSiteArg_t *arg, int phase_in);

/** The same, keeping the links resident. @param[in] precision, eps, arg, phase_in as there
 *  @param[in] want_gaugepipe 1: the resident links are used and kept */
void qudaUpdateUPhasedPipeline(int precision, double eps, QudaMILCSiteArg_t *arg, int phase_in, int want_gaugepipe);

/**
 * Load the momentum; it stays resident.
 * @param[in] precision of the momentum
 * @param[in] arg       momenta
 */
void qudaMomLoad(int precision, QudaMILCSiteArg_t *arg);

/**
 * Save the resident momentum, which is freed.
 * @param[in]  precision of the momentum
 * @param[out] arg       momenta
 */
void qudaMomSave(int precision, QudaMILCSiteArg_t *arg);

/**
 * Kinetic energy, as momActionQuda().
 * @param[in] precision of the momentum
 * @param[in] arg       momenta
 * @return energy, the same on all ranks
 */
double qudaMomAction(int precision, QudaMILCSiteArg_t *arg);

/**
 * Put staggered phases and boundary sign on the links, or take them off.
 * @param[in]     prec  of the links
 * @param[in,out] gauge links
 * @param[in]     flag  1: put on, 0: take off
 * @param[in]     i_mu  imaginary chemical potential
 */
void qudaRephase(int prec, void *gauge, int flag, double i_mu);

/**
 * Project links onto SU(3), in place.
 * @param[in]     prec of the links
 * @param[in]     tol  largest deviation from unitarity accepted
 * @param[in,out] arg  links
 */
void qudaUnitarizeSU3(int prec, double tol, QudaMILCSiteArg_t *arg);

/** qudaUnitarizeSU3() for links with phases. @param[in] prec, tol, arg as there
 *  @param[in] phase_in see the head of this file */
void qudaUnitarizeSU3Phased(int prec, double tol, QudaMILCSiteArg_t *arg, int phase_in);

/* Measurements; global, the same numbers on all ranks */

/**
 * Plaquette, as plaqQuda().
 * @param[in]  precision of the links
 * @param[out] plaq      mean, spatial, temporal
 * @param[in]  arg       links
 * @param[in]  phase_in  see the head of this file
 */
void qudaPlaquettePhased(int precision, double plaq[3], QudaMILCSiteArg_t *arg, int phase_in);

/**
 * Polyakov loop, as polyakovLoopQuda().
 * @param[in]  precision of the links
 * @param[out] ploop     re and im
 * @param[in]  dir       3
 * @param[in]  arg       links
 * @param[in]  phase_in  see the head of this file
 */
void qudaPolyakovLoopPhased(int precision, double ploop[2], int dir, QudaMILCSiteArg_t *arg, int phase_in);

/**
 * Traces of closed paths, as computeGaugeLoopTraceQuda().
 * @param[in]  precision      of the links
 * @param[out] traces         [num_paths] complex
 * @param[in]  input_path_buf [num_paths][length] steps
 * @param[in]  path_length    [num_paths] steps
 * @param[in]  loop_coeff     [num_paths] weights
 * @param[in]  num_paths      number of paths
 * @param[in]  max_length     no less than the longest path
 * @param[in]  factor         common factor
 * @param[in]  arg            links
 * @param[in]  phase_in       see the head of this file
 */
void qudaGaugeLoopTracePhased(int precision, double *traces, int **input_path_buf, int *path_length, double *loop_coeff,
                              int num_paths, int max_length, double factor, QudaMILCSiteArg_t *arg, int phase_in);

/**
 * The three measurements at once, each as above; a null pointer skips one.
 * @param[in]  precision of the links
 * @param[out] plaq      as in qudaPlaquettePhased()
 * @param[out] ploop     as in qudaPolyakovLoopPhased()
 * @param[in]  dir       3
 * @param[out] traces    as in qudaGaugeLoopTracePhased()
 * @param[in]  input_path_buf, path_length, loop_coeff, num_paths, max_length, factor as there
 * @param[in]  arg       links
 * @param[in]  phase_in  see the head of this file
 */
void qudaGaugeMeasurementsPhased(int precision, double plaq[3], double ploop[2], int dir, double *traces,
                                 int **input_path_buf, int *path_length, double *loop_coeff, int num_paths,
                                 int max_length, double factor, QudaMILCSiteArg_t *arg, int phase_in);

/**
 * Fix the gauge by over-relaxation, as computeGaugeFixingOVRQuda().
 * @param[in]     precision        of the links
 * @param[in]     gauge_dir        4: Landau, 3: Coulomb
 * @param[in]     Nsteps           iterations at most
 * @param[in]     verbose_interval iterations between printed lines
 * @param[in]     relax_boost      over-relaxation
 * @param[in]     tolerance        stop below it
 * @param[in]     reunit_interval  iterations between reunitarisations
 * @param[in]     stopWtheta       1: the tolerance is theta's
 * @param[in,out] arg              links
 */
void qudaGaugeFixingOVR(int precision, unsigned int gauge_dir, int Nsteps, int verbose_interval, double relax_boost,
                        double tolerance, unsigned int reunit_interval, unsigned int stopWtheta,
                        QudaMILCSiteArg_t *arg);

/**
 * Fix the gauge with Fourier acceleration, as computeGaugeFixingFFTQuda().
 * @param[in]     precision        of the links
 * @param[in]     gauge_dir        4: Landau, 3: Coulomb
 * @param[in]     Nsteps           iterations at most
 * @param[in]     verbose_interval iterations between printed lines
 * @param[in]     alpha            step
 * @param[in]     autotune         1: the step shrinks when the functional falls
 * @param[in]     tolerance        stop below it
 * @param[in]     stopWtheta       1: the tolerance is theta's
 * @param[in,out] milc_sitelink    links
 */
void qudaGaugeFixingFFT(int precision, unsigned int gauge_dir, int Nsteps, int verbose_interval, double alpha,
                        unsigned int autotune, double tolerance, unsigned int stopWtheta, void *milc_sitelink);

/* Fields held through a handle, as createGaugeFieldQuda() */

/**
 * @param[in] gauge     field to copy; null: zeros
 * @param[in] geometry  matrices a site: 1 or 4
 * @param[in] precision of the field
 * @return handle; the caller frees it with qudaDestroyGaugeField()
 */
void *qudaCreateGaugeField(void *gauge, int geometry, int precision);

/**
 * @param[out] gauge   host field
 * @param[in]  inGauge handle
 */
void qudaSaveGaugeField(void *gauge, void *inGauge);

/** @param[in] gauge handle; no longer valid afterwards */
void qudaDestroyGaugeField(void *gauge);

/**
 * A field with its halo; of older interfaces.
 * @param[in] gauge     field to copy; null: zeros
 * @param[in] geometry  matrices a site
 * @param[in] precision of the field
 * @return handle; the caller frees it with qudaDestroyGaugeField()
 */
void *qudaCreateExtendedGaugeField(void *gauge, int geometry, int precision);

/**
 * The resident field with its halo; of older interfaces.
 * @param[in] gauge     not read
 * @param[in] geometry  matrices a site
 * @param[in] precision of the field
 * @return handle; the caller frees it with qudaDestroyGaugeField()
 */
void *qudaResidentExtendedGaugeField(void *gauge, int geometry, int precision);

#ifdef __cplusplus
}
#endif
