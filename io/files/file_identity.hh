#pragma once

#include <string>

namespace starhist::io {

/// True if `name`, not followed as a symbolic link, is the open file (same device and
/// inode). False also if either cannot be examined.
bool is_named(int file, const std::string& name) noexcept;

/// Returns the checksum (CRC-32, hexadecimal) of the first 4096 bytes of a file, or of
/// all its bytes if it is shorter; "" if it cannot be read.
std::string first_bytes_text(const std::string& path);

/// Returns the checksum of three samples of 4096 bytes: at the beginning, in the middle
/// and at the end. "" if the file cannot be read or is not a regular file.
std::string sampled_bytes_text(const std::string& path);

/// Returns the checksum of all bytes. "" if the file cannot be read or is not a regular
/// file.
std::string all_bytes_text(const std::string& path);

}  // namespace starhist::io
