#pragma once

#include <string>

namespace starhist::io {

/// True if `name`, not followed as a symbolic link, stands for the open file (same
/// device and inode). False also if either cannot be looked at.
bool is_named(int file, const std::string& name) noexcept;

/// Checksum (CRC-32, hexadecimal) of the first 4096 bytes of a file, or of all if it
/// has fewer; "" if it cannot be read.
std::string first_bytes_text(const std::string& path);

/// The same of 4096 bytes each at the beginning, in the middle and at the end. Also ""
/// for what is not a regular file.
std::string sampled_bytes_text(const std::string& path);

}  // namespace starhist::io
