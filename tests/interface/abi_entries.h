#pragma once

/// Rows of abi_data.def that the compiler evaluates, in C as in C++: a layout or a value as the headers have it beside
/// what the interface demands. Included before abi_data.def, which then is a list of initialisers.

#include "quda.h"
#include "quda_ext.h"
#include "quda_fortran.h"
#include "quda_milc_interface.h"

#include <stddef.h>

struct AbiEntry {
  const char *what;
  long long found;
  long long wanted;
};

#define ABI_STRUCT(name, size) {"size of " #name, sizeof(name), size},
#define ABI_FIELD(name, field, offset, size)                                                                           \
  {"offset of " #name "." #field, offsetof(name, field), offset},                                                      \
      {"size of " #name "." #field, sizeof(((name *)0)->field), size},
#define ABI_ENUMERATOR(name, enumerator, value)                                                                        \
  {"value of " #enumerator, enumerator, value}, {"size of " #name, sizeof(name), 4},
