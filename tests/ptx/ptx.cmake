# The CUDA target without a GPU: PTX, as nvcc makes it of the library's kernels, carried out on the processor.
#   <build>/ptx/libcudart.so.13   stands in for the CUDA run time, which test programs link as a shared library
#   <build>/ptx/libquda.so        the library's objects, linked with that
# ptx.NAME is the test NAME once more, with these and QUDA_TARGET=cuda. Label ptx; those that take longer are slow too.

set(ptx ${CMAKE_CURRENT_SOURCE_DIR}/ptx)
file(GLOB ptx_sources CONFIGURE_DEPENDS ${ptx}/*.cpp)
file(GLOB ptx_tests CONFIGURE_DEPENDS ${ptx}/*_test.cpp)
list(REMOVE_ITEM ptx_sources "" ${ptx_tests})

# loops over 32 lanes are worth vectors
add_library(ptx_emulator OBJECT ${ptx_sources})
target_link_libraries(ptx_emulator PRIVATE quda_flags)
target_include_directories(ptx_emulator PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(ptx_emulator PRIVATE PTX_PTXAS_FOLDER="${QUDA_PTXAS_LOG}")
target_compile_options(ptx_emulator PRIVATE $<$<BOOL:${QUDA_COMPILER_AVX2}>:-mavx2;-mfma>)
# nvcc is what the library needs, its headers what the run time needs
target_include_directories(ptx_emulator SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})

set(ptx_folder ${CMAKE_BINARY_DIR}/ptx)
function(ptx_library name)
  add_library(${name} SHARED ${ARGN})
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${ptx_folder} LINKER_LANGUAGE CXX
    CUDA_RESOLVE_DEVICE_SYMBOLS OFF)
endfunction()
ptx_library(ptx_cudart $<TARGET_OBJECTS:ptx_emulator>)
set_target_properties(ptx_cudart PROPERTIES OUTPUT_NAME cudart SOVERSION ${CUDAToolkit_VERSION_MAJOR}
  LINK_DEPENDS ${ptx}/cudart.map)
target_link_options(ptx_cudart PRIVATE LINKER:--version-script=${ptx}/cudart.map)
target_link_libraries(ptx_cudart PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)

if(QUDA_LIBRARY)
  set(objects)
  foreach(object IN LISTS QUDA_OBJECTS)
    list(APPEND objects $<TARGET_OBJECTS:${object}>)
  endforeach()
  ptx_library(ptx_quda ${objects})
  set_target_properties(ptx_quda PROPERTIES OUTPUT_NAME quda SOVERSION 1)
  add_dependencies(ptx_quda quda_version_script)
  target_link_options(ptx_quda PRIVATE LINKER:--version-script=${version_script} LINKER:-z,nodynamic-undefined-weak
    LINKER:-z,nodelete)
  # first: of two run times the linker takes the one it meets first
  target_link_libraries(ptx_quda PRIVATE ptx_cudart ${quda_link_libraries})
endif()

# The emulator's own tests need neither a library nor kernels of it.
add_executable(ptx_test ${ptx_tests} $<TARGET_OBJECTS:ptx_emulator>)
set_target_properties(ptx_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests LINKER_LANGUAGE CXX)
target_include_directories(ptx_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_include_directories(ptx_test SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_link_libraries(ptx_test PRIVATE quda_flags GTest::gtest_main GTest::gtest ${CMAKE_DL_LIBS})
add_test(NAME ptx_test COMMAND ptx_test)
set_tests_properties(ptx_test PROPERTIES ENVIRONMENT "${test_environment}" LABELS "quick;ptx" TIMEOUT 300)

# Tests that run once more: what takes seconds, and what is slow, as multigrid's set-ups are. Programs that count on
# memory limits, on a device's absence or on nothing of a device stay out.
set(ptx_quick "^(clover_test|contract_test|links_test|fix_test|fields_test|copy_test|random_test|targets_test|\
program\\.(contract_test|laph_test|invert_test|staggered_invert_test|staggered_dslash_test|dslash_test|su3_test|\
gauge_path_test|plaq_test|llfat_test)\\..*|program\\.eigensolve_test\\.(default|blocks|twisted)|\
python\\.(own\\.test_wilson|own\\.test_clover|.*Wilson.*))$")
set(ptx_slow "^((blas|dirac|force|gauge|heatbath|kernel_ops|multigrid|smear|solvers|interface)_test|\
(bits|halo|interface|solvers|fields)_mpi_test\\.[12]|\
(blas|contract|copy|dirac|fix|force|gauge|heatbath|kernel_ops|links|smear)_mpi_test\\.2|program\\..*|python\\..*)$")

# Chains of trajectories, searches for parameters, and solves that end at rounding: what others do in a few steps,
# hundreds of times.
set(ptx_left_out "^program\\.(invert_test\\.below-single|hmc_gauge_test\\.(8-.*|plaquette-.*|restart)|\
flow_scale_test\\.t0|hmc_test\\.(200-.*|domain-wall.*|plaquette.*|restart)|mg_tune\\..*|.*_picture)$")

# These ranks have a device each.
set(ptx_two_devices "^(dirac|force|halo|solvers)_mpi_test\\.2$")

# Other ranks share one. Tuning would be most of the time.
set(ptx_environment OMP_NUM_THREADS=1 QUDA_TARGET=cuda QUDA_ENABLE_TUNING=0 QUDA_ENABLE_MPS=1
  LD_LIBRARY_PATH=${ptx_folder} QUDA_LIBRARY_PATH=${ptx_folder}/libquda.so)

# What tests say of themselves after they were added holds for their second runs too; to be called last.
function(ptx_as_the_first)
  get_property(names GLOBAL PROPERTY quda_ptx_tests)
  foreach(name IN LISTS names)
    foreach(property WILL_FAIL PASS_REGULAR_EXPRESSION FIXTURES_REQUIRED SKIP_RETURN_CODE)
      get_test_property(${name} ${property} value)
      if(value)
        set_tests_properties(ptx.${name} PROPERTIES ${property} "${value}")
      endif()
    endforeach()
  endforeach()
endfunction()

# ptx_run_again(NAME COMMAND...): the test NAME, which has been added, with the emulator
function(ptx_run_again name)
  if(name MATCHES "${ptx_left_out}")
    return()
  elseif(name MATCHES "${ptx_quick}" AND NOT name MATCHES multigrid)
    set(labels ptx)
  elseif(name MATCHES "${ptx_slow}")
    set(labels "ptx;slow")
  else()
    return()
  endif()
  get_test_property(${name} ENVIRONMENT environment)
  if(name MATCHES "${ptx_two_devices}")
    list(APPEND environment PTX_DEVICES=2)
  endif()
  if(name MATCHES "^bits_") # these of its tests are of processors alone
    list(APPEND environment "GTEST_FILTER=-*OfLaunchesByHand:*OfTunedLaunches")
  elseif(name STREQUAL heatbath_test) # long chains of what the others do in a few steps
    list(APPEND environment "GTEST_FILTER=-MeanPlaquette.*")
  elseif(name STREQUAL multigrid_test) # kernels; hierarchies are products of theirs and of what other tests launch
    list(APPEND environment "GTEST_FILTER=Blocks.*:ChiralColumns.*:Hypercubes.*:FineTransfer.*:Row*")
  elseif(name STREQUAL interface_test) # memory of the host is limited, launches are tuned; fifty hierarchies are made
    list(APPEND environment
      "GTEST_FILTER=-FullMemory.*:Tuning.CacheAndProfileAreWritten:MultigridCalls.MemoryReturns")
  endif()
  add_test(NAME ptx.${name} COMMAND ${ARGN})
  set_tests_properties(ptx.${name} PROPERTIES LABELS "${labels}" TIMEOUT 3600 PROCESSORS 1 ENVIRONMENT
    "${environment};${ptx_environment}")
  set_property(GLOBAL APPEND PROPERTY quda_ptx_tests ${name})
endfunction()
