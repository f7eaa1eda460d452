#include <new>

#include <zstd.h>
#include <zstd_errors.h>

#include "io/compression/decoder_stream.hh"

namespace starhist::io {
namespace {

/// Decodes zstd with libzstd, whose own memory limit is 128 MiB.
class ZstdDecoder : public StreamDecoder {
 public:
  ZstdDecoder() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) {
      throw std::bad_alloc();
    }
  }
  ~ZstdDecoder() override { ZSTD_freeDStream(stream_); }

  State decode(std::string_view& input, char*& output, std::size_t& size) override {
    ZSTD_inBuffer from{input.data(), input.size(), 0};
    ZSTD_outBuffer to{output, size, 0};
    const std::size_t code = ZSTD_decompressStream(stream_, &to, &from);
    input.remove_prefix(from.pos);
    output += to.pos;
    size -= to.pos;
    if (ZSTD_isError(code) == 0) {
      return code == 0 ? State::between : State::inside;
    }
    switch (ZSTD_getErrorCode(code)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        return State::too_large;
      default:
        return State::damaged;
    }
  }

 private:
  ZSTD_DStream* stream_;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_zstd_decoder() {
  return std::make_unique<ZstdDecoder>();
}

}  // namespace starhist::io
