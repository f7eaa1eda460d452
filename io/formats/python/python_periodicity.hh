#pragma once

#include <cstdint>
#include <optional>

#include "io/formats/python/python_decoder.hh"

namespace starhist::io {

/// The axes along which the frames of a file or stream are periodic, which must be the
/// same in all.
class PythonPeriodicity {
 public:
  /// FrameHead::periodic of frame 0, where it is known before any frame is checked.
  void set(std::uint64_t axes) { axes_ = axes; }
  /// Takes the axes of the first frame it is given, if none are set. Throws InputError,
  /// without the path, if the box of `frame` cannot be used or its axes are others.
  void check(const PythonFrame& frame);

 private:
  std::optional<std::uint64_t> axes_;  ///< bit k: axis k
};

}  // namespace starhist::io
