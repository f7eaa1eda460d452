# GPUs need nvcc and a StarPU that was built with CUDA, as scripts/setup/build_starpu.sh does it;
# the distributions' StarPU has none. A build that finds both uses both.
set(starpu_has_cuda OFF)
foreach(folder IN LISTS STARPU_INCLUDE_DIRS)
  if(EXISTS ${folder}/starpu_config.h)
    file(STRINGS ${folder}/starpu_config.h starpu_has_cuda REGEX "^#define STARPU_USE_CUDA 1")
    break()
  endif()
endforeach()
find_program(STARHIST_NVCC nvcc PATHS /usr/local/cuda/bin DOC "CUDA compiler, if any")
mark_as_advanced(STARHIST_NVCC)
set(cuda_default OFF)
if(starpu_has_cuda AND STARHIST_NVCC)
  set(cuda_default ON)
endif()
option(STARHIST_CUDA "Count on NVIDIA GPUs too (CUDA >= 12, StarPU with CUDA)" ${cuda_default})

if(NOT STARHIST_CUDA)
  return()
endif()
if(NOT starpu_has_cuda)
  message(FATAL_ERROR "STARHIST_CUDA is ON, but StarPU ${STARPU_VERSION} in ${STARPU_LIBDIR} was "
    "built without CUDA. Run scripts/setup/build_starpu.sh, remove ${CMAKE_BINARY_DIR}/CMakeCache.txt and "
    "configure with -DCMAKE_PREFIX_PATH=FOLDER, the folder that it prints on its last line.")
endif()

if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND STARHIST_NVCC)
  set(CMAKE_CUDA_COMPILER ${STARHIST_NVCC})
endif()

# Machine code for the GPUs of this machine. Where there are none, or the compiler is not
# made for them, for H100, and PTX that later ones translate when they start: each
# architecture costs 40 s on two cores.
if(NOT CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(gpus)
  set(architectures)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE capabilities RESULT_VARIABLE status ERROR_QUIET)
  if(status EQUAL 0)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" gpus "${capabilities}")
    list(REMOVE_DUPLICATES gpus)
    execute_process(COMMAND ${STARHIST_NVCC} --list-gpu-code OUTPUT_VARIABLE known ERROR_QUIET)
  endif()
  foreach(gpu IN LISTS gpus)
    string(REPLACE "." "" number ${gpu})
    if(number LESS 80 OR NOT known MATCHES "sm_${number}\n")
      set(architectures)
      break()
    endif()
    list(APPEND architectures ${number}-real)
  endforeach()
  if(NOT architectures)
    set(architectures 90)
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${architectures})
endif()
message(STATUS "CUDA architectures: ${CMAKE_CUDA_ARCHITECTURES}")

# StarPU links the shared runtime; a second, static one in the same process would know
# nothing of the streams of the first.
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "STARHIST_CUDA needs CUDA 12 or newer for C++20, but ${CMAKE_CUDA_COMPILER} "
    "is ${CMAKE_CUDA_COMPILER_VERSION}. Install a newer one, or configure with -DSTARHIST_CUDA=OFF.")
endif()
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know nvcc 13
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
endif()
find_package(CUDAToolkit REQUIRED)
