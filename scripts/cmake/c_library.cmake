# The libraries for programs in C, Fortran and other languages, always shared:
#   starhist::starhist   libstarhist: frames in, counts and g(r) out; no HDF5
#   starhist::file       libstarhist_file: result files of its histograms
# They are one file each, with the objects of their layers, and export starhist_* alone.
set(c_library_version 0)
set(count_layers core pair_loops kernels perfmodels codelets tasks)
if(STARHIST_CUDA)
  list(APPEND count_layers cuda_kernels)
endif()
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
pkg_check_modules(ZSTD REQUIRED libzstd)

# starhist_c_library(NAME LAYER...): target starhist_NAME with the objects of these layers.
function(starhist_c_library name)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:starhist_\\1>" OUTPUT_VARIABLE objects)
  add_library(starhist_${name} SHARED ${objects})
  set(symbols ${PROJECT_SOURCE_DIR}/driver/capi/symbols.map)
  # nodelete: StarPU refers to what is in here until it ends, which may be later than dlclose().
  target_link_options(starhist_${name} PRIVATE -Wl,--version-script=${symbols} -Wl,-z,nodelete)
  if(NOT STARHIST_SANITIZERS)  # whose functions are in the program
    target_link_options(starhist_${name} PRIVATE -Wl,--no-undefined)
  endif()
  set_target_properties(starhist_${name} PROPERTIES LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${c_library_version} LINK_DEPENDS ${symbols}
    INSTALL_RPATH "$ORIGIN")
endfunction()

starhist_c_library(c ${count_layers} driver_lags driver_axes driver_capi)
add_library(starhist::starhist ALIAS starhist_c)
set_target_properties(starhist_c PROPERTIES OUTPUT_NAME starhist EXPORT_NAME starhist)
target_include_directories(starhist_c INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/driver/capi>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(starhist_c PRIVATE OpenMP::OpenMP_CXX Threads::Threads
                                         ${STARPU_LINK_LIBRARIES})
if(STARHIST_CUDA)
  target_link_libraries(starhist_c PRIVATE ${CUDA_cudart_LIBRARY})
endif()
if(STARHIST_SANITIZERS)
  target_link_options(starhist_c PUBLIC -fsanitize=${sanitizers})
endif()

# It knows libstarhist by its header alone, so that no C++ object passes from one to the other.
starhist_c_library(file core io driver_capi_file)
add_library(starhist::file ALIAS starhist_file)
set_target_properties(starhist_file PROPERTIES EXPORT_NAME file)
target_include_directories(starhist_file INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/driver/capi/file>)
target_link_libraries(starhist_file PUBLIC starhist_c
  PRIVATE ${HDF5_C_LIBRARIES} ${LZF_LIBRARY} ${ZLIB_LIBRARIES} ${BZIP2_LIBRARIES} ${LIBLZMA_LIBRARIES}
          ${ZSTD_LINK_LIBRARIES} ${LIBDEFLATE_LINK_LIBRARIES} Threads::Threads)
if(STARHIST_SANITIZERS)
  target_link_options(starhist_file PUBLIC -fsanitize=${sanitizers})
endif()
