#pragma once

/**
 * @file
 * Sizes of arrays in the parameter structures, and the version of the interface. Host codes also read this file
 * as text: every macro here has a name and a value.
 */

/** @brief Version of the interface followed, first number. */
#define QUDA_VERSION_MAJOR 1

/** @brief Version of the interface followed, second number. */
#define QUDA_VERSION_MINOR 1

/** @brief Version of the interface followed, third number. */
#define QUDA_VERSION_SUBMINOR 0

/** @brief The three numbers in one, for comparisons. */
#define QUDA_VERSION ((QUDA_VERSION_MAJOR << 16) | (QUDA_VERSION_MINOR << 8) | QUDA_VERSION_SUBMINOR)

/** @brief Entries of arrays that have one a dimension. */
#define QUDA_MAX_DIM 6

/** @brief Matrices a site of a gauge field has at most, one a direction and orientation. */
#define QUDA_MAX_GEOMETRY 8

/** @brief Shifts that a multi-shift solver takes at most. */
#define QUDA_MAX_MULTI_SHIFT 32

/** @brief Right-hand sides that one call takes at most. */
#define QUDA_MAX_MULTI_SRC 128

/** @brief Extent of the fifth dimension at most. */
#define QUDA_MAX_DWF_LS 32

/** @brief Levels of multigrid at most. */
#define QUDA_MAX_MG_LEVEL 5
