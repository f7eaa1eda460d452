#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace starhist::driver {

/// Calls `write` for the file `path`, or for standard output if it is "". If `write`
/// throws, there is no file. Throws InputError when `path` is the file `source` that is
/// read or cannot be opened, RunError when it cannot be written.
void write_text(const std::string& path, const std::string& source,
                const std::function<void(std::ostream&)>& write);

/// Throws InputError when both paths lead to the same file.
void check_not_source(const std::string& path, const std::string& source);

}  // namespace starhist::driver
