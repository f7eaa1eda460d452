# compile_by_folder(TARGET): compiles all sources of a folder of the second level, such as io/formats with
# the folders in it, as one, so that a header shared by them is parsed once. Sources with definitions or
# options of their own are compiled separately.
function(compile_by_folder target)
  if(NOT STARHIST_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(REGEX MATCH "^[^/]+(/[^/]+)?" group ${folder})
    string(REPLACE "/" "_" group ${group})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}")
  endforeach()
endfunction()
