#pragma once

#include <cstdint>
#include <string>

#include "io/files/descriptor.hh"

namespace starhist::io {

/// Bytes of a file, at any place.
class ByteFile {
 public:
  /// Throws InputError when the file cannot be opened.
  explicit ByteFile(const std::string& path);

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }  ///< when it was opened

  /// `count` bytes from `offset` on, or as many as there are, into `out`. Throws
  /// RunError.
  void read(std::uint64_t offset, std::uint64_t count, std::string& out) const;

 private:
  std::string path_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace starhist::io
