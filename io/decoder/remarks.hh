#pragma once

#include <string>
#include <string_view>

namespace starhist::io::decoder {

/// Extracts, from the output of a library's process, the reason why it gave up, as one
/// line of ASCII: the paragraph below "Fatal error:" or the like, otherwise the last
/// line; "" for an empty output. Paths in `folder` become "the file".
std::string reason_in(std::string_view text, const std::string& folder);

}  // namespace starhist::io::decoder
