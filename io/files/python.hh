#pragma once

#include <filesystem>
#include <string>

namespace starhist::io {

/// Path of a Python interpreter: the first python3 in `search_path` (folders as in
/// PATH) of an environment, such as venv and conda make them, in which `package` is
/// installed; else `system_python` if it can be executed; else the first python3 in
/// `search_path`. Folders that are no absolute paths are left out, as they lead to
/// whatever lies where the program was called. Throws InputError if there is none.
std::string find_python(const std::string& system_python,
                        const std::string& search_path, const std::string& package);

/// Path of the script `name`: in $STARHIST_SCRIPTS if that is set, else in
/// ../share/starhist/scripts (installed) or starhist-scripts (built), relative to the
/// folder of `program`. Throws InputError if it is not there.
std::string find_script(const std::string& name, const std::filesystem::path& program);

/// $STARHIST_PYTHON if that is set, else find_python() with /usr/bin/python3 and $PATH.
/// Throws InputError where the variable names no program.
std::string chosen_python(const std::string& package);

}  // namespace starhist::io
