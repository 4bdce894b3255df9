#pragma once

/**
 * @file
 * Functions of libquda beyond QUDA's interface: an application can handle errors instead of ending with the first
 * one; contractions with the intended gamma matrices; pure gauge fields by heat bath; the Zeuthen flow and flows
 * whose steps adapt; gauge forces and stout smearing under plain names; actions of smeared links; forces of quarks'
 * determinants and of their ratios, and of pairs of fields; shifted systems for several sources at once; block conjugate gradients; blocks of
 * sites as domains of Schwarz preconditioners; elementals of distillation; the search for a multigrid hierarchy's
 * parameters, and the time profile of its solves; domain-wall quarks in four dimensions. Valid C99 and C++.
 *
 * Without a handler an error is printed with rank, function, file and line, and the communicator is ended. With one,
 * the call that failed tells the handler and returns; functions that return a value return zero or a null pointer. The
 * library is then as it was before the call or, where keeping both would double the memory, the field in question is
 * freed and the message says so. Collective calls check their arguments on all ranks and agree before they do anything,
 * so that all ranks fail or none; a failure of one rank later than that is printed and ends the communicator, without
 * asking the handler.
 */

#include <stddef.h>

#include "quda.h"

#ifdef __cplusplus
extern "C" {
#endif

struct QudaGaugeParam_s; /* quda.h */

/** Kind of an error. */
typedef enum QudaErrorKind_s {
  QUDA_ERROR_KIND_NONE = 0,          /**< none since the start or qudaClearLastError() */
  QUDA_ERROR_KIND_BAD_ARGUMENT = 1,  /**< an argument or parameter that no build accepts */
  QUDA_ERROR_KIND_UNSUPPORTED = 2,   /**< a known request that the library does not carry out */
  QUDA_ERROR_KIND_NOT_BUILT = 3,     /**< available in the library, left out of this build */
  QUDA_ERROR_KIND_OUT_OF_MEMORY = 4, /**< host or device memory is exhausted */
  QUDA_ERROR_KIND_DEVICE = 5,        /**< the device or its driver reported a failure */
  QUDA_ERROR_KIND_COMMS = 6,         /**< a failure of communication, or ranks that disagree */
  QUDA_ERROR_KIND_FILE = 7,          /**< a file is absent, unreadable, damaged or cannot be written */
  QUDA_ERROR_KIND_INTERNAL = 8       /**< a fault of the library */
} QudaErrorKind;

/**
 * An application's error handler. It runs on the thread of the failed call, before that call returns; it may end the
 * program, and must not call any function of the library except qudaGetLastError().
 * @param[in] kind    kind of the error
 * @param[in] message function, parameter, value and allowed values; valid during the call of the handler
 * @param[in] user    pointer given to qudaSetErrorHandler()
 */
typedef void (*QudaErrorHandler)(QudaErrorKind kind, const char *message, void *user);

/**
 * Install an error handler.
 * @param[in] handler the handler; null: back to the default, which ends the program
 * @param[in] user    passed to the handler unread
 * Collective: no, but all ranks should agree. May be called before initQuda() and stays through endQuda().
 */
void qudaSetErrorHandler(QudaErrorHandler handler, void *user);

/**
 * The last error of this process.
 * @param[out] message its text, owned by the library and valid until the next error or qudaClearLastError(); an empty
 * text if there was none; null: not wanted
 * @return its kind
 * Collective: no.
 */
QudaErrorKind qudaGetLastError(const char **message);

/** Forget the last error. Collective: no. */
void qudaClearLastError(void);

/**
 * Types of contraction that QudaContractType does not have, for the argument cType of contractQuda():
 * contractQuda(x, y, result, (QudaContractType)QUDA_CONTRACT_TYPE_DR_CORRECTED, param, X).
 */
typedef enum QudaContractTypeExt_s {
  /**
   * QUDA_CONTRACT_TYPE_DR with entry 11 sigma_13 and entry 15 sigma_34. QUDA has -i gamma5 gamma_4 and -gamma5 in their
   * places, multiples of its entries 9 and 5, so that two of the sixteen structures are missing; QUDA_CONTRACT_TYPE_DR
   * gives what QUDA gives, because hosts read it that way. The other fourteen entries are the same bits in both.
   */
  QUDA_CONTRACT_TYPE_DR_CORRECTED = 1004
} QudaContractTypeExt;

/** Links that a heat bath begins with. */
typedef enum QudaHeatbathStart_s {
  QUDA_HEATBATH_START_RESIDENT = 0, /**< the resident ones */
  QUDA_HEATBATH_START_COLD = 1,     /**< unit links */
  QUDA_HEATBATH_START_HOT = 2       /**< links uniform in SU(3), from the seed */
} QudaHeatbathStart;

/** Parameters of heatbathQuda(). Made by newQudaHeatbathParam(). */
typedef struct QudaHeatbathParam_s {
  size_t struct_size;       /**< bytes of this structure, set by newQudaHeatbathParam() */
  double beta;              /**< 6 / g^2, 0 or more; to be chosen */
  int n_heatbath;           /**< heat-bath updates of every link in a sweep, 0 to 256; 1 */
  int n_overrelax;          /**< over-relaxations of every link after them, 0 or more; 4 */
  int n_sweeps;             /**< sweeps, 0 or more; 1 */
  unsigned int first_sweep; /**< number of the first one; 0 */
  unsigned long long seed;  /**< of the random numbers; 0 */
  QudaHeatbathStart start;  /**< the links to begin with; QUDA_HEATBATH_START_RESIDENT */
  double rectangle;         /**< weight c_1 of 1 x 2 rectangles; 0, the Wilson action */
  double anisotropy;        /**< bare anisotropy xi of the action, more than 0; 1 */
} QudaHeatbathParam;

/** @return the parameters of a heat bath with the values named above; beta is left to be chosen. Collective: no. */
QudaHeatbathParam newQudaHeatbathParam(void);

/**
 * Sweeps of the SU(3) heat bath over the resident gauge field (loadGaugeQuda(), QUDA_WILSON_LINKS), in its precision:
 * links of weight exp((beta/3) sum of f [c_0 Re tr P + c_1 Re tr R]) over all plaquettes P and all rectangles R of
 * one link by two, c_0 = 1 - 8 c_1, after sufficiently many sweeps. c_1 is 0 in the Wilson action, -1/12 in
 * Symanzik's at tree level, -0.331 in Iwasaki's, -1.4088 in DBW2; f is the anisotropy for loops in planes with t, one
 * over it for the others. The links themselves are in SU(3), without an anisotropy in them.
 *
 * A sweep is n_heatbath heat-bath updates of every link (Cabibbo and Marinari over the three SU(2) subgroups, each by
 * Kennedy and Pendleton), then n_overrelax over-relaxations, which keep the action. An update goes parity by parity,
 * even first, and within it direction by direction; with rectangles each direction in four sets of links that share
 * no loop. Whenever a link is updated its first two rows are made orthonormal and the third their conjugate cross
 * product, so links stay in SU(3) for any number of sweeps.
 *
 * Random numbers are a function of seed, sweep number and global site (Philox4x32-10): the same bits on any process
 * grid, number of threads and processor. Sweeps may be done in one call or in several, also in another program that
 * loads what this one saved in the same precision: first_sweep continues where the last call stopped.
 *
 * Signs of an antiperiodic boundary stay in the links; starts put them there. Copies of the links that the library made
 * for itself are made anew; clover terms, smeared links and momenta stay as they are.
 * @param[in] param what to do
 * Errors: no resident field; one with anisotropy (unsupported); rectangles where a global extent is 2; a member out of
 * its range, or one that differs between ranks.
 * Collective: yes.
 */
void heatbathQuda(const QudaHeatbathParam *param);

/** Action whose gradient drives the flow. */
typedef enum QudaFlowAction_s {
  QUDA_FLOW_WILSON = 0,   /**< the plaquette action */
  QUDA_FLOW_SYMANZIK = 1, /**< plaquettes and rectangles, 5/3 and -1/12 */
  QUDA_FLOW_ZEUTHEN = 2   /**< Symanzik's, with 1 + D*_mu D_mu / 12 before its force (arXiv:1508.05552) */
} QudaFlowAction;

/** Parameters and results of gradientFlowQuda(). Made by newQudaGradientFlowParam(). */
typedef struct QudaGradientFlowParam_s {
  size_t struct_size;     /**< bytes of this structure, set by newQudaGradientFlowParam() */
  QudaFlowAction action;  /**< QUDA_FLOW_WILSON */
  int rk_order;           /**< order of the steps, 3 or 4; with a tolerance 3; 3 */
  int restart;            /**< 1: from the smeared links on, 0: from the gauge field; 0 */
  int n_intervals;        /**< measurements after the first, 0 or more; 1 */
  double interval;        /**< flow time between two of them, more than 0; to be chosen */
  double epsilon;         /**< size of a step, more than 0; with a tolerance of the first step; 0.01 */
  double tolerance;       /**< bound of a step's error; 0: all steps have one size; 0 */
  double anisotropy;      /**< its square weights sides along t, more than 0; 1 for the Zeuthen flow; 1 */
  long long n_steps;      /**< [out] steps taken */
  long long n_taken_back; /**< [out] steps whose error was too large */
  double last_epsilon;    /**< [out] size of the steps; with a tolerance the initial size of the next one */
} QudaGradientFlowParam;

/** @return the parameters of a flow with the values named above; interval is left to be chosen. Collective: no. */
QudaGradientFlowParam newQudaGradientFlowParam(void);

/**
 * Gradient flow of the resident links, in the units of performWFlowQuda(): dV/dt = Z V, measured before it and at flow
 * times interval, 2 interval, ... The links at its end are resident as the smeared ones.
 *
 * Without a tolerance each interval is divided into as many equal steps as make them no larger than epsilon. With one
 * steps are as large as their error permits, and end at the times of measurement: the error is the largest
 * distance |V - V'| of a link, in the Frobenius norm, from the result V' of a second-order step, which costs no
 * force (Fritzsch and Ramos, arXiv:1301.4388). A step with an error above the tolerance is taken back, and a
 * smaller one tried. Steps and links are the same to the bit on any process grid, number of threads and processor.
 * @param[in,out] param     what to do
 * @param[in,out] obs_param [1 + n_intervals] what to measure, and the results
 * Errors: no resident field; restart without smeared links; a member out of its range, or one that differs between
 * ranks; tolerances that steps cannot meet (links stay as before); the Zeuthen flow with anisotropy (unsupported).
 * Collective: yes.
 */
void gradientFlowQuda(QudaGradientFlowParam *param, QudaGaugeObservableParam *obs_param);

/**
 * Force of a gauge action, computeGaugeForceQuda() under another name:
 * A_mu(x) = A_mu(x) - dt TA( U_mu(x) sum_i loop_coeff[i] Path_i(x + mu) ), TA the traceless anti-Hermitian part; with
 * param->overwrite_mom what A was is dropped. Lattice units; dt carries step size and coupling (dt beta / 3 with
 * coefficient 1 for the staples of the plaquette action).
 * @param[in,out] mom            host momentum, V x 4 x 10 reals in param->gauge_order (QDP or MILC), owned by the
 * caller; read unless use_resident_mom or overwrite_mom is set, written if return_result_mom is
 * @param[in]     sitelink       links in the same order; not read when use_resident_gauge is set
 * @param[in]     input_path_buf [4][num_paths][path_length] steps: 0 to 3 forward x y z t, 7 to 4 backward x y z t;
 * path i of direction mu leads from x + mu, for a loop back to x
 * @param[in]     path_length    [num_paths] steps, one less than the loop
 * @param[in]     loop_coeff     [num_paths] weights, those of all four directions; paths of weight 0 are skipped
 * @param[in]     num_paths      paths a direction
 * @param[in]     max_length     no less than the longest path
 * @param[in]     dt             common factor
 * @param[in]     param          lattice, precisions, order and resident flags
 * @return 0
 * Errors: bad argument (null pointers, steps, lengths, numbers that are not finite, resident fields that are absent, of
 * another lattice or precision; a path that reaches further than the local lattice where it is cut between ranks),
 * unsupported (other orders, other precisions than double and single, staggered phases).
 * Collective: yes.
 */
int gaugeForceQuda(void *mom, void *sitelink, int ***input_path_buf, int *path_length, double *loop_coeff,
                   int num_paths, int max_length, double dt, QudaGaugeParam *param);

/**
 * Force of Wilson-type and domain-wall fermions, computeCloverForceQuda() with kappa and clover_coeff (or kappa clover_csw, where that
 * is 0) of inv_param, and of ratios of determinants: A_mu(x) = TA(A_mu(x) + dt U_mu(x) dS/dU_mu(x)) with
 *   S = sum_i coeff[i] |M^-dag M_2^dag phi_i|^2 - multiplicity ln det A,   x[i] = (M^dag M)^-1 M_2^dag phi_i,
 * x0[i] = -phi_i, M_2 an operator that differs from M by a constant on the sites of x only: another tm_rho, or mu of
 * QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH, or that and QUDA_CLOVER_WILSON_DSLASH. Without x0: S and x as in
 * computeCloverForceQuda(). With dagger = QUDA_DAG_NO M^dag and M_2^dag replace M and M_2.
 *
 * Domain-wall fermions, x0 null and no determinant: the same S of M_pc of any matpc_type, mass_normalization not read;
 * a ratio with Pauli-Villars fields, S = sum_i coeff[i] |M^-dag M_2^dag phi_i|^2, is that of x[i] and in addition, by
 * computeQuarkPairForceQuda() with M_2 and the same coefficients, that of the pairs phi_i and x[i]. Of
 * QUDA_MOBIUS_DWF_EOFA_DSLASH, with solution_type = QUDA_MAT_SOLUTION and dagger not read,
 *   S = sum_i coeff[i] xi_i^dag H^-1 xi_i,   H = gamma5 R5 M (b + c T)^-1,   x[i] = M^-1 R5 gamma5 xi_i,
 * M in kappa's normalisation, fields on all sites, R5 the exchange of slices s and Ls - 1 - s, T half the hop in s.
 * @param[in,out] mom          host momentum, as in computeCloverForceQuda()
 * @param[in]     dt           step
 * @param[in]     x            [nvector] solutions, on the parity of matpc_type or, of one flavour, on all sites; not
 *                             read with use_resident_solution
 * @param[in]     x0           [nvector] fields on the same parity; null: no ratio; of domain-wall fermions null
 * @param[in]     coeff        [nvector] weights
 * @param[in]     nvector      number of solutions, 1 or more
 * @param[in]     multiplicity weight of the determinant; 0: none
 * @param[in]     gauge_param  lattice, order, cpu_prec and resident flags of the momentum, overwrite_mom
 * @param[in]     inv_param    the operator, as in computeCloverForceQuda()
 * Errors: as computeCloverForceQuda(). Collective: yes.
 */
void computeQuarkForceQuda(void *mom, double dt, void **x, void **x0, double *coeff, int nvector, double multiplicity,
                           QudaGaugeParam *gauge_param, QudaInvertParam *inv_param);

/**
 * Force of fixed fields on both sides of a Wilson-type or domain-wall operator:
 * A_mu(x) = TA(A_mu(x) + dt U_mu(x) dS/dU_mu(x)) with S = 2 sum_i coeff[i] Re left[i]^dag M right[i], M in kappa's
 * normalisation. So forces of other actions are sums of pairs: S = phi^dag (M^dag M)^-1 phi
 * takes left = M x, right = x and -1.
 * @param[in,out] mom         host momentum, as in computeCloverForceQuda()
 * @param[in]     dt          step
 * @param[in]     left        [npairs] fields
 * @param[in]     right       [npairs] fields; may be left
 * @param[in]     coeff       [npairs] weights
 * @param[in]     npairs      number of pairs, 1 or more
 * @param[in]     gauge_param lattice, order, cpu_prec and resident flags of the momentum, overwrite_mom
 * @param[in]     inv_param   the operator: with solution_type = QUDA_MAT_SOLUTION M and fields on all sites, with
 *                            QUDA_MATPC_SOLUTION M_pc, of clover and twisted fermions asymmetric, and fields on the
 *                            parity of matpc_type; dagger: M^dag in place of M
 * Errors: as computeCloverForceQuda(). Collective: yes.
 */
void computeQuarkPairForceQuda(void *mom, double dt, void **left, void **right, double *coeff, int npairs,
                               QudaGaugeParam *gauge_param, QudaInvertParam *inv_param);

/**
 * Stout smearing (hep-lat/0311018) of a host field into a host field; resident fields are not touched. A step makes
 * every link of the smeared directions from the old links,
 *   U'_nu(x) = exp( TA[ rho C_nu(x) U_nu(x)^dag ] ) U_nu(x),
 *   C_nu(x) = sum_mu U_mu(x) U_nu(x+mu) U_mu(x+nu)^dag + U_mu(x-mu)^dag U_nu(x-mu) U_mu(x-mu+nu),
 * mu over the other smeared directions, TA the traceless anti-Hermitian part (M - M^dag)/2. Links are taken as they
 * are, with anisotropy and boundary signs if they carry them; links with staggered phases are refused.
 * @param[out] h_out      the smeared links, arrays of the caller as param describes them; may be h_in
 * @param[in]  h_in       the links, likewise; finite numbers
 * @param[in]  n_steps    steps; 0 copies the links
 * @param[in]  rho        weight of the staples, the same in all planes; finite
 * @param[in]  dir_ignore 0 to 3 (x, y, z, t): links of this direction stay as they are and no staple runs through them;
 *                        -1: all four directions are smeared
 * @param[in]  param      of both fields: X (local extents), type, gauge_order (QUDA_QDP_GAUGE_ORDER: void *[4], or
 *                        QUDA_MILC_GAUGE_ORDER), cpu_prec (of the arrays), t_boundary, gauge_fix, location, and for
 *                        Wilson links anisotropy; cuda_prec and reconstruct say how the library computes
 * Collective: yes, all ranks with the same n_steps, rho and dir_ignore. The bits of the result do not depend on the
 * rank grid or the number of threads. Errors: arguments out of range, numbers that are not finite, storage this build
 * lacks; h_out is then not written.
 */
void stoutQuda(void *h_out, void *h_in, unsigned int n_steps, double rho, int dir_ignore, QudaGaugeParam *param);

/**
 * Smeared links in place of the gauge field, for actions of smeared links. The resident gauge field (loadGaugeQuda(),
 * QUDA_WILSON_LINKS) goes through param->n_steps steps of stout smearing as performGaugeSmearQuda() makes them, its
 * boundary signs included, and all levels stay for stoutForceQuda(). Afterwards operators, clover terms, solvers and
 * forces see the smeared links, stored as the gauge field is; a resident clover term still belongs to the links
 * before smearing. The links that smearing leaves for measurements (QUDA_SMEARED_LINKS) are not touched.
 * @param[in] param smear_type = QUDA_GAUGE_SMEAR_STOUT; n_steps, 1 or more; rho; dir_ignore: 0 to 3, links of this
 *                  direction stay as they are and no staple runs through them, negative: t, more than 3: none is left
 *                  out; smear_anisotropy xi, 0: 1; staples whose sides run along t count xi^2
 * Memory: n_steps + 1 gauge fields of 18 numbers a link, one more while stoutForceQuda() works; kept until the next call,
 * freeGaugeQuda() or endQuda(). Errors: no gauge field, one that is smeared already, with anisotropy, staggered phases
 * or in half precision (unsupported); other kinds of smearing (unsupported). Collective: yes.
 */
void stoutGaugeQuda(const QudaGaugeSmearParam *param);

/**
 * The thin links are the gauge field again, as they were before stoutGaugeQuda(); the levels stay.
 * Errors: no thin links are kept. Collective: no, but all ranks should agree.
 */
void thinGaugeQuda(void);

/**
 * Force of an action of smeared links, A_mu(x) = A_mu(x) + dt f_mu(x), by the chain rule through all levels that
 * stoutGaugeQuda() left. If smeared links move by dU' = w' U', w' traceless and anti-Hermitian, dS = sum Re tr(f' w');
 * then dS = sum Re tr(f w) as the thin links move by dU = w U. f' is what a force of the library leaves in a momentum
 * that was zero, computed while the smeared links are the gauge field; signs and factors in it come through, as f is
 * linear in f'. The derivative of the exponential is exact wherever eigenvalues lie.
 * @param[in,out] mom           A: host momentum as in computeGaugeForceQuda(), with the flags use_resident_mom,
 *                              make_resident_mom, return_result_mom and overwrite_mom
 * @param[in]     smeared_force f': V x 4 x 10 reals in the order of mom, owned by the caller; null: the resident
 *                              momentum is f', and use_resident_mom must be 0
 * @param[in]     dt            factor
 * @param[in]     param         X, gauge_order (QUDA_QDP_GAUGE_ORDER, QUDA_MILC_GAUGE_ORDER), cpu_prec; cuda_prec, that of the
 *                              links; the flags
 * @return 0
 * The bits of the result do not depend on the rank grid or the number of threads. Errors: no smearing is kept; the gauge
 * field is neither the smeared links nor the thin ones as they were (stale); fields that are absent, of another lattice
 * or precision, or not finite. Collective: yes.
 */
int stoutForceQuda(void *mom, void *smeared_force, double dt, QudaGaugeParam *param);

/**
 * computeGaugeFixingOVRQuda() which also returns the rotation: U_mu(x) becomes g(x) U_mu(x) g(x+mu)^dag, where U are
 * the links made unitary, so that quarks and other fields can be rotated along. Links are made unitary at every step.
 * @param[in,out] gauge            host links as param describes them, transformed in place
 * @param[out]    rotation         g: V x 9 complex numbers in param->cpu_prec, even sites first, (row, column); owned
 *                                 by the caller
 * @param[in]     gauge_dir        4: Landau, 3: Coulomb
 * @param[in]     Nsteps           steps at most
 * @param[in]     verbose_interval steps between printed lines, 1 or more
 * @param[in]     relax_boost      over-relaxation, 1 to 2
 * @param[in]     tolerance        stop below it; 0: never
 * @param[in]     stopWtheta       1: the tolerance is theta's, 0: that of the change of the functional
 * @param[in]     param            as for computeGaugeFixingOVRQuda()
 * @return 0
 * Collective: yes, all ranks with the same numbers; any grid. Errors: arguments out of range, links that are not finite
 * or have no unitary factor, storage this build lacks; nothing is then written.
 */
int gaugeFixingOVRRotationQuda(void *gauge, void *rotation, unsigned int gauge_dir, unsigned int Nsteps,
                               unsigned int verbose_interval, double relax_boost, double tolerance,
                               unsigned int stopWtheta, QudaGaugeParam *param);

/**
 * computeGaugeFixingFFTQuda() which also returns the rotation, as gaugeFixingOVRRotationQuda() does.
 * @param[in,out] gauge            host links as param describes them, transformed in place
 * @param[out]    rotation         g: V x 9 complex numbers in param->cpu_prec, even sites first, (row, column); owned
 *                                 by the caller
 * @param[in]     gauge_dir        4: Landau, 3: Coulomb
 * @param[in]     Nsteps           steps at most
 * @param[in]     verbose_interval steps between printed lines, 1 or more
 * @param[in]     alpha            size of the step, above 0; 0.08 is usual
 * @param[in]     autotune         1: alpha shrinks when the functional falls
 * @param[in]     tolerance        stop below it; 0: never
 * @param[in]     stopWtheta       1: the tolerance is theta's, 0: that of the change of the functional
 * @param[in]     param            as for computeGaugeFixingFFTQuda()
 * @return 0
 * Collective: yes, all ranks with the same numbers; any grid. Errors: as there, and not built where the library was
 * configured without FFTW; nothing is then written.
 */
int gaugeFixingFFTRotationQuda(void *gauge, void *rotation, unsigned int gauge_dir, unsigned int Nsteps,
                               unsigned int verbose_interval, double alpha, unsigned int autotune, double tolerance,
                               unsigned int stopWtheta, QudaGaugeParam *param);

/**
 * invertMultiShiftQuda() for several sources at once: (A + offset[i]) x = b for each source and shift, A as there.
 * @param[out]    _hp_x [num_src * num_offset] solutions: that of source j and shift i is _hp_x[j * num_offset + i]
 * @param[in]     _hp_b [num_src] sources
 * @param[in,out] param as in invertMultiShiftQuda(); num_src; split_grid and num_src_per_sub_partition as in
 *                      invertMultiSrcQuda(). Residuals are those of the worst source, action is that of the first
 * Collective: yes. Errors: as there.
 */
void invertMultiSrcMultiShiftQuda(void **_hp_x, void **_hp_b, QudaInvertParam *param);

/** Solvers that QudaInverterType does not have, for QudaInvertParam.inv_type: (QudaInverterType)QUDA_BLOCK_CG_INVERTER.
 */
typedef enum QudaInverterTypeExt_s {
  /**
   * Conjugate gradients that look for the solutions of all sources (invertMultiSrcQuda()) in the sum of their Krylov
   * spaces: fewer iterations than each needs by itself. Sources may be equal, zero or depend on each other. Hermitian
   * positive systems; the bits of a solution depend on what other sources there are, and on their order.
   */
  QUDA_BLOCK_CG_INVERTER = 1000,
  /**
   * Conjugate gradients with one sum over the processes per step, under way while the matrix is applied: for many
   * processes with small lattices, where waiting for sums takes longer than three updates of a field. Hermitian
   * positive systems. In double and single precision as many iterations as conjugate gradients need, in half more.
   */
  QUDA_PIPELINED_CG_INVERTER = 1001
} QudaInverterTypeExt;

/**
 * Domains of Schwarz preconditioners (schwarz_type) from now on: blocks of sites, counted from the origin of the whole
 * lattice, so that a solve gives the same bits on any process grid. Without blocks a domain is a process's lattice,
 * and a preconditioner's sums are those of its process only.
 * @param[in] extents [4] x y z t; in a solve they must divide the local extents. Null: no blocks, as at the start and
 * after endQuda()
 * Collective: no, but all ranks must agree; solves compare.
 */
void qudaSetSchwarzBlock(const int *extents);

/** Steps of a displacement, for laphElementalsQuda(). Shifts have the numbers that steps of paths of links have. */
typedef enum QudaDisplacementStep_s {
  QUDA_DISPLACEMENT_AHEAD_X = 0,      /**< U_x(x) v(x + x) */
  QUDA_DISPLACEMENT_AHEAD_Y = 1,      /**< the same along y */
  QUDA_DISPLACEMENT_AHEAD_Z = 2,      /**< the same along z */
  QUDA_DISPLACEMENT_BEHIND_Z = 5,     /**< U_z(x - z)^dag v(x - z) */
  QUDA_DISPLACEMENT_BEHIND_Y = 6,     /**< the same along y */
  QUDA_DISPLACEMENT_BEHIND_X = 7,     /**< the same along x */
  QUDA_DISPLACEMENT_DERIVATIVE_X = 8, /**< half the difference of ahead and behind, in lattice units */
  QUDA_DISPLACEMENT_DERIVATIVE_Y = 9, /**< the same along y */
  QUDA_DISPLACEMENT_DERIVATIVE_Z = 10 /**< the same along z */
} QudaDisplacementStep;

/**
 * Elementals of distillation: of each time slice of the global lattice, each displacement D and each momentum p the
 * matrix between colour vectors, Laplace eigenvectors or any others,
 *   Phi_ij = sum over space and colours of conj(v_i(x)) exp(-i p x) (D v_j)(x),   p_d = 2 pi m_d / L_d,
 * with the origin of the whole lattice as that of x. D carries v_j along its steps one after the other, the first of
 * them first; a displacement without steps is 1. Products in inv_param's cuda_prec, chains of 24 of them that begin at
 * the same sites on any process grid, then exact sums: the same bits on any grid and for any tile.
 * @param[out]    host_elementals [n_path][n_mom][T global][n_evec i][n_evec j] complex double, overwritten
 * @param[in]     host_evec       [n_evec] full fields of one spin, of the caller
 * @param[in]     n_evec          number of vectors, 1 or more
 * @param[in]     tile_evec       number that the library holds at a time, twice and with their displacement; 1 or more
 * @param[in]     path            [n_path][path_length] steps, QudaDisplacementStep; null where all displacements are 1
 * @param[in]     path_length     [n_path] steps of each, 0 or more
 * @param[in]     n_path          number of displacements, 1 or more
 * @param[in]     mom_modes       [n_mom][3] m of x, y and z
 * @param[in]     n_mom           number of momenta, 1 or more
 * @param[in]     use_smeared_gauge displacements are along the smeared links (performGaugeSmearQuda()), else along the
 *                                resident ones; not read where all displacements are 1, which need no links
 * @param[in,out] inv_param       cpu_prec, of the arrays, and cuda_prec, double or single, and not above that of the
 *                                links; dirac_order, QUDA_DIRAC_ORDER; secs and gflops are filled in
 * @param[in]     X               [4] local extents, even, 2 to 512; those of the links where there are displacements
 * Collective: yes; the result is complete on every rank. Errors: bad_argument for null pointers, steps, numbers and
 * extents out of range, links that are absent or of another lattice; unsupported for other precisions and orders.
 */
void laphElementalsQuda(double _Complex *host_elementals, void **host_evec, int n_evec, int tile_evec,
                        const int *const *path, const int *path_length, int n_path, const int *mom_modes, int n_mom,
                        QudaBoolean use_smeared_gauge, QudaInvertParam *inv_param, const int X[4]);

/**
 * Set-up of vectors in newMultigridQuda() from now on, on all levels, in place of solves by setup_inv_type: Chebyshev
 * polynomials of M_pc^dag M_pc that are small except on the lowest part of its spectrum. Some random vectors take the
 * polynomial of one degree, another one gives from each the next, and so on, up to n_vec. With setup_inv_type =
 * QUDA_MG_INVERTER num_setup_iter rounds of the hierarchy's own cycle follow. Refreshes use setup_inv_type.
 * @param[in] order   degree of the first polynomial, some tens; 0: solves, as at the start and after endQuda()
 * @param[in] step    degree of those from vector to vector, a quarter of it or so
 * @param[in] sources random vectors
 * Collective: no, but all ranks must agree; newMultigridQuda() compares.
 */
void qudaSetMultigridFilter(int order, int step, int sources);

/** Profile of a multigrid level in a solve, level 0 being the finest; seconds of this process. */
typedef struct QudaMultigridLevelProfile_s {
  int rows;             /**< complex numbers of a site */
  double secs;          /**< in all, without coarser levels; the next four are its parts */
  double smoother_secs; /**< smoothers */
  double operator_secs; /**< residuals, and the steps around even-odd systems */
  double transfer_secs; /**< restrictions and prolongations */
  double solver_secs;   /**< the level's own solver, products with its operator; copies on the finest level */
  double setup_secs;    /**< vectors and operators of the next level, of all set-ups and updates so far */
  long long solves;     /**< of the level's system, not on the finest; all right-hand sides of one count once */
  long long iterations; /**< of its solver */
  double flops;         /**< products with its operators and transfers, of this process */
} QudaMultigridLevelProfile;

/**
 * Time of the last solve with a hierarchy, level by level. The solve prints the same if it is
 * QUDA_VERBOSE or the level's own verbosity is QUDA_SUMMARIZE or more.
 * @param[in]  mg_instance a handle of newMultigridQuda()
 * @param[in]  n_level     levels of the hierarchy
 * @param[out] levels      [n_level], of the caller
 * Collective: no. Errors: bad_argument for an invalid handle, another number of levels, or no solve so far.
 */
void multigridProfileQuda(void *mg_instance, int n_level, QudaMultigridLevelProfile *levels);

/** Parameters and results of tuneMultigridQuda(). Made by newQudaMultigridTuneParam(). */
typedef struct QudaMultigridTuneParam_s {
  size_t struct_size;   /**< bytes of this structure, set by newQudaMultigridTuneParam() */
  int by_flops;         /**< 1: counted operations decide, the same anywhere; 0: seconds; 0 */
  int n_src;            /**< right-hand sides of a solve, 1 to QUDA_MAX_MULTI_SRC; 1 */
  double max_seconds;   /**< nothing more is tried after this time, 0: no limit; 600 */
  double vector_secs;   /**< [out] seconds that the finest level's vectors took */
  int n_vec;            /**< [out] number of them */
  int iterations[2];    /**< [out] of a solve, with the parameters at the beginning and at the end */
  double secs[2];       /**< [out] its seconds */
  double gflop[2];      /**< [out] its flops in units of 1e9, on all processes */
  double setup_secs[2]; /**< [out] of the hierarchy, its finest vectors known */
} QudaMultigridTuneParam;

/** @return the parameters of a search with the values named above. Collective: no. */
QudaMultigridTuneParam newQudaMultigridTuneParam(void);

/**
 * Finds parameters of a multigrid hierarchy for the resident links: finest aggregates, numbers of vectors, levels,
 * smoothing steps, tolerances and steps of coarse solvers, one after the other; changes that make a solve cheaper stay.
 * Vectors of the finest level are sought once; the cost of each trial is printed if param->invert_param is
 * QUDA_SUMMARIZE or more, and at the end the members to copy into a host's input. The hierarchies are freed.
 *
 * By seconds, the slowest process and the faster of two solves count, and a change must save 2 %; nearly equal choices
 * may differ from run to run. By operations the search takes the same path on any number of threads,
 * and of processes if the same aggregates fit the local extents. Solutions do not depend on the search.
 * @param[in,out] param initial parameters, as for newMultigridQuda(), without files; the best ones at the end.
 * A level that is added has the unnamed members of the finest one
 * @param[in] solve  the solves: as for invertQuda() with a hierarchy, whose preconditioner is not read
 * @param[in,out] how parameters and results of the search
 * Errors: as of newMultigridQuda() and invertQuda(); files (unsupported); no convergence with the parameters that the
 * search begins with; param is then as it was.
 * Collective: yes.
 */
void tuneMultigridQuda(QudaMultigridParam *param, QudaInvertParam *solve, QudaMultigridTuneParam *how);
/**
 * The quark field in four dimensions of a field of domain-wall fermions, P_+- = (1 +- gamma5) / 2:
 *   q = P_- psi_0 + P_+ psi_{Ls-1}, or that in the middle of the fifth dimension P_+ psi_{Ls/2-1} + P_- psi_{Ls/2},
 * whose sum of |.|^2 divided by that of q, for the twelve columns of a propagator, is the residual mass.
 * @param[out]    h_quark  all sites, in param's cpu_prec, dirac_order and gamma_basis
 * @param[in]     h_fifth  the field of Ls slices on all sites, as invertQuda() gives it
 * @param[in]     midpoint 0: q, 1: the one in the middle, of an even Ls
 * @param[in,out] param    the operator, of domain-wall fermions, on the resident links; secs is filled in
 * Collective: yes. Errors: bad_argument for null pointers, other operators and an odd Ls; nothing is then written.
 */
void domainWallQuarkQuda(void *h_quark, void *h_fifth, int midpoint, QudaInvertParam *param);

/**
 * The five-dimensional source of one in four: P_+ eta on slice 0 and P_- eta on slice Ls - 1, 0 on the others, so
 * that domainWallQuarkQuda() of a solution is the quark's. Sources of Moebius fermions may want D_- before.
 * @param[out]    h_fifth  all sites, Ls slices, in param's cpu_prec, dirac_order and gamma_basis
 * @param[in]     h_source eta, all sites
 * @param[in,out] param    as for domainWallQuarkQuda()
 * Collective: yes. Errors: as there.
 */
void domainWallSourceQuda(void *h_fifth, void *h_source, QudaInvertParam *param);

#ifdef __cplusplus
}
#endif
