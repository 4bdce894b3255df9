# The independent reader of gauge files on files that ours has written, and on the configuration of tests/data.

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(parse_gauge ${Python3_EXECUTABLE} -B ${tests}/files/parse_gauge.py)
  add_test(NAME files.written COMMAND ${parse_gauge} --written-by $<TARGET_FILE:files_test>)
  add_test(NAME files.data COMMAND ${parse_gauge} ${tests}/data/beta6_4448.ildg)
  add_test(NAME files.self_check COMMAND ${parse_gauge} --self-check ${tests}/data/beta6_4448.ildg)
  set_tests_properties(files.written files.data files.self_check PROPERTIES LABELS quick TIMEOUT 120
    ENVIRONMENT "${test_environment}")
endif()
