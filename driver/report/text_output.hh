#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace starhist::driver {

/// Calls `write` for the file `path`, like io::write_whole_file(), or for standard
/// output if it is "" or "-". Rethrows all exceptions.
void write_text(const std::string& path,
                const std::function<void(std::ostream&)>& write);

/// Prints notes for the user, a line each, to standard error.
void print_notes(const std::vector<std::string>& notes);

}  // namespace starhist::driver
