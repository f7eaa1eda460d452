#pragma once

#include <string>

namespace starhist::io {

/// Text about the regular file PATH.partial of an earlier run, for the message that
/// refuses to replace it: its finished blocks and frames, or that it is no result, when
/// it was last modified, and what to do. Reads all blocks, one at a time. Never throws
/// InputError.
std::string partial_contents(const std::string& partial);

}  // namespace starhist::io
