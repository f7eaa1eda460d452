#include "io/hdf5/compressed_row.hh"

#include <algorithm>
#include <array>
#include <new>

#include <zlib.h>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

constexpr std::size_t bytes_of_number = sizeof(std::uint64_t);

using Lines = std::vector<std::vector<std::uint64_t>>;

/// Extents of a chunk: lines and numbers per line.
struct ChunkShape {
  std::size_t lines = 0;
  std::size_t numbers = 0;
};

ChunkShape chunk_shape(hid_t dataset) {
  const Hdf5Object properties = own_hdf5<RunError>(H5Dget_create_plist(dataset),
                                                   H5Pclose, dataset, "", unwritable);
  std::array<hsize_t, 3> chunk{};
  check_hdf5<RunError>(H5Pget_chunk(properties.get(), 3, chunk.data()), dataset, "",
                       unwritable);
  return {chunk[1], chunk[2]};
}

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

void check_shape(hid_t dataset, hsize_t row, const Lines& lines) {
  const std::vector<hsize_t> shape = hdf5_shape(dataset);
  if (shape.size() != 3 || row >= shape[0] || lines.size() != shape[1] ||
      std::any_of(lines.begin(), lines.end(),
                  [&](const auto& line) { return line.size() != shape[2]; })) {
    throw InternalError(hdf5_location(dataset) + ": no row of this shape");
  }
}

}  // namespace

void write_compressed_hdf5_row(hid_t dataset, hsize_t row, const Lines& lines) {
  silence_hdf5();
  check_shape(dataset, row, lines);
  const ChunkShape shape = chunk_shape(dataset);
  const std::size_t numbers = lines.empty() ? 0 : lines.front().size();
  std::vector<unsigned char> bytes;
  std::vector<unsigned char> deflated;
  for (std::size_t l = 0; l < lines.size(); l += shape.lines) {
    for (std::size_t k = 0; k < numbers; k += shape.numbers) {
      shuffle(lines, {l, k}, shape, bytes);
      const std::size_t size = deflate_bytes(bytes, deflated);
      const std::array<hsize_t, 3> start{row, l, k};
      check_hdf5<RunError>(
          H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, start.data(), size, deflated.data()),
          dataset, "", unwritable);
    }
  }
}

}  // namespace starhist::io
