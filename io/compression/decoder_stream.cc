#include "io/compression/decoder_stream.hh"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

using State = StreamDecoder::State;

constexpr std::size_t piece_bytes = std::size_t{1} << 17U;

}  // namespace

DecodedSource::DecodedSource(const std::string& path, const char* compression,
                             MakeDecoder make)
    : path_(path),
      compression_(compression),
      make_(make),
      file_(std::fopen(path.c_str(), "rbe")),
      decoder_(make()),
      piece_(piece_bytes) {
  if (!file_) {
    throw InputError(path + ": " + std::strerror(errno));
  }
}

void DecodedSource::fill() {
  if (!input_.empty()) {
    return;
  }
  errno = 0;
  const std::size_t count = std::fread(piece_.data(), 1, piece_.size(), file_.get());
  if (count == 0 && std::ferror(file_.get()) != 0) {
    throw RunError(path_ + ": " + std::strerror(errno));
  }
  taken_ += count;
  input_ = {piece_.data(), count};
}

std::size_t DecodedSource::read(char* bytes, std::size_t size) {
  char* output = bytes;
  std::size_t left = size;
  while (left == size && state_ != State::damaged) {
    fill();
    const bool at_end = input_.empty();
    if (at_end && state_ == State::between) {
      break;
    }
    state_ = decoder_->decode(input_, output, left);
    if (state_ == State::too_large) {
      throw InputError(
          path_ + ": takes more than 256 MiB of memory to be decompressed (" +
          compression_ + " used a window of that size): decompress it first");
    }
    if (at_end && left == size && state_ == State::inside) {
      state_ = State::damaged;  // the file ends within a stream
    }
  }
  decoded_ += size - left;
  return size - left;
}

void DecodedSource::rewind() {
  std::rewind(file_.get());
  decoder_ = make_();
  state_ = State::between;
  input_ = {};
  taken_ = 0;
  decoded_ = 0;
}

bool DecodedSource::go_to(std::uint64_t offset) {
  if (offset < decoded_) {
    rewind();
  }
  std::vector<char> skipped(piece_bytes);
  while (decoded_ < offset) {
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(skipped.size(), offset - decoded_));
    if (read(skipped.data(), size) == 0) {
      return false;
    }
  }
  return true;
}

}  // namespace starhist::io
