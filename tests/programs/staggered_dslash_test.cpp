// The same as dslash_test of naive or improved staggered fermions.

#include "programs/common/operator_programs.h"

int main(int argc, char **argv)
{
  return program::dslash_program(argc, argv, "staggered_dslash_test", QUDA_ASQTAD_DSLASH);
}
