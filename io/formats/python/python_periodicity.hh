#pragma once

#include <cstdint>
#include <optional>

#include "io/formats/python/python_decoder.hh"

namespace starhist::io {

/// The periodic axes of a file's or stream's frames, which must be equal in all frames.
class PythonPeriodicity {
 public:
  /// Sets FrameHead::periodic of frame 0, if it is known before any frame is checked.
  void set(std::uint64_t axes) { axes_ = axes; }
  /// Checks a frame; the first one sets the axes, unless set() did. Throws InputError
  /// without the path if the box of `frame` cannot be used or its axes differ.
  void check(const PythonFrame& frame);

 private:
  std::optional<std::uint64_t> axes_;  ///< bit k: axis k is periodic
};

}  // namespace starhist::io
