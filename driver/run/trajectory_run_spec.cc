#include "driver/run/trajectory_run_spec.hh"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/machine_memory.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/default_block_length.hh"
#include "codelets/core/counting/frame_checksum.hh"
#include "driver/run/frames/box_checks.hh"
#include "driver/run/provenance.hh"
#include "driver/run/resume_point.hh"
#include "driver/run/run_checks.hh"
#include "driver/run/second_axis_run.hh"
#include "io/trajectory/index_species.hh"

namespace starhist::driver {
namespace {

/// Smallest length for which at most `blocks` blocks hold all frames [frames].
std::uint32_t block_length(std::uint64_t frames, std::uint64_t blocks) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(
      (frames - 1) / blocks + 1, std::numeric_limits<std::uint32_t>::max()));
}

/// Number of frames per block if it is not given, for a selection of `frames` frames.
std::uint32_t chosen_block_length(const TrajectoryRunSpec& spec, std::uint64_t frames) {
  if (spec.blocks > 0) {
    return block_length(frames, spec.blocks);
  }
  const std::uint32_t resumed = spec.resume && spec.resumed_block_length == 0
                                    ? resumed_block_length(spec.output, spec.overwrite)
                                    : spec.resumed_block_length;
  return resumed > 0 ? resumed : default_block_length(frames, spec.part.count);
}

/// Throws InputError for options that need all frames in advance.
void check_stream(const TrajectoryRunSpec& spec, const io::TrajectoryInfo& info) {
  const auto refuse = [&](const std::string& option, const std::string& why) {
    throw InputError(info.paths.front() + ": " + option +
                     " cannot be used with a running simulation (" + why + ")");
  };
  if (spec.resume) {
    refuse("--resume",
           "its frames arrive only once; count the rest into a second result and use "
           "starhist merge");
  }
  if (spec.times.any()) {
    refuse("selecting by time",
           "--first, --last and --step count its frames as they arrive");
  }
  if (spec.part.count > 1) {
    refuse("--part", "its frames arrive only once");
  }
  if (spec.blocks > 0 && !spec.frames.last) {
    refuse("--blocks", "the number of frames is unknown: give --last or --block");
  }
}

/// parse_pairs(), with a remedy if the file does not distinguish particles.
std::vector<SpeciesPair> pairs_of(const std::string& text,
                                  const std::vector<std::string>& species) {
  try {
    return parse_pairs(text, species);
  } catch (const InputError& error) {
    throw species == std::vector<std::string>{"all"}
        ? InputError(std::string(error.what()) +
                     ": all particles are one species; name them with --structure "
                     "FILE, or define species with --species or --by")
        : error;
  }
}

/// frame_checksum() of a frame, as text.
std::string checksum_text(std::uint64_t checksum) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(checksum));
  return text;
}

/// frame_checksum() of a frame of the input; 0 if it cannot be read.
std::uint64_t checksum_of(const HistogramLayout& layout, TrajectoryInput& input,
                          FrameIndex index) {
  const std::optional<Frame> frame = lookup(layout, input, index);
  return frame ? frame->checksum : 0;
}

/// The value of first_frames_entry; "" if the trajectory's first two frames are among
/// the counted ones.
std::string first_frames_text(const TrajectoryRunSpec& spec, TrajectoryInput& input) {
  const std::uint64_t all = input.info().frame_count;
  const std::uint64_t count = spec.frames.count(all);
  bool counted = true;
  std::string text;
  for (std::uint64_t k = 0; k < std::min<std::uint64_t>(2, all); ++k) {
    counted = counted && k < count && spec.frames.index(k) == k;
  }
  for (std::uint64_t k = 0; !counted && k < std::min<std::uint64_t>(2, all); ++k) {
    text +=
        (k == 0 ? "" : " ") + checksum_text(checksum_of(make_layout(spec, input.info()),
                                                        input, FrameIndex(k)));
  }
  return text;
}

/// The edges a, b, c and the periodic axes: "3 0 0, 0 3 0, 0 0 5; x, y, z".
std::string box_text(const Box& box) {
  std::vector<std::string> edges;
  std::vector<std::string> axes;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& edge = box.edges()[k];
    edges.push_back(number_text(edge.x) + " " + number_text(edge.y) + " " +
                    number_text(edge.z));
    if (box.periodic()[k]) {
      axes.emplace_back(1, "xyz"[k]);
    }
  }
  return axes.empty() ? "open" : join(edges, ", ") + "; " + join(axes, ", ");
}

void add_warning(const std::string& warning, std::vector<std::string>& warnings) {
  if (!warning.empty()) {
    warnings.push_back(warning);
  }
}

/// Checks that the region suits the boxes, and measures its extent in a frame unless it
/// is given.
void complete_region(TrajectoryRunSpec& spec, const Frame& frame,
                     const std::string& length_unit) {
  check_region(spec.region, frame);
  if (spec.region.size == 0.0) {
    spec.region.size = extent_of_region(spec.region.shape, frame);
    spec.as_written.emplace_back(measured_extent_entry, number_text(spec.region.size));
  } else {
    add_warning(extent_problem(spec.region, frame, length_unit), spec.warnings);
  }
}

}  // namespace

io::ReadOptions reading_options(const TrajectoryRunSpec& spec) {
  io::ReadOptions reading = spec.reading;
  reading.with_membership =
      spec.exclusion != Exclusion::none || (spec.second && spec.second->molecular());
  reading.most_species =
      spec.all_pairs || !spec.pairs.empty() ? 0 : most_default_species;
  if (!reading.index.empty() && reading.species.empty()) {
    reading.species = io::species_of_index(reading.index, spec.pairs);
  }
  reading.heights = spec.second && reading.plane != Plane::none;
  reading.tell_order = spec.lags.has_value() || spec.particle_order;
  return reading;
}

const TrajectoryRunSpec& checked(const TrajectoryRunSpec& spec) {
  if (spec.bins.count == 0 && !spec.choose_bins) {
    throw InputError("no bins are defined");
  }
  if (spec.frames.step == 0 || spec.counting.frames_per_block == 0) {
    throw InputError("--step and --block must be at least 1");
  }
  return spec;
}

Frame first_frame(const TrajectoryRunSpec& spec, TrajectoryInput& input) {
  const std::uint64_t count = spec.frames.count(input.info().frame_count);
  Frame frame;
  for (std::uint64_t k = 0;; ++k) {
    try {
      input.reader().read(FrameIndex(spec.frames.index(k)), frame);
      return frame;
    } catch (const InputError& error) {
      if (spec.bad_frames == BadFrames::fail || k + 1 == count) {
        throw;
      }
    }
  }
}

HistogramLayout make_layout(const TrajectoryRunSpec& spec,
                            const io::TrajectoryInfo& info) {
  HistogramLayout layout;
  layout.species = info.species;
  layout.pairs = spec.pairs.empty() ? all_pairs(info.species.size())
                                    : pairs_of(spec.pairs, info.species);
  layout.bins = spec.bins;
  layout.length_unit = info.length_unit;
  layout.time_unit = info.time_unit;
  layout.exclusion = spec.exclusion;
  layout.elements = info.elements;
  layout.selections = info.selections;
  layout.plane = spec.reading.plane;
  layout.region = spec.region;
  layout.second = spec.second;
  return layout;
}

std::optional<Frame> lookup(const HistogramLayout& layout, TrajectoryInput& input,
                            FrameIndex index) {
  try {
    Frame frame;
    input.reader().read(index, frame);
    frame.checksum = frame_checksum(layout, frame);
    return frame;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

TrajectoryRunSpec completed(TrajectoryRunSpec spec, TrajectoryInput& input,
                            std::vector<std::string>& defaults) {
  if (input.info().stream) {
    check_stream(spec, input.info());
  }
  if (spec.second) {
    complete_second_axis(spec, input.info());
  }
  if (spec.counting.memory_bytes == 0) {
    spec.counting.memory_bytes = machine_memory() / 2;
  }
  spec.counting.memory_bytes /= spec.processes_on_host;
  spec.frames = select_by_time(spec.frames, spec.times, input.reader());
  if (spec.blocks > 0 || (spec.choose_block_length && !input.info().stream)) {
    spec.counting.frames_per_block =
        chosen_block_length(spec, spec.frames.count(input.info().frame_count));
    spec.as_written.emplace_back(frames_per_block_entry,
                                 std::to_string(spec.counting.frames_per_block));
  }
  // The blocks of other runs contain their boxes.
  const bool records_box =
      (spec.part.count > 1 || spec.read_earlier) && !input.info().stream;
  const bool checks_box = !input.info().stream && sets_box(spec.reading);
  Frame first;
  if (spec.choose_bins || spec.region.shape != Region::Shape::box || records_box ||
      checks_box || needs_second_range(spec)) {
    first = first_frame(spec, input);
  }
  if (needs_second_range(spec)) {
    complete_second_range(spec, first);
  }
  if (records_box) {
    spec.as_written.emplace_back(first_box_entry, box_text(first.box));
  }
  if (spec.choose_bins) {
    ChosenBins chosen = spec.choose_bins(first, input.info().length_unit);
    spec.bins = chosen.bins;
    defaults = std::move(chosen.defaults);
    for (const std::string& option : defaults) {
      spec.as_written.emplace_back(
          "default " + option,
          number_text(option == "--r-max" ? spec.bins.r_max : spec.bins.width()));
    }
  }
  if (spec.region.shape != Region::Shape::box) {
    complete_region(spec, first, input.info().length_unit);
  }
  if (checks_box) {
    add_warning(small_box_problem(spec.inputs, input.options(), first,
                                  input.info().length_unit),
                spec.warnings);
  }
  spec.kernels.bin_count = spec.bins.count_from_zero();
  // Select the part last, because bins and blocks must be equal for all parts.
  spec.all_parts = spec.frames;
  if (spec.part.count > 1) {
    spec.frames = part_of(spec.frames, spec.part, input.info().frame_count,
                          spec.counting.frames_per_block);
    const std::uint64_t last = spec.frames.count(input.info().frame_count) - 1;
    spec.as_written.emplace_back(part_entry,
                                 std::to_string(spec.frames.index(0)) + " to " +
                                     (spec.part.number == spec.part.count
                                          ? "the end"
                                          : std::to_string(spec.frames.index(last))));
  }
  if (!input.info().stream) {
    const std::string checksums = first_frames_text(spec, input);
    if (!checksums.empty()) {
      spec.as_written.emplace_back(first_frames_entry, checksums);
    }
  }
  return spec;
}

}  // namespace starhist::driver
