#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/compression/byte_source.hh"

namespace starhist::io {

/// Decompresses a stream piece by piece. Concatenated streams are decoded as one.
class StreamDecoder {
 public:
  StreamDecoder() = default;
  StreamDecoder(const StreamDecoder&) = delete;
  StreamDecoder& operator=(const StreamDecoder&) = delete;
  virtual ~StreamDecoder() = default;

  enum class State {
    inside,    ///< within a stream
    between,   ///< after the end of a stream: the file may end here
    damaged,   ///< the data that follow cannot be decompressed
    too_large  ///< decompression takes more than most_decoder_memory
  };
  /// Consumes bytes from the front of `input` and writes up to `size` bytes to
  /// `output`; advances both past the bytes used, and reduces `size`.
  virtual State decode(std::string_view& input, char*& output, std::size_t& size) = 0;
};

/// Memory limit of a decoder [bytes]. xz -9 takes 65 MiB, zstd --ultra -22 takes 128
/// MiB.
inline constexpr std::size_t most_decoder_memory = std::size_t{1} << 28U;

/// A file that a StreamDecoder decompresses.
class DecodedSource : public ByteSource {
 public:
  using MakeDecoder = std::unique_ptr<StreamDecoder> (*)();
  /// Throws InputError when the file cannot be opened.
  DecodedSource(const std::string& path, const char* compression, MakeDecoder make);

  const char* compression() const override { return compression_; }
  std::size_t read(char* bytes, std::size_t size) override;
  bool damaged() const override { return state_ == StreamDecoder::State::damaged; }
  std::uint64_t taken() const override { return taken_; }
  bool go_to(std::uint64_t offset) override;

 private:
  /// Reads the next piece from the disk once the last one is decompressed.
  void fill();
  void rewind();

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  const char* compression_;
  MakeDecoder make_;
  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<StreamDecoder> decoder_;
  StreamDecoder::State state_ = StreamDecoder::State::between;
  std::vector<char> piece_;
  std::string_view input_;     ///< the part of piece_ that is not decompressed yet
  std::uint64_t taken_ = 0;    ///< bytes read from the disk
  std::uint64_t decoded_ = 0;  ///< bytes that read() has returned
};

std::unique_ptr<StreamDecoder> make_bzip2_decoder();
std::unique_ptr<StreamDecoder> make_xz_decoder();
std::unique_ptr<StreamDecoder> make_zstd_decoder();

}  // namespace starhist::io
