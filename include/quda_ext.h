#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef enum QudaErrorKind_s {
  QUDA_ERROR_KIND_NONE = 0,
  QUDA_ERROR_KIND_BAD_ARGUMENT = 1,
  QUDA_ERROR_KIND_UNSUPPORTED = 2,
  QUDA_ERROR_KIND_NOT_BUILT = 3,
  QUDA_ERROR_KIND_OUT_OF_MEMORY = 4,
  QUDA_ERROR_KIND_DEVICE = 5,
  QUDA_ERROR_KIND_COMMS = 6,
  QUDA_ERROR_KIND_FILE = 7,
  QUDA_ERROR_KIND_INTERNAL = 8
} QudaErrorKind;

typedef void (*QudaErrorHandler)(QudaErrorKind kind, const char *message, void *user);

void qudaSetErrorHandler(QudaErrorHandler handler, void *user);
QudaErrorKind qudaGetLastError(const char **message);
void qudaClearLastError(void);

#ifdef __cplusplus
}
#endif
