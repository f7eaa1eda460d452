#pragma once

#include <string>
#include <string_view>

#include "io/text/text_file.hh"

namespace starhist::io {

/// Checks that all frames of a file name the same atoms in the same order. Readers take
/// the names from the first whole frame only.
class RepeatedNames {
 public:
  void begin_frame() { frame_.clear(); }
  /// Checks the name of the next atom of the frame: the columns [begin, begin + width)
  /// of `line`, the last line read from the file. `width` is equal in all frames.
  /// Throws InputError if this atom of the first whole frame has another name.
  void check(const TextFile& file, std::string_view line, std::size_t begin,
             std::size_t width);
  void end_frame();

 private:
  std::string first_;  ///< names of the first whole frame; "" before
  std::string frame_;  ///< names of the frame so far
};

}  // namespace starhist::io
