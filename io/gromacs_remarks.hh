#pragma once

#include <string>
#include <string_view>

namespace starhist::gromacs {

/// Why libgromacs gave up, in one line, from what it wrote: the paragraph below "Fatal
/// error:" or the like, else the last line; "" when there is none.
std::string reason_in(std::string_view text);

}  // namespace starhist::gromacs
