#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>

namespace starhist::io {

/// Returns `path` with symbolic links followed to their last target, which need not
/// exist. Throws InputError if the links form a cycle.
std::string end_of_links(const std::string& path);

/// Longest wait for a program that opens a named pipe for reading.
inline constexpr std::chrono::seconds time_for_reader{10};

/// Writes the file `path` by calling `write`, atomically: the content goes to a
/// temporary file in the same folder, which is synced and renamed when it is complete.
/// Until then, and on any failure, an existing file stays unchanged. A symbolic link is
/// followed. Devices, pipes and names of open files (/dev/stdout) are written directly.
/// Throws InputError if the file cannot be created or no program opens the pipe within
/// `patience`, RunError if it cannot be written completely, and any exception of
/// `write`.
void write_whole_file(const std::string& path,
                      const std::function<void(std::ostream&)>& write,
                      std::chrono::milliseconds patience = time_for_reader);

}  // namespace starhist::io
