#pragma once

#include <string>

#include "io/result/result_reader.hh"

namespace starhist::driver {

/// Entry of the provenance of a result, or `otherwise` if there is none.
std::string recorded(const io::ResultFile& result, const std::string& name,
                     const std::string& otherwise);

/// Throws InputError when both results count the same frame of the same files. Where
/// that cannot be known, as a file may have grown between the two, says so on standard
/// error.
void check_no_common_frame(const io::ResultFile& a, const io::ResultFile& b);

}  // namespace starhist::driver
