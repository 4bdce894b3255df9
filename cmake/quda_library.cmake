# The library: every source is compiled once. libquda takes host objects, launch units of the real targets and the C
# interface; the internal library takes the same objects and is linked whole into the benchmark and, with that of the
# fiber target, into tests. No program links libquda and the internal library.

set(lib ${PROJECT_SOURCE_DIR}/lib)
file(GLOB_RECURSE host_sources CONFIGURE_DEPENDS ${lib}/*.cpp)
file(GLOB_RECURSE launch_sources CONFIGURE_DEPENDS ${lib}/*.launch.cpp)
file(GLOB_RECURSE fiber_sources CONFIGURE_DEPENDS ${lib}/targets/fiber/*.cpp)
file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS ${lib}/targets/cuda/*.cu)
file(GLOB_RECURSE cuda_host_sources CONFIGURE_DEPENDS ${lib}/targets/cuda/*.cpp)
file(GLOB_RECURSE interface_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/interface/*.cpp)
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h)
if(launch_sources OR fiber_sources OR cuda_host_sources)
  list(REMOVE_ITEM host_sources ${launch_sources} ${fiber_sources} ${cuda_host_sources})
endif()

if(QUDA_HAVE_CUDA)
  set(QUDA_DEFINE_CUDA "#define QUDA_ENABLE_MMA")
  string(REGEX MATCH "[0-9]+" oldest_arch "${QUDA_GPU_ARCH}")
  string(APPEND QUDA_DEFINE_CUDA "\n#define __COMPUTE_CAPABILITY__ ${oldest_arch}0")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/quda_define.h.in ${CMAKE_BINARY_DIR}/include/quda_define.h @ONLY)

# quda_precompile(NAME HEADERS...): what most units of the object library read, read once, where QUDA_PRECOMPILE is set
function(quda_precompile name)
  if(QUDA_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE <algorithm> <array> <cmath> <complex> <functional> <limits> <map> <memory>
      <string> <vector> <core/error.h> <comms/communicator.h> <fields/gauge_field.h> <fields/color_spinor_field.h>
      <fields/clover_field.h> <targets/target.h> ${ARGN})
  endif()
endfunction()

set(QUDA_OBJECTS) # everything libquda is made of
if(host_sources)
  add_library(quda_host OBJECT ${host_sources})
  target_link_libraries(quda_host PRIVATE quda_flags quda_mpi)
  target_include_directories(quda_host PRIVATE ${lib})
  target_compile_options(quda_host PRIVATE -fvisibility=hidden)
  if(QUDA_FFTW) # one source knows of it
    set_source_files_properties(${lib}/ops/fix/fourier.cpp PROPERTIES COMPILE_DEFINITIONS QUDA_FFTW
      INCLUDE_DIRECTORIES ${FFTW_INCLUDE})
  endif()
  find_package(Eigen3 REQUIRED NO_MODULE) # few sources know of it, too
  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  file(GLOB eigen_sources CONFIGURE_DEPENDS ${lib}/dense/*.cpp)
  set_source_files_properties(${eigen_sources} ${lib}/solvers/gmres_dr.cpp ${lib}/solvers/dense_eigen.cpp
    PROPERTIES COMPILE_OPTIONS "-isystem;${eigen}")
  quda_precompile(quda_host)
  list(APPEND QUDA_OBJECTS quda_host)
endif()
if(interface_sources)
  # default visibility: what is exported is named by the version script alone
  add_library(quda_interface OBJECT ${interface_sources})
  target_link_libraries(quda_interface PRIVATE quda_flags quda_mpi)
  target_include_directories(quda_interface PRIVATE ${PROJECT_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include
    ${PROJECT_SOURCE_DIR}/interface ${PROJECT_SOURCE_DIR} ${lib})
  quda_precompile(quda_interface <quda.h>)
  list(APPEND QUDA_OBJECTS quda_interface)
endif()
if(QUDA_HAVE_CUDA AND (cuda_sources OR cuda_host_sources))
  add_library(quda_cuda_host OBJECT ${cuda_sources} ${cuda_host_sources})
  target_link_libraries(quda_cuda_host PRIVATE quda_flags quda_cuda_flags CUDA::toolkit)
  target_include_directories(quda_cuda_host PRIVATE ${lib}/targets/cuda ${lib})
  target_compile_definitions(quda_cuda_host PRIVATE QUDA_TARGET_NAMESPACE=cuda)
  list(APPEND QUDA_OBJECTS quda_cuda_host)
endif()
quda_launch_objects(quda_launch TARGETS ${QUDA_LIBRARY_TARGETS} ${QUDA_TEST_TARGETS} UNITS ${launch_sources})
set(QUDA_FIBER_OBJECTS)
foreach(object IN LISTS quda_launch_OBJECTS)
  if(object MATCHES "_fiber$")
    list(APPEND QUDA_FIBER_OBJECTS ${object})
    set_property(TARGET ${object} PROPERTY EXCLUDE_FROM_ALL $<NOT:$<BOOL:${QUDA_BUILD_ALL_TESTS}>>)
  else()
    list(APPEND QUDA_OBJECTS ${object})
  endif()
endforeach()
if(fiber_sources)
  add_library(quda_fiber_host OBJECT ${fiber_sources})
  target_link_libraries(quda_fiber_host PRIVATE quda_flags)
  target_include_directories(quda_fiber_host PRIVATE ${lib}/targets/fiber ${lib}/targets/cuda ${lib})
  target_compile_definitions(quda_fiber_host PRIVATE QUDA_TARGET_NAMESPACE=fiber)
  target_compile_options(quda_fiber_host PRIVATE -fvisibility=hidden)
  list(APPEND QUDA_FIBER_OBJECTS quda_fiber_host)
endif()

set(quda_link_libraries quda_flags quda_mpi)
if(QUDA_FFTW)
  list(APPEND quda_link_libraries ${FFTW_LIBRARY})
endif()
if(QUDA_HAVE_CUDA)
  list(APPEND quda_link_libraries quda_cuda_flags)
endif()

set(QUDA_LIBRARY) # name of the library target, empty while there is no interface to put in it
if(interface_sources AND host_sources)
  set(QUDA_LIBRARY quda)
  add_library(quda SHARED)
  # exported: the functions of the public headers, and what the allocator module of PyQUDA names
  set(version_script ${CMAKE_BINARY_DIR}/libquda.map)
  add_custom_command(OUTPUT ${version_script}
    COMMAND ${CMAKE_COMMAND} -D "HEADERS=${public_headers}" -D OUTPUT=${version_script}
            -D TEMPLATE=${PROJECT_SOURCE_DIR}/cmake/libquda.map.in -P ${PROJECT_SOURCE_DIR}/cmake/exports.cmake
    DEPENDS ${public_headers} ${PROJECT_SOURCE_DIR}/cmake/exports.cmake ${PROJECT_SOURCE_DIR}/cmake/libquda.map.in
    COMMENT "Listing the exported functions" VERBATIM)
  add_custom_target(quda_version_script DEPENDS ${version_script})
  add_dependencies(quda quda_version_script)
  # nodelete: dlclose leaves the library where it is, since what it keeps for the life of the process (threads, MPI's
  # callbacks, the state that functions running at exit may ask for) would otherwise be lost
  target_link_options(quda PRIVATE LINKER:--version-script=${version_script} LINKER:-z,nodynamic-undefined-weak
    LINKER:-z,nodelete $<$<NOT:$<BOOL:${QUDA_SANITIZE}>>:LINKER:--no-undefined>)
  set_target_properties(quda PROPERTIES LINK_DEPENDS ${version_script} VERSION ${PROJECT_VERSION} SOVERSION 1)
  set_target_properties(quda PROPERTIES LINKER_LANGUAGE CXX CUDA_RESOLVE_DEVICE_SYMBOLS OFF)
  foreach(object IN LISTS QUDA_OBJECTS)
    target_sources(quda PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()
  target_link_libraries(quda PRIVATE ${quda_link_libraries} ${quda_run_time})
  target_include_directories(quda PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(QUDA::quda ALIAS quda)
endif()

# quda_internal: link this to have all of lib/ and interface/; quda_internal_fiber adds the fiber target. A target
# registers itself, so their archives are linked whole.
function(quda_internal_library name archive)
  add_library(${name}_objects STATIC)
  set_target_properties(${name}_objects PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME ${archive})
  foreach(object IN LISTS ARGN)
    target_sources(${name}_objects PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()
  set(file ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/lib${archive}.a)
  add_library(${name} INTERFACE)
  target_link_options(${name} INTERFACE LINKER:--whole-archive,${file},--no-whole-archive)
  set_property(TARGET ${name} PROPERTY INTERFACE_LINK_DEPENDS ${file})
  add_dependencies(${name} ${name}_objects)
endfunction()
if(QUDA_BUILD_ALL_TESTS AND QUDA_OBJECTS)
  quda_internal_library(quda_internal quda_internal ${QUDA_OBJECTS})
  quda_internal_library(quda_internal_fiber quda_internal_fiber ${QUDA_FIBER_OBJECTS})
  target_link_libraries(quda_internal INTERFACE ${quda_link_libraries})
  target_link_libraries(quda_internal_fiber INTERFACE quda_internal)
  target_include_directories(quda_internal INTERFACE ${lib} ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/interface
    ${PROJECT_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
endif()
