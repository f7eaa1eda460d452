#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"

namespace starhist::driver {

/// Frames that count_frames() takes one after the other. All functions are called in
/// the thread of count_frames().
///
/// A caller with its own loop over frames, such as a running simulation, needs no
/// source: it passes each frame to a tasks::PairCounter (CMake target starhist::count).
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

  /// Waits until next() need not, for `time` at most. False where it still has to. For
  /// RunSpec::stream.
  virtual bool is_ready_within(std::chrono::milliseconds time) {
    static_cast<void>(time);
    return true;
  }

  /// Takes back a frame that has been counted, so that next() can reuse its memory. Its
  /// content is undefined.
  virtual void recycle(Frame&& frame) { static_cast<void>(frame); }

  /// Number of frames that next() has returned or left out so far.
  virtual std::uint64_t passed() const = 0;

  /// One sentence for each frame that next() has left out so far.
  virtual std::vector<std::string> skipped() const { return {}; }
};

}  // namespace starhist::driver
