#include "driver/run/run_checks.hh"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/empty_parts.hh"
#include "codelets/core/geometry/far_positions.hh"
#include "codelets/core/geometry/flat_positions.hh"
#include "codelets/core/geometry/measured_region.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/runtime/runtime_speeds.hh"

namespace starhist::driver {
namespace {

void check_heights(const HistogramLayout& layout, const Frame& frame) {
  for (std::size_t species = 0; species < frame.heights.size(); ++species) {
    for (std::size_t i = 0; i < frame.heights[species].size(); ++i) {
      const double height = frame.heights[species][i];
      const double size = frame.period > 0.0 ? frame.period : layout.second->limit;
      if (!(std::abs(height) <= 0x1p32 * size)) {
        throw InputError("frame " + std::to_string(frame.index.get()) + ": particle " +
                         std::to_string(i) + " of species " + layout.species[species] +
                         " has the coordinate " + number_text(height) +
                         " along the normal of the plane, too far away for separations "
                         "in double precision (more than 2^32 box lengths, or 2^32 "
                         "--axis2-max if the box is open): wrap positions into the "
                         "box, or leave such frames out with --skip-bad-frames");
      }
    }
  }
}

/// Warning if the extent that was measured in the first frame differs from the mean
/// over the frames by more than 2 % and the noise of few particles; "" otherwise.
std::string changed_extent(const Region& region, const MeasuredExtents& extents) {
  if (extents.frames == 0 || extents.particles == 0) {
    return "";
  }
  // Four standard errors of the thickness of a uniform slab.
  const double noise = 4.0 * 0.45 / std::sqrt(static_cast<double>(extents.particles));
  const double mean = extents.sum / static_cast<double>(extents.frames);
  const double ratio = region.size / mean;
  if (!(std::abs(ratio - 1.0) > std::max(0.02, noise))) {
    return "";
  }
  return "the " +
         std::string(region.shape == Region::Shape::slab ? "thickness" : "radius") +
         " that the particles fill changes: " + rounded_text(region.size) +
         " in the first frame, which g(r) assumes, but " + rounded_text(mean) +
         " on average over the counted frames (" + rounded_text(extents.smallest) +
         " to " + rounded_text(extents.largest) +
         "), so g(r) may be wrong by a factor of " + rounded_text(ratio) +
         ": count with --extent " + rounded_text(mean) +
         ", or leave out the frames in which it changes (--first)";
}

}  // namespace

void check_range(const HistogramLayout& layout, const Frame& frame) {
  const double farthest = frame.box.covering_radius();
  const std::string& unit = layout.length_unit;
  if (layout.bins.r_max > 2.0 * farthest) {
    throw InputError(
        (layout.bins.uniform() ? "--r-max " : "largest bin edge ") +
        number_text(layout.bins.r_max) + " is too large: in frame " +
        std::to_string(frame.index.get()) + " no nearest image is farther than " +
        rounded_text(farthest) + unit_suffix(unit) +
        ", so that more than half of the bins would be empty" +
        " (give lengths in the file's unit; or, if this is the small cell of a "
        "crystal, repeat it first, for example with gmx genconf -nbox 4 4 4 or "
        "Atoms.repeat(4) of ASE)");
  }
}

Plane undeclared_plane(const HistogramLayout& layout, const Frame& frame) {
  if (layout.plane != Plane::none) {
    return plane_seen_edge_on(layout.plane, frame.positions);
  }
  return layout.region.shape == Region::Shape::box
             ? two_dimensional(frame.box, frame.positions)
             : Plane::none;
}

std::array<double, 3> undeclared_vacuum(const HistogramLayout& layout,
                                        const Frame& frame) {
  return layout.plane == Plane::none && layout.region.shape == Region::Shape::box
             ? empty_parts(frame.box, frame.positions)
             : std::array<double, 3>{};
}

void check_same_periodicity(const Frame& first, const Frame& frame) {
  if (first.box.periodic() == frame.box.periodic()) {
    return;
  }
  const auto axes = [](const Frame& of) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < 3; ++k) {
      if (of.box.periodic()[k]) {
        names.emplace_back(1, "xyz"[k]);
      }
    }
    return names.empty() ? std::string("none") : join(names, ", ");
  };
  throw InputError(
      "frame " + std::to_string(frame.index.get()) +
      " is not periodic along the same axes as frame " +
      std::to_string(first.index.get()) + " (" + axes(frame) + "; " + axes(first) +
      "), but all frames of a run must have the same kind of box: give one for all "
      "with --box, or count them in separate runs with --first and --last");
}

void check_region(const Region& region, const Frame& frame) {
  const std::string problem = region_problem(region, frame.box);
  if (problem.empty()) {
    return;
  }
  const int open = 3 - frame.box.periodic_axis_count();
  if (!region.is_bounded()) {
    throw InputError("--volume does not apply to frame " +
                     std::to_string(frame.index.get()) + " (" + problem +
                     "): omit --volume, or open axes with --open");
  }
  throw InputError("--geometry " + to_string(region.shape) +
                   " does not apply to frame " + std::to_string(frame.index.get()) +
                   ", whose box has " + std::to_string(open) +
                   (open == 1 ? " open axis (" : " open axes (") + problem +
                   "): open the other axes with --open, such as --open " +
                   (region.shape == Region::Shape::slab ? "z" : "x,y") +
                   ", or give a box with --box");
}

double extent_of_region(Region::Shape shape, const Frame& frame) {
  const bool is_slab = shape == Region::Shape::slab;
  const std::string name = "frame " + std::to_string(frame.index.get());
  const double extent = measured_extent(shape, frame.box, frame.positions);
  if (!(extent > 0.0)) {
    throw InputError("--extent is missing (the particles of " + name +
                     " have no extent along the open axes that could be measured): "
                     "give --extent");
  }
  const double edge = open_edge(shape, frame.box);
  const double across = (is_slab ? 1.0 : 2.0) * extent;
  constexpr double noise = 1.05;  // of few particles
  if (edge > 0.0 && across > noise * edge) {
    throw InputError(
        "--extent is missing (the " + std::string(is_slab ? "thickness" : "diameter") +
        " measured in " + name + ", " + rounded_text(across) +
        ", exceeds the box along the open axes, so the particles may lie on both sides "
        "of a boundary): centre the particles in the box, or give --extent");
  }
  return extent;
}

void add_extent(const Region& region, const Frame& frame, MeasuredExtents& extents) {
  if (!region.is_bounded()) {
    return;
  }
  const double extent = measured_extent(region.shape, frame.box, frame.positions);
  ++extents.frames;
  extents.sum += extent;
  extents.smallest = std::min(extents.smallest, extent);
  extents.largest = std::max(extents.largest, extent);
  extents.particles = 0;
  for (const std::vector<double>& own : frame.positions) {
    extents.particles += own.size() / 3;
  }
}

std::string extent_problem(const Region& region, const Frame& frame,
                           const std::string& length_unit) {
  // A fluid at the walls of a slab measures up to sqrt(3) times its thickness, but one
  // that fills it differs by less than this factor.
  double most_different = 1.5;
  const bool is_volume = !region.is_bounded();
  if (is_volume) {
    constexpr std::size_t fewest = 20;  // fewer fill any volume by chance
    if (frame.particle_count() < fewest) {
      return "";
    }
    most_different = std::pow(most_different, 3 - frame.box.periodic_axis_count());
  }
  const double measured =
      is_volume ? measured_volume(frame.box, frame.positions)
                : measured_extent(region.shape, frame.box, frame.positions);
  const double ratio = measured > 0.0 ? region.size / measured : 1.0;
  if (ratio <= most_different && ratio >= 1.0 / most_different) {
    return "";
  }
  const std::string unit = unit_suffix(length_unit);
  const std::string option = is_volume ? "--volume" : "--extent";
  return option + " " + number_text(region.size) + " differs from the " +
         (is_volume                             ? "volume"
          : region.shape == Region::Shape::slab ? "thickness"
                                                : "radius") +
         " that the particles fill, " + rounded_text(measured) + unit +
         (is_volume && !unit.empty() ? "^3" : "") + " in frame " +
         std::to_string(frame.index.get()) + ", so g(r) may be wrong by a factor of " +
         rounded_text(ratio) + " (the length unit may be another" +
         (ratio < 1.0 && !is_volume
              ? ", or the particles lie on both sides of a boundary"
              : "") +
         "): " +
         (is_volume ? "give the volume in the length unit of the positions"
                    : "omit --extent to use the measured value") +
         (ratio < 1.0 && !is_volume ? ", and centre the particles in the box" : "");
}

std::vector<std::string> end_warnings(const HistogramLayout& layout,
                                      const RunResult& result, bool measured_extent) {
  std::vector<std::string> warnings;
  if (result.flat != Plane::none) {
    const std::string plane = to_string(result.flat);
    warnings.push_back(
        "the particles lie in the plane " + plane +
        (layout.plane == Plane::none
             ? std::string(", where g(r) of space has no meaning: count ")
             : ", which --plane " + to_string(layout.plane) +
                   " sees as a line, so g(r) has no meaning: count ") +
        "with --plane " + plane + " for g(r) in the plane");
  }
  if (result.no_pair_in_bins) {
    warnings.push_back("all pairs lie outside the bins, which end at --r-max " +
                       rounded_text(layout.bins.r_max) +
                       unit_suffix(layout.length_unit) +
                       " (is it in the file's length unit?): give a larger --r-max");
  }
  if (result.no_pair) {
    warnings.emplace_back(
        "no pair was counted: each species has one particle at most, or all pairs are "
        "excluded (--exclude-same, --only-same)");
  }
  constexpr std::uint32_t fewest_bins = 20;
  if (result.coincident > 0 && layout.bins.uniform() && layout.bins.below == 0 &&
      layout.bins.count >= fewest_bins) {
    warnings.push_back(counted(result.coincident, "pair") + " are closer than " +
                       rounded_text(layout.bins.edge(1)) +
                       unit_suffix(layout.length_unit) +
                       ", and no others closer than ten times that: are particles "
                       "doubled, such as atoms that the file also has at the opposite "
                       "face of the box?");
  }
  const std::string extent =
      measured_extent ? changed_extent(layout.region, result.extents) : "";
  if (!extent.empty()) {
    warnings.push_back(extent);
  }
  return warnings;
}

void check_digits(const HistogramLayout& layout, const Frame& frame) {
  check_heights(layout, frame);
  if (all_near(frame.coordinate_bound, frame.box, layout.bins.r_max)) {
    return;
  }
  for (std::size_t species = 0; species < frame.positions.size(); ++species) {
    const std::vector<double>& p = frame.positions[species];
    const auto far = find_far_position(p, frame.box, layout.bins.r_max);
    if (far) {
      throw InputError(
          "frame " + std::to_string(frame.index.get()) + ": particle " +
          std::to_string(*far) + " of species " + layout.species[species] +
          " has position (" + number_text(p[3 * *far]) + ", " +
          number_text(p[3 * *far + 1]) + ", " + number_text(p[3 * *far + 2]) +
          "), too far away for distances in double precision (more than 2^32 box "
          "lengths, or 2^32 r_max if the box is open): wrap positions into the box, or "
          "leave such frames out with --skip-bad-frames");
    }
  }
}

void refuse_no_frames(const std::vector<std::string>& skipped) {
  throw InputError(skipped.empty()
                       ? "no frames to count"
                       : "no selected frame can be used; the first problem: " +
                             skipped.front());
}

void check_selections(const HistogramLayout& layout,
                      const std::vector<std::uint64_t>& empty_frames,
                      std::uint64_t frames, const std::string& rest) {
  for (std::size_t s = 0; s < empty_frames.size(); ++s) {
    if (layout.selections[s].empty() || empty_frames[s] < frames) {
      continue;
    }
    const std::string& unit = layout.length_unit;
    throw InputError("--species: " + layout.species[s] + ": '" + layout.selections[s] +
                     "' selects no particle in any of the " + grouped(frames) +
                     " frames: correct the rule, whose lengths are in " +
                     (unit.empty() ? "the file's unit" : unit) + ", or omit it" +
                     (rest.empty() ? "" : " (" + rest + ")"));
  }
}

void check_memory(const HistogramLayout& layout, const tasks::CountingOptions& options,
                  const tasks::Runtime& runtime) {
  tasks::MachineSpeeds machine = tasks::runtime_workers(runtime);
  tasks::Workload least;  // workload of frames without particles
  least.species_pairs = 0;
  // Pairs counted with labels take least memory, but which ones these are depends on
  // the first frame.
  (options.labels == tasks::Labelling::off || machine.workers == 0
       ? least.species_pairs
       : least.labelled_species_pairs) = layout.pairs.size();
  least.frames = options.frames;
  least.bins = layout.bins.count_from_zero();
  least.clusters = tasks::Clustering::off;
  machine.gpu_memory = UINT64_MAX;  // checked with the first frame
  machine.any_order.gpu = 1e12;     // arbitrary: irrelevant to the memory of counts
  tasks::plan_batches(machine, least, options.memory_bytes,
                      options.most_pairs_per_task);
}

}  // namespace starhist::driver
