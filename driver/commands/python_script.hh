#pragma once

#include <string>
#include <vector>

namespace starhist::driver {

/// Replaces this process with the Python script `name` and `arguments`. Sets
/// STARHIST_PROGRAM to this program's path. The interpreter is io::chosen_python().
/// Throws InputError if the script or Python is missing.
[[noreturn]] void become_script(const std::string& name,
                                const std::vector<std::string>& arguments);

}  // namespace starhist::driver
