#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace starhist::driver {

/// Path of a Python interpreter: `system_python` if it can be executed, else the first
/// python3 in `search_path` (folders as in PATH). Throws InputError if there is
/// neither.
std::string find_python(const std::string& system_python,
                        const std::string& search_path);

/// Path of the script `name`: in $STARHIST_SCRIPTS if that is set, else in
/// ../share/starhist/scripts (installed) or starhist-scripts (built), relative to the
/// folder of `program`. Throws InputError if it is not there.
std::string find_script(const std::string& name, const std::filesystem::path& program);

/// Replaces this process by the Python script `name` with `arguments`. STARHIST_PROGRAM
/// is set to the path of this program. The interpreter is $STARHIST_PYTHON if that is
/// set, else that of find_python(). Throws InputError if the script or Python is
/// missing.
[[noreturn]] void become_script(const std::string& name,
                                const std::vector<std::string>& arguments);

}  // namespace starhist::driver
