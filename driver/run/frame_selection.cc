#include "driver/run/frame_selection.hh"

#include <string>

#include "codelets/core/base/error.hh"

namespace starhist::driver {

std::uint64_t FrameSelection::count(std::uint64_t frame_count) const {
  const std::uint64_t end = last && *last < frame_count ? *last + 1 : frame_count;
  if (first >= end) {
    throw InputError("no frames are selected (--first " + std::to_string(first) +
                     (last ? ", --last " + std::to_string(*last) : "") +
                     "; there are " + std::to_string(frame_count) +
                     ", counted from 0)");
  }
  return (end - first - 1) / step + 1;
}

}  // namespace starhist::driver
