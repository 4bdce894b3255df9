# Compilers: the standard, the flags everything shares, the compiler cache.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3" CACHE STRING "" FORCE)
set(CMAKE_C_FLAGS_RELEASE "-O3" CACHE STRING "" FORCE)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Results must not depend on how the compiler regroups arithmetic: no contraction (fused multiply-adds are explicit in
# the kernels) and never -ffast-math. The last two only drop errno and trap bookkeeping; they change no value.
add_library(quda_flags INTERFACE)
target_compile_options(quda_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-ffp-contract=off;-fno-math-errno;-fno-trapping-math>
  $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<BOOL:${QUDA_STRICT}>>:-Werror>)
target_link_libraries(quda_flags INTERFACE Threads::Threads)
if(QUDA_OPENMP)
  target_link_libraries(quda_flags INTERFACE OpenMP::OpenMP_CXX)
endif()
target_compile_definitions(quda_flags INTERFACE
  QUDA_PRECISION=${QUDA_PRECISION} QUDA_RECONSTRUCT=${QUDA_RECONSTRUCT}
  $<$<BOOL:${QUDA_MPI}>:QUDA_HAVE_MPI=1>)

# Only units that include mpi.h link this; MPI's own C++ classes stay out.
add_library(quda_mpi INTERFACE)
if(QUDA_MPI)
  target_link_libraries(quda_mpi INTERFACE MPI::MPI_C)
  target_compile_definitions(quda_mpi INTERFACE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
endif()

if(QUDA_SANITIZE)
  string(REPLACE ";" "," sanitizers "${QUDA_SANITIZE}")
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${sanitizers};-fno-omit-frame-pointer>")
  if(sanitizers MATCHES undefined)
    add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=undefined>")
  endif()
  add_link_options(-fsanitize=${sanitizers})
endif()
