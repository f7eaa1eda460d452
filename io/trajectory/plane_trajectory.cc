#include "io/trajectory/plane_trajectory.hh"

#include <optional>
#include <utility>

#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/flat_positions.hh"
#include "codelets/core/geometry/plane_cell.hh"
#include "io/trajectory/wrapped_trajectory.hh"

namespace starhist::io {
namespace {

class PlaneTrajectory : public WrappedTrajectory {
 public:
  PlaneTrajectory(std::unique_ptr<TrajectoryReader> reader, Plane plane, bool open_box,
                  bool heights)
      : WrappedTrajectory(std::move(reader)),
        plane_(plane),
        normal_(normal_axis(plane)),
        open_box_(open_box),
        heights_(heights) {}

  void read(FrameIndex index, Frame& frame) override {
    reader_->read(index, frame);
    if (!of_file_ || !(*of_file_ == frame.box)) {
      projected_ = projected(frame.box, index);
      period_ = heights_ ? period(frame.box, index) : 0.0;
      of_file_ = frame.box;
    }
    frame.box = projected_;
    frame.period = period_;
    if (heights_) {
      frame.heights = heights_of(plane_, frame.positions);
    }
    project(plane_, frame.positions);
  }

 private:
  /// Period along the normal; 0 if the box is open along it.
  double period(const Box& box, FrameIndex index) const {
    if (const double rise = rising_edge(box, plane_); rise != 0.0) {
      refuse(index, "has a box edge that leans out of the plane by " +
                        number_text(rise) + ", so that separations along " +
                        "xyz"[normal_] +
                        " would depend on the periodic image in the plane: give a "
                        "box whose edges lie in the plane with --box, or omit --axis2");
    }
    return normal_period(box, plane_);
  }

  [[noreturn]] void refuse(FrameIndex index, const std::string& problem) const {
    throw InputError(info_.paths.front() + ": --plane " + to_string(plane_) +
                     ": frame " + std::to_string(index.get()) + " " + problem);
  }

  Box projected(const Box& box, FrameIndex index) const {
    if (open_box_ && box.periodic_axis_count() == 0) {
      return {};
    }
    if (!spans(box, plane_)) {
      refuse(index,
             "is not periodic along both axes of the plane (g(r) needs the area "
             "of its cell): give a box with --box, or --box none to count "
             "distances in the plane without periodic images");
    }
    if (const std::optional<Vec3> edge = leaning_edge(box, plane_)) {
      const std::string axis(1, "xyz"[normal_]);
      refuse(index,
             "has a third box edge that leans out of the " + axis + " axis by (" +
                 number_text(edge->x) + ", " + number_text(edge->y) + ", " +
                 number_text(edge->z) +
                 ") in the plane, so that distances in the plane would depend on the "
                 "periodic image that the file stores: give a box whose third edge "
                 "lies along " +
                 axis + " with --box, if the particles do not cross its boundary");
    }
    return Box::in_plane(box.edges(), plane_);
  }

  Plane plane_;
  std::size_t normal_;
  bool open_box_;
  bool heights_;
  std::optional<Box> of_file_;  ///< box of the previous frame
  Box projected_;               ///< its projection
  double period_ = 0.0;         ///< Frame::period
};

}  // namespace

std::unique_ptr<TrajectoryReader> in_plane(std::unique_ptr<TrajectoryReader> reader,
                                           Plane plane, bool open_box, bool heights) {
  return std::make_unique<PlaneTrajectory>(std::move(reader), plane, open_box, heights);
}

}  // namespace starhist::io
