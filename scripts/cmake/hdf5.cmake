# Reading and writing are threads of their own: HDF5 has to be built for that, as all
# distributions do.
include(CheckCXXSymbolExists)
set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
check_cxx_symbol_exists(H5_HAVE_THREADSAFE "H5pubconf.h" STARHIST_HDF5_THREADSAFE)
unset(CMAKE_REQUIRED_INCLUDES)
if(NOT STARHIST_HDF5_THREADSAFE)
  message(FATAL_ERROR "This HDF5 is not thread-safe (found in ${HDF5_INCLUDE_DIRS}). "
                      "Build HDF5 with --enable-threadsafe, or use the distribution's.")
endif()

# Deflated chunks are decompressed without HDF5: libdeflate takes two thirds of zlib's time. Since
# 1.2 it passes over what follows a stream, as HDF5 does.
if(STARHIST_LIBDEFLATE)
  pkg_check_modules(LIBDEFLATE libdeflate>=1.2)
else()
  set(LIBDEFLATE_FOUND FALSE)  # whatever an earlier configuration has cached
endif()
if(LIBDEFLATE_FOUND)
  message(STATUS "Deflated HDF5 files: libdeflate ${LIBDEFLATE_VERSION}")
else()
  message(STATUS "Deflated HDF5 files: zlib, as libdeflate is missing or not wanted")
  set(LIBDEFLATE_LINK_LIBRARIES)
endif()
