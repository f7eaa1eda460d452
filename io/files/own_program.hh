#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>

namespace starhist::io {

/// Returns the absolute path of this process' executable, with links resolved; empty if
/// the system does not provide it.
std::filesystem::path own_program();

/// Returns the first of these files that is executable; "" if there is no such file.
/// `places` are absolute or relative to the folder of own_program().
std::string program_at(std::initializer_list<const char*> places);

}  // namespace starhist::io
