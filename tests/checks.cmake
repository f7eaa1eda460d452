# Checks of the tree itself. starhist_add_tests makes the tests of the code.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(check_layers ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_layers.py)
add_test(NAME layers COMMAND ${check_layers})
add_test(NAME layers_selftest COMMAND ${check_layers} --selftest)
set_tests_properties(layers layers_selftest PROPERTIES LABELS checks)

# Sanitizers add shared symbols of their own to every object.
if(NOT STARHIST_SANITIZERS)
  add_test(NAME isa_objects
           COMMAND ${PROJECT_SOURCE_DIR}/scripts/check_isa_objects.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(isa_objects PROPERTIES LABELS checks)
endif()
