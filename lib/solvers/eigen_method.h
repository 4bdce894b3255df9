#pragma once
/// The methods that find eigenvalues, a row each: what is known of one beside the expansion of its space
/// (krylov_space.h). A method solves the projected problem and says how good its pairs are; a new one is its function
/// and its row in eigen_method.cpp.

#include <functional>
#include <span>

#include "solvers/dense_eigen.h"

namespace quda
{

/// With the numbers that hosts know them by (QudaEigType).
enum class EigenMethod : int {
  tr_lanczos = 0,
  block_tr_lanczos = 1,
  tr_lanczos_3d = 2,
  ir_arnoldi = 3,
  block_ir_arnoldi = 4
};

/// Which eigenvalues are wanted, the first of an order; by hosts' numbers (QudaEigSpectrumType).
enum class Wanted : int {
  largest_modulus = 0,
  smallest_modulus = 1,
  largest_real = 2,
  smallest_real = 3,
  largest_imaginary = 4,
  smallest_imaginary = 5
};

/// Whether a comes before b; of equal ones neither does.
bool comes_before(Wanted wanted, blas::Complex a, blas::Complex b);

/// Of A V = V H + V' B the eigenvalues of H, the wanted ones first, and what a restart needs.
struct RitzPairs {
  std::vector<blas::Complex> values;
  std::vector<double> residuals; // |A x - theta x| of each Ritz vector x of unit length
  blas::Matrix Q;                // V Q: its first k columns span what the first k Ritz vectors span
  blas::Matrix T;                // Q^dag H Q, upper triangular
  blas::Matrix Y;                // Ritz vectors V Q Y; upper triangular
};

struct EigenMethodRow {
  EigenMethod method;
  const char *name; // as users know it
  bool hermitian;   // the matrix must be
  bool blocks;      // of vectors, as many as the host says; else of one
  bool slices;      // time slices are problems of their own (dirac/sliced.h)
  RitzPairs (*ritz)(const blas::Matrix &H, const blas::Matrix &B, Wanted wanted);
};

/// All of them, in the order of their numbers.
std::span<const EigenMethodRow> eigen_methods();

/// Null where there is none of this number.
const EigenMethodRow *find_eigen_method(int number);

} // namespace quda
