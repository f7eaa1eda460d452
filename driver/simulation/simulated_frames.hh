#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "driver/run/frames/frame_source.hh"

namespace starhist::driver {

/// Time of each frame on the simulated machine [s, >= 0].
struct FrameSeconds {
  double read = 0.0;    ///< reading, by all readers ahead of next()
  double accept = 0.0;  ///< accepting, in next(), by the submitting thread
  double start = 0.0;   ///< start-up of that thread, only before the first frame
};

/// A source of equal frames. Readers are ahead of next() by at most `ahead` frames,
/// like those of a FrameStream. StarPU must run.
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
  double read_ = 0.0;         ///< time at which the next frame was read [s]
  std::deque<double> taken_;  ///< times at which the last `ahead` frames were taken [s]
  std::vector<Frame> used_;
};

}  // namespace starhist::driver
