#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/compression/byte_source.hh"

namespace starhist::io {

/// Largest length of a line [bytes]. Lines of the supported formats are much shorter.
inline constexpr std::size_t longest_line = std::size_t{1} << 20U;

/// Limits against decompression bombs: once a compressed file has expanded to more than
/// `expansion_looked_at` bytes, the expansion must not exceed `most_expansion` times
/// the compressed bytes. gzip reaches 1032, particle positions 3 to 10.
inline constexpr std::uint64_t expansion_looked_at = std::uint64_t{1} << 28U;
inline constexpr std::uint64_t most_expansion = 500;

/// Reads lines of a text file, plain or compressed (open_byte_source()), from any
/// offset.
///
/// A truncated compressed file reads like a shorter file. Characters after the last
/// newline are not a line unless take_rest_as_line() was called.
class TextFile {
 public:
  /// Throws InputError when the file cannot be opened.
  explicit TextFile(const std::string& path);

  /// The beginning of a line, as an argument of go_to().
  struct Position {
    std::uint64_t offset = 0;  ///< offset in the decompressed data [bytes]
    std::uint64_t line = 1;    ///< line number, from 1
  };

  /// Reads the next line, without its "\n" or "\r\n"; it is valid until the next call.
  /// False at the end of the file, also if the last line lacks a newline. Throws
  /// InputError for a line of more than longest_line characters, and for a compressed
  /// file that expands beyond most_expansion.
  bool next(std::string_view& line);

  /// After next() returned false: gets the characters after the last newline, valid
  /// until the next call. False if they are only blanks, or if a compressed file is
  /// damaged, so that its end is unknown.
  bool rest(std::string_view& characters) const;
  /// Makes next() return the characters after the last newline as the last line.
  /// Callers that know this line to be complete must call it for each TextFile of this
  /// file.
  void take_rest_as_line() {
    rest_is_line_ = true;
    truncation_ = false;
  }
  bool rest_is_line() const { return rest_is_line_; }

  Position position() const { return {begin_offset_ + position_, line_}; }
  /// Seeks to a line. Seeking backwards in a compressed file decompresses everything
  /// before it again. Throws RunError.
  void go_to(const Position& position);

  bool compressed() const;

  /// Whether the last line is followed by characters other than blanks, or by lost
  /// data.
  bool truncation() const { return truncation_; }

  const std::string& path() const { return path_; }
  /// Returns "PATH, line N" for the line read last.
  std::string last_line_position() const;
  /// Prefixes a problem with the position of that line, unless it names the file
  /// already.
  std::string at_last_line(const std::string& problem) const;

 private:
  std::string_view take_line(std::size_t length);
  void check_length(std::size_t length);
  void check_expansion() const;
  /// Fills the buffer; false at the end of the file.
  bool read_more();

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::uint64_t begin_offset_ = 0;  ///< offset of the buffer in the file
  std::size_t position_ = 0;        ///< offset of the next line in the buffer
  std::size_t size_ = 0;            ///< bytes in the buffer
  std::uint64_t line_ = 1;
  bool rest_is_line_ = false;
  bool damaged_ = false;  ///< compressed data are damaged or truncated
  bool truncation_ = false;
};

/// Reads the next line, or the rest of the file if `is_whole(rest)`; that rest stays a
/// line from then on. False at the end of the file.
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

/// Calls take(line) for each line of a file; is_whole(rest): see next_or_whole_rest().
/// Throws InputError if the file is cut off, with `remedy`; InputError of take() gets
/// the number of the line.
template <class IsWhole, class Take>
void take_lines(TextFile& file, IsWhole is_whole, Take take,
                const std::string& remedy = "") {
  std::string_view line;
  while (next_or_whole_rest(file, line, is_whole)) {
    try {
      take(line);
    } catch (const InputError& error) {
      throw InputError(file.at_last_line(error.what()));
    }
  }
  if (file.truncation()) {
    throw InputError(file.path() + ": is cut off behind line " +
                     std::to_string(file.position().line - 1) + remedy);
  }
}

}  // namespace starhist::io
