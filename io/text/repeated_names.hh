#pragma once

#include <string>
#include <string_view>

#include "io/text/text_file.hh"

namespace starhist::io {

/// Compares the names of a file's atoms, frame by frame, with those of its first whole
/// frame: readers take names from that frame only.
class RepeatedNames {
 public:
  void begin_frame() { frame_.clear(); }
  /// Takes the columns [begin, begin + width) of the line of the frame's next atom, the
  /// last line of the file, of the same width in all frames. Throws InputError if they
  /// differ from those of the atom in the first frame.
  void check(const TextFile& file, std::string_view line, std::size_t begin,
             std::size_t width);
  void end_frame();

 private:
  std::string first_;  ///< names of the first whole frame; "" before
  std::string frame_;  ///< names of the frame so far
};

}  // namespace starhist::io
