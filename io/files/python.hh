#pragma once

#include <filesystem>
#include <string>

namespace starhist::io {

/// Path of a Python interpreter: `system_python` if it can be executed, else the first
/// python3 in `search_path` (folders as in PATH). Throws InputError if there is
/// neither.
std::string find_python(const std::string& system_python,
                        const std::string& search_path);

/// Path of the script `name`: in $STARHIST_SCRIPTS if that is set, else in
/// ../share/starhist/scripts (installed) or starhist-scripts (built), relative to the
/// folder of `program`. Throws InputError if it is not there.
std::string find_script(const std::string& name, const std::filesystem::path& program);

/// $STARHIST_PYTHON if that is set, else find_python() with /usr/bin/python3 and $PATH.
std::string chosen_python();

}  // namespace starhist::io
