#include "driver/run/run_warnings.hh"

#include <array>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/run/run_checks.hh"
#include "io/selection/broken_molecules.hh"
#include "io/trajectory/formats.hh"

namespace starhist::driver {

std::string broken_molecules(const std::vector<std::string>& paths,
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

std::vector<std::string> end_warnings(const HistogramLayout& layout,
                                      const RunResult& result, bool measured_extent) {
  std::vector<std::string> warnings;
  if (result.flat != Plane::none) {
    const std::string plane = to_string(result.flat);
    warnings.push_back("the particles lie in the plane " + plane +
                       ", where g(r) of space has no meaning: count with --plane " +
                       plane + " for g(r) in the plane");
  }
  if (result.no_pair_in_bins) {
    warnings.push_back("all pairs lie outside the bins, which end at --r-max " +
                       rounded_text(layout.bins.r_max) +
                       unit_suffix(layout.length_unit) +
                       " (is it in the file's length unit?): give a larger --r-max");
  }
  const std::string extent =
      measured_extent ? changed_extent(layout.region, result.extents) : "";
  if (!extent.empty()) {
    warnings.push_back(extent);
  }
  return warnings;
}

}  // namespace starhist::driver
