#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"

namespace starhist::driver {

/// Frames that count_frames() pulls one after the other.
///
/// A caller that gets its frames by itself, such as a running simulation, needs no
/// source: it pushes each frame into a tasks::PairCounter (CMake target
/// starhist::count).
class FrameSource {
 public:
  FrameSource() = default;
  FrameSource(const FrameSource&) = delete;
  FrameSource& operator=(const FrameSource&) = delete;
  virtual ~FrameSource() = default;

  /// The next frame, or nothing after the last one. All frames have the species of the
  /// layout, in its order. Throws InputError for a frame that cannot be used; the
  /// frames before it are then counted.
  virtual std::optional<Frame> next() = 0;

  /// Takes back a frame that has been counted, for its memory; its content is of no
  /// use.
  virtual void recycle(Frame&& frame) { static_cast<void>(frame); }

  /// One sentence for each frame that next() has left out so far.
  virtual std::vector<std::string> skipped() const { return {}; }
};

}  // namespace starhist::driver
