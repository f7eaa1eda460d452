#pragma once

#include <cstdint>
#include <string>

#include "io/files/descriptor.hh"

namespace starhist::io {

/// A file whose bytes can be read at any offset. read() may be called from several
/// threads at once.
class ByteFile {
 public:
  /// Throws InputError when the file cannot be opened.
  explicit ByteFile(const std::string& path);

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }  ///< when it was opened

  /// Sets `out` to `count` bytes from `offset` on, or to fewer where the file ends
  /// before. Throws RunError when the file cannot be read.
  void read(std::uint64_t offset, std::uint64_t count, std::string& out) const;

 private:
  std::string path_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace starhist::io
