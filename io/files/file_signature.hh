#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace starhist::io {

/// Kind of a file according to its first bytes, regardless of whether starhist reads
/// it.
struct FileSignature {
  std::string bytes;         ///< the first 512 bytes, or all if the file is shorter
  bool may_be_text = false;  ///< also true for compressed files (is_compressed())
  /// for messages: "a NetCDF file", "text (\"ITEM: TIMESTEP\")"
  std::string description;
};

/// Throws InputError unless the file exists, can be opened and is not empty.
void check_is_file(const std::string& path);

/// Returns the signature of a file, for messages about files that cannot be read.
/// Accepts any content without throwing.
FileSignature signature_of_file(const std::string& path);

/// Whether `bytes` contains `signature` at this offset.
bool has_bytes_at(std::string_view bytes, std::size_t offset,
                  std::string_view signature);

}  // namespace starhist::io
