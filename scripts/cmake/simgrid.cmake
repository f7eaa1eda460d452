# starhist-simulate needs a StarPU whose workers are simulated on SimGrid, and such a StarPU
# counts nothing: scripts/setup/build.sh simgrid builds both.
set(starpu_has_simgrid OFF)
foreach(folder IN LISTS STARPU_INCLUDE_DIRS)
  if(EXISTS ${folder}/starpu_config.h)
    file(STRINGS ${folder}/starpu_config.h starpu_has_simgrid REGEX "^#define STARPU_SIMGRID 1")
    break()
  endif()
endforeach()
if(STARHIST_SIMGRID AND NOT starpu_has_simgrid)
  message(FATAL_ERROR "STARHIST_SIMGRID is ON, but StarPU ${STARPU_VERSION} in ${STARPU_LIBDIR} was "
    "built without SimGrid. Run scripts/setup/build.sh simgrid.")
elseif(starpu_has_simgrid AND NOT STARHIST_SIMGRID)
  message(FATAL_ERROR "StarPU ${STARPU_VERSION} in ${STARPU_LIBDIR} simulates its workers, so that nothing would "
    "be counted. Use another StarPU, or configure with -DSTARHIST_SIMGRID=ON to build starhist-simulate.")
endif()
