// Eigenvectors of Wilson or clover fermions, judged by the plain reference.

#include "programs/common/operator_programs.h"

int main(int argc, char **argv) { return program::eigen_program(argc, argv, "eigensolve_test", QUDA_WILSON_DSLASH); }
