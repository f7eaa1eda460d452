#include "io/text/repeated_names.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"

namespace starhist::io {

void RepeatedNames::check(const TextFile& file, std::string_view line,
                          std::size_t begin, std::size_t width) {
  const std::string_view text = line.substr(std::min(begin, line.size()), width);
  const std::size_t place = frame_.size();
  frame_.append(text).append(width - text.size(), ' ');
  // Other numbers of atoms are reported elsewhere.
  if (place + width > first_.size() ||
      first_.compare(place, width, frame_, place, width) == 0) {
    return;
  }
  throw InputError(file.last_line_position() + ": atom " +
                   std::to_string(place / width + 1) + " is '" + frame_.substr(place) +
                   "', but '" + first_.substr(place, width) +
                   "' in the first frame (all frames need the same atoms in the same "
                   "order: split the file)");
}

void RepeatedNames::end_frame() {
  if (first_.empty()) {
    first_.swap(frame_);
  }
}

}  // namespace starhist::io
