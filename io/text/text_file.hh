#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace starhist::io {

/// Lines of a text file, plain or compressed by gzip, from any offset.
///
/// What a compressed file has lost at its end reads as a file that ends there.
class TextFile {
 public:
  /// Throws InputError when the file cannot be opened.
  explicit TextFile(const std::string& path);

  /// A place to come back to: the begin of a line.
  struct Place {
    std::uint64_t offset = 0;  ///< bytes, of what is compressed
    std::uint64_t line = 1;    ///< number of the line, from 1
  };

  /// The next line, without its end ("\n" or "\r\n"), until the next call. False where
  /// the file ends, or where it ends without the end of the line.
  bool next(std::string_view& line);

  Place place() const { return {begin_offset_ + position_, line_}; }
  /// A step back costs a compressed file all that is before the place. Throws RunError.
  void go_to(const Place& place);

  bool compressed() const;

  /// Whether there are bytes behind the last whole line, or were some that are lost.
  bool cut_off() const { return cut_off_; }

  const std::string& path() const { return path_; }
  /// "PATH, line N" with the line that was read last.
  std::string last_line_place() const;

 private:
  /// False at the end of the file.
  bool read_more();

  struct Close {
    void operator()(gzFile_s* file) const;
  };
  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  std::vector<char> buffer_;
  std::uint64_t begin_offset_ = 0;  ///< of the buffer in the file
  std::size_t position_ = 0;        ///< of the next line in the buffer
  std::size_t size_ = 0;            ///< bytes in the buffer
  std::uint64_t line_ = 1;
  bool cut_off_ = false;
};

}  // namespace starhist::io
