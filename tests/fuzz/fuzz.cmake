# Fuzzing of everything that reads files. Each target is one entry point, LLVMFuzzerTestOneInput, driven twice:
#   fuzz_NAME            by libFuzzer under the sanitizers, with QUDA_FUZZ and clang; run it by hand:
#                        fuzz_NAME -max_total_time=120 -max_len=20000 some/new/folder tests/fuzz/corpus/NAME
#   fuzz_NAME_mutations  by a seeded mutator, with any compiler; ctest runs it for a few seconds

option(QUDA_FUZZ "libFuzzer targets for the readers of files (clang only)" OFF)
if(QUDA_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "QUDA_FUZZ needs clang for libFuzzer; the compiler is ${CMAKE_CXX_COMPILER_ID}")
endif()

set(fuzz ${tests}/fuzz)
get_target_property(fuzz_readers quda_files SOURCES)
list(FILTER fuzz_readers EXCLUDE REGEX "_mpi\\.cpp$|_(write|frame)\\.cpp$")

# quda_fuzz(NAME MUTATIONS sources...)
function(quda_fuzz name mutations)
  set(drivers fuzz_${name}_mutations)
  add_executable(fuzz_${name}_mutations ${fuzz}/mutations.cpp)
  target_link_libraries(fuzz_${name}_mutations PRIVATE quda_files)
  if(QUDA_FUZZ)
    list(APPEND drivers fuzz_${name})
    add_executable(fuzz_${name})
    set(sanitizers -fsanitize=fuzzer,address,undefined)
    target_compile_options(fuzz_${name} PRIVATE ${sanitizers} -fno-sanitize-recover=undefined -g -O1)
    target_link_options(fuzz_${name} PRIVATE ${sanitizers})
  endif()
  foreach(driver IN LISTS drivers)
    set(readers)
    if(NOT driver MATCHES "_mutations$") # those of quda_files are without sanitizers
      set(readers ${fuzz_readers})
    endif()
    target_sources(${driver} PRIVATE ${fuzz}/${name}.cpp ${ARGN} ${readers})
    target_link_libraries(${driver} PRIVATE quda_flags ${PUGIXML_LIBRARY})
    target_include_directories(${driver} PRIVATE ${tests} ${PROJECT_SOURCE_DIR}/utils ${PROJECT_SOURCE_DIR}/lib)
    set_target_properties(${driver} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  endforeach()
  add_test(NAME fuzz.${name}
    COMMAND ${checked} $<TARGET_FILE:fuzz_${name}_mutations> ${fuzz}/corpus/${name} ${mutations})
  math(EXPR timeout "${patience} * 300")
  set_tests_properties(fuzz.${name} PROPERTIES LABELS quick TIMEOUT ${timeout}
    ENVIRONMENT "${test_environment}")
endfunction()

foreach(format lime milc nersc vectors perambulators)
  quda_fuzz(${format} 20000 ${fuzz}/file_bytes.cpp)
endforeach()
quda_fuzz(tune_cache 20000 ${PROJECT_SOURCE_DIR}/lib/tune/tune_file.cpp ${PROJECT_SOURCE_DIR}/lib/core/error.cpp)
