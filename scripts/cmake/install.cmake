# cmake --install: the program, the C libraries with their CMake package and pkg-config files, scripts,
# performance models, documents.
include(CMakePackageConfigHelpers)

# Builds all that is installed, and nothing else.
add_custom_target(installed)
add_dependencies(installed starhist starhist-inspect starhist_c starhist_file)

install(TARGETS starhist RUNTIME)
install(TARGETS starhist-inspect RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/starhist)
if(TARGET starhist-gromacs)
  add_dependencies(installed starhist-gromacs)
  install(TARGETS starhist-gromacs RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/starhist)
endif()
if(TARGET starhist-mpi)
  add_dependencies(installed starhist-mpi)
  install(TARGETS starhist-mpi RUNTIME)
endif()
install(DIRECTORY scripts/user/ DESTINATION ${CMAKE_INSTALL_DATADIR}/starhist/scripts
        USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
install(DIRECTORY perfmodels/sampling DESTINATION ${CMAKE_INSTALL_DATADIR}/starhist/perfmodels)
install(FILES perfmodels/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/starhist/perfmodels)
install(FILES LICENSE README.md TYPE DOC)

# The C libraries: <starhist.h>, <starhist_file.h> and examples.
install(FILES driver/capi/starhist.h driver/capi/file/starhist_file.h TYPE INCLUDE)
install(DIRECTORY driver/capi/examples TYPE DOC)

# find_package(starhist) and pkg-config.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/starhist)
install(TARGETS starhist_c starhist_file EXPORT starhist-targets)
install(EXPORT starhist-targets NAMESPACE starhist:: DESTINATION ${package_folder})
configure_package_config_file(scripts/cmake/starhist-config.cmake.in starhist-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(starhist-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/starhist-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/starhist-config-version.cmake
        DESTINATION ${package_folder})
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_PREFIX}/${pc_folder} ${CMAKE_INSTALL_PREFIX})
foreach(file libstarhist libstarhist_file)
  configure_file(scripts/cmake/${file}.pc.in ${file}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file}.pc DESTINATION ${pc_folder})
endforeach()
