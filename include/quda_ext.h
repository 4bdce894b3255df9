#pragma once

/**
 * @file
 * What libquda offers beyond QUDA's interface: an application can learn of errors in place of ending with the first
 * one; contractions with the gamma matrices that were meant. Valid C99 and C++.
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

#ifdef __cplusplus
}
#endif
