#include "io/compression/byte_source.hh"

#include <fstream>
#include <string_view>

#include "io/compression/decoder_stream.hh"
#include "io/compression/gzip_source.hh"
#include "io/compression/special_file.hh"

namespace starhist::io {
namespace {

using namespace std::string_view_literals;

struct Compression {
  std::string_view first_bytes;
  const char* name;
  DecodedSource::MakeDecoder make;
};

constexpr std::string_view gzip_bytes = "\x1f\x8b"sv;

/// Compressions for which there is a StreamDecoder.
constexpr Compression compressions[] = {
    {"BZh"sv, "bzip2", make_bzip2_decoder},
    {"\xfd\x37zXZ\0"sv, "xz", make_xz_decoder},
    {"\x28\xb5\x2f\xfd"sv, "zstd", make_zstd_decoder},
};

/// Whether "BZh" is followed by a block size and a first block ("BZh" by itself may be
/// text), or by the end of an empty stream, after which others may follow.
bool begins_bzip2_stream(std::string_view bytes) {
  constexpr std::string_view block = "1AY&SY"sv;
  constexpr std::string_view end = "\x17\x72\x45\x38\x50\x90"sv;
  return bytes.size() > 4 && bytes[3] >= '1' && bytes[3] <= '9' &&
         (bytes.substr(4).starts_with(block) || bytes.substr(4).starts_with(end));
}

bool begins_with(std::string_view bytes, const Compression& compression) {
  return bytes.starts_with(compression.first_bytes) &&
         (compression.name != "bzip2"sv || begins_bzip2_stream(bytes));
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
  refuse_special_file(path);
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
