#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace starhist::io {

/// `path`, or the file that it leads to as a symbolic link, which need not be there.
/// Throws InputError if links lead in a circle.
std::string end_of_links(const std::string& path);

/// Calls `write` for the file `path`, which is there only when it is complete and on
/// the disk: it is written under another name in its folder and then renamed. Until
/// then, and if anything fails, an old file stays as it is. A symbolic link stands for
/// the file that it leads to. Devices, pipes and the names of open files (/dev/stdout)
/// are written directly. Throws InputError if the file cannot be created, RunError if
/// it cannot be written to its end, and what `write` throws.
void write_whole_file(const std::string& path,
                      const std::function<void(std::ostream&)>& write);

}  // namespace starhist::io
