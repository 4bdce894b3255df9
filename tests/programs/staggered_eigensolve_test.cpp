// Eigenvectors of staggered fermions, judged by the plain reference.

#include "programs/common/operator_programs.h"

int main(int argc, char **argv)
{
  return program::eigen_program(argc, argv, "staggered_eigensolve_test", QUDA_STAGGERED_DSLASH);
}
