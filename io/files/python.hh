#pragma once

#include <filesystem>
#include <string>

namespace starhist::io {

/// Returns the path of a Python interpreter, the first of these that exists:
/// - the first python3 in `search_path` (folders as in PATH) that belongs to an
///   environment (venv or conda) in which `package` is installed
/// - `system_python`, if it is executable
/// - the first python3 in `search_path`
/// Relative folders are skipped, because they depend on the working directory. Throws
/// InputError if there is no interpreter.
std::string find_python(const std::string& system_python,
                        const std::string& search_path, const std::string& package);

/// Returns the path of the script `name`: in $STARHIST_SCRIPTS if that is set,
/// otherwise in ../share/starhist/scripts (installed) or starhist-scripts (built),
/// relative to the folder of `program`. Throws InputError if the script does not exist.
std::string find_script(const std::string& name, const std::filesystem::path& program);

/// Returns $STARHIST_PYTHON if that is set, otherwise find_python() with
/// /usr/bin/python3 and $PATH. Throws InputError if the variable does not name a
/// program.
std::string chosen_python(const std::string& package);

}  // namespace starhist::io
