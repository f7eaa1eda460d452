#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace starhist::io {

/// Kind of a file according to its first bytes, without regard to the formats that are
/// read.
struct FileSignature {
  std::string bytes;         ///< the first 512, or all where the file is shorter
  bool may_be_text = false;  ///< also if compressed (is_compressed())
  std::string description;   ///< "a NetCDF file", "text (\"ITEM: TIMESTEP\")"
};

/// Throws InputError unless the file is there, can be opened and is not empty.
void check_is_file(const std::string& path);

/// The signature of a file, for messages about files that cannot be read. Does not
/// throw, whatever the content is.
FileSignature signature_of_file(const std::string& path);

/// Whether `bytes` has `signature` at this offset.
bool has_bytes_at(std::string_view bytes, std::size_t offset,
                  std::string_view signature);

}  // namespace starhist::io
