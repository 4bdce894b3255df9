#pragma once
/// Partial results of a reduction with an operator (<fold.h> of the targets).

namespace quda
{

constexpr int most_fold_parts = 1024; // each of so many numbers as the result has

} // namespace quda
