#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace starhist::driver {

/// Runs `write` on the file `path`, or on standard output if it is empty. What `write`
/// refuses (InputError) leaves no file. Throws InputError when the output is the file
/// `source` that is read or cannot be opened, RunError when it cannot be written.
void write_text(const std::string& path, const std::string& source,
                const std::function<void(std::ostream&)>& write);

/// Throws InputError when both are one file.
void check_not_source(const std::string& path, const std::string& source);

}  // namespace starhist::driver
