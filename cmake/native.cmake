# QUDA_NATIVE: a build for this machine only compiles half of a portable one, or a quarter where there is no GPU. It
# narrows QUDA_CPU_ARCH and QUDA_CUDA of this run; what the cache holds stays, so that the same folder can go back.

set(needed_for_avx2 avx2 fma)
set(needed_for_avx512 avx512f avx512bw avx512dq avx512vl)
set(flags none)
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
endif()
string(REGEX MATCHALL "[a-z0-9_]+" flags "${flags}")
set(best)
foreach(arch IN ITEMS avx2 avx512) # the better one last
  set(lacking ${needed_for_${arch}})
  list(REMOVE_ITEM lacking ${flags})
  if(NOT lacking AND arch IN_LIST QUDA_CPU_ARCH)
    set(best ${arch})
  endif()
endforeach()
if(best)
  set(QUDA_CPU_ARCH ${best})
endif()

if(QUDA_CUDA STREQUAL AUTO)
  execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE no_gpu OUTPUT_QUIET ERROR_QUIET)
  if(no_gpu)
    set(QUDA_CUDA OFF)
  endif()
endif()
