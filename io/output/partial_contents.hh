#pragma once

#include <string>

namespace starhist::io {

/// What the regular file PATH.partial of an earlier run holds, and what to do with it,
/// for the message that refuses to replace it: finished blocks and their frames, or
/// that it is no result, and when it was last modified. Reads all blocks, one at a
/// time. Never throws InputError.
std::string partial_contents(const std::string& partial);

}  // namespace starhist::io
