# The libraries for other programs, each one file made of the objects of its layers:
#   starhist::count   tasks and below: frames in, counts out; no HDF5
#   starhist::run     io and driver/run on top: trajectory files in, a result file out
# Static, or shared with -DBUILD_SHARED_LIBS=ON. Program and tests link the layers.
set(count_layers core pair_loops kernels perfmodels codelets tasks)
if(STARHIST_CUDA)
  list(APPEND count_layers cuda_kernels)
endif()
set(run_layers io driver_run)

# starhist_library(NAME LAYER...): starhist_NAME, for others starhist::NAME.
function(starhist_library name)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:starhist_\\1>" OUTPUT_VARIABLE objects)
  add_library(starhist_${name} ${objects})
  add_library(starhist::${name} ALIAS starhist_${name})
  set_target_properties(starhist_${name} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH "$ORIGIN")
endfunction()

# Users get full paths instead of targets, so that find_package(starhist) has not to find
# these again.
starhist_library(count ${count_layers})
target_compile_features(starhist_count PUBLIC cxx_std_20)
target_include_directories(starhist_count PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/starhist>)
# Of an inline function that user and library both compile, the linker keeps one. Contracted
# by the user's compiler, it would move pairs at the edges of bins.
set(public_compile_options -ffp-contract=off)
target_compile_options(starhist_count INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${public_compile_options}>)
target_link_libraries(starhist_count PRIVATE OpenMP::OpenMP_CXX Threads::Threads
                                             ${STARPU_LINK_LIBRARIES})
if(STARHIST_CUDA)
  target_link_libraries(starhist_count PRIVATE ${CUDA_cudart_LIBRARY})
endif()
if(STARHIST_SANITIZERS)
  target_link_options(starhist_count PUBLIC -fsanitize=${sanitizers})
endif()

find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
pkg_check_modules(ZSTD REQUIRED libzstd)
set(compression_libraries ${ZLIB_LIBRARIES} ${BZIP2_LIBRARIES} ${LIBLZMA_LIBRARIES} ${ZSTD_LINK_LIBRARIES}
                          ${LIBDEFLATE_LINK_LIBRARIES})
starhist_library(run ${run_layers})
target_link_libraries(starhist_run PUBLIC starhist_count
                      PRIVATE ${HDF5_C_LIBRARIES} ${LZF_LIBRARY} ${compression_libraries}
                              Threads::Threads)
