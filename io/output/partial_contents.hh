#pragma once

#include <string>

namespace starhist::io {

/// Describes the regular file PATH.partial of an earlier run, for the message that
/// refuses to replace it: its complete blocks and frames (or that it is not a result),
/// its modification time, and the options of the user. Reads the blocks one at a time.
/// Never throws InputError.
std::string partial_contents(const std::string& partial);

}  // namespace starhist::io
