#pragma once
/// Which combinations this build holds: QUDA_PRECISION (double 8, single 4) and QUDA_RECONSTRUCT (18: 4, 12: 2) are bit
/// masks with QUDA's meaning. QUDA_DOUBLE_18(f) is f<double, 18>, or a null pointer where the build leaves it out; the
/// host side reports a null entry of a kernel table by name.

#ifndef QUDA_PRECISION
#define QUDA_PRECISION 12
#endif
#ifndef QUDA_RECONSTRUCT
#define QUDA_RECONSTRUCT 6
#endif

#if QUDA_PRECISION & 8
#define QUDA_DOUBLE(f) f<double>
#else
#define QUDA_DOUBLE(f) nullptr
#endif

#if QUDA_PRECISION & 4
#define QUDA_SINGLE(f) f<float>
#else
#define QUDA_SINGLE(f) nullptr
#endif

#if (QUDA_PRECISION & 8) && (QUDA_RECONSTRUCT & 4)
#define QUDA_DOUBLE_18(f) f<double, 18>
#else
#define QUDA_DOUBLE_18(f) nullptr
#endif

#if (QUDA_PRECISION & 8) && (QUDA_RECONSTRUCT & 2)
#define QUDA_DOUBLE_12(f) f<double, 12>
#else
#define QUDA_DOUBLE_12(f) nullptr
#endif

#if (QUDA_PRECISION & 4) && (QUDA_RECONSTRUCT & 4)
#define QUDA_SINGLE_18(f) f<float, 18>
#else
#define QUDA_SINGLE_18(f) nullptr
#endif

#if (QUDA_PRECISION & 4) && (QUDA_RECONSTRUCT & 2)
#define QUDA_SINGLE_12(f) f<float, 12>
#else
#define QUDA_SINGLE_12(f) nullptr
#endif

/// [precision: double, single][reconstruct: 18, 12] and [precision] of a kernel table.
#define QUDA_PRECISION_RECONSTRUCT(f)                                                                                  \
  {                                                                                                                    \
    {QUDA_DOUBLE_18(f), QUDA_DOUBLE_12(f)}, { QUDA_SINGLE_18(f), QUDA_SINGLE_12(f) }                                   \
  }
#define QUDA_PRECISIONS(f)                                                                                             \
  {                                                                                                                    \
    QUDA_DOUBLE(f), QUDA_SINGLE(f)                                                                                     \
  }
