#pragma once

#include <filesystem>

namespace starhist::io {

/// Absolute path of the program file of this process, with links resolved; empty if the
/// system does not provide it.
std::filesystem::path own_program();

}  // namespace starhist::io
