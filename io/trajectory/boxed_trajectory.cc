#include "io/trajectory/boxed_trajectory.hh"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/trajectory/frame_boxes.hh"
#include "io/trajectory/wrapped_trajectory.hh"

namespace starhist::io {
namespace {

/// Tolerance of times, as a fraction of the interval between two boxes, and relative.
/// Times are floats in many formats, and printed with few digits in others.
constexpr double interval_part = 0.01;
constexpr double time_part = 1e-6;

/// A trajectory whose readers were opened with an open box, because this class sets the
/// boxes.
class BoxedTrajectory : public WrappedTrajectory {
 public:
  BoxedTrajectory(std::unique_ptr<TrajectoryReader> reader, const std::string& source,
                  const std::string& what, const std::string& condition = "")
      : WrappedTrajectory(std::move(reader)) {
    ReadFrom& from = info_.from;
    if (from.box != "none") {
      from.assumptions.insert(
          from.assumptions.begin(),
          "box: " + what + " in all frames; " +
              (from.box == "the file" ? "a box in the file is ignored"
                                      : "the file's (" + from.box + ") is ignored") +
              condition);
    }
    from.box = source;
    from.periodic = source;
  }
};

/// Returns the unit in femtoseconds; empty for an unknown unit.
std::optional<double> femtoseconds_per(const std::string& unit) {
  if (unit == "fs") {
    return 1.0;
  }
  if (unit == "ps") {
    return 1e3;
  }
  if (unit == "ns") {
    return 1e6;
  }
  return std::nullopt;
}

class TrajectoryWithBoxes : public BoxedTrajectory {
 public:
  TrajectoryWithBoxes(std::unique_ptr<TrajectoryReader> reader, const std::string& path)
      : BoxedTrajectory(std::move(reader), "--box " + path, "from --box " + path),
        boxes_(read_frame_boxes(path)) {
    check_number();
    settle_lengths();
    settle_times();
    check_ends();
  }

  void read(FrameIndex index, Frame& frame) override {
    reader_->read(index, frame);
    const FrameBox& row = boxes_.boxes[index.index()];
    try {
      check_same_frame(row, frame);
    } catch (const InputError& error) {
      throw InputError("frame " + std::to_string(index.get()) + ": " + error.what());
    }
    frame.box = row.box;
  }

 private:
  void check_number() const {
    if (info_.stream) {
      throw InputError(info_.paths.front() +
                       ": --box FILE cannot be used with a running simulation (its "
                       "number of frames is not known in advance)");
    }
    if (boxes_.boxes.size() != info_.frame_count) {
      throw InputError(
          boxes_.path + ": has " + grouped(boxes_.boxes.size()) +
          (boxes_.boxes.size() == 1 ? " box" : " boxes") + ", but " +
          join(info_.paths, " and ") + (info_.paths.size() == 1 ? " has " : " have ") +
          grouped(info_.frame_count) + (info_.frame_count == 1 ? " frame" : " frames") +
          " (--box FILE needs one box for each frame, in the same order)");
    }
  }

  /// Converts the boxes to the length unit of the trajectory.
  void settle_lengths() {
    const std::string& own = boxes_.length_unit;
    if (own.empty() || own == info_.length_unit) {
      return;
    }
    if (info_.length_unit.empty()) {
      info_.from.assumptions.push_back("length unit: the trajectory's is taken to be " +
                                       own + ", the one of " + boxes_.path +
                                       " (--unit names another)");
      info_.length_unit = own;
      info_.from.units = boxes_.path;
      return;
    }
    const LengthConversion conversion(boxes_.path, own, info_.length_unit);
    const auto converted = [&](const Vec3& edge) {
      return Vec3{conversion(edge.x), conversion(edge.y), conversion(edge.z)};
    };
    for (FrameBox& row : boxes_.boxes) {
      const auto& edges = row.box.edges();
      row.box = Box({converted(edges[0]), converted(edges[1]), converted(edges[2])},
                    row.box.periodic());
    }
  }

  void settle_times() {
    const auto own = femtoseconds_per(boxes_.time_unit);
    const auto other = femtoseconds_per(info_.time_unit);
    comparable_times_ = own.has_value() == other.has_value() ||
                        boxes_.time_unit.empty() || info_.time_unit.empty();
    time_factor_ = own && other ? *own / *other : 1.0;
    interval_ = std::numeric_limits<double>::infinity();
    for (std::size_t k = 1; k < boxes_.boxes.size(); ++k) {
      const auto& before = boxes_.boxes[k - 1].time;
      const auto& after = boxes_.boxes[k].time;
      if (before && after && *after != *before) {
        interval_ = std::min(interval_, std::abs(*after - *before) * time_factor_);
      }
    }
    if (!std::isfinite(interval_)) {
      interval_ = 0.0;
    }
  }

  /// Reads a frame; empty if it cannot be read, which is reported elsewhere.
  std::optional<Frame> frame_at(std::uint64_t index) {
    Frame frame;
    try {
      reader_->read(FrameIndex(index), frame);
    } catch (const InputError&) {
      return std::nullopt;
    }
    return frame;
  }

  /// Checks the first and the last frame. Steps count as known unless they are 0 in
  /// both.
  void check_ends() {
    const std::optional<Frame> first = frame_at(0);
    const std::optional<Frame> last = frame_at(info_.frame_count - 1);
    has_steps_ = (first && first->step != 0) || (last && last->step != 0);
    if (first) {
      check_same_frame(boxes_.boxes.front(), *first);
    }
    if (last) {
      check_same_frame(boxes_.boxes.back(), *last);
    }
    if (!matched_) {
      info_.from.assumptions.push_back(
          "boxes: matched to the frames of the trajectory by order (" + boxes_.path +
          " or the trajectory lacks steps and times)");
    }
  }

  void check_same_frame(const FrameBox& row, const Frame& frame) {
    const auto refuse = [&](const std::string& what, const std::string& own,
                            const std::string& other) {
      throw InputError(boxes_.path + ", line " + std::to_string(row.line) +
                       ": has the box of " + what + " " + own +
                       ", but the frame of the trajectory is of " + what + " " + other +
                       " (--box FILE needs one box for each frame, in the same order)");
    };
    if (row.step && has_steps_) {
      matched_ = true;
      if (*row.step != frame.step) {
        refuse("step", std::to_string(*row.step), std::to_string(frame.step));
      }
    } else if (row.time && !std::isnan(frame.time) && comparable_times_) {
      matched_ = true;
      const double time = *row.time * time_factor_;
      const double tolerance =
          interval_part * interval_ + time_part * std::abs(frame.time);
      if (!(std::abs(time - frame.time) <= tolerance)) {
        refuse("time", number_text(time), number_text(frame.time));
      }
    }
  }

  FrameBoxes boxes_;
  bool has_steps_ = false;         ///< the trajectory has steps
  bool comparable_times_ = false;  ///< time units are equal, convertible or unknown
  bool matched_ = false;           ///< frames are compared by step or time
  double time_factor_ = 1.0;  ///< converts times of the boxes to the trajectory's unit
  /// smallest interval between boxes, in the trajectory's unit
  double interval_ = 0.0;
};

}  // namespace

std::unique_ptr<TrajectoryReader> with_given_box(
    std::unique_ptr<TrajectoryReader> reader, const Box& box) {
  if (box.periodic_axis_count() > 0) {
    return std::make_unique<BoxedTrajectory>(std::move(reader), "--box", "from --box");
  }
  return std::make_unique<BoxedTrajectory>(
      std::move(reader), "--box", "open boundaries",
      "; without periodic images, molecules must be whole in the file, not split at a "
      "boundary");
}

std::unique_ptr<TrajectoryReader> with_boxes_of(
    std::unique_ptr<TrajectoryReader> reader, const std::string& path) {
  return std::make_unique<TrajectoryWithBoxes>(std::move(reader), path);
}

}  // namespace starhist::io
