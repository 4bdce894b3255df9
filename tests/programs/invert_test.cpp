// Linear systems of Wilson or clover fermions, judged by the plain reference.

#include "programs/common/operator_programs.h"

int main(int argc, char **argv) { return program::invert_program(argc, argv, "invert_test", QUDA_WILSON_DSLASH); }
