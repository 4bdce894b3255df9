#include "dense/batch.h"

#include <Eigen/Core>

namespace quda::dense
{

void prepare_eigen()
{
  [[maybe_unused]] static const bool once = [] {
    Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 2 << 20);
    Eigen::setNbThreads(1); // threads are ours
    return true;
  }();
}

} // namespace quda::dense
