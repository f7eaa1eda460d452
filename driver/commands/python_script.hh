#pragma once

#include <string>
#include <vector>

namespace starhist::driver {

/// Replaces this process by the Python script `name` with `arguments`. STARHIST_PROGRAM
/// is set to the path of this program. The interpreter is io::chosen_python(). Throws
/// InputError if the script or Python is missing.
[[noreturn]] void become_script(const std::string& name,
                                const std::vector<std::string>& arguments);

}  // namespace starhist::driver
