#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace starhist::io {

/// Returns the file name extensions of compressed files: ".gz", ".bz2", ".xz", ".zst".
const std::vector<std::string>& compressed_endings();

/// The bytes of a file, decompressed if necessary.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Name of the compression, such as "gzip"; "" for a plain file.
  virtual const char* compression() const = 0;

  /// Reads up to `size` bytes and returns their number. 0: the end of the file, or
  /// damaged data if damaged() is true. Throws RunError when the disk fails, and
  /// InputError when decompression takes too much memory.
  virtual std::size_t read(char* bytes, std::size_t size) = 0;

  /// Whether the compressed data are damaged, or truncated, where read() stopped.
  virtual bool damaged() const = 0;

  /// Bytes of the file read so far [compressed bytes].
  virtual std::uint64_t taken() const = 0;

  /// Seeks to an offset in the decompressed data; false if it cannot be reached.
  /// Seeking backwards decompresses everything before the offset again.
  virtual bool go_to(std::uint64_t offset) = 0;
};

/// Throws InputError for a pipe, a socket or a device: opening one may block forever,
/// and files are read more than once.
void refuse_special_file(const std::string& path);

/// Opens a file, plain or compressed (gzip, bzip2, xz, zstd, detected from its first
/// bytes). Throws InputError when it cannot be opened.
std::unique_ptr<ByteSource> open_byte_source(const std::string& path);

/// Whether a file with these first bytes is compressed.
bool is_compressed(std::string_view first_bytes);

}  // namespace starhist::io
