#pragma once

#include <string>

#include "io/result/result_reader.hh"

namespace starhist::driver {

/// The result in a file that the user names. Throws InputError as io::read_result does;
/// the message about a file of another kind says what it is: "a file of the format
/// XTC".
io::ResultFile read_result_input(const std::string& path, io::ExternalFiles external);

}  // namespace starhist::driver
