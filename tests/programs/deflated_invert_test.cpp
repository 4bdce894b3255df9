// The same as invert_test by incremental eigCG: sources one after the other, each of which leaves low modes for those that
// follow.

#include "programs/common/operator_programs.h"

int main(int argc, char **argv)
{
  return program::invert_program(argc, argv, "deflated_invert_test", QUDA_WILSON_DSLASH, true);
}
