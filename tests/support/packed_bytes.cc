#include "tests/support/packed_bytes.hh"

#include <cstdint>
#include <stdexcept>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace starhist::testing {
namespace {

void require(bool done) {
  if (!done) {
    throw std::runtime_error("a text cannot be compressed");
  }
}

std::string by_gzip(const std::string& text) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16;
  require(deflateInit2(&stream, 6, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) ==
          Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string by_bzip2(const std::string& text) {
  std::string out(text.size() + text.size() / 50 + 1000, '\0');
  auto size = static_cast<unsigned>(out.size());
  require(BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()),
                                   static_cast<unsigned>(text.size()), 9, 0,
                                   0) == BZ_OK);
  out.resize(size);
  return out;
}

std::string by_xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  require(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                                  reinterpret_cast<const std::uint8_t*>(text.data()),
                                  text.size(),
                                  reinterpret_cast<std::uint8_t*>(out.data()), &size,
                                  out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

}  // namespace

std::string packed_by_zstd(const std::string& text, int window_log) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  std::string out(ZSTD_compressBound(text.size()) + 64, '\0');
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  // In two pieces, so that the length is unknown at the start.
  ZSTD_inBuffer first{text.data(), text.size() / 2, 0};
  require(ZSTD_isError(ZSTD_compressStream2(context, &to, &first, ZSTD_e_flush)) == 0);
  ZSTD_inBuffer rest{text.data() + text.size() / 2, text.size() - text.size() / 2, 0};
  require(ZSTD_compressStream2(context, &to, &rest, ZSTD_e_end) == 0);
  ZSTD_freeCCtx(context);
  out.resize(to.pos);
  return out;
}

std::string packed(const std::string& text, const std::string& compression) {
  if (compression == "gzip") {
    return by_gzip(text);
  }
  if (compression == "bzip2") {
    return by_bzip2(text);
  }
  return compression == "xz" ? by_xz(text) : packed_by_zstd(text, 20);
}

}  // namespace starhist::testing
