#pragma once
/// The place of a site in a field without a border, for kernels that read no neighbour: the number of its register.

#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

QUDA_DEVICE Place register_place(unsigned x_cb, int parity) { return {x_cb, parity, 0, false, nullptr}; }

} // namespace quda::QUDA_TARGET_NAMESPACE
