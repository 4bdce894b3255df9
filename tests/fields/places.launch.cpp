#include "fields/places_kernel.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int reals> static void places_of(const TuneParam &tp, const PlacesCall &call)
{
  launch_1d<Places>(tp, nullptr, PlacesArg<T, reals>(call));
}

extern const PlacesTable places = {{places_of<double, 18>, places_of<float, 18>},
                                   {places_of<double, 24>, places_of<float, 24>}};

} // namespace quda::QUDA_TARGET_NAMESPACE
