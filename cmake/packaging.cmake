# Installation: headers, library, CMake package (find_package(QUDA) gives QUDA::quda), pkg-config.
if(NOT QUDA_LIBRARY)
  return()
endif()
include(CMakePackageConfigHelpers)

install(FILES ${public_headers} ${CMAKE_BINARY_DIR}/include/quda_define.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS quda EXPORT QUDATargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

set(QUDA_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/QUDA)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/QUDAConfig.cmake.in ${CMAKE_BINARY_DIR}/QUDAConfig.cmake
  INSTALL_DESTINATION ${QUDA_PACKAGE} NO_SET_AND_CHECK_MACRO
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/QUDAConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(EXPORT QUDATargets NAMESPACE QUDA:: DESTINATION ${QUDA_PACKAGE})
install(FILES ${CMAKE_BINARY_DIR}/QUDAConfig.cmake ${CMAKE_BINARY_DIR}/QUDAConfigVersion.cmake
  DESTINATION ${QUDA_PACKAGE})

# The prefix is found from the place of quda.pc, so that cmake --install --prefix and a moved tree both give true paths.
file(RELATIVE_PATH QUDA_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" QUDA_PC_TO_PREFIX "${QUDA_PC_TO_PREFIX}")
foreach(directory LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${directory}})
    set(QUDA_PC_${directory} ${CMAKE_INSTALL_${directory}})
  else()
    set(QUDA_PC_${directory} "\${prefix}/${CMAKE_INSTALL_${directory}}")
  endif()
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/quda.pc.in ${CMAKE_BINARY_DIR}/quda.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/quda.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
