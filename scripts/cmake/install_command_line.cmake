# What belongs to the command line beside the program: bash completion, manual pages where there is a help2man,
# and the target `reference`, which writes what is made from the program's tables of options and formats.
include(GNUInstallDirs)
find_package(Python3 COMPONENTS Interpreter)
find_program(HELP2MAN help2man DOC "Makes the manual pages (optional)")

install(FILES scripts/completion/starhist.bash RENAME starhist
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command_line)

# The pages are made by running the program, which needs this machine's processor and, with sanitizers, options.
if(HELP2MAN AND Python3_FOUND AND NOT CMAKE_CROSSCOMPILING AND NOT STARHIST_SANITIZERS)
  set(man_pages ${CMAKE_BINARY_DIR}/man/man1)
  set(write_man_pages ${PROJECT_SOURCE_DIR}/scripts/cmake/write_man_pages.py)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scripts/user/*.py)
  set(mpi_program)
  set(mpi_target)
  if(TARGET starhist-mpi)
    set(mpi_program --mpi $<TARGET_FILE:starhist-mpi>)
    set(mpi_target starhist-mpi)
  endif()
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/man/written
    COMMAND ${Python3_EXECUTABLE} ${write_man_pages} $<TARGET_FILE:starhist> ${man_pages} --help2man ${HELP2MAN}
            ${mpi_program}
    COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/man/written
    DEPENDS starhist ${mpi_target} ${write_man_pages} ${scripts}
    COMMENT "Writing the manual pages" VERBATIM)
  add_custom_target(man_pages ALL DEPENDS ${CMAKE_BINARY_DIR}/man/written)
  add_dependencies(installed man_pages)
  install(DIRECTORY ${man_pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command_line OPTIONAL)
else()
  message(STATUS "Manual pages: none, as help2man or Python is missing, or the program cannot run here")
endif()

if(Python3_FOUND)
  add_custom_target(reference
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/checks/check_reference.py ${CMAKE_BINARY_DIR} --write
    DEPENDS starhist-reference
    COMMENT "Writing docs/reference/options.md, the table of docs/reference/formats.md and scripts/completion/starhist.bash" VERBATIM)
endif()
