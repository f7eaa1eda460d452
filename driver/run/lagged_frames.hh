#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "driver/lags/lag_window.hh"
#include "driver/run/frames/frame_source.hh"

namespace starhist::driver {

/// The frames of another source, paired with earlier ones by a LagWindow. The first
/// frames, such as frames of earlier parts, are not counted but are origins of later
/// frames.
class LaggedFrames : public FrameSource {
 public:
  /// `sets`: layout of the counted frames (sets_of()). `lead`: number of frames that
  /// are not counted. References must outlive this object.
  LaggedFrames(FrameSource& frames, const HistogramLayout& sets, LagWindow& window,
               std::uint64_t lead)
      : frames_(frames), sets_(sets), window_(window), lead_(lead) {}

  /// Reads the frames that are not counted. Before next(). Stops early if `stop` is
  /// requested.
  void read_lead(const std::stop_token& stop);

  std::optional<Frame> next() override;
  /// passed() and skipped() leave out the frames that are not counted.
  std::uint64_t passed() const override;
  std::vector<std::string> skipped() const override;

 private:
  FrameSource& frames_;
  const HistogramLayout& sets_;
  LagWindow& window_;
  std::uint64_t lead_;
  /// First counted frame, if frames before it were left out.
  std::optional<Frame> first_;
  std::size_t skipped_of_lead_ = 0;
};

}  // namespace starhist::driver
