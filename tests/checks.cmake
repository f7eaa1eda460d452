# Checks of the tree itself. starhist_add_tests makes the tests of the code.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

add_test(NAME layers COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/checks/check_layers.py)
add_test(NAME words COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/checks/check_words.py)
add_test(NAME prose COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/checks/check_prose.py)
add_test(NAME mentions COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/checks/check_mentions.py)
add_test(NAME test_names
         COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/checks/check_test_names.py)
add_test(NAME fortran_module
         COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/checks/check_fortran.py)
set_tests_properties(layers words prose mentions test_names fortran_module PROPERTIES LABELS checks)

# What is written from the program's tables of options is as they are.
add_test(NAME reference COMMAND ${Python3_EXECUTABLE}
         ${PROJECT_SOURCE_DIR}/scripts/checks/check_reference.py ${CMAKE_BINARY_DIR})
set_tests_properties(reference PROPERTIES LABELS checks)

# Sanitizers add shared symbols of their own to every object, and libraries that need their
# compiler's version.
if(NOT STARHIST_SANITIZERS)
  add_test(NAME isa_objects
           COMMAND ${PROJECT_SOURCE_DIR}/scripts/checks/check_isa_objects.sh ${CMAKE_BINARY_DIR})
  add_test(NAME bundle
           COMMAND ${PROJECT_SOURCE_DIR}/scripts/checks/check_bundle.sh ${CMAKE_BINARY_DIR})
  add_test(NAME install
           COMMAND ${PROJECT_SOURCE_DIR}/scripts/checks/check_install.sh ${CMAKE_BINARY_DIR})
  add_test(NAME c_library
           COMMAND ${PROJECT_SOURCE_DIR}/scripts/checks/check_c_library.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(c_library PROPERTIES TIMEOUT 300)
  set_tests_properties(isa_objects install c_library PROPERTIES LABELS checks)
  set_tests_properties(bundle PROPERTIES LABELS checks-slow)
  set_tests_properties(install PROPERTIES TIMEOUT 300)
  set_tests_properties(bundle PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()

# Scripts that run starhist; one test per class. The system's Python is the one that has h5py
# and Matplotlib; without them the tests are skipped.
if(EXISTS /usr/bin/python3)
  set(system_python /usr/bin/python3)
else()
  set(system_python ${Python3_EXECUTABLE})
endif()
# Ends with an error where a class of test cases, one from which no other is derived, is not named.
function(expect_all_classes script)
  file(STRINGS scripts/${script}_test.py lines REGEX "^class [A-Za-z]+\\(")
  string(REGEX REPLACE "class ([A-Za-z]+)\\([^;]*" "\\1" classes "${lines}")
  string(REGEX REPLACE "class [A-Za-z]+\\(([A-Za-z.]+)[^;]*" "\\1" bases "${lines}")
  list(REMOVE_ITEM classes ${ARGN} ${bases})
  if(classes)
    message(FATAL_ERROR "tests/checks.cmake does not name ${classes} of ${script}_test.py")
  endif()
endfunction()

# script_test(SCRIPT CLASS...): without a class the whole file is one test.
function(script_test script)
  set(classes ${ARGN})
  if(classes)
    expect_all_classes(${script} ${classes})
  else()
    set(classes " ")
  endif()
  set_property(GLOBAL APPEND PROPERTY starhist_script_tests ${script}_test.py)
  foreach(class IN LISTS classes)
    string(STRIP "${class}" class)
    string(STRIP "scripts: ${script} ${class}" test)
    add_test(NAME ${test} COMMAND ${system_python}
             ${CMAKE_CURRENT_SOURCE_DIR}/scripts/${script}_test.py ${class})
    set_tests_properties(${test} PROPERTIES LABELS scripts TIMEOUT 300 SKIP_RETURN_CODE 77
                         ENVIRONMENT STARHIST_PROGRAM=${CMAKE_BINARY_DIR}/starhist)
  endforeach()
endfunction()
script_test(simulate)
script_test(read_frames)
script_test(vanhove)
script_test(plane)
script_test(bin_edges)
script_test(coordination)
script_test(file_boxes Misread AmberRestarts AmberText AmberNetcdf DlPoly Dcd SingleFiles Gromos)
script_test(imd_stream)
script_test(convert)
script_test(gromacs_h5md)
script_test(analyze_freud)
script_test(like_programs)
script_test(analyze_numpy)
script_test(pdf_program)
script_test(experiment_tables)
script_test(cadishi)
script_test(check_documents)
script_test(command_line Completion ManPages Installed Scripts)
script_test(plot_table)
script_test(peaks)
script_test(body_size)
script_test(compare Columns Calibration Causes Files Command)
script_test(plot_rdf)
script_test(plot_lags)
script_test(plot_map)
script_test(fqt)
script_test(units)
script_test(output_files Paths Names)
script_test(failures)
script_test(mutate_results)
script_test(verify_faults)
script_test(compare_schedulers Page Water Differences Failures GpuNode Functions)
script_test(report Content ManyPairs Browser Narrow)
script_test(compare_peers Comparison Bounds)
script_test(build_starpu)
script_test(build_hdf5)
script_test(check_source_files)
script_test(check_layers)
script_test(ci_steps)
script_test(check_in_chroot)
script_test(compare_results)
script_test(compare_readers)
script_test(race_outputs)
script_test(count_crystals)
script_test(hostile_environment)
script_test(patience)
script_test(fail_gpu)
script_test(kill_runs)
script_test(random_histories)
script_test(run_fuzzers)
script_test(run_mutants)
script_test(prove_bounds)
script_test(fail_calls)
script_test(check_mentions)
script_test(missing_parts)
script_test(check_abi)
script_test(packaging Spack Debian)
script_test(package_facts Versions Dependencies Facts)
script_test(terminal Progress Help)
script_test(mpi Equal Help BadInput Memory SignalsOutsideOfTheRun Stops)
script_test(mpi_commands VanHove Coordination SecondAxis SameOptions)
# Campaigns in short, waiting, and many starts of programs: .ci/full runs them.
foreach(slow race_outputs kill_runs random_histories fail_calls mutate_results verify_faults patience simulate
             read_frames "file_boxes Dcd" "compare_peers Comparison")
  set_tests_properties("scripts: ${slow}" PROPERTIES LABELS scripts-slow)
endforeach()
# Many jobs, of which each starts several processes.
set_tests_properties("scripts: mpi BadInput" "scripts: mpi Memory" "scripts: mpi SignalsOutsideOfTheRun" "scripts: mpi Stops"
                     "scripts: mpi_commands VanHove" "scripts: mpi_commands Coordination"
                     "scripts: mpi_commands SecondAxis" PROPERTIES LABELS scripts-slow)
set_tests_properties("scripts: mpi Equal" "scripts: mpi BadInput" "scripts: mpi Stops" "scripts: fail_calls"
                     "scripts: mpi_commands VanHove" "scripts: mpi_commands Coordination"
                     "scripts: mpi_commands SecondAxis" PROPERTIES TIMEOUT 900)
file(GLOB script_tests RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/scripts CONFIGURE_DEPENDS scripts/*_test.py)
get_property(named_tests GLOBAL PROPERTY starhist_script_tests)
list(REMOVE_ITEM script_tests ${named_tests})
if(script_tests)
  message(FATAL_ERROR "tests/checks.cmake does not name ${script_tests}")
endif()

# The module for Python, one test per file; skipped where it is not built. Python loads the
# address sanitizer before all others, and libstdc++, of which it replaces functions.
set(python_environment PYTHONPATH=${CMAKE_BINARY_DIR}/python)
if("address" IN_LIST STARHIST_SANITIZERS)
  set(preloaded "")
  foreach(library libasan.so libstdc++.so)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library}
                    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND preloaded ${path})
  endforeach()
  list(JOIN preloaded ":" preloaded)
  list(APPEND python_environment LD_PRELOAD=${preloaded})
endif()
file(GLOB python_tests RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/python CONFIGURE_DEPENDS python/test_*.py)
foreach(file IN LISTS python_tests)
  string(REGEX REPLACE "test_(.+).py" "python: \\1" test ${file})
  if(TARGET starhist_python)
    add_test(NAME ${test} COMMAND ${starhist_python_interpreter} -m pytest -q -rs -p no:cacheprovider
             ${CMAKE_CURRENT_SOURCE_DIR}/python/${file})
  else()
    add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: nanobind is missing (scripts/setup/build_python.sh)")
  endif()
  set_tests_properties(${test} PROPERTIES LABELS python TIMEOUT 600
    SKIP_RETURN_CODE 5 # of pytest: all tests of the file are skipped
    SKIP_REGULAR_EXPRESSION "SKIPPED: nanobind;No module named pytest" ENVIRONMENT "${python_environment}")
endforeach()
# Limits the CPU time of an interrupted count, which spinning workers use alongside other tests.
set_tests_properties("python: process" PROPERTIES RUN_SERIAL TRUE)
