#pragma once

#include <string>

namespace starhist::testing {

/// `text` in the format of a compression program: "gzip", "bzip2", "xz", "zstd".
std::string packed(const std::string& text, const std::string& compression);

/// Compresses by zstd with a window of 2^window_log bytes, whatever the length of the
/// text.
std::string packed_by_zstd(const std::string& text, int window_log);

}  // namespace starhist::testing
