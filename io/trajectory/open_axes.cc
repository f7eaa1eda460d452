#include "io/trajectory/open_axes.hh"

#include <optional>
#include <utility>

#include "io/trajectory/wrapped_trajectory.hh"

namespace starhist::io {
namespace {

class OpenAxes : public WrappedTrajectory {
 public:
  OpenAxes(std::unique_ptr<TrajectoryReader> reader, const std::array<bool, 3>& axes)
      : WrappedTrajectory(std::move(reader)), axes_(axes) {}

  void read(FrameIndex index, Frame& frame) override {
    reader_->read(index, frame);
    if (!of_file_ || !(*of_file_ == frame.box)) {
      of_file_ = frame.box;
      std::array<bool, 3> periodic = frame.box.periodic();
      for (std::size_t k = 0; k < 3; ++k) {
        periodic[k] = periodic[k] && !axes_[k];
      }
      opened_ = Box(frame.box.edges(), periodic);
    }
    frame.box = opened_;
  }

 private:
  const std::array<bool, 3> axes_;
  std::optional<Box> of_file_;  ///< box of the previous frame
  Box opened_;                  ///< the same with open axes
};

}  // namespace

std::unique_ptr<TrajectoryReader> with_open_axes(
    std::unique_ptr<TrajectoryReader> reader, const std::array<bool, 3>& axes) {
  return std::make_unique<OpenAxes>(std::move(reader), axes);
}

}  // namespace starhist::io
