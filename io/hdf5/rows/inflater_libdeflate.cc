#include <libdeflate.h>

#include "io/hdf5/rows/inflater.hh"

namespace starhist::io {

struct Inflater::State {
  State() = default;
  ~State() { libdeflate_free_decompressor(decompressor); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
};

Inflater::Inflater() = default;
Inflater::~Inflater() = default;

ChunkDamage Inflater::inflate(const std::vector<char>& in, char* out,
                              std::size_t size) {
  if (state_ == nullptr) {
    state_ = std::make_unique<State>();
  }
  if (state_->decompressor == nullptr) {
    state_ = nullptr;
    return ChunkDamage::memory;
  }
  std::size_t in_bytes = 0;  // size of the stream, without bytes after it
  std::size_t out_bytes = 0;
  switch (libdeflate_zlib_decompress_ex(state_->decompressor, in.data(), in.size(), out,
                                        size, &in_bytes, &out_bytes)) {
    case LIBDEFLATE_SUCCESS:
      return out_bytes == size ? ChunkDamage::none : ChunkDamage::size;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return ChunkDamage::size;
    default:
      return ChunkDamage::stream;
  }
}

}  // namespace starhist::io
