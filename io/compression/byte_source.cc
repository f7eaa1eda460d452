#include "io/compression/byte_source.hh"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include <zlib.h>

#include "codelets/core/base/error.hh"
#include "io/compression/decoder_stream.hh"

namespace starhist::io {
namespace {

using namespace std::string_view_literals;

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr unsigned gzip_buffer_bytes = 1U << 10U;
#else
constexpr unsigned gzip_buffer_bytes = 1U << 17U;
#endif

/// A gzip-compressed or plain file, read with zlib.
class GzipSource : public ByteSource {
 public:
  /// Throws InputError when the file cannot be opened.
  explicit GzipSource(const std::string& path)
      : path_(path), file_(gzopen(path.c_str(), "rb")) {
    if (file_ == nullptr) {
      throw InputError(path + ": " + (errno != 0 ? std::strerror(errno) : "no memory"));
    }
    gzbuffer(file_.get(), gzip_buffer_bytes);
  }

  const char* compression() const override {
    return gzdirect(file_.get()) == 0 ? "gzip" : "";
  }

  std::size_t read(char* bytes, std::size_t size) override {
    const int count = gzread(file_.get(), bytes, static_cast<unsigned>(size));
    int error = Z_OK;
    const char* message = gzerror(file_.get(), &error);
    if (error == Z_ERRNO) {
      throw RunError(path_ + ": " + std::strerror(errno));
    }
    if (error == Z_BUF_ERROR || error == Z_DATA_ERROR) {
      damaged_ = true;  // data before the damage are usable
    } else if (error != Z_OK) {
      throw RunError(path_ + ": " + message);
    }
    return count > 0 ? static_cast<std::size_t>(count) : 0;
  }

  bool damaged() const override { return damaged_; }

  std::uint64_t taken() const override {
    return static_cast<std::uint64_t>(gzoffset(file_.get()));
  }

  bool go_to(std::uint64_t offset) override {
    damaged_ = false;
    return gzseek(file_.get(), static_cast<z_off_t>(offset), SEEK_SET) >= 0;
  }

 private:
  struct Close {
    void operator()(gzFile_s* file) const { gzclose(file); }
  };
  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  bool damaged_ = false;
};

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

void refuse_special_file(const std::string& path) {
  using std::filesystem::file_type;
  std::error_code unknown;
  const file_type type = std::filesystem::status(path, unknown).type();
  if (type == file_type::fifo || type == file_type::socket ||
      type == file_type::character || type == file_type::block) {
    throw InputError(path +
                     ": is a pipe or a device (files are read more than once): write "
                     "its contents to a file");
  }
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
