// The hop or matrix of Wilson or clover fermions on a random spinor: time, and comparison with the plain reference.

#include "programs/common/operator_programs.h"

int main(int argc, char **argv) { return program::dslash_program(argc, argv, "dslash_test", QUDA_WILSON_DSLASH); }
