#include "random/functions_kernel.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T> void functions(const TuneParam &tp, const FunctionsCall &call)
  {
    launch_1d<Functions>(tp, nullptr, FunctionsArg<T> {{call.n / width<T>, 1, 1}, call});
  }

  template <class T> void angles(const TuneParam &tp, const AnglesCall &call)
  {
    launch_1d<Angles>(tp, nullptr, AnglesArg<T> {{call.n / width<T>, 1, 1}, call});
  }

  void words(const TuneParam &tp, const WordsCall &call)
  {
    launch_1d<Philox>(tp, nullptr, WordsArg {{call.n / width<double>, 1, 1}, call});
  }

} // namespace

extern const FunctionsTable elementary_functions;
const FunctionsTable elementary_functions = {
    {functions<double>, functions<float>}, {angles<double>, angles<float>}, words};

} // namespace quda::QUDA_TARGET_NAMESPACE
