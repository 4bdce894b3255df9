# Tests of the sources themselves: rooms, headers, flags, symbols, exports, format.

find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(STATUS "Python 3 is absent: the tests of the sources are left out")
  return()
endif()

set(house ${PROJECT_SOURCE_DIR}/tests/house)
function(quda_house_test name)
  add_test(NAME house.${name} COMMAND ${Python3_EXECUTABLE} -B ${ARGN})
  set_tests_properties(house.${name} PROPERTIES LABELS "quick;house" TIMEOUT 600)
endfunction()

find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
mark_as_advanced(CLANG_FORMAT)
quda_house_test(rooms ${house}/rooms.py)
quda_house_test(rooms_self_check ${house}/rooms.py --self-check)
quda_house_test(flags ${house}/flags.py ${CMAKE_BINARY_DIR})
quda_house_test(symbols ${house}/symbols.py ${CMAKE_BINARY_DIR} ${CMAKE_NM})
quda_house_test(sources ${house}/sources.py ${PROJECT_SOURCE_DIR} ${CLANG_FORMAT})
quda_house_test(new_kernel ${house}/new_kernel.py ${PROJECT_SOURCE_DIR})
if(NOT QUDA_SANITIZE)
  quda_house_test(new_kernel_built ${house}/new_kernel.py ${PROJECT_SOURCE_DIR} --build ${CMAKE_COMMAND})
  set_tests_properties(house.new_kernel_built PROPERTIES LABELS "slow;house" TIMEOUT 1800 PROCESSORS 2
    ENVIRONMENT "${test_environment}")
endif()
if(public_headers)
  quda_house_test(public_headers ${house}/public_headers.py ${PROJECT_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include
    ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER})
endif()
if(QUDA_LIBRARY AND QUDA_BUILD_SHAREDLIB AND NOT QUDA_SANITIZE)
  quda_house_test(exports ${house}/exports.py $<TARGET_FILE:quda> ${CMAKE_BINARY_DIR}/libquda.map)
  quda_house_test(package ${house}/package.py ${CMAKE_BINARY_DIR} ${CMAKE_COMMAND} $<BOOL:${QUDA_HAVE_CUDA}>)
  set_tests_properties(house.package PROPERTIES
    ENVIRONMENT "OMP_NUM_THREADS=1;${test_environment};CC=${CMAKE_C_COMPILER};CXX=${CMAKE_CXX_COMPILER}")
endif()

quda_house_test(docs ${house}/docs.py ${PROJECT_SOURCE_DIR} ${DOXYGEN} ${CMAKE_BINARY_DIR}/Doxyfile)
if(QUDA_HAVE_CUDA)
  quda_house_test(ptxas ${house}/ptxas.py ${CMAKE_BINARY_DIR})
endif()

# Every header compiles alone: one generated unit a header, those of kernels once per target. Built by its own
# test, so that an ordinary build does not wait for it.
set(lib ${PROJECT_SOURCE_DIR}/lib)
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${lib}/*.h
  ${PROJECT_SOURCE_DIR}/interface/*.h ${PROJECT_SOURCE_DIR}/utils/*.h ${PROJECT_SOURCE_DIR}/tests/*.h)
set(check_objects)

# quda_header_check(NAME HEADERS... DIRECTORIES... OPTIONS...)
function(quda_header_check name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;DIRECTORIES;OPTIONS;LIBRARIES")
  if(NOT arg_HEADERS)
    return()
  endif()
  set(units)
  foreach(header IN LISTS arg_HEADERS)
    set(unit ${CMAKE_BINARY_DIR}/headers/${name}/${header}.cpp)
    # twice, to see the guard
    set(line "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n")
    file(CONFIGURE OUTPUT ${unit} CONTENT "${line}${line}" @ONLY)
    list(APPEND units ${unit})
  endforeach()
  add_library(headers_${name} OBJECT EXCLUDE_FROM_ALL ${units})
  target_include_directories(headers_${name} PRIVATE ${arg_DIRECTORIES})
  target_compile_options(headers_${name} PRIVATE ${arg_OPTIONS} -O0)
  target_link_libraries(headers_${name} PRIVATE quda_flags ${arg_LIBRARIES})
  set(check_objects ${check_objects} headers_${name} PARENT_SCOPE)
endfunction()

set(device_headers ${headers})
list(FILTER device_headers INCLUDE REGEX "^lib/(device|kernels)/")
set(host_headers ${headers})
list(FILTER host_headers EXCLUDE REGEX "^lib/(device|kernels|targets/(cpu|cuda|fiber))/|^tests/.*kernels?\\.h")
foreach(target IN LISTS QUDA_CPU_TARGETS QUDA_TEST_TARGETS)
  set(own ${headers})
  set(directories)
  set(rooms "")
  foreach(room IN LISTS QUDA_ROOM_${target})
    list(APPEND directories ${lib}/targets/${room})
    string(APPEND rooms "|${room}")
  endforeach()
  string(SUBSTRING "${rooms}" 1 -1 rooms)
  list(FILTER own INCLUDE REGEX "^lib/targets/(${rooms})/")
  list(FILTER own EXCLUDE REGEX "^lib/targets/cuda/cuda_") # host side of the CUDA target
  quda_header_check(${target} HEADERS ${device_headers} ${own} DIRECTORIES ${directories} ${lib}
    OPTIONS ${QUDA_FLAGS_${target}} -DQUDA_TARGET_NAMESPACE=${target})
endforeach()
quda_header_check(host HEADERS ${host_headers}
  LIBRARIES quda_test_common quda_mpi GTest::gtest nlohmann_json::nlohmann_json CLI11::CLI11
  DIRECTORIES ${lib} ${PROJECT_SOURCE_DIR}/interface ${PROJECT_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
add_custom_target(header_check)
if(check_objects)
  add_dependencies(header_check ${check_objects})
  add_test(NAME house.headers COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target header_check)
  set_tests_properties(house.headers PROPERTIES LABELS "quick;house" TIMEOUT 900 PROCESSORS 2)
endif()
