# cmake --install: the program, the libraries with what CMake and pkg-config know of them,
# scripts, performance models, documents.
include(CMakePackageConfigHelpers)
include(scripts/cmake/public_headers.cmake)

# Builds all that is installed, and nothing else.
add_custom_target(installed)
add_dependencies(installed starhist starhist-inspect starhist_count starhist_run starhist_c starhist_file)

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

# Headers, so that #include "driver/run/trajectory_run.hh" works as in the tree.
file(GLOB run_headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS driver/run/*.hh)
starhist_public_headers(headers ${run_headers} codelets/core/base/error.hh
  io/result/result_reader.hh tasks/pair_counter.hh tasks/runtime/recommended_environment.hh)
foreach(header IN LISTS headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starhist/${folder})
endforeach()

# The C libraries: <starhist.h>, <starhist_file.h> and examples.
install(FILES driver/capi/starhist.h driver/capi/file/starhist_file.h TYPE INCLUDE)
install(DIRECTORY driver/capi/examples TYPE DOC)

# find_package(starhist). The C libraries have targets of their own, for projects without C++.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/starhist)
install(TARGETS starhist_count starhist_run EXPORT starhist-targets)
install(EXPORT starhist-targets NAMESPACE starhist:: DESTINATION ${package_folder})
install(TARGETS starhist_c starhist_file EXPORT starhist-c-targets)
install(EXPORT starhist-c-targets NAMESPACE starhist:: DESTINATION ${package_folder})
configure_package_config_file(scripts/cmake/starhist-config.cmake.in starhist-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(starhist-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/starhist-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/starhist-config-version.cmake
        DESTINATION ${package_folder})

# pkg-config: what a static library needs is the user's to link, so that it stands in Libs;
# that of a shared one in Libs.private.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_PREFIX}/${pc_folder} ${CMAKE_INSTALL_PREFIX})
# starhist_link_words(OUT LIBRARY...): full paths with the folders in which the loader looks.
function(starhist_link_words out)
  set(words)
  foreach(library IN LISTS ARGN)
    get_filename_component(folder ${library} DIRECTORY)
    list(APPEND words ${library})
    if(library MATCHES "\\.so" AND NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND words -Wl,-rpath,${folder})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES words)
  list(JOIN words " " words)
  set(${out} "${words}" PARENT_SCOPE)
endfunction()
starhist_link_words(pc_count_needs ${STARPU_LINK_LIBRARIES} ${OpenMP_CXX_LIBRARIES}
                    ${CUDA_cudart_LIBRARY})
starhist_link_words(pc_run_needs ${HDF5_C_LIBRARIES} ${LZF_LIBRARY} ${compression_libraries})
set(kind libs)
if(BUILD_SHARED_LIBS)
  set(kind private)
endif()
set(pc_count_${kind} "${pc_count_needs}")
set(pc_run_${kind} "${pc_run_needs}")
foreach(file libstarhist libstarhist_file starhist starhist-count)
  configure_file(scripts/cmake/${file}.pc.in ${file}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file}.pc DESTINATION ${pc_folder})
endforeach()
