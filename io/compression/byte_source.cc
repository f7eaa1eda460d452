#include "io/compression/byte_source.hh"

#include <fstream>
#include <string_view>

#include "io/compression/decoder_stream.hh"
#include "io/compression/gzip_source.hh"

namespace starhist::io {
namespace {

using namespace std::string_view_literals;

struct Compression {
  std::string_view first_bytes;
  const char* name;
  DecodedSource::MakeDecoder make;
};

constexpr std::string_view gzip_bytes = "\x1f\x8b"sv;

/// Those that a StreamDecoder decompresses.
constexpr Compression compressions[] = {
    // A block, or none: "BZh" alone may be text.
    {"BZh1AY&SY"sv, "bzip2", make_bzip2_decoder},
    {"\xfd\x37zXZ\0"sv, "xz", make_xz_decoder},
    {"\x28\xb5\x2f\xfd"sv, "zstd", make_zstd_decoder},
};

bool begins_with(std::string_view bytes, const Compression& compression) {
  if (compression.name == "bzip2"sv && bytes.size() > 4) {
    // "BZh9": the digit is the size of its blocks.
    return bytes.starts_with("BZh") && bytes[3] >= '1' && bytes[3] <= '9' &&
           bytes.substr(4).starts_with(compression.first_bytes.substr(3));
  }
  return bytes.starts_with(compression.first_bytes);
}

}  // namespace

const std::vector<std::string>& compressed_endings() {
  static const std::vector<std::string> endings{".gz", ".bz2", ".xz", ".zst"};
  return endings;
}

bool is_compressed(std::string_view first_bytes) {
  if (first_bytes.starts_with(gzip_bytes)) {
    return true;
  }
  for (const Compression& compression : compressions) {
    if (begins_with(first_bytes, compression)) {
      return true;
    }
  }
  return false;
}

std::unique_ptr<ByteSource> open_byte_source(const std::string& path) {
  std::string first(16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(file.gcount()));
  for (const Compression& compression : compressions) {
    if (begins_with(first, compression)) {
      return std::make_unique<DecodedSource>(path, compression.name, compression.make);
    }
  }
  return std::make_unique<GzipSource>(path);
}

}  // namespace starhist::io
