#pragma once
/// Partial results of a reduction with an operator (<fold.h> of the targets).

namespace quda
{

constexpr int most_fold_parts = 1024; // of each number of the result

} // namespace quda
