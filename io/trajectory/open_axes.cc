#include "io/trajectory/open_axes.hh"

#include <utility>

#include "io/trajectory/wrapped_trajectory.hh"

namespace starhist::io {
namespace {

class OpenAxes : public WrappedTrajectory {
 public:
  OpenAxes(std::unique_ptr<TrajectoryReader> reader, const std::array<bool, 3>& axes)
      : WrappedTrajectory(std::move(reader)), opened_(axes) {}

  void read(FrameIndex index, Frame& frame) override {
    reader_->read(index, frame);
    frame.box = opened_.of(frame.box);
  }

 private:
  OpenedBox opened_;
};

}  // namespace

const Box& OpenedBox::of(const Box& box) {
  if (axes_ == std::array<bool, 3>{}) {
    return box;
  }
  if (!of_file_ || !(*of_file_ == box)) {
    of_file_ = box;
    std::array<bool, 3> periodic = box.periodic();
    for (std::size_t k = 0; k < 3; ++k) {
      periodic[k] = periodic[k] && !axes_[k];
    }
    opened_ = Box(box.edges(), periodic);
  }
  return opened_;
}

std::unique_ptr<TrajectoryReader> with_open_axes(
    std::unique_ptr<TrajectoryReader> reader, const std::array<bool, 3>& axes) {
  return std::make_unique<OpenAxes>(std::move(reader), axes);
}

}  // namespace starhist::io
