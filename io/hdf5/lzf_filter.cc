#include "io/hdf5/lzf_filter.hh"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <utility>

#include <hdf5.h>

// The published header lacks this declaration of C linkage.
extern "C" {
#include <lzf.h>
}

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

constexpr std::size_t longest_block = std::numeric_limits<unsigned>::max();
constexpr std::size_t smallest_buffer = 4096;

/// A malloc'ed block of memory, as exchanged by HDF5's filters.
class Block {
 public:
  explicit Block(std::size_t size)
      : data_(H5allocate_memory(size, false)), size_(size) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { H5free_memory(data_); }

  void* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Frees the caller's block and replaces it by this one.
  void replace(void** block, std::size_t* block_size) {
    std::swap(data_, *block);
    *block_size = size_;
  }

 private:
  void* data_;
  std::size_t size_;
};

/// HDF5's filter interface: returns the number of valid bytes, 0 for a failure.
///
/// The third parameter of h5py's filter is the size of a decompressed chunk (without a
/// checksum that may follow). It is checked here, because HDF5 would read beyond a
/// chunk that is too short.
std::size_t decompress(unsigned flags, std::size_t parameter_count,
                       const unsigned* parameters, std::size_t compressed_size,
                       std::size_t* block_size, void** block) {
  if ((flags & H5Z_FLAG_REVERSE) == 0 || compressed_size > longest_block) {
    return 0;  // compressing is not supported
  }
  const std::size_t chunk_size = parameter_count >= 3 ? parameters[2] : 0;
  for (std::size_t size = std::max(chunk_size, smallest_buffer); size <= longest_block;
       size *= 2) {
    Block out(size);
    if (out.data() == nullptr) {
      return 0;
    }
    const unsigned length =
        lzf_decompress(*block, static_cast<unsigned>(compressed_size), out.data(),
                       static_cast<unsigned>(out.size()));
    if (length > 0 && length >= chunk_size) {
      out.replace(block, block_size);
      return length;
    }
    if (length > 0 || errno != E2BIG) {
      return 0;
    }
  }
  return 0;
}

}  // namespace

void register_lzf_filter() {
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, lzf_filter_id, 0,         1, "lzf",
                               nullptr,          nullptr,       decompress};
  if (H5Zregister(&filter) < 0) {
    throw InternalError("HDF5 refuses the LZF filter");
  }
}

}  // namespace starhist::io
