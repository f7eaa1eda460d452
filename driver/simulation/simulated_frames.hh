#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "driver/run/frame_source.hh"

namespace starhist::driver {

/// What each frame takes on the simulated machine [s, >= 0].
struct FrameSeconds {
  double read = 0.0;   ///< by all readers, which are ahead of next()
  double copy = 0.0;   ///< by the thread that submits tasks, in next()
  double start = 0.0;  ///< by that thread, before the first frame alone
};

/// Frames that are all alike. Readers are ahead of next() by `ahead` frames at most, as
/// those of a FrameStream. StarPU runs.
class SimulatedFrames : public FrameSource {
 public:
  SimulatedFrames(const Frame& frame, std::uint64_t count, FrameSeconds seconds,
                  std::uint64_t ahead);

  std::optional<Frame> next() override;
  void recycle(Frame&& frame) override;
  std::uint64_t passed() const override { return passed_; }

 private:
  void wait_for_reader();

  const Frame frame_;
  const std::uint64_t count_;
  const FrameSeconds seconds_;
  const std::uint64_t ahead_;
  std::uint64_t passed_ = 0;
  double read_ = 0.0;         ///< when the next frame was read [s]
  std::deque<double> taken_;  ///< when the last `ahead` frames were taken [s]
  std::vector<Frame> used_;
};

}  // namespace starhist::driver
