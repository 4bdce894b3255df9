# The CUDA target: built when a CUDA compiler is found (AUTO), left out otherwise. Sets QUDA_HAVE_CUDA.

set(QUDA_HAVE_CUDA OFF)
if(NOT QUDA_CUDA STREQUAL OFF)
  if(CUDAToolkit_ROOT AND NOT CMAKE_CUDA_COMPILER)
    find_program(CMAKE_CUDA_COMPILER nvcc HINTS ${CUDAToolkit_ROOT}/bin NO_DEFAULT_PATH)
  endif()
  include(CheckLanguage)
  # PTX is made once, for the oldest architecture, and compiled for each; later GPUs compile it when they load it.
  string(REPLACE "sm_" "" gpu_architectures "${QUDA_GPU_ARCH}")
  list(SORT gpu_architectures COMPARE NATURAL)
  list(GET gpu_architectures 0 gpu_virtual)
  list(TRANSFORM gpu_architectures PREPEND "sm_")
  list(JOIN gpu_architectures "," gpu_code)
  set(CMAKE_CUDA_ARCHITECTURES OFF)
  if(NOT CMAKE_CUDA_HOST_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
      set(QUDA_HAVE_CUDA ON)
    elseif(QUDA_CUDA STREQUAL ON)
      message(FATAL_ERROR "CUDA ${CMAKE_CUDA_COMPILER_VERSION} is too old: C++20 kernels need CUDA 12 or newer")
    endif()
  elseif(QUDA_CUDA STREQUAL ON)
    message(FATAL_ERROR "QUDA_CUDA is ON and no CUDA compiler was found: put nvcc on the PATH or set CUDAToolkit_ROOT")
  endif()
endif()

if(QUDA_HAVE_CUDA)
  find_package(CUDAToolkit REQUIRED)
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake before 3.26 does not know that CUDA has C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  # The resource report of ptxas goes to one file per object under <build>/ptxas, read by tests/house.
  set(QUDA_PTXAS_LOG ${CMAKE_BINARY_DIR}/ptxas)
  set(CMAKE_CUDA_COMPILER_LAUNCHER sh ${PROJECT_SOURCE_DIR}/cmake/ptxas_log.sh ${QUDA_PTXAS_LOG} ${CCACHE})
  target_compile_definitions(quda_flags INTERFACE QUDA_HAVE_CUDA=1)

  add_library(quda_cuda_flags INTERFACE)
  target_compile_options(quda_cuda_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:--generate-code=arch=compute_${gpu_virtual},code=[compute_${gpu_virtual},${gpu_code}]>"
    "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xptxas=-v;-fmad=false>"
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler=-fvisibility=hidden,-ffp-contract=off,-fno-math-errno>"
    "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${QUDA_STRICT}>>:-Werror=all-warnings>")
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8) # a quarter of the bytes that the default leaves
    target_compile_options(quda_cuda_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>")
  endif()
  set(quda_run_time CUDA::cudart_static) # of libquda and the benchmark: nothing to install beside them
endif()
