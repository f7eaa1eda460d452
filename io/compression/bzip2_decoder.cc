#include <new>

#include <bzlib.h>

#include "io/compression/decoder_stream.hh"

namespace starhist::io {
namespace {

/// Decodes bzip2 with libbz2.
class Bzip2Decoder : public StreamDecoder {
 public:
  Bzip2Decoder() { begin(); }
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }

  State decode(std::string_view& input, char*& output, std::size_t& size) override {
    if (ended_ && !input.empty()) {
      BZ2_bzDecompressEnd(&stream_);
      begin();
      ended_ = false;
    }
    stream_.next_in = const_cast<char*>(input.data());
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = output;
    stream_.avail_out = static_cast<unsigned>(size);
    const int code = BZ2_bzDecompress(&stream_);
    input.remove_prefix(input.size() - stream_.avail_in);
    output = stream_.next_out;
    size = stream_.avail_out;
    if (code == BZ_STREAM_END) {
      ended_ = true;
      return State::between;
    }
    if (code == BZ_MEM_ERROR) {
      throw std::bad_alloc();
    }
    return code == BZ_OK ? State::inside : State::damaged;
  }

 private:
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) {
      throw std::bad_alloc();
    }
  }

  bz_stream stream_{};
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_bzip2_decoder() {
  return std::make_unique<Bzip2Decoder>();
}

}  // namespace starhist::io
