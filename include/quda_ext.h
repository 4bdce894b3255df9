#pragma once

/**
 * @file
 * What libquda offers beyond QUDA's interface: an application can learn of errors in place of ending with the first
 * one; stout smearing from host field to host field. Valid C99 and C++.
 *
 * Without a handler an error is printed with rank, function, file and line, and the communicator is ended. With one,
 * the call that failed tells the handler and returns; functions that return a value return zero or a null pointer. The
 * library is then as it was before the call or, where keeping both would double the memory, the field in question is
 * freed and the message says so. Collective calls check their arguments on all ranks and agree before they do anything,
 * so that all ranks fail or none; a failure of one rank later than that ends the communicator, handler or not.
 */

#ifdef __cplusplus
extern "C" {
#endif

struct QudaGaugeParam_s; /* quda.h */

/** What kind of error happened. */
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
 * program, and must not call the library but for qudaGetLastError().
 * @param[in] kind    what kind of error
 * @param[in] message function, parameter, value and what is allowed; valid during the call of the handler
 * @param[in] user    what was handed to qudaSetErrorHandler()
 */
typedef void (*QudaErrorHandler)(QudaErrorKind kind, const char *message, void *user);

/**
 * Install an error handler.
 * @param[in] handler the handler; null: back to the default, which ends the program
 * @param[in] user    handed to the handler, not looked at
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
 * Stout smearing (hep-lat/0311018) of a host field into a host field; resident fields are not touched. A step makes
 * every link of the smeared directions from the old links,
 *   U'_nu(x) = exp( TA[ rho C_nu(x) U_nu(x)^dag ] ) U_nu(x),
 *   C_nu(x) = sum_mu U_mu(x) U_nu(x+mu) U_mu(x+nu)^dag + U_mu(x-mu)^dag U_nu(x-mu) U_mu(x-mu+nu),
 * mu over the other smeared directions, TA the traceless anti-Hermitian part (M - M^dag)/2. Links are taken as they
 * are, with anisotropy and boundary signs if they carry them.
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
void stoutQuda(void *h_out, void *h_in, unsigned int n_steps, double rho, int dir_ignore,
               struct QudaGaugeParam_s *param);

#ifdef __cplusplus
}
#endif
