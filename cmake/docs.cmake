# Documentation of the public headers and of docs/, by Doxygen where it is found: `cmake --build build --target docs`
# writes build/docs/html/index.html.
find_program(DOXYGEN doxygen)
mark_as_advanced(DOXYGEN)
if(NOT DOXYGEN)
  return()
endif()

set(QUDA_DOCS_OUTPUT ${CMAKE_BINARY_DIR}/docs)
configure_file(${PROJECT_SOURCE_DIR}/docs/Doxyfile.in ${CMAKE_BINARY_DIR}/Doxyfile @ONLY)
file(MAKE_DIRECTORY ${QUDA_DOCS_OUTPUT})
add_custom_target(docs COMMAND ${DOXYGEN} ${CMAKE_BINARY_DIR}/Doxyfile
  COMMENT "Documentation into ${QUDA_DOCS_OUTPUT}/html" VERBATIM)
