#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/compression/byte_source.hh"

namespace starhist::io {

/// Most characters of a line. No format that starhist reads comes near it.
inline constexpr std::size_t longest_line = std::size_t{1} << 20U;

/// A compressed file that gives more than `expansion_looked_at` bytes may not give more
/// than `most_expansion` times its own. gzip reaches 1032, positions of particles 3 to
/// 10.
inline constexpr std::uint64_t expansion_looked_at = std::uint64_t{1} << 28U;
inline constexpr std::uint64_t most_expansion = 500;

/// Lines of a text file, plain or compressed (open_byte_source()), from any offset.
///
/// What a compressed file has lost at its end reads as a file that ends there.
/// Characters behind the last end of a line are no line until take_rest_as_line().
class TextFile {
 public:
  /// Throws InputError when the file cannot be opened.
  explicit TextFile(const std::string& path);

  /// A place to come back to: the begin of a line.
  struct Position {
    std::uint64_t offset = 0;  ///< bytes, of what is compressed
    std::uint64_t line = 1;    ///< number of the line, from 1
  };

  /// The next line, without its end ("\n" or "\r\n"), valid until the next call. False
  /// where the file ends, or where it ends without the end of the line. Throws
  /// InputError for a line of more than longest_line characters, and for a
  /// compressed file that expands beyond most_expansion.
  bool next(std::string_view& line);

  /// After next() returned false: the characters behind the last end of a line, valid
  /// until the next call. False where there are none but blanks, or where a compressed
  /// file is damaged, so that nobody knows what followed.
  bool rest(std::string_view& characters) const;
  /// From now on next() returns the rest as the last line. For who knows that it is
  /// whole, in each TextFile of this file.
  void take_rest_as_line() {
    rest_is_line_ = true;
    truncation_ = false;
  }
  bool rest_is_line() const { return rest_is_line_; }

  Position position() const { return {begin_offset_ + position_, line_}; }
  /// A step back costs a compressed file all that is before the place. Throws RunError.
  void go_to(const Position& position);

  bool compressed() const;

  /// Whether there are characters other than blanks behind the last line, or were some
  /// that are lost.
  bool truncation() const { return truncation_; }

  const std::string& path() const { return path_; }
  /// "PATH, line N" with the line that was read last.
  std::string last_line_position() const;
  /// The problem of that line behind its place, unless it names the file already.
  std::string at_last_line(const std::string& problem) const;

 private:
  std::string_view take_line(std::size_t length);
  void check_length(std::size_t length);
  void check_expansion() const;
  /// False at the end of the file.
  bool read_more();

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::uint64_t begin_offset_ = 0;  ///< of the buffer in the file
  std::size_t position_ = 0;        ///< of the next line in the buffer
  std::size_t size_ = 0;            ///< bytes in the buffer
  std::uint64_t line_ = 1;
  bool rest_is_line_ = false;
  bool damaged_ = false;  ///< what was compressed is not all there
  bool truncation_ = false;
};

/// The next line, or the rest of the file where `is_whole(rest)`, which then is a line
/// for good. False at the end of the file.
template <class IsWhole>
bool next_or_whole_rest(TextFile& file, std::string_view& line, IsWhole is_whole) {
  if (file.next(line)) {
    return true;
  }
  if (!file.rest(line) || !is_whole(line)) {
    return false;
  }
  file.take_rest_as_line();
  return file.next(line);
}

}  // namespace starhist::io
