#include "ops/smear/flow_error.h"

#include <cmath>

#include "core/fold_parts.h"
#include "kernels/smear/flow_error_call.h"
#include "ops/halo/message_buffer.h"
#include "ops/launch.h"
#include "targets/target.h"

namespace quda
{

QUDA_KERNELS(FlowErrorCall, flow_error)

double flow_error(const GaugeField &after, const GaugeField &before, const GaugeField &first, const GaugeField &second,
                  double epsilon)
{
  const char *function = "flow_error";
  check_same_links(function, after, before);
  if (before.extended() || before.precision() != after.precision() || before.reconstruct() != after.reconstruct())
    fail(ErrorKind::internal, text("%s: links of different storage, or with a border", function));
  const int bytes = bytes_of(after.precision());
  const DeviceBuffer parts(static_cast<std::size_t>(most_fold_parts) * bytes);
  launch({.name = "FlowError",
          .lattice = after.lattice(),
          .extent = {registers(before), 8},
          .aux = links_text(after),
          .flops = 1204 * after.lattice().volume(),
          .bytes = 2 * link_bytes(after) + 2 * link_bytes(first)},
         instance(flow_error_kernels(), function, after),
         {after.view(), before.view(), first.view(), second.view(), epsilon, parts.device()});
  target().synchronize();
  double largest = 0;
  float in_single = 0;
  target().copy(bytes == 8 ? static_cast<void *>(&largest) : &in_single, parts.device(), bytes);
  if (bytes != 8) largest = in_single;
  after.lattice().communicator().max(&largest, 1);
  return std::sqrt(largest);
}

} // namespace quda
