#include "gauge_file_mpi.h"

#ifdef QUDA_HAVE_MPI

namespace quda_files
{

namespace
{
  void reduce(std::uint64_t *words, std::size_t n, MPI_Op op, MPI_Comm comm)
  {
    if (MPI_Allreduce(MPI_IN_PLACE, words, static_cast<int>(n), MPI_UINT64_T, op, comm) != MPI_SUCCESS)
      throw FileError("MPI_Allreduce failed while ranks compared what they read");
  }
} // namespace

Combine mpi_combine(MPI_Comm comm)
{
  return {[comm](std::uint64_t *words, std::size_t n) { reduce(words, n, MPI_BXOR, comm); },
          [comm](std::uint64_t *words, std::size_t n) { reduce(words, n, MPI_SUM, comm); }};
}

} // namespace quda_files

#endif
