#pragma once
/// A host program in plain C, run as part of the tests.

#ifdef __cplusplus
extern "C" {
#endif

/// Uses the interface as a C program does. Returns null, or what was not as expected.
const char *c_program(void);

/// Contracts two fields of unit spinors. Returns null, or what was not as expected.
const char *c_contraction(void);

/// Frees and flushes what there never was, before, in and after a session; errors end the process.
void c_empty(void);

#ifdef __cplusplus
}
#endif
