#include "io/text/text_file.hh"

#include <cstring>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
// Small, so that the files of fuzz targets exceed the buffer.
constexpr std::size_t buffer_bytes = 256;
#else
constexpr std::size_t buffer_bytes = 1U << 18U;
#endif

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

TextFile::TextFile(const std::string& path)
    : path_(path), source_(open_byte_source(path)), buffer_(buffer_bytes) {}

bool TextFile::next(std::string_view& line) {
  std::size_t seen = position_;
  for (;;) {
    const void* end = std::memchr(buffer_.data() + seen, '\n', size_ - seen);
    if (end != nullptr) {
      const auto length =
          static_cast<std::size_t>(static_cast<const char*>(end) - buffer_.data()) -
          position_;
      check_length(length);
      line = take_line(length);
      ++position_;  // the newline
      return true;
    }
    const std::size_t unfinished = size_ - position_;
    check_length(unfinished);
    if (!read_more()) {
      if (rest_is_line_ && unfinished > 0) {
        line = take_line(unfinished);
        return true;
      }
      truncation_ = truncation_ || !is_blank({buffer_.data() + position_, unfinished});
      return false;
    }
    seen = position_ + unfinished;
  }
}

std::string_view TextFile::take_line(std::size_t length) {
  std::string_view line(buffer_.data() + position_, length);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  // Editors of Windows write it at the beginning of a file.
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (begin_offset_ + position_ == 0 && line.starts_with(byte_order_mark)) {
    line.remove_prefix(byte_order_mark.size());
  }
  position_ += length;
  ++line_;
  return line;
}

void TextFile::check_length(std::size_t length) {
  if (length > longest_line) {
    throw InputError(path_ + ", line " + std::to_string(line_) +
                     ": is longer than 1 MiB, the limit for a line of a trajectory "
                     "(the file is damaged, or of another format)");
  }
}

void TextFile::check_expansion() const {
  const std::uint64_t bytes = begin_offset_ + size_;
  if (bytes <= expansion_looked_at || !compressed()) {
    return;
  }
  const std::uint64_t taken = source_->taken();
  if (bytes / most_expansion > taken) {
    throw InputError(path_ + ", line " + std::to_string(line_) + ": " +
                     source_->compression() + " has made " + std::to_string(bytes) +
                     " bytes of " + std::to_string(taken) + ", more than " +
                     std::to_string(most_expansion) +
                     " times as many (particle positions do not compress that well: if "
                     "you know its source, decompress it)");
  }
}

bool TextFile::rest(std::string_view& characters) const {
  characters = {buffer_.data() + position_, size_ - position_};
  return !damaged_ && !is_blank(characters);
}

bool TextFile::read_more() {
  begin_offset_ += position_;
  size_ -= position_;
  std::memmove(buffer_.data(), buffer_.data() + position_, size_);
  position_ = 0;
  if (size_ == buffer_.size()) {
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t count =
      source_->read(buffer_.data() + size_, buffer_.size() - size_);
  if (source_->damaged()) {
    damaged_ = true;
    truncation_ = true;  // data before the damage are usable
  }
  if (count == 0) {
    return false;
  }
  size_ += count;
  check_expansion();
  return true;
}

bool TextFile::compressed() const {
  return *source_->compression() != '\0';
}

void TextFile::go_to(const Position& position) {
  line_ = position.line;
  damaged_ = false;
  truncation_ = false;
  if (position.offset >= begin_offset_ && position.offset <= begin_offset_ + size_) {
    position_ = static_cast<std::size_t>(position.offset - begin_offset_);
    return;
  }
  if (!source_->go_to(position.offset)) {
    throw RunError(path_ + ": cannot go to byte " + std::to_string(position.offset));
  }
  begin_offset_ = position.offset;
  position_ = 0;
  size_ = 0;
}

std::string TextFile::last_line_position() const {
  return path_ + ", line " + std::to_string(line_ - 1);
}

std::string TextFile::at_last_line(const std::string& problem) const {
  return problem.starts_with(path_) ? problem : last_line_position() + ": " + problem;
}

}  // namespace starhist::io
