#pragma once

/**
 * @file
 * The enumerations of the C interface, four bytes each. Values are part of the binary interface; they follow QUDA's
 * interface of November 2025. Valid C99 and C++; parsers of host codes read it too.
 */

/** The value of "unset": parameters that nobody has chosen hold it, and checks name them. */
#define QUDA_INVALID_ENUM (-2147483647 - 1)

/* Results and memory */

/**
 * Outcome of a run-time call of the device. No function of this interface returns it; what went wrong is told by
 * quda_ext.h.
 */
typedef enum qudaError_t_s {
  QUDA_SUCCESS = 0,            /**< no error */
  QUDA_ERROR = 1,              /**< the call failed */
  QUDA_ERROR_UNINITIALIZED = 2 /**< no call was made yet */
} qudaError_t;

/** Kinds of memory, and the pools that flushPoolQuda() empties. */
typedef enum QudaMemoryType_s {
  QUDA_MEMORY_DEVICE = 0,                 /**< device memory, from the pool */
  QUDA_MEMORY_DEVICE_PINNED = 1,          /**< device memory that never comes from a pool */
  QUDA_MEMORY_HOST = 2,                   /**< ordinary host memory */
  QUDA_MEMORY_HOST_PINNED = 3,            /**< page-locked host memory, from the pool */
  QUDA_MEMORY_MAPPED = 4,                 /**< page-locked host memory that the device can address */
  QUDA_MEMORY_MANAGED = 5,                /**< memory that migrates between host and device */
  QUDA_MEMORY_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaMemoryType;

/* Gauge fields */

/**
 * Type of the links of a gauge field. If two names have one value, the second is the name that staggered host codes
 * use.
 */
typedef enum QudaLinkType_s {
  QUDA_SU3_LINKS = 0,                    /**< links in SU(3), phases and anisotropy aside: may be stored compressed */
  QUDA_GENERAL_LINKS = 1,                /**< arbitrary 3 x 3 matrices */
  QUDA_THREE_LINKS = 2,                  /**< products of three links (Naik term), halo depth 3 */
  QUDA_MOMENTUM_LINKS = 3,               /**< traceless anti-Hermitian matrices, 10 reals each */
  QUDA_COARSE_LINKS = 4,                 /**< links of a coarse grid */
  QUDA_SMEARED_LINKS = 5,                /**< the smeared resident field */
  QUDA_TWOLINK_LINKS = 6,                /**< products of two links */
  QUDA_WILSON_LINKS = 0,                 /**< links of the Wilson family; the resident gauge field */
  QUDA_ASQTAD_FAT_LINKS = 1,             /**< fattened links of improved staggered fermions */
  QUDA_ASQTAD_LONG_LINKS = 2,            /**< long links of improved staggered fermions */
  QUDA_ASQTAD_MOM_LINKS = 3,             /**< momentum */
  QUDA_ASQTAD_GENERAL_LINKS = 1,         /**< arbitrary matrices */
  QUDA_INVALID_LINKS = QUDA_INVALID_ENUM /**< unset */
} QudaLinkType;

/**
 * Order of a gauge or momentum field in memory. Sites are even-odd (all even sites first), x fastest; mu = 0, 1, 2, 3
 * is x, y, z, t. Row r and column c of U_mu(x); re and im side by side unless said.
 */
typedef enum QudaGaugeFieldOrder_s {
  QUDA_NATIVE_GAUGE_ORDER = 0,                 /**< the library's own order */
  QUDA_QDP_GAUGE_ORDER = 1,                    /**< void *gauge[4]: [mu][site][r][c] */
  QUDA_QDPJIT_GAUGE_ORDER = 2,                 /**< void *gauge[4]: [mu][re, im][r][c][site], sites innermost */
  QUDA_CPS_WILSON_GAUGE_ORDER = 3,             /**< [site][mu][c][r], links times the anisotropy */
  QUDA_MILC_GAUGE_ORDER = 4,                   /**< [site][mu][r][c] */
  QUDA_MILC_SITE_GAUGE_ORDER = 5,              /**< [mu][r][c] in the host's site structure: see site_size */
  QUDA_BQCD_GAUGE_ORDER = 6,                   /**< [mu][parity][site and halo][c][r] */
  QUDA_TIFR_GAUGE_ORDER = 7,                   /**< [mu][site][c][r], links times scale */
  QUDA_TIFR_PADDED_GAUGE_ORDER = 8,            /**< as TIFR, z extent padded by two sites on either side */
  QUDA_INVALID_GAUGE_ORDER = QUDA_INVALID_ENUM /**< unset */
} QudaGaugeFieldOrder;

/** Boundary condition in time: the sign that the host has put on the temporal links of the last global time slice. */
typedef enum QudaTboundary_s {
  QUDA_ANTI_PERIODIC_T = -1,                  /**< those links carry a factor -1 */
  QUDA_PERIODIC_T = 1,                        /**< no sign */
  QUDA_INVALID_T_BOUNDARY = QUDA_INVALID_ENUM /**< unset */
} QudaTboundary;

/**
 * Precision of stored numbers; the value is the number of bytes. Arithmetic on half and quarter fields is in single
 * precision.
 */
typedef enum QudaPrecision_s {
  QUDA_QUARTER_PRECISION = 1,                /**< 8-bit fixed point with a norm a site */
  QUDA_HALF_PRECISION = 2,                   /**< 16-bit fixed point with a norm a site */
  QUDA_SINGLE_PRECISION = 4,                 /**< float */
  QUDA_DOUBLE_PRECISION = 8,                 /**< double */
  QUDA_INVALID_PRECISION = QUDA_INVALID_ENUM /**< unset */
} QudaPrecision;

/** Number of reals stored per link; the rest is computed when the link is read. */
typedef enum QudaReconstructType_s {
  QUDA_RECONSTRUCT_NO = 18, /**< all 18 */
  QUDA_RECONSTRUCT_12 = 12, /**< two rows, the third is their cross product: SU(3) links */
  QUDA_RECONSTRUCT_8 = 8,   /**< 8 parameters: SU(3) links */
  QUDA_RECONSTRUCT_9 = 9,   /**< 8 and a phase: long links */
  QUDA_RECONSTRUCT_13 = 13, /**< 12 and a phase: long links */
  QUDA_RECONSTRUCT_10 = 10, /**< the momentum: six reals of the upper triangle, three of the diagonal, one of padding */
  QUDA_RECONSTRUCT_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaReconstructType;

/** Whether the links are fixed to temporal gauge. Kept with the field and compared; no kernel exploits it. */
typedef enum QudaGaugeFixed_s {
  QUDA_GAUGE_FIXED_NO = 0,                     /**< not fixed */
  QUDA_GAUGE_FIXED_YES = 1,                    /**< temporal links are unity, except on the last slice */
  QUDA_GAUGE_FIXED_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaGaugeFixed;

/* Operators and solvers */

/** The lattice Dirac operator. D is the hopping term. */
typedef enum QudaDslashType_s {
  QUDA_WILSON_DSLASH = 0,                  /**< Wilson: 1 - kappa D */
  QUDA_CLOVER_WILSON_DSLASH = 1,           /**< clover: A - kappa D */
  QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH = 2, /**< clover with a twist on one parity, for Hasenbusch preconditioning */
  QUDA_DOMAIN_WALL_DSLASH = 3,             /**< domain wall, five-dimensional checkerboard */
  QUDA_DOMAIN_WALL_4D_DSLASH = 4,          /**< domain wall, four-dimensional checkerboard */
  QUDA_MOBIUS_DWF_DSLASH = 5,              /**< Moebius domain wall */
  QUDA_MOBIUS_DWF_EOFA_DSLASH = 6,         /**< Moebius domain wall of the exact one-flavour algorithm */
  QUDA_STAGGERED_DSLASH = 7,               /**< naive staggered: 2 m - D */
  QUDA_ASQTAD_DSLASH = 8,                  /**< improved staggered, fat and long links */
  QUDA_TWISTED_MASS_DSLASH = 9,            /**< twisted mass, one flavour or a doublet */
  QUDA_TWISTED_CLOVER_DSLASH = 10,         /**< twisted mass with clover term */
  QUDA_LAPLACE_DSLASH = 11,                /**< covariant Laplace operator, three or four directions */
  QUDA_COVDEV_DSLASH = 12,                 /**< covariant shift in one direction */
  QUDA_INVALID_DSLASH = QUDA_INVALID_ENUM  /**< unset */
} QudaDslashType;

/**
 * Iterative solvers. NE and NR: the normal equations M M^dag y = b, x = M^dag y, and M^dag M x = M^dag b, are formed
 * inside.
 */
typedef enum QudaInverterType_s {
  QUDA_CG_INVERTER = 0,           /**< conjugate gradient: Hermitian positive systems */
  QUDA_BICGSTAB_INVERTER = 1,     /**< BiCGStab */
  QUDA_GCR_INVERTER = 2,          /**< generalised conjugate residual: any matrix, takes a preconditioner that varies */
  QUDA_MR_INVERTER = 3,           /**< minimal residual */
  QUDA_SD_INVERTER = 4,           /**< steepest descent */
  QUDA_PCG_INVERTER = 5,          /**< preconditioned conjugate gradient */
  QUDA_EIGCG_INVERTER = 6,        /**< conjugate gradient that collects eigenvectors */
  QUDA_INC_EIGCG_INVERTER = 7,    /**< the same, over many right-hand sides */
  QUDA_GMRESDR_INVERTER = 8,      /**< GMRES with deflated restarts */
  QUDA_GMRESDR_PROJ_INVERTER = 9, /**< the same, which leaves its space for later sources (deflation_op) */
  QUDA_GMRESDR_SH_INVERTER = 10,  /**< the same, shifted; not offered */
  QUDA_FGMRESDR_INVERTER = 11,    /**< flexible GMRES with deflated restarts; not offered */
  QUDA_MG_INVERTER = 12,          /**< multigrid: as a preconditioner only */
  QUDA_BICGSTABL_INVERTER = 13,   /**< BiCGStab(l), l from gcrNkrylov */
  QUDA_CGNE_INVERTER = 14,        /**< conjugate gradient, NE */
  QUDA_CGNR_INVERTER = 15,        /**< conjugate gradient, NR */
  QUDA_CG3_INVERTER = 16,         /**< conjugate gradient by three-term recurrence */
  QUDA_CG3NE_INVERTER = 17,       /**< the same, NE */
  QUDA_CG3NR_INVERTER = 18,       /**< the same, NR */
  QUDA_CA_CG_INVERTER = 19,       /**< conjugate gradient, several steps a reduction */
  QUDA_CA_CGNE_INVERTER = 20,     /**< the same, NE */
  QUDA_CA_CGNR_INVERTER = 21,     /**< the same, NR */
  QUDA_CA_GCR_INVERTER = 22,      /**< generalised conjugate residual, several steps a reduction */
  QUDA_INVALID_INVERTER = QUDA_INVALID_ENUM /**< unset; as a preconditioner: none */
} QudaInverterType;

/** Eigensolvers. */
typedef enum QudaEigType_s {
  QUDA_EIG_TR_LANCZOS = 0,             /**< thick-restart Lanczos: Hermitian */
  QUDA_EIG_BLK_TR_LANCZOS = 1,         /**< the same, in blocks */
  QUDA_EIG_TR_LANCZOS_3D = 2,          /**< thick-restart Lanczos on each time slice for itself */
  QUDA_EIG_IR_ARNOLDI = 3,             /**< implicitly restarted Arnoldi: any matrix */
  QUDA_EIG_BLK_IR_ARNOLDI = 4,         /**< the same, in blocks; not offered */
  QUDA_EIG_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaEigType;

/** Which end of the spectrum is wanted. */
typedef enum QudaEigSpectrumType_s {
  QUDA_SPECTRUM_LM_EIG = 0,                 /**< largest modulus */
  QUDA_SPECTRUM_SM_EIG = 1,                 /**< smallest modulus */
  QUDA_SPECTRUM_LR_EIG = 2,                 /**< largest real part */
  QUDA_SPECTRUM_SR_EIG = 3,                 /**< smallest real part */
  QUDA_SPECTRUM_LI_EIG = 4,                 /**< largest imaginary part */
  QUDA_SPECTRUM_SI_EIG = 5,                 /**< smallest imaginary part */
  QUDA_SPECTRUM_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaEigSpectrumType;

/**
 * Which system the caller wants solved, or which matrix MatQuda() applies. PC: the even-odd preconditioned matrix, on
 * fields of one parity.
 */
typedef enum QudaSolutionType_s {
  QUDA_MAT_SOLUTION = 0,                    /**< M x = b */
  QUDA_MATDAG_MAT_SOLUTION = 1,             /**< M^dag M x = b */
  QUDA_MATPC_SOLUTION = 2,                  /**< M_pc x = b */
  QUDA_MATPC_DAG_SOLUTION = 3,              /**< M_pc^dag x = b; not offered */
  QUDA_MATPCDAG_MATPC_SOLUTION = 4,         /**< M_pc^dag M_pc x = b */
  QUDA_MATPCDAG_MATPC_SHIFT_SOLUTION = 5,   /**< (M_pc^dag M_pc + shift) x = b */
  QUDA_INVALID_SOLUTION = QUDA_INVALID_ENUM /**< unset */
} QudaSolutionType;

/** By which system the solution is found. NORMEQ names are the older spelling of NORMOP. */
typedef enum QudaSolveType_s {
  QUDA_DIRECT_SOLVE = 0,                 /**< M */
  QUDA_NORMOP_SOLVE = 1,                 /**< M^dag M */
  QUDA_DIRECT_PC_SOLVE = 2,              /**< M_pc */
  QUDA_NORMOP_PC_SOLVE = 3,              /**< M_pc^dag M_pc */
  QUDA_NORMERR_SOLVE = 4,                /**< M M^dag */
  QUDA_NORMERR_PC_SOLVE = 5,             /**< M_pc M_pc^dag */
  QUDA_NORMEQ_SOLVE = 1,                 /**< M^dag M */
  QUDA_NORMEQ_PC_SOLVE = 3,              /**< M_pc^dag M_pc */
  QUDA_INVALID_SOLVE = QUDA_INVALID_ENUM /**< unset */
} QudaSolveType;

/** Order in which multigrid visits its levels. */
typedef enum QudaMultigridCycleType_s {
  QUDA_MG_CYCLE_VCYCLE = 0,    /**< down and up once */
  QUDA_MG_CYCLE_FCYCLE = 1,    /**< full multigrid */
  QUDA_MG_CYCLE_WCYCLE = 2,    /**< each coarser level twice */
  QUDA_MG_CYCLE_RECURSIVE = 3, /**< each coarser level by a Krylov solver preconditioned with the next (K-cycle) */
  QUDA_MG_CYCLE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaMultigridCycleType;

/** Combination of the domains of a Schwarz preconditioner. */
typedef enum QudaSchwarzType_s {
  QUDA_ADDITIVE_SCHWARZ = 0,               /**< all domains at once */
  QUDA_MULTIPLICATIVE_SCHWARZ = 1,         /**< one colour of domains after the other */
  QUDA_INVALID_SCHWARZ = QUDA_INVALID_ENUM /**< no domains: the inner operator communicates */
} QudaSchwarzType;

/** Acceleration of a preconditioner. */
typedef enum QudaAcceleratorType_s {
  QUDA_MADWF_ACCELERATOR = 0, /**< trained map to a shorter fifth dimension (Moebius accelerated domain wall) */
  QUDA_INVALID_ACCELERATOR = QUDA_INVALID_ENUM /**< none */
} QudaAcceleratorType;

/** Which residuals must be met; the values are bits and may be combined. */
typedef enum QudaResidualType_s {
  QUDA_L2_RELATIVE_RESIDUAL = 1,            /**< |r| <= tol |b| */
  QUDA_L2_ABSOLUTE_RESIDUAL = 2,            /**< |r| <= tol */
  QUDA_HEAVY_QUARK_RESIDUAL = 4,            /**< root mean square over sites of |r(x)| / |y(x)| <= tol_hq */
  QUDA_INVALID_RESIDUAL = QUDA_INVALID_ENUM /**< unset */
} QudaResidualType;

/** Basis of solvers that take several steps a reduction. */
typedef enum QudaCABasis_s {
  QUDA_POWER_BASIS = 0,                  /**< powers of the matrix */
  QUDA_CHEBYSHEV_BASIS = 1,              /**< Chebyshev polynomials */
  QUDA_INVALID_BASIS = QUDA_INVALID_ENUM /**< unset */
} QudaCABasis;

/**
 * Even-odd preconditioning: on which parity the reduced system lives, and whether the site-diagonal block A is
 * divided out. Symmetric: 1 - kappa^2 A^-1 D A^-1 D; asymmetric: A - kappa^2 D A^-1 D. Operators without such a block
 * know the symmetric forms only.
 */
typedef enum QudaMatPCType_s {
  QUDA_MATPC_EVEN_EVEN = 0,              /**< even sites, symmetric */
  QUDA_MATPC_ODD_ODD = 1,                /**< odd sites, symmetric */
  QUDA_MATPC_EVEN_EVEN_ASYMMETRIC = 2,   /**< even sites, asymmetric */
  QUDA_MATPC_ODD_ODD_ASYMMETRIC = 3,     /**< odd sites, asymmetric */
  QUDA_MATPC_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaMatPCType;

/** Whether the Hermitian conjugate of the operator is meant. */
typedef enum QudaDagType_s {
  QUDA_DAG_NO = 0,                     /**< the operator */
  QUDA_DAG_YES = 1,                    /**< its Hermitian conjugate */
  QUDA_DAG_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaDagType;

/** Normalisation of operator and source. k = kappa; for domain-wall operators k = 0.5 / (5 + m5). */
typedef enum QudaMassNormalization_s {
  QUDA_KAPPA_NORMALIZATION = 0,                  /**< diagonal 1: M = 1 - kappa D */
  QUDA_MASS_NORMALIZATION = 1,                   /**< M / (2 k), with preconditioning M_pc / (4 k^2) */
  QUDA_ASYMMETRIC_MASS_NORMALIZATION = 2,        /**< M / (2 k), with preconditioning M_pc / (2 k) */
  QUDA_INVALID_NORMALIZATION = QUDA_INVALID_ENUM /**< unset */
} QudaMassNormalization;

/** Whether a solver scales its system. */
typedef enum QudaSolverNormalization_s {
  QUDA_DEFAULT_NORMALIZATION = 0, /**< no scaling */
  QUDA_SOURCE_NORMALIZATION = 1   /**< source scaled to unit norm, solution scaled back */
} QudaSolverNormalization;

/** Whether a solver may overwrite its source. Accepted and ignored: the source is never written. */
typedef enum QudaPreserveSource_s {
  QUDA_PRESERVE_SOURCE_NO = 0,                     /**< may be overwritten */
  QUDA_PRESERVE_SOURCE_YES = 1,                    /**< must be kept */
  QUDA_PRESERVE_SOURCE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaPreserveSource;

/**
 * Order of a spinor field of the host. Spin s, colour c, re and im innermost unless said; sites even-odd unless said,
 * the fifth dimension outside the sites of a parity.
 */
typedef enum QudaDiracFieldOrder_s {
  QUDA_INTERNAL_DIRAC_ORDER = 0,               /**< the library's own order */
  QUDA_DIRAC_ORDER = 1,                        /**< [site][s][c] */
  QUDA_QDP_DIRAC_ORDER = 2,                    /**< [site][c][s] */
  QUDA_QDPJIT_DIRAC_ORDER = 3,                 /**< [re, im][c][s][site], sites innermost, one parity */
  QUDA_CPS_WILSON_DIRAC_ORDER = 4,             /**< [site][s][c], odd sites first */
  QUDA_LEX_DIRAC_ORDER = 5,                    /**< lexicographic sites; not offered */
  QUDA_TIFR_PADDED_DIRAC_ORDER = 6,            /**< [site][s][c], z extent padded by two sites on either side */
  QUDA_INVALID_DIRAC_ORDER = QUDA_INVALID_ENUM /**< unset */
} QudaDiracFieldOrder;

/** Order of a clover field of the host: two Hermitian 6 x 6 blocks a site, one a chirality, row spin * 3 + colour. */
typedef enum QudaCloverFieldOrder_s {
  QUDA_NATIVE_CLOVER_ORDER = 0, /**< the library's own order: no host's */
  QUDA_PACKED_CLOVER_ORDER =
      1, /**< [site][chirality][36]: 6 diagonal reals, then 15 complex below the diagonal, column by column */
  QUDA_QDPJIT_CLOVER_ORDER =
      2, /**< two arrays: off-diagonal [re, im][15, row by row][chirality][site], diagonal [6][chirality][site] */
  QUDA_BQCD_CLOVER_ORDER = 3, /**< [site][chirality][36] of half the term, in BQCD's order; can be loaded only */
  QUDA_INVALID_CLOVER_ORDER = QUDA_INVALID_ENUM /**< unset */
} QudaCloverFieldOrder;

/* Output */

/** Amount of messages. Errors are always reported. */
typedef enum QudaVerbosity_s {
  QUDA_SILENT = 0,                           /**< nothing */
  QUDA_SUMMARIZE = 1,                        /**< what is done, warnings, profiles at the end */
  QUDA_VERBOSE = 2,                          /**< the progress of solvers too */
  QUDA_DEBUG_VERBOSE = 3,                    /**< parameters and internals too */
  QUDA_INVALID_VERBOSITY = QUDA_INVALID_ENUM /**< unset */
} QudaVerbosity;

/** Whether an operator object outlives its call. Accepted and ignored. */
typedef enum QudaPreserveDirac_s {
  QUDA_PRESERVE_DIRAC_NO = 0,                     /**< no */
  QUDA_PRESERVE_DIRAC_YES = 1,                    /**< yes */
  QUDA_PRESERVE_DIRAC_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaPreserveDirac;

/* Spinor fields */

/** Parity of a site, x + y + z + t modulo 2. */
typedef enum QudaParity_s {
  QUDA_EVEN_PARITY = 0,                   /**< even sites */
  QUDA_ODD_PARITY = 1,                    /**< odd sites */
  QUDA_INVALID_PARITY = QUDA_INVALID_ENUM /**< unset */
} QudaParity;

/**
 * Operator objects: QudaDslashType, for the full matrix and (PC) the even-odd preconditioned one. No function of this
 * interface takes it.
 */
typedef enum QudaDiracType_s {
  QUDA_WILSON_DIRAC = 0,
  QUDA_WILSONPC_DIRAC = 1,
  QUDA_CLOVER_DIRAC = 2,
  QUDA_CLOVERPC_DIRAC = 3,
  QUDA_CLOVER_HASENBUSCH_TWIST_DIRAC = 4,
  QUDA_CLOVER_HASENBUSCH_TWISTPC_DIRAC = 5,
  QUDA_DOMAIN_WALL_DIRAC = 6,
  QUDA_DOMAIN_WALLPC_DIRAC = 7,
  QUDA_DOMAIN_WALL_4D_DIRAC = 8,
  QUDA_DOMAIN_WALL_4DPC_DIRAC = 9,
  QUDA_MOBIUS_DOMAIN_WALL_DIRAC = 10,
  QUDA_MOBIUS_DOMAIN_WALLPC_DIRAC = 11,
  QUDA_MOBIUS_DOMAIN_WALL_EOFA_DIRAC = 12,
  QUDA_MOBIUS_DOMAIN_WALLPC_EOFA_DIRAC = 13,
  QUDA_STAGGERED_DIRAC = 14,
  QUDA_STAGGEREDPC_DIRAC = 15,
  QUDA_STAGGEREDKD_DIRAC = 16,
  QUDA_ASQTAD_DIRAC = 17,
  QUDA_ASQTADPC_DIRAC = 18,
  QUDA_ASQTADKD_DIRAC = 19,
  QUDA_TWISTED_MASS_DIRAC = 20,
  QUDA_TWISTED_MASSPC_DIRAC = 21,
  QUDA_TWISTED_CLOVER_DIRAC = 22,
  QUDA_TWISTED_CLOVERPC_DIRAC = 23,
  QUDA_COARSE_DIRAC = 24,
  QUDA_COARSEPC_DIRAC = 25,
  QUDA_GAUGE_LAPLACE_DIRAC = 26,
  QUDA_GAUGE_LAPLACEPC_DIRAC = 27,
  QUDA_GAUGE_COVDEV_DIRAC = 28,
  QUDA_INVALID_DIRAC = QUDA_INVALID_ENUM /**< unset */
} QudaDiracType;

/** Location of a field. */
typedef enum QudaFieldLocation_s {
  QUDA_CPU_FIELD_LOCATION = 1,                    /**< host memory */
  QUDA_CUDA_FIELD_LOCATION = 2,                   /**< the device's memory */
  QUDA_INVALID_FIELD_LOCATION = QUDA_INVALID_ENUM /**< unset */
} QudaFieldLocation;

/** Which sites a field has. */
typedef enum QudaSiteSubset_s {
  QUDA_PARITY_SITE_SUBSET = 1,                 /**< one parity */
  QUDA_FULL_SITE_SUBSET = 2,                   /**< both */
  QUDA_INVALID_SITE_SUBSET = QUDA_INVALID_ENUM /**< unset */
} QudaSiteSubset;

/** Order of the sites of a field. */
typedef enum QudaSiteOrder_s {
  QUDA_LEXICOGRAPHIC_SITE_ORDER = 0,          /**< x fastest, t slowest */
  QUDA_EVEN_ODD_SITE_ORDER = 1,               /**< even sites, then odd ones */
  QUDA_ODD_EVEN_SITE_ORDER = 2,               /**< odd sites, then even ones */
  QUDA_INVALID_SITE_ORDER = QUDA_INVALID_ENUM /**< unset */
} QudaSiteOrder;

/** Order of the numbers of a spinor field. */
typedef enum QudaFieldOrder_s {
  QUDA_NATIVE_FIELD_ORDER = 0,                  /**< the library's own order */
  QUDA_SPACE_SPIN_COLOR_FIELD_ORDER = 1,        /**< [site][spin][colour] */
  QUDA_SPACE_COLOR_SPIN_FIELD_ORDER = 2,        /**< [site][colour][spin] */
  QUDA_QDPJIT_FIELD_ORDER = 3,                  /**< [re, im][colour][spin][site] */
  QUDA_QOP_DOMAIN_WALL_FIELD_ORDER = 4,         /**< [fifth dimension] pointers to four-dimensional fields */
  QUDA_PADDED_SPACE_SPIN_COLOR_FIELD_ORDER = 5, /**< [site][spin][colour], z extent padded */
  QUDA_INVALID_FIELD_ORDER = QUDA_INVALID_ENUM  /**< unset */
} QudaFieldOrder;

/** Initial content of a new field. */
typedef enum QudaFieldCreate_s {
  QUDA_NULL_FIELD_CREATE = 0,                   /**< anything */
  QUDA_ZERO_FIELD_CREATE = 1,                   /**< zeros */
  QUDA_COPY_FIELD_CREATE = 2,                   /**< a copy */
  QUDA_REFERENCE_FIELD_CREATE = 3,              /**< the caller's memory */
  QUDA_GHOST_FIELD_CREATE = 4,                  /**< a halo */
  QUDA_INVALID_FIELD_CREATE = QUDA_INVALID_ENUM /**< unset */
} QudaFieldCreate;

/**
 * Basis of the gamma matrices a spinor field of the host is written in; gamma5 = gamma1 gamma2 gamma3 gamma4, s_k the
 * Pauli matrices. Fields of one spin component ignore it, but it must be set.
 */
typedef enum QudaGammaBasis_s {
  QUDA_DEGRAND_ROSSI_GAMMA_BASIS =
      0, /**< gamma4 = ((0, 1), (1, 0)), gamma_k = ((0, i s_k), (-i s_k, 0)), k = 2 with the opposite sign */
  QUDA_UKQCD_GAMMA_BASIS = 1,                  /**< gamma4 = diag(1, 1, -1, -1), gamma_k = ((0, i s_k), (-i s_k, 0)) */
  QUDA_CHIRAL_GAMMA_BASIS = 2,                 /**< gamma4 = ((0, -1), (-1, 0)), gamma_k = ((0, -i s_k), (i s_k, 0)) */
  QUDA_DIRAC_PAULI_GAMMA_BASIS = 3,            /**< gamma4 = diag(1, 1, -1, -1), gamma_k = ((0, -i s_k), (i s_k, 0)) */
  QUDA_INVALID_GAMMA_BASIS = QUDA_INVALID_ENUM /**< unset */
} QudaGammaBasis;

/** Sources of test programs. */
typedef enum QudaSourceType_s {
  QUDA_POINT_SOURCE = 0,                  /**< one site, spin and colour */
  QUDA_RANDOM_SOURCE = 1,                 /**< random */
  QUDA_CONSTANT_SOURCE = 2,               /**< constant */
  QUDA_SINUSOIDAL_SOURCE = 3,             /**< sine waves */
  QUDA_CORNER_SOURCE = 4,                 /**< the corners of a hypercube */
  QUDA_INVALID_SOURCE = QUDA_INVALID_ENUM /**< unset */
} QudaSourceType;

/** Distribution of noise. */
typedef enum QudaNoiseType_s {
  QUDA_NOISE_GAUSS = 0,                  /**< normal */
  QUDA_NOISE_UNIFORM = 1,                /**< uniform */
  QUDA_NOISE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaNoiseType;

/** Into which parts a noise source is split. */
typedef enum QudaDilutionType_s {
  QUDA_DILUTION_SPIN = 0,                   /**< spins */
  QUDA_DILUTION_COLOR = 1,                  /**< colours */
  QUDA_DILUTION_SPIN_COLOR = 2,             /**< spins and colours */
  QUDA_DILUTION_SPIN_COLOR_EVEN_ODD = 3,    /**< spins, colours and parities */
  QUDA_DILUTION_BLOCK = 4,                  /**< blocks of sites */
  QUDA_DILUTION_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaDilutionType;

/** Projection of an initial guess out of known solutions. */
typedef enum QudaProjectionType_s {
  QUDA_MINRES_PROJECTION = 0,                 /**< least residual */
  QUDA_GALERKIN_PROJECTION = 1,               /**< residual orthogonal to the space */
  QUDA_INVALID_PROJECTION = QUDA_INVALID_ENUM /**< unset */
} QudaProjectionType;

/* Preconditioning and twist */

/** Checkerboard of fields with a fifth dimension. */
typedef enum QudaPCType_s {
  QUDA_4D_PC = 4,                     /**< parity of x, y, z, t */
  QUDA_5D_PC = 5,                     /**< parity of x, y, z, t, s */
  QUDA_PC_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaPCType;

/** Flavours of twisted-mass fermions; a doublet is a fifth dimension of two. */
typedef enum QudaTwistFlavorType_s {
  QUDA_TWIST_SINGLET = 1,                /**< one flavour; its partner has the opposite mu */
  QUDA_TWIST_NONDEG_DOUBLET = 2,         /**< two flavours, split by epsilon */
  QUDA_TWIST_NO = 0,                     /**< no twist */
  QUDA_TWIST_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaTwistFlavorType;

/** Order of hop and twist within a twisted-mass operator. No function of this interface takes it. */
typedef enum QudaTwistDslashType_s {
  QUDA_DEG_TWIST_INV_DSLASH = 0,          /**< inverse twist, then hop */
  QUDA_DEG_DSLASH_TWIST_INV = 1,          /**< hop, then inverse twist */
  QUDA_DEG_DSLASH_TWIST_XPAY = 2,         /**< hop added to a twisted field */
  QUDA_NONDEG_DSLASH = 3,                 /**< doublet */
  QUDA_DSLASH_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaTwistDslashType;

/** Order of hop, clover term and twist within an operator. No function of this interface takes it. */
typedef enum QudaTwistCloverDslashType_s {
  QUDA_DEG_CLOVER_TWIST_INV_DSLASH = 0,      /**< inverse of clover and twist, then hop */
  QUDA_DEG_DSLASH_CLOVER_TWIST_INV = 1,      /**< hop, then that inverse */
  QUDA_DEG_DSLASH_CLOVER_TWIST_XPAY = 2,     /**< hop added to a clover-twisted field */
  QUDA_TC_DSLASH_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaTwistCloverDslashType;

/** The twist or its inverse. No function of this interface takes it. */
typedef enum QudaTwistGamma5Type_s {
  QUDA_TWIST_GAMMA5_DIRECT = 0,                 /**< 1 + i a gamma5 */
  QUDA_TWIST_GAMMA5_INVERSE = 1,                /**< its inverse */
  QUDA_TWIST_GAMMA5_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaTwistGamma5Type;

/* Solver options */

/** Whether a solver starts from the caller's solution field. */
typedef enum QudaUseInitGuess_s {
  QUDA_USE_INIT_GUESS_NO = 0,                     /**< starts from zero */
  QUDA_USE_INIT_GUESS_YES = 1,                    /**< reads the solution field */
  QUDA_USE_INIT_GUESS_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaUseInitGuess;

/** Whether a solver starts from a deflated guess. */
typedef enum QudaDeflatedGuess_s {
  QUDA_DEFLATED_GUESS_NO = 0,                     /**< no */
  QUDA_DEFLATED_GUESS_YES = 1,                    /**< yes */
  QUDA_DEFLATED_GUESS_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaDeflatedGuess;

/** Whether multigrid computes its near-null vectors. */
typedef enum QudaComputeNullVector_s {
  QUDA_COMPUTE_NULL_VECTOR_NO = 0,                     /**< they are read from a file */
  QUDA_COMPUTE_NULL_VECTOR_YES = 1,                    /**< they are computed */
  QUDA_COMPUTE_NULL_VECTOR_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaComputeNullVector;

/* Multigrid */

/** Method that finds near-null vectors. */
typedef enum QudaSetupType_s {
  QUDA_NULL_VECTOR_SETUP = 0,                 /**< M x = 0 from a random start */
  QUDA_TEST_VECTOR_SETUP = 1,                 /**< M x = b for random b */
  QUDA_INVALID_SETUP_TYPE = QUDA_INVALID_ENUM /**< unset */
} QudaSetupType;

/** Transfer between a level and the next coarser one. */
typedef enum QudaTransferType_s {
  QUDA_TRANSFER_AGGREGATE = 0,              /**< blocks of sites */
  QUDA_TRANSFER_COARSE_KD = 1,              /**< staggered: Kahler-Dirac blocks as a coarse operator */
  QUDA_TRANSFER_OPTIMIZED_KD = 2,           /**< staggered: Kahler-Dirac preconditioning of the fine operator */
  QUDA_TRANSFER_OPTIMIZED_KD_DROP_LONG = 3, /**< the same, long links left out */
  QUDA_TRANSFER_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaTransferType;

/* Booleans and small dense problems */

/** Truth value of fixed size. */
typedef enum QudaBoolean_s {
  QUDA_BOOLEAN_FALSE = 0,                  /**< no */
  QUDA_BOOLEAN_TRUE = 1,                   /**< yes */
  QUDA_BOOLEAN_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaBoolean;

/* the older names */
#define QUDA_BOOLEAN_NO QUDA_BOOLEAN_FALSE
#define QUDA_BOOLEAN_YES QUDA_BOOLEAN_TRUE

/** Kind of a small dense problem. */
typedef enum QudaBLASType_s {
  QUDA_BLAS_GEMM = 0,                   /**< matrix products */
  QUDA_BLAS_LU_INV = 1,                 /**< inverses */
  QUDA_BLAS_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaBLASType;

/** Operation on a matrix before it is multiplied. */
typedef enum QudaBLASOperation_s {
  QUDA_BLAS_OP_N = 0,                      /**< nothing */
  QUDA_BLAS_OP_T = 1,                      /**< transpose */
  QUDA_BLAS_OP_C = 2,                      /**< Hermitian conjugate */
  QUDA_BLAS_OP_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaBLASOperation;

/** Type of the matrix elements. */
typedef enum QudaBLASDataType_s {
  QUDA_BLAS_DATATYPE_S = 0,                      /**< float */
  QUDA_BLAS_DATATYPE_D = 1,                      /**< double */
  QUDA_BLAS_DATATYPE_C = 2,                      /**< complex float */
  QUDA_BLAS_DATATYPE_Z = 3,                      /**< complex double */
  QUDA_BLAS_DATATYPE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaBLASDataType;

/** Order of the matrix elements. */
typedef enum QudaBLASDataOrder_s {
  QUDA_BLAS_DATAORDER_ROW = 0,                    /**< rows one after the other */
  QUDA_BLAS_DATAORDER_COL = 1,                    /**< columns one after the other */
  QUDA_BLAS_DATAORDER_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaBLASDataOrder;

/* Geometry */

/** Direction along an axis. */
typedef enum QudaDirection_s {
  QUDA_BACKWARDS = -1, /**< towards smaller coordinates */
  QUDA_IN_PLACE = 0,   /**< no move */
  QUDA_FORWARDS = 1,   /**< towards larger coordinates */
  QUDA_BOTH_DIRS = 2   /**< both */
} QudaDirection;

/** Which links of a coarse operator are stored. */
typedef enum QudaLinkDirection_s {
  QUDA_LINK_BACKWARDS = 0,    /**< backward */
  QUDA_LINK_FORWARDS = 1,     /**< forward */
  QUDA_LINK_BIDIRECTIONAL = 2 /**< both */
} QudaLinkDirection;

/** Number of matrices per site of a gauge field. */
typedef enum QudaFieldGeometry_s {
  QUDA_SCALAR_GEOMETRY = 1,                 /**< one */
  QUDA_VECTOR_GEOMETRY = 4,                 /**< one a direction */
  QUDA_TENSOR_GEOMETRY = 6,                 /**< one a plane */
  QUDA_COARSE_GEOMETRY = 8,                 /**< one a direction and orientation */
  QUDA_KDINVERSE_GEOMETRY = 16,             /**< one a corner of the hypercube */
  QUDA_INVALID_GEOMETRY = QUDA_INVALID_ENUM /**< unset */
} QudaFieldGeometry;

/** Place of a field's halo. */
typedef enum QudaGhostExchange_s {
  QUDA_GHOST_EXCHANGE_NO = 0,                     /**< it has none */
  QUDA_GHOST_EXCHANGE_PAD = 1,                    /**< behind its sites */
  QUDA_GHOST_EXCHANGE_EXTENDED = 2,               /**< in one index space with its sites */
  QUDA_GHOST_EXCHANGE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaGhostExchange;

/* Staggered phases */

/** Convention of the staggered phases on the links of direction x, y, z, t. */
typedef enum QudaStaggeredPhase_s {
  QUDA_STAGGERED_PHASE_NO = 0,                     /**< none */
  QUDA_STAGGERED_PHASE_MILC = 1,                   /**< (-1)^t, (-1)^(t+x), (-1)^(t+x+y), 1 */
  QUDA_STAGGERED_PHASE_CHROMA = 2,                 /**< -1, -(-1)^x, -(-1)^(x+y), -(-1)^(x+y+z) */
  QUDA_STAGGERED_PHASE_TIFR = 3,                   /**< -(-1)^(t+z+y), (-1)^(t+z), -(-1)^t, 1 */
  QUDA_STAGGERED_PHASE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaStaggeredPhase;

/** Spin or taste of a staggered bilinear: bits x = 1, y = 2, z = 4, t = 8. */
typedef enum QudaSpinTasteGamma_s {
  QUDA_SPIN_TASTE_G1 = 0,
  QUDA_SPIN_TASTE_GX = 1,
  QUDA_SPIN_TASTE_GY = 2,
  QUDA_SPIN_TASTE_GZ = 4,
  QUDA_SPIN_TASTE_GT = 8,
  QUDA_SPIN_TASTE_G5 = 15,
  QUDA_SPIN_TASTE_GYGZ = 6,
  QUDA_SPIN_TASTE_GZGX = 5,
  QUDA_SPIN_TASTE_GXGY = 3,
  QUDA_SPIN_TASTE_GXGT = 9,
  QUDA_SPIN_TASTE_GYGT = 10,
  QUDA_SPIN_TASTE_GZGT = 12,
  QUDA_SPIN_TASTE_G5GX = 14,
  QUDA_SPIN_TASTE_G5GY = 13,
  QUDA_SPIN_TASTE_G5GZ = 11,
  QUDA_SPIN_TASTE_G5GT = 7,
  QUDA_SPIN_TASTE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaSpinTasteGamma;

/* Contractions */

/** Contractions of two spinor fields; the first is conjugated. T and Z name the direction that is not summed over. */
typedef enum QudaContractType_s {
  QUDA_CONTRACT_TYPE_STAGGERED_FT_T = 0,         /**< staggered, to momenta, one number a time slice */
  QUDA_CONTRACT_TYPE_DR_FT_T = 1,                /**< sixteen gamma structures, to momenta, a time slice */
  QUDA_CONTRACT_TYPE_DR_FT_Z = 2,                /**< the same, a z slice */
  QUDA_CONTRACT_TYPE_STAGGERED = 3,              /**< staggered, every site */
  QUDA_CONTRACT_TYPE_DR = 4,                     /**< sixteen gamma structures, every site */
  QUDA_CONTRACT_TYPE_OPEN = 5,                   /**< open spin indices, every site */
  QUDA_CONTRACT_TYPE_OPEN_SUM_T = 6,             /**< open spin indices, summed over a time slice */
  QUDA_CONTRACT_TYPE_OPEN_SUM_Z = 7,             /**< the same, over a z slice */
  QUDA_CONTRACT_TYPE_OPEN_FT_T = 8,              /**< open spin indices, to momenta, a time slice */
  QUDA_CONTRACT_TYPE_OPEN_FT_Z = 9,              /**< the same, a z slice */
  QUDA_CONTRACT_TYPE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaContractType;

/** Which part of the plane wave a contraction is multiplied by, per direction; theta = 2 pi m x / L. */
typedef enum QudaFFTSymmType_s {
  QUDA_FFT_SYMM_ODD = 1,                    /**< i sin(theta) */
  QUDA_FFT_SYMM_EVEN = 2,                   /**< cos(theta) */
  QUDA_FFT_SYMM_EO = 3,                     /**< exp(i theta) */
  QUDA_FFT_SYMM_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaFFTSymmType;

/**
 * Labels of the sixteen gamma structures. contractQuda() and contractFTQuda() number theirs differently: see there.
 */
typedef enum QudaContractGamma_s {
  QUDA_CONTRACT_GAMMA_I = 0,
  QUDA_CONTRACT_GAMMA_G1 = 1,
  QUDA_CONTRACT_GAMMA_G2 = 2,
  QUDA_CONTRACT_GAMMA_G3 = 3,
  QUDA_CONTRACT_GAMMA_G4 = 4,
  QUDA_CONTRACT_GAMMA_G5 = 5,
  QUDA_CONTRACT_GAMMA_G1G5 = 6,
  QUDA_CONTRACT_GAMMA_G2G5 = 7,
  QUDA_CONTRACT_GAMMA_G3G5 = 8,
  QUDA_CONTRACT_GAMMA_G4G5 = 9,
  QUDA_CONTRACT_GAMMA_S12 = 10,
  QUDA_CONTRACT_GAMMA_S13 = 11,
  QUDA_CONTRACT_GAMMA_S14 = 12,
  QUDA_CONTRACT_GAMMA_S21 = 13,
  QUDA_CONTRACT_GAMMA_S23 = 14,
  QUDA_CONTRACT_GAMMA_S34 = 15,
  QUDA_CONTRACT_GAMMA_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaContractGamma;

/* Smearing and gradient flow */

/** Smearing and flow of the links. */
typedef enum QudaGaugeSmearType_s {
  QUDA_GAUGE_SMEAR_APE = 0,                    /**< APE */
  QUDA_GAUGE_SMEAR_STOUT = 1,                  /**< stout */
  QUDA_GAUGE_SMEAR_OVRIMP_STOUT = 2,           /**< over-improved stout */
  QUDA_GAUGE_SMEAR_HYP = 3,                    /**< hypercubic */
  QUDA_GAUGE_SMEAR_WILSON_FLOW = 4,            /**< gradient flow of the Wilson action */
  QUDA_GAUGE_SMEAR_SYMANZIK_FLOW = 5,          /**< gradient flow of the Symanzik action */
  QUDA_GAUGE_SMEAR_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaGaugeSmearType;

/** Action of the gradient flow, in the spelling of older interfaces. */
typedef enum QudaWFlowType_s {
  QUDA_WFLOW_TYPE_WILSON = 0,                 /**< Wilson */
  QUDA_WFLOW_TYPE_SYMANZIK = 1,               /**< Symanzik */
  QUDA_WFLOW_TYPE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaWFlowType;

/** Smearing of quark fields. */
typedef enum QudaFermionSmearType_s {
  QUDA_FERMION_SMEAR_TYPE_GAUSSIAN = 0,               /**< Gaussian: powers of 1 + (width^2 / 4 n) Laplace */
  QUDA_FERMION_SMEAR_TYPE_WUPPERTAL = 1,              /**< Wuppertal: powers of (1 + alpha hop) / (1 + 6 alpha) */
  QUDA_FERMION_SMEAR_TYPE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaFermionSmearType;

/* Libraries and domain decomposition */

/** External library for small dense problems. */
typedef enum QudaExtLibType_s {
  QUDA_CUSOLVE_EXTLIB = 0,                /**< the device vendor's */
  QUDA_EIGEN_EXTLIB = 1,                  /**< Eigen, on the host */
  QUDA_EXTLIB_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaExtLibType;

/** Domain decomposition of a field. */
typedef enum QudaDDType_s {
  QUDA_DD_NO = 0,                     /**< none */
  QUDA_DD_RED_BLACK = 1,              /**< blocks of two colours */
  QUDA_DD_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaDDType;

/** Stages of a Runge-Kutta step of the gradient flow. */
typedef enum QudaWFlowStepType_s {
  WFLOW_STEP_W1 = 0,             /**< third order, first stage */
  WFLOW_STEP_W2 = 1,             /**< third order, second stage */
  WFLOW_STEP_VT = 2,             /**< third order, last stage */
  WFLOW_FOURTH_ORDER_STEP_1 = 3, /**< fourth order, first stage */
  WFLOW_FOURTH_ORDER_STEP_2 = 4,
  WFLOW_FOURTH_ORDER_STEP_3 = 5,
  WFLOW_FOURTH_ORDER_STEP_4 = 6,
  WFLOW_FOURTH_ORDER_STEP_5 = 7,
  WFLOW_FOURTH_ORDER_STEP_6 = 8
} QudaWFlowStepType;

/** Whether a split-grid solve distributes the gauge field anew. */
typedef enum QudaUpdateSplitGauge_s {
  QUDA_UPDATE_SPLIT_GAUGE_OFF = 0,  /**< keep the copy there is */
  QUDA_UPDATE_SPLIT_GAUGE_TRUE = 1, /**< distribute */
  QUDA_UPDATE_SPLIT_GAUGE_FALSE = 0 /**< keep the copy there is */
} QudaUpdateSplitGauge;

/* Older interfaces */

/** Type of a member that older sources set; tuning is switched by QUDA_ENABLE_TUNING. */
typedef enum QudaTune_s {
  QUDA_TUNE_NO = 0,
  QUDA_TUNE_YES = 1,
  QUDA_TUNE_INVALID = QUDA_INVALID_ENUM /**< unset */
} QudaTune;
