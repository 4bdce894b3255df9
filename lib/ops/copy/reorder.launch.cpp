/// Instances of the copies.

#include "ops/copy/reorder_table.h"
#include "device/built.h"
#include "kernels/copy/rebuild.h"
#include "kernels/copy/reorder.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  /// Host fields come in either precision whatever was built, so all are there.
  template <class To, class From> void reorder(const TuneParam &tp, void *stream, const ReorderCall &call)
  {
    launch_3d<Reorder>(tp, stream, ReorderArg<To, From, ReorderCall>(call));
  }

  template <class To, class From> void convert(const TuneParam &tp, void *stream, const ReorderCall &call)
  {
    launch_3d<Convert>(tp, stream, ConvertArg<To, From>(call, tp));
  }

  template <class T, int recon> void rebuild(const TuneParam &tp, void *stream, const RebuildCall &call)
  {
    launch_3d<Rebuild>(tp, stream, RebuildArg<T, recon>(call));
  }

  template <class T> void compress(const TuneParam &tp, void *stream, const RebuildCall &call)
  {
    launch_3d<Compress>(tp, stream, CompressArg<T>(call));
  }

} // namespace

extern const ReorderTable reorder_table;
const ReorderTable reorder_table = {
    {{reorder<double, double>, reorder<double, float>, reorder<double, Half>},
     {reorder<float, double>, reorder<float, float>, reorder<float, Half>},
     {reorder<Half, double>, reorder<Half, float>, reorder<Half, Half>}},
    {convert<Half, float>, convert<float, Half>},
    {{rebuild<double, 12>, rebuild<double, 8>}, {rebuild<float, 12>, rebuild<float, 8>}},
    {compress<double>, compress<float>}};

} // namespace quda::QUDA_TARGET_NAMESPACE
