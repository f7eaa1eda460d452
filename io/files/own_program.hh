#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>

namespace starhist::io {

/// Absolute path of the program file of this process, with links resolved; empty if the
/// system does not provide it.
std::filesystem::path own_program();

/// The first of these files that can be executed, "" if none can. Places are relative
/// to the folder of own_program(), or absolute.
std::string program_at(std::initializer_list<const char*> places);

}  // namespace starhist::io
