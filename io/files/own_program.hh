#pragma once

#include <filesystem>

namespace starhist::io {

/// The file that this process runs, with its folder and without links. Empty where the
/// system does not tell.
std::filesystem::path own_program();

}  // namespace starhist::io
