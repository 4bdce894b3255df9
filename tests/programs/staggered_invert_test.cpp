// The same as invert_test of naive or improved staggered fermions.

#include "programs/common/operator_programs.h"

int main(int argc, char **argv)
{
  return program::invert_program(argc, argv, "staggered_invert_test", QUDA_ASQTAD_DSLASH);
}
