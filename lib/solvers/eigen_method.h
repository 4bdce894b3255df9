#pragma once
/// Table of the methods that find eigenvalues, one row each, with their properties beyond the expansion of the space
/// (krylov_space.h). A method solves the projected problem and gives the residuals of its pairs; a new one is its
/// function and its row in eigen_method.cpp.

#include <functional>
#include <span>

#include "solvers/dense_eigen.h"

namespace quda
{

/// The methods, with the hosts' numbers (QudaEigType).
enum class EigenMethod : int {
  tr_lanczos = 0,
  block_tr_lanczos = 1,
  tr_lanczos_3d = 2,
  ir_arnoldi = 3,
  block_ir_arnoldi = 4
};

/// Wanted end of the spectrum: the first eigenvalues in this order, with the hosts' numbers (QudaEigSpectrumType).
enum class Wanted : int {
  largest_modulus = 0,
  smallest_modulus = 1,
  largest_real = 2,
  smallest_real = 3,
  largest_imaginary = 4,
  smallest_imaginary = 5
};

/// Whether a comes before b; false for equal ones.
bool comes_before(Wanted wanted, blas::Complex a, blas::Complex b);

/// Eigenvalues of H in A V = V H + V' B, the wanted ones first, and the matrices that a restart needs.
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
  bool hermitian;   // whether the matrix must be Hermitian
  bool blocks;      // whether it takes blocks of vectors, with the host's size; else single vectors
  bool slices;      // whether each time slice is its own problem (dirac/sliced.h)
  RitzPairs (*ritz)(const blas::Matrix &H, const blas::Matrix &B, Wanted wanted);
};

/// All methods, in the order of their numbers.
std::span<const EigenMethodRow> eigen_methods();

/// The method of this number; null if there is none.
const EigenMethodRow *find_eigen_method(int number);

} // namespace quda
