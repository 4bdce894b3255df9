/// Combine for gauge_file.h from an MPI communicator, which must outlive it. Only for programs built with MPI.
#pragma once

#ifdef QUDA_HAVE_MPI

// MPI's former C++ bindings are not wanted.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include "gauge_file.h"

namespace quda_files
{

Combine mpi_combine(MPI_Comm comm);

} // namespace quda_files

#endif
