#pragma once

/**
 * @file
 * What libquda offers beyond QUDA's interface: an application can learn of errors in place of ending with the first
 * one. Valid C99 and C++.
 *
 * Without a handler an error is printed with rank, function, file and line, and the communicator is ended. With one,
 * the call that failed tells the handler and returns; functions that return a value return zero or a null pointer. The
 * library is then as it was before the call or, where keeping both would double the memory, the field in question is
 * freed and the message says so. Collective calls check their arguments on all ranks and agree before they do anything,
 * so that all ranks fail or none; a failure of one rank later than that ends the communicator, handler or not.
 */

#include "quda.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
