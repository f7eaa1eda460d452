#include "io/trajectory/plane_trajectory.hh"

#include <cmath>
#include <optional>
#include <utility>

#include "codelets/core/base/text.hh"
#include "io/trajectory/wrapped_trajectory.hh"

namespace starhist::io {
namespace {

/// Tolerance of edges, relative to the plane's cell: boxes of files have at least six
/// digits.
constexpr double rounding = 1e-5;

double& component(Vec3& v, std::size_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

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
      keep_heights(frame);
    }
    for (std::vector<double>& positions : frame.positions) {
      for (std::size_t k = normal_; k < positions.size(); k += 3) {
        positions[k] = 0.0;
      }
    }
  }

 private:
  void keep_heights(Frame& frame) const {
    frame.heights.resize(frame.positions.size());
    for (std::size_t s = 0; s < frame.positions.size(); ++s) {
      const std::vector<double>& positions = frame.positions[s];
      frame.heights[s].clear();
      for (std::size_t k = normal_; k < positions.size(); k += 3) {
        frame.heights[s].push_back(positions[k]);
      }
    }
  }

  /// Period along the normal; 0 if the box is open along it.
  double period(const Box& box, FrameIndex index) const {
    if (!box.periodic()[normal_]) {
      return 0.0;
    }
    Vec3 third = box.edges()[normal_];
    const double period = std::abs(component(third, normal_));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Vec3 edge = box.edges()[axis];
      const double periods = component(edge, normal_) / period;
      if (axis != normal_ && box.periodic()[axis] &&
          !(std::abs(periods - std::round(periods)) <= rounding)) {
        refuse(index,
               "has a box edge that leans out of the plane by " +
                   number_text(component(edge, normal_)) +
                   ", so that separations along " + "xyz"[normal_] +
                   " would depend on the periodic image in the plane: give a "
                   "box whose edges lie in the plane with --box, or omit --axis2");
      }
    }
    return period;
  }

  [[noreturn]] void refuse(FrameIndex index, const std::string& problem) const {
    throw InputError(info_.paths.front() + ": --plane " + to_string(plane_) +
                     ": frame " + std::to_string(index.get()) + " " + problem);
  }

  Box projected(const Box& box, FrameIndex index) const {
    const std::size_t first = normal_ == 0 ? 1 : 0;
    const std::size_t second = normal_ == 2 ? 1 : 2;
    if (open_box_ && box.periodic_axis_count() == 0) {
      return {};
    }
    if (!box.periodic()[first] || !box.periodic()[second]) {
      refuse(index,
             "is not periodic along both axes of the plane (g(r) needs the area "
             "of its cell): give a box with --box, or --box none to count "
             "distances in the plane without periodic images");
    }
    Vec3 a = box.edges()[first];
    Vec3 b = box.edges()[second];
    Vec3 c = box.edges()[normal_];
    component(a, normal_) = 0.0;
    component(b, normal_) = 0.0;
    component(c, normal_) = 0.0;
    if (box.periodic()[normal_]) {
      check_third_edge(a, b, c, index);
    }
    return Box::in_plane(box.edges(), plane_);
  }

  /// Throws InputError unless c is a lattice vector of a and b: then periodic images
  /// along the third edge have the same positions in the plane.
  void check_third_edge(Vec3 a, Vec3 b, Vec3 c, FrameIndex index) const {
    const Vec3 normal = cross(a, b);
    const double area2 = dot(normal, normal);
    const double along_a = dot(cross(c, b), normal) / area2;
    const double along_b = dot(cross(a, c), normal) / area2;
    const Vec3 rest = c - std::round(along_a) * a - std::round(along_b) * b;
    if (!(dot(rest, rest) <= rounding * rounding * std::sqrt(area2))) {
      const std::string axis(1, "xyz"[normal_]);
      refuse(index,
             "has a third box edge that leans out of the " + axis + " axis by (" +
                 number_text(c.x) + ", " + number_text(c.y) + ", " + number_text(c.z) +
                 ") in the plane, so that distances in the plane would depend on the "
                 "periodic image that the file stores: give a box whose third edge "
                 "lies along " +
                 axis + " with --box, if the particles do not cross its boundary");
    }
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
