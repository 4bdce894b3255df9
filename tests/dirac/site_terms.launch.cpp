#include "dirac/site_terms_table.h"
#include "kernels/dirac/fifth.h"
#include "kernels/dirac/twist.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Kernel> static int bytes_of(int x, int y, int z) { return shared_bytes<Kernel>({{x, y, z}}); }

extern const SiteTermsTable site_terms = {bytes_of<Twist<TwistArg<double, 1>>>, bytes_of<Twist<TwistArg<double, 2>>>,
                                          bytes_of<Fifth<FifthArg<double, 0>>>};

} // namespace quda::QUDA_TARGET_NAMESPACE
