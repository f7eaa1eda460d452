#include "driver/run/frames/box_checks.hh"

#include <array>
#include <cstddef>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/small_box.hh"
#include "io/selection/broken_molecules.hh"
#include "io/trajectory/formats.hh"

namespace starhist::driver {
namespace {

/// The frame's box in the files, without --box; an open box if they have none.
Box box_of_files(const std::vector<std::string>& paths, io::ReadOptions options,
                 FrameIndex index) {
  options.box.reset();
  options.box_file.clear();
  try {
    Frame frame;
    io::open_trajectory(paths, options)->read(index, frame);
    return frame.box;
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

bool sets_box(const io::ReadOptions& options) {
  return (options.box && options.box->periodic_axis_count() > 0) ||
         !options.box_file.empty();
}

std::string small_box_problem(const std::vector<std::string>& paths,
                              const io::ReadOptions& options, const Frame& frame,
                              const std::string& length_unit) {
  const auto found = find_small_box(frame.box, frame.positions);
  if (!found) {
    return "";
  }
  const Box own = box_of_files(paths, options, frame.index);
  const bool fits =
      own.periodic()[found->axis] && !find_small_box(own, frame.positions);
  if (!found->overlays && !fits) {
    return "";
  }
  const std::string unit = unit_suffix(length_unit);
  const std::string text =
      "--box is too small: its edge along " + std::string(1, "xyz"[found->axis]) +
      " is " + rounded_text(length(frame.box.edges()[found->axis])) + unit +
      ", but the particles of frame " + std::to_string(frame.index.get()) + " fill " +
      rounded_text(found->extent) + unit;
  return text +
         (fits ? " and the file's box is " +
                     rounded_text(length(own.edges()[found->axis])) + unit
               : "; a tenth of them have a neighbour within " +
                     rounded_text(found->nearest_in_box) + unit + " in this box, but " +
                     rounded_text(found->nearest) + unit + " without it") +
         ", so all distances may be wrong: " +
         (fits ? "omit --box to use the file's box"
               : "give the box in the length unit of the positions");
}

std::string opened_molecules(const std::vector<std::string>& paths,
                             const io::ReadOptions& options, FrameIndex index) {
  const bool opens = (options.box && options.box->periodic_axis_count() == 0) ||
                     options.open == std::array<bool, 3>{true, true, true};
  if (!opens || options.plane != Plane::none || !options.box_file.empty() ||
      io::stream_format_of(paths.front()) != nullptr) {
    return "";
  }
  io::ReadOptions selected = options;
  selected.box.reset();
  selected.open = {};
  selected.with_membership = true;
  io::ReadOptions all = selected;
  all.per_particle = true;
  all.species.clear();
  all.index.clear();
  all.by = io::SpeciesBy::file;
  try {
    Frame frame;
    const auto reader = io::open_trajectory(paths, all);
    reader->read(index, frame);
    return frame.box.periodic_axis_count() == 0
               ? ""
               : io::broken_molecules(
                     io::open_trajectory(paths, selected)->info().members,
                     reader->info().particles, frame.box, frame.positions.front());
  } catch (const InputError&) {  // the run itself needs less of the file
    return "";
  }
}

}  // namespace starhist::driver
