#pragma once

#include <string>

#include "io/result/result_reader.hh"

namespace starhist::driver {

/// The result in a file that the user names. Throws InputError like io::read_result;
/// for another kind of file the message names the kind: "a file of the format XTC".
io::ResultFile read_result_input(const std::string& path, io::ExternalFiles external);

/// Warns of the result of an unfinished run, and of a merged result that lacks parts
/// (starhist merge, exit code 3).
void report_incomplete(const io::ResultFile& result);

}  // namespace starhist::driver
