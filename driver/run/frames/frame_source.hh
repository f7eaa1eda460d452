#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"

namespace starhist::driver {

/// Source of the frames for count_frames(), which calls all functions in its thread.
///
/// A caller with its own loop over frames, such as a running simulation, needs no
/// source: it passes each frame to a tasks::PairCounter (CMake target starhist::count).
class FrameSource {
 public:
  FrameSource() = default;
  FrameSource(const FrameSource&) = delete;
  FrameSource& operator=(const FrameSource&) = delete;
  virtual ~FrameSource() = default;

  /// The next frame; empty after the last one. All frames have the species of the
  /// layout, in its order. Throws InputError for an unusable frame; the frames before
  /// it are then counted.
  virtual std::optional<Frame> next() = 0;

  /// Waits at most `time` until next() would not block. Returns false if it still
  /// would. For RunSpec::stream.
  virtual bool is_ready_within(std::chrono::milliseconds time) {
    static_cast<void>(time);
    return true;
  }

  /// Takes back a frame that has been counted, so that next() can reuse its memory. Its
  /// content is undefined.
  virtual void recycle(Frame&& frame) { static_cast<void>(frame); }

  /// Number of frames that next() has returned or left out so far.
  virtual std::uint64_t passed() const = 0;

  /// A message for each frame that next() has left out so far.
  virtual std::vector<std::string> skipped() const { return {}; }
};

}  // namespace starhist::driver
