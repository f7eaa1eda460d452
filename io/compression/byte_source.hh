#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace starhist::io {

/// Endings of the names of compressed files: ".gz", ".bz2", ".xz", ".zst".
const std::vector<std::string>& compressed_endings();

/// The bytes of a file, plain or decompressed.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Name of the compression: "gzip"; "" of a plain file.
  virtual const char* compression() const = 0;

  /// Reads up to `size` bytes. 0: the file ends there, or what follows cannot be
  /// decompressed, which damaged() tells. Throws RunError when the disk fails, and
  /// InputError when decompression takes too much memory.
  virtual std::size_t read(char* bytes, std::size_t size) = 0;

  /// Whether the compressed file is damaged, or ends too early, at the place where
  /// read() ended.
  virtual bool damaged() const = 0;

  /// Number of bytes of the file that are taken so far [bytes, of what is compressed].
  virtual std::uint64_t taken() const = 0;

  /// Goes to this byte of what is decompressed. False where that cannot be. A step back
  /// decompresses all that is before the place.
  virtual bool go_to(std::uint64_t offset) = 0;
};

/// Opens a file, whose first bytes tell how it is compressed: by gzip, bzip2, xz, zstd,
/// or not. Throws InputError when it cannot be opened.
std::unique_ptr<ByteSource> open_byte_source(const std::string& path);

/// Whether these first bytes of a file are those of a compressed one.
bool is_compressed(std::string_view first_bytes);

}  // namespace starhist::io
