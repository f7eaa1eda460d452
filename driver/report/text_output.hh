#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace starhist::driver {

/// Calls `write` for the file `path`, or for standard output if it is "". If `write`
/// throws, there is no file. Throws InputError when `path` is the file `source` that is
/// read or cannot be opened, RunError when it cannot be written.
void write_text(const std::string& path, const std::string& source,
                const std::function<void(std::ostream&)>& write);

/// Prints notes for the user, a line each, to standard error.
void print_notes(const std::vector<std::string>& notes);

/// Throws InputError when both paths lead to the same file.
void check_not_source(const std::string& path, const std::string& source);

}  // namespace starhist::driver
