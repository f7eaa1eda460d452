#include <new>

#include <bzlib.h>
#include <lzma.h>
#include <zstd.h>
#include <zstd_errors.h>

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

std::unique_ptr<StreamDecoder> make_bzip2_decoder() {
  return std::make_unique<Bzip2Decoder>();
}

std::unique_ptr<StreamDecoder> make_xz_decoder() {
  return std::make_unique<XzDecoder>();
}

std::unique_ptr<StreamDecoder> make_zstd_decoder() {
  return std::make_unique<ZstdDecoder>();
}

}  // namespace starhist::io
