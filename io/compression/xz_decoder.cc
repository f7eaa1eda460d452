#include <new>

#include <lzma.h>

#include "io/compression/decoder_stream.hh"

namespace starhist::io {
namespace {

/// Decodes xz with liblzma.
class XzDecoder : public StreamDecoder {
 public:
  XzDecoder() {
    if (lzma_stream_decoder(&stream_, most_decoder_memory, LZMA_CONCATENATED) !=
        LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  ~XzDecoder() override { lzma_end(&stream_); }

  State decode(std::string_view& input, char*& output, std::size_t& size) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(output);
    stream_.avail_out = size;
    // Concatenated streams require LZMA_FINISH at the end of the input.
    const lzma_ret code = lzma_code(&stream_, input.empty() ? LZMA_FINISH : LZMA_RUN);
    input.remove_prefix(input.size() - stream_.avail_in);
    output += size - stream_.avail_out;
    size = stream_.avail_out;
    switch (code) {
      case LZMA_OK:
        return State::inside;
      case LZMA_STREAM_END:
        return State::between;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        return State::too_large;
      default:
        return State::damaged;
    }
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_xz_decoder() {
  return std::make_unique<XzDecoder>();
}

}  // namespace starhist::io
