#include "io/hdf5/compressed_row.hh"

#include <algorithm>
#include <new>

#include <zlib.h>

#include "io/hdf5/hdf5_append.hh"

namespace starhist::io {
namespace {

constexpr std::size_t bytes_of_number = sizeof(std::uint64_t);

using Lines = std::vector<std::vector<std::uint64_t>>;

/// Extents of a chunk: lines and numbers per line.
struct ChunkShape {
  std::size_t lines = 0;
  std::size_t numbers = 0;
};

/// Extracts the chunk that begins at a line and number, padded with 0 beyond the row,
/// and applies HDF5's shuffle filter: the first byte of all numbers, then the second
/// byte of all, and so on.
void shuffle(const Lines& lines, const ChunkShape& begin, const ChunkShape& shape,
             std::vector<unsigned char>& bytes) {
  const std::size_t all = shape.lines * shape.numbers;
  bytes.assign(all * bytes_of_number, 0);
  const std::size_t last_line = std::min(begin.lines + shape.lines, lines.size());
  for (std::size_t l = begin.lines; l < last_line; ++l) {
    const std::vector<std::uint64_t>& line = lines[l];
    const std::size_t count = std::min(shape.numbers, line.size() - begin.numbers);
    const auto* const from =
        reinterpret_cast<const unsigned char*>(line.data() + begin.numbers);
    for (std::size_t b = 0; b < bytes_of_number; ++b) {
      unsigned char* const to =
          bytes.data() + b * all + (l - begin.lines) * shape.numbers;
      for (std::size_t k = 0; k < count; ++k) {
        to[k] = from[k * bytes_of_number + b];
      }
    }
  }
}

/// Compresses like HDF5's deflate filter. Returns the number of bytes.
std::size_t deflate_bytes(const std::vector<unsigned char>& bytes,
                          std::vector<unsigned char>& deflated) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  deflated.resize(size);
  if (compress2(deflated.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()),
                hdf5_deflate_level) != Z_OK) {
    // the only possible error, because the buffer is large enough
    throw std::bad_alloc();
  }
  return size;
}

}  // namespace

std::vector<std::string> compressed_chunks(const Lines& lines) {
  const std::size_t numbers = lines.empty() ? 0 : lines.front().size();
  const std::vector<hsize_t> chunk =
      hdf5_chunk_shape({lines.size(), numbers}, Hdf5Storage::compressed);
  const ChunkShape shape{chunk[1], chunk[2]};
  std::vector<unsigned char> bytes;
  std::vector<unsigned char> deflated;
  std::vector<std::string> chunks;
  for (std::size_t l = 0; l < lines.size(); l += shape.lines) {
    for (std::size_t k = 0; k < numbers; k += shape.numbers) {
      shuffle(lines, {l, k}, shape, bytes);
      const std::size_t size = deflate_bytes(bytes, deflated);
      chunks.emplace_back(reinterpret_cast<const char*>(deflated.data()), size);
    }
  }
  return chunks;
}

}  // namespace starhist::io
