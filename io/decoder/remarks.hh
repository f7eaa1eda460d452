#pragma once

#include <string>
#include <string_view>

namespace starhist::io::decoder {

/// Why a library gave up, in one line, from what its process wrote: the paragraph below
/// "Fatal error:" or the like, else the last line; "" when there is none. Without
/// `folder`, whose files nobody but us knows, and what is no readable text.
std::string reason_in(std::string_view text, const std::string& folder);

}  // namespace starhist::io::decoder
