#pragma once

#include <string>

namespace starhist::io {

/// True if `name`, not followed as a symbolic link, stands for the open file (same
/// device and inode). False also if either cannot be looked at.
bool is_named(int file, const std::string& name) noexcept;

}  // namespace starhist::io
