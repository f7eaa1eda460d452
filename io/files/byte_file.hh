#pragma once

#include <cstdint>
#include <string>

#include "io/files/descriptor.hh"

namespace starhist::io {

/// A file whose bytes can be read at any offset. Several threads may call read() at
/// once.
class ByteFile {
 public:
  /// Throws InputError when the file cannot be opened.
  explicit ByteFile(const std::string& path);

  const std::string& path() const { return path_; }
  /// size in bytes when the file was opened
  std::uint64_t size() const { return size_; }

  /// Reads up to `count` bytes, starting at `offset`, into `out`; fewer only at the end
  /// of the file. Throws RunError when the file cannot be read.
  void read(std::uint64_t offset, std::uint64_t count, std::string& out) const;

 private:
  std::string path_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace starhist::io
