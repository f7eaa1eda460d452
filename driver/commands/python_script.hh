#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace starhist::driver {

/// A Python interpreter: `system_python` if it can be run, else the first python3 in
/// `search_path` (folders as in PATH). Throws InputError where there is neither.
std::string find_python(const std::string& system_python,
                        const std::string& search_path);

/// Path of the script `name`: in $STARHIST_SCRIPTS if that is set, else where scripts
/// are installed or built beside `program` (../share/starhist/scripts,
/// starhist-scripts). Throws InputError where there is none.
std::string find_script(const std::string& name, const std::filesystem::path& program);

/// Becomes the Python script `name`, which gets `arguments`, and in STARHIST_PROGRAM
/// the path of this program. The interpreter is $STARHIST_PYTHON, else find_python's.
/// Throws InputError where the script or Python is missing.
[[noreturn]] void become_script(const std::string& name,
                                const std::vector<std::string>& arguments);

}  // namespace starhist::driver
