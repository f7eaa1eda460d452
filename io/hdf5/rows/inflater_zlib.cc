#include <new>

#include <zlib.h>

#include "io/hdf5/rows/inflater.hh"

namespace starhist::io {

struct Inflater::State {
  State() {
    if (inflateInit(&stream) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~State() { inflateEnd(&stream); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  z_stream stream{};
};

Inflater::Inflater() = default;
Inflater::~Inflater() = default;

ChunkDamage Inflater::inflate(const std::vector<char>& in, char* out,
                              std::size_t size) {
  if (state_ == nullptr) {
    state_ = std::make_unique<State>();
  }
  z_stream& stream = state_->stream;
  inflateReset(&stream);  // cannot fail for a stream initialized by inflateInit
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
  stream.avail_in = static_cast<unsigned>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out);
  stream.avail_out = static_cast<unsigned>(size);
  const int status = ::inflate(&stream, Z_FINISH);
  const bool is_full = stream.avail_out == 0;
  const bool goes_on = status == Z_BUF_ERROR && is_full && stream.avail_in > 0;
  if (status == Z_STREAM_END && is_full) {
    return ChunkDamage::none;
  }
  if (status == Z_MEM_ERROR) {
    return ChunkDamage::memory;
  }
  return status == Z_STREAM_END || goes_on ? ChunkDamage::size : ChunkDamage::stream;
}

}  // namespace starhist::io
