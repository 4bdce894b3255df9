#include "fields/places_kernel.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int reals> static void places_of(const TuneParam &tp, const PlacesCall &call)
{
  launch_1d<Places>(tp, nullptr, PlacesArg<T, reals>(call));
}

static void around_of(const TuneParam &tp, const AroundCall &call)
{
  launch_1d<FoundTogether>(tp, nullptr, AroundArg(call));
}

extern const PlacesTable places = {
    {places_of<double, 18>, places_of<float, 18>}, {places_of<double, 24>, places_of<float, 24>}, around_of};

} // namespace quda::QUDA_TARGET_NAMESPACE
