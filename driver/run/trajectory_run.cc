#include "driver/run/trajectory_run.hh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <utility>

#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/machine_memory.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/default_block_length.hh"
#include "codelets/core/counting/frame_checksum.hh"
#include "driver/axes/second_axis_counter.hh"
#include "driver/run/exclusions.hh"
#include "driver/run/lagged_frames.hh"
#include "driver/run/provenance.hh"
#include "driver/run/run_checks.hh"
#include "io/output/block_writer.hh"
#include "io/output/checkpoint_file.hh"
#include "io/result/lag_result.hh"
#include "io/text/text_index.hh"
#include "io/trajectory/index_species.hh"
#include "tasks/runtime/gpus.hh"
#include "tasks/runtime/needed_workers.hh"
#include "tasks/runtime/worker_rest.hh"

namespace starhist::driver {
namespace {

/// Throws InputError if the specification is invalid.
const TrajectoryRunSpec& checked(const TrajectoryRunSpec& spec) {
  if (spec.bins.count == 0 && !spec.choose_bins) {
    throw InputError("no bins are defined");
  }
  if (spec.frames.step == 0 || spec.frames_per_block == 0) {
    throw InputError("--step and --block must be at least 1");
  }
  return spec;
}

/// The first usable selected frame.
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

std::string no_usable_frame(const std::string& problem) {
  return "no selected frame can be used; the first problem: " + problem;
}

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

/// Sets the number of bins of the second axis if it is not given. Throws InputError for
/// runs that cannot have one.
void complete_second_axis(TrajectoryRunSpec& spec, const io::TrajectoryInfo& info) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError("--axis2 " + to_string(*spec.second) + " " + problem);
  };
  if (info.stream) {
    refuse(
        "cannot be counted in a running simulation (only its distances can): write "
        "a trajectory first");
  }
  if (spec.plane != Plane::none) {
    refuse("needs distances in space (--plane " + to_string(spec.plane) +
           " leaves out a coordinate): omit --plane");
  }
  if (spec.region.is_bounded()) {
    refuse("has no normalisation in a " + to_string(spec.region.shape) +
           " (whose shells depend on the direction): omit --geometry");
  }
  // Cosines have a sign, which the order of a pair's species defines.
  for (const CentredPair& asked : spec.pairs.empty()
                                      ? std::vector<CentredPair>()
                                      : parse_centred_pairs(spec.pairs, info.species)) {
    if (spec.second->kind == SecondAxis::Kind::cosine && asked.reversed) {
      const std::string& first = info.species[asked.pair.first.index()];
      const std::string& second = info.species[asked.pair.second.index()];
      refuse("cannot count the pair " + centred_name(asked, info.species) + " from " +
             second + " to " + first +
             " (species are in the order of their names): give --pairs " +
             pair_name(asked.pair, info.species) +
             ", or names in the other order, as in --species 'a=species " + second +
             "; b=species " + first + "'");
    }
  }
  if (spec.second->count == 0) {
    spec.second->count = default_second_bins(spec.second->kind);
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
  layout.plane = spec.plane;
  layout.region = spec.region;
  layout.second = spec.second;
  return layout;
}

/// frame_checksum() of a frame, as text.
std::string checksum_text(std::uint64_t checksum) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(checksum));
  return text;
}

/// A frame of the input with its checksum; empty if it cannot be read.
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

/// Entry of the provenance with a measured Region::size.
constexpr const char* measured_extent_entry = "default --extent";

/// Checks that the region suits the boxes, and measures its extent in a frame unless it
/// is given.
void complete_region(TrajectoryRunSpec& spec, const Frame& frame) {
  check_region(spec.region, frame);
  if (spec.region.size == 0.0) {
    spec.region.size = extent_of_region(spec.region.shape, frame);
    spec.as_written.emplace_back(measured_extent_entry, number_text(spec.region.size));
  } else {
    spec.extent_warning = extent_problem(spec.region, frame);
  }
}

/// The specification with frames selected by time and part, and with values for missing
/// settings: the length of blocks, the memory and the bins. Adds the options for which
/// default bins were chosen to `defaults`; the values go to the provenance.
TrajectoryRunSpec completed(TrajectoryRunSpec spec, TrajectoryInput& input,
                            std::vector<std::string>& defaults) {
  if (input.info().stream) {
    check_stream(spec, input.info());
  }
  if (spec.second) {
    complete_second_axis(spec, input.info());
  }
  if (spec.memory_bytes == 0) {
    spec.memory_bytes = machine_memory() / 2;
  }
  spec.memory_bytes /= spec.processes_on_host;
  spec.frames = select_by_time(spec.frames, spec.times, input.reader());
  if (spec.blocks > 0 || (spec.choose_block_length && !input.info().stream)) {
    spec.frames_per_block =
        chosen_block_length(spec, spec.frames.count(input.info().frame_count));
    spec.as_written.emplace_back(frames_per_block_entry,
                                 std::to_string(spec.frames_per_block));
  }
  // The blocks of other runs contain their boxes.
  const bool records_box =
      (spec.part.count > 1 || spec.read_earlier) && !input.info().stream;
  Frame first;
  if (spec.choose_bins || spec.region.shape != Region::Shape::box || records_box) {
    first = first_frame(spec, input);
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
    complete_region(spec, first);
  }
  // Select the part last, because bins and blocks must be equal for all parts.
  spec.all_parts = spec.frames;
  if (spec.part.count > 1) {
    spec.frames = part_of(spec.frames, spec.part, input.info().frame_count,
                          spec.frames_per_block);
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

/// Throws InputError if an output of the run would overwrite a file that it reads.
void check_outputs(const TrajectoryRunSpec& spec, const io::TrajectoryInfo& info) {
  using enum io::PathUse;
  if (spec.output.empty()) {
    throw InputError("the result file has no name");
  }
  std::vector<io::UsedPath> paths = io::external_paths(info.external_files);
  for (const std::string& input : spec.inputs) {
    paths.push_back({input, read, ""});
  }
  paths.insert(paths.end(), {{spec.structure, read, "--structure"},
                             {spec.index, read, "--index"},
                             {spec.aliases, read, "--aliases"},
                             {spec.box_file, read, "--box"},
                             {spec.output, grown, "--output"}});
  paths.insert(paths.end(), spec.written_later.begin(), spec.written_later.end());
  io::check_path_conflicts(paths);
}

std::string lags_text(const LagLayout& layout) {
  std::vector<std::string> lags;
  for (const std::uint64_t lag : layout.lags) {
    lags.push_back(std::to_string(lag));
  }
  return "the lags " + listed(lags, 100);
}

/// Reads the result of an earlier count between frames. Throws InputError unless it has
/// these lags.
io::ResultFile read_earlier_lags(const std::string& path, const LagLayout& now,
                                 const std::function<void(BlockCounts&&)>& sink) {
  io::LagResult earlier = io::read_lag_result(path);
  if (earlier.layout.lags != now.lags) {
    throw InputError(path + " cannot be resumed: it has " + lags_text(earlier.layout) +
                     ", this run has " + lags_text(now) +
                     " (the default and log:N depend on the number of frames: give "
                     "--lags as a list, or recount all frames with --force)");
  }
  io::ResultFile file = std::move(earlier.channels);
  for (BlockCounts& block : std::exchange(file.blocks, {})) {
    sink(std::move(block));
  }
  file.layout = std::move(earlier.layout.pairs);
  return file;
}

std::optional<ResumePoint> resume_point_of(const TrajectoryRunSpec& spec,
                                           TrajectoryInput& input,
                                           const std::optional<LagPlan>& lags) {
  std::error_code ignored;
  if (!spec.resume ||
      (spec.overwrite && !std::filesystem::exists(spec.output + ".partial", ignored))) {
    return std::nullopt;
  }
  const HistogramLayout layout = make_layout(spec, input.info());
  return find_resume_point(
      spec.output, layout, spec.frames, spec.frames_per_block,
      identity_record(spec, input.info()),
      [&](FrameIndex index) { return lookup(layout, input, index); },
      lags ? [&](const std::string& path, const HistogramLayout& /*now*/,
                 const std::function<void(BlockCounts &&)>&
                     sink) { return read_earlier_lags(path, lags->layout, sink); }
           : spec.read_earlier);
}

/// A result from two versions of a file must not get the final name.
void check_unchanged(const TrajectoryInput& input, const std::string& output,
                     const std::string& problem = "") {
  const std::string path = input.changed_file();
  if (!path.empty()) {
    throw RunError(path +
                   ": has changed during the run (its size, its time or the file "
                   "itself), so frames of two versions may be mixed: no result was "
                   "written, and the blocks are in '" +
                   output +
                   ".partial' (if the file has only grown, continue with --resume; "
                   "otherwise count again once the file no longer changes)" +
                   (problem.empty() ? "" : "; the problem seen: " + problem));
  }
}

std::vector<std::string> assumptions_of(const TrajectoryRunSpec& spec,
                                        const io::TrajectoryInfo& info) {
  std::vector<std::string> assumptions = info.from.assumptions;
  const std::string all(io::any_species);
  if (spec.species.empty() && info.from.names == "none" &&
      info.species == std::vector<std::string>{all}) {
    assumptions.push_back("species: one species `" + all +
                          "`, because the particles have no names (--structure FILE "
                          "supplies names, --species selects particles)");
  }
  if (const auto extent = io::value_of(spec.as_written, measured_extent_entry)) {
    assumptions.push_back("geometry: " + region_text(spec.region) +
                          unit_suffix(info.length_unit) +
                          ", measured in the first frame (--extent sets it)");
  }
  return assumptions;
}

/// Time between the selected frames. Throws InputError unless it is constant.
double frame_interval(const TrajectoryRunSpec& spec, TrajectoryInput& input) {
  const std::uint64_t count = spec.all_parts.count(input.info().frame_count);
  Frame scratch;
  const auto time = [&](std::uint64_t number) {
    return input.reader().read_time(FrameIndex(spec.all_parts.index(number)), scratch);
  };
  const double first = time(0);
  const double interval = count > 1 ? time(1) - first : 0.0;
  const double mean =
      count > 1 ? (time(count - 1) - first) / static_cast<double>(count - 1) : 0.0;
  if (!(interval > 0.0) || !(std::abs(mean - interval) <= 1e-3 * interval)) {
    throw InputError("--lag-unit time needs frames at equal intervals of time (" +
                     (std::isnan(interval) || interval == 0.0
                          ? std::string("the selected frames have no times")
                          : "the first interval is " + number_text(interval) +
                                ", the mean interval " + number_text(mean)) +
                     "): give --lags in frames");
  }
  return interval;
}

/// The count between frames that the specification asks for, if any.
std::optional<LagPlan> lags_of(const TrajectoryRunSpec& spec, TrajectoryInput& input,
                               const HistogramLayout& layout) {
  if (!spec.lags) {
    return std::nullopt;
  }
  const io::TrajectoryInfo& info = input.info();
  if (info.stream) {
    throw InputError(info.paths.front() +
                     ": counts between frames cannot be made of a running simulation "
                     "(write a trajectory first)");
  }
  for (std::size_t s = 0; s < info.selections.size(); ++s) {
    if (!info.selections[s].empty()) {
      throw InputError("--species: " + info.species[s] + " = '" + info.selections[s] +
                       "' selects particles in each frame, but counts between frames "
                       "follow the same ones (select without within, beyond, x, y and "
                       "z)");
    }
  }
  const std::uint64_t count = spec.all_parts.count(info.frame_count);
  std::optional<double> interval;
  if (spec.lags->in_time) {
    interval = frame_interval(spec, input);
  }
  LagOptions options{spec.lags->every_origin, spec.lags->unwrapped,
                     spec.frames_per_block,
                     spec.all_parts.number_of(spec.frames.index(0))};
  return plan_lags({layout, spec.lags->list.in_frames(count, interval)}, options,
                   first_frame(spec, input), count, spec.memory_bytes);
}

/// The frames of another source, which are also counted by a second axis.
class SecondAxisFrames : public FrameSource {
 public:
  SecondAxisFrames(FrameSource& frames, const tasks::CountingOptions& options,
                   SecondAxisCounter& counter)
      : frames_(frames), options_(options), counter_(counter) {}

  std::optional<Frame> next() override {
    std::optional<Frame> frame = frames_.next();
    if (frame) {
      const std::uint64_t number = options_.first_number + frames_.passed() - 1;
      counter_.add(*frame, number / options_.frames_per_block);
    }
    return frame;
  }
  void recycle(Frame&& frame) override { frames_.recycle(std::move(frame)); }
  std::uint64_t passed() const override { return frames_.passed(); }
  std::vector<std::string> skipped() const override { return frames_.skipped(); }

 private:
  FrameSource& frames_;
  const tasks::CountingOptions& options_;
  SecondAxisCounter& counter_;
};

RunSpec make_run(const TrajectoryRunSpec& spec, const io::TrajectoryInfo& info,
                 const std::optional<ResumePoint>& point) {
  RunSpec run;
  run.layout = make_layout(spec, info);
  run.exclusions = make_exclusions(run.layout, info);
  run.stream = info.stream;
  run.options.frames = spec.frames.count(info.frame_count);
  if (point) {
    run.options.first_number = point->next_number;
    run.options.begun_block = point->begun;
    run.options.frames -= std::min(run.options.frames, point->next_number);
  }
  run.options.frames_per_block = spec.frames_per_block;
  run.options.memory_bytes = spec.memory_bytes;
  run.options.most_pairs_per_task = spec.most_pairs_per_task;
  run.options.clusters = spec.clusters;
  // Pairs of small species are counted one species pair at a time between explicit
  // edges, because the loop with labels sorts each distance.
  run.options.labels = spec.bins.uniform() || spec.labels == tasks::Labelling::on
                           ? spec.labels
                           : tasks::Labelling::off;
  run.options.record_tasks = spec.record_tasks;
  return run;
}

}  // namespace

io::ReadOptions TrajectoryRunSpec::reading() const {
  io::ReadOptions reading{group, box, length_unit, species};
  reading.with_membership =
      exclusion != Exclusion::none || (second && second->molecular());
  reading.by = species_by;
  reading.most_species = all_pairs || !pairs.empty() ? 0 : most_default_species;
  reading.structure = structure;
  reading.altloc = altloc;
  reading.index = index;
  reading.aliases = aliases;
  reading.guess_elements = guess_elements;
  if (!index.empty() && species.empty()) {
    reading.species = io::species_of_index(index, pairs);
  }
  reading.repeated = repeated;
  reading.external = external;
  reading.time_unit = time_unit;
  reading.box_file = box_file;
  reading.plane = plane;
  reading.open = open;
  reading.tell_order = lags.has_value() || particle_order;
  return reading;
}

tasks::KernelChoice TrajectoryRunSpec::kernels() const {
  return {bins.count_from_zero(), cuda_variant, cpu_variant};
}

TrajectoryRun::TrajectoryRun(TrajectoryRunSpec spec)
    : input_(checked(spec).inputs, spec.reading()),
      spec_(completed(std::move(spec), input_, defaults_)),
      lags_(lags_of(spec_, input_, make_layout(spec_, input_.info()))),
      point_(resume_point_of(spec_, input_, lags_)),
      run_(make_run(spec_, input_.info(), point_)),
      vectors_(run_.layout.second && run_.layout.second->molecular()
                   ? std::make_unique<MolecularVectors>(spec_.inputs, input_.options(),
                                                        run_.layout, input_.info())
                   : nullptr) {}

bool TrajectoryRun::needs_cpus() const {
  return !run_.layout.bins.uniform();
}

tasks::StarpuSettings TrajectoryRun::useful_workers(
    tasks::StarpuSettings settings) const {
  if (needs_cpus()) {
    settings.gpus = 0;
  }
  // GPUs decide every pair in double precision then, which not all can do fast.
  settings.all_cores = run_.layout.second.has_value();
  return settings;
}

std::optional<Frame> TrajectoryRun::read_usable(std::uint64_t number,
                                                std::string& problem) {
  try {
    Frame frame;
    const FrameIndex index(spec_.frames.index(run_.options.first_number + number));
    input_.reader().read(index, frame);
    check_digits(run_.layout, frame);
    return frame;
  } catch (const InputError& error) {
    if (spec_.bad_frames == BadFrames::fail) {
      throw;
    }
    problem = problem.empty() ? error.what() : problem;
    return std::nullopt;
  }
}

Frame TrajectoryRun::planned_frame() {
  if (run_.options.frames == 0) {
    throw InputError(
        "all selected frames are counted, so no work is left to plan (run the same "
        "command without --explain to complete the result)");
  }
  std::optional<Frame> last;
  std::string problem;
  for (std::uint64_t k = 0; k < run_.options.frames; ++k) {
    std::optional<Frame> frame = read_usable(k, problem);
    if (!frame) {
      continue;
    }
    if (!last) {
      check_range(run_.layout, *frame);
    }
    run_.exclusions.check(run_.layout, *frame);
    last = std::move(frame);
    if (run_.exclusions.work(run_.layout, *last) > 0) {
      break;
    }
  }
  if (!last && !problem.empty()) {
    throw InputError(no_usable_frame(problem));
  }
  return last.value_or(Frame());
}

io::RunRecord TrajectoryRun::identity() const {
  io::RunRecord record = identity_record(spec_, input_.info());
  std::erase_if(record, [](const auto& entry) {
    return entry.first.find(" modified ") != std::string::npos;
  });
  return record;
}

Frame TrajectoryRun::first_frame() {
  std::string problem;
  for (std::uint64_t k = 0; k < run_.options.frames; ++k) {
    if (std::optional<Frame> frame = read_usable(k, problem)) {
      check_range(run_.layout, *frame);
      return *std::move(frame);
    }
  }
  throw InputError(no_usable_frame(problem));
}

std::unique_ptr<FrameStream> TrajectoryRun::growing_stream() {
  return input_.growing_stream(spec_.frames, BadFrames::fail, spec_.memory_bytes,
                               tasks::expect_gpus(),
                               [this](Frame& frame) { complete(frame); });
}

void TrajectoryRun::complete(Frame& frame) const {
  check_digits(run_.layout, frame);
  frame.checksum = frame_checksum(run_.layout, frame);
}

void TrajectoryRun::check_unchanged() const {
  driver::check_unchanged(input_, spec_.output);
}

void TrajectoryRun::start_reading() {
  if (!frames_ && run_.options.frames > 0) {
    FrameSelection frames = spec_.frames;
    if (lags_) {  // frames that are not counted are origins of others
      frames.first = spec_.all_parts.first;
    } else {
      frames.first += run_.options.first_number * frames.step;
    }
    frames_ =
        input_.stream(frames, spec_.bad_frames, spec_.memory_bytes,
                      tasks::expect_gpus(), [this](Frame& frame) { complete(frame); });
  }
}

FrameSource& TrajectoryRun::read_frames() {
  check_outputs(spec_, info());
  start_reading();
  return *frames_;
}

std::vector<std::string> TrajectoryRun::left_out() {
  return input_.left_out(spec_.frames, frames_->skipped());
}

std::vector<std::string> TrajectoryRun::assumptions() const {
  return assumptions_of(spec_, info());
}

std::optional<double> TrajectoryRun::expected_pairs() {
  constexpr std::chrono::milliseconds soon(10);  // without delaying the start by much
  std::optional<double> pairs;
  if (frames_ && !info().stream) {
    frames_->look_at_first(soon,
                           [&](const Frame& frame) { pairs = expected_pairs(frame); });
  }
  return pairs;
}

std::optional<double> TrajectoryRun::expected_pairs(const Frame& frame) const {
  const auto pairs = static_cast<double>(run_.exclusions.work(run_.layout, frame));
  if (pairs == 0.0 || info().stream) {
    return std::nullopt;
  }
  double bytes = 0.0;
  for (const std::string& path : info().paths) {
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(path, failure);
    if (failure) {
      return std::nullopt;
    }
    bytes += static_cast<double>(size);
  }
  constexpr double least_bytes_of_a_particle = 24.0;  // without compression
  const double particles =
      bytes / static_cast<double>(info().frame_count) / least_bytes_of_a_particle;
  const double growth =
      std::max(1.0, particles / static_cast<double>(frame.particle_count()));
  const double work_of_pair = run_.layout.second ? 4.0 : 1.0;  // measured: 3 to 5
  return static_cast<double>(run_.options.frames) * work_of_pair * pairs * growth *
         growth;
}

RunSummary TrajectoryRun::count(tasks::Runtime& runtime, const RunHooks& hooks,
                                const FrameCounter& counter) {
  const auto start = std::chrono::steady_clock::now();
  check_outputs(spec_, info());
  if (!counter) {
    start_reading();
  }
  // before the file is created
  check_memory(lags_ ? sets_of(lags_->layout) : run_.layout, run_.options, runtime);
  const io::RunRecord record = first_provenance(spec_, info(), runtime, point_);
  const auto writer =
      lags_ && point_
          ? std::make_unique<io::ResultWriter>(spec_.output, lags_->layout, record,
                                               spec_.overwrite, point_->blocks)
      : lags_  ? std::make_unique<io::ResultWriter>(spec_.output, lags_->layout, record,
                                                   spec_.overwrite)
      : point_ ? std::make_unique<io::ResultWriter>(spec_.output, run_.layout, record,
                                                    spec_.overwrite, point_->blocks)
               : std::make_unique<io::ResultWriter>(spec_.output, run_.layout, record,
                                                    spec_.overwrite);
  io::CheckpointFile checkpoint(spec_.output, run_.layout,
                                io::value_of(record, io::result_id).value_or(""));
  std::vector<std::string> conventions;  // of a count between frames
  RunSummary summary;
  summary.frames_before = point_ ? point_->frames : 0;
  summary.skipped_before = point_ ? point_->next_number - point_->frames : 0;
  summary.frames_kept = summary.frames_before;
  std::vector<std::uint64_t> empty_frames(run_.layout.selections.size());
  if (point_) {
    summary.inscribed_radius = point_->inscribed_radius;
    summary.boxes_change = point_->boxes_change;
    std::copy(point_->empty_frames.begin(), point_->empty_frames.end(),
              empty_frames.begin());
  }
  {
    std::uint64_t written = point_ ? point_->blocks : 0;
    std::uint64_t in_blocks =
        summary.frames_before - (point_ && point_->begun ? point_->begun->frames : 0);
    if (point_) {
      checkpoint.read();  // the next checkpoint replaces the older one
    }
    io::BlockWriter blocks(*writer,
                           std::min<std::size_t>(1U << 25U, spec_.memory_bytes / 32));
    double farthest = point_ ? std::numeric_limits<double>::infinity() : 0.0;
    const auto note = [&](const BlockCounts& block) {
      ++written;
      farthest =
          std::max(farthest, block.box ? block.box->covering_radius()
                                       : std::numeric_limits<double>::infinity());
      summary.covering_radius = farthest;
      summary.inscribed_radius =
          std::min(summary.inscribed_radius, block.inscribed_radius);
      summary.boxes_change =
          summary.boxes_change || (spec_.region.shape == Region::Shape::box &&
                                   block.volume > 0.0 && !block.box);
      summary.without_volume =
          summary.without_volume || (block.volume == 0.0 && !spec_.box);
      in_blocks += block.frames;
      for (std::size_t s = 0; s < empty_frames.size(); ++s) {
        empty_frames[s] += block.empty_frames[s];
      }
    };
    const auto append = [&](BlockCounts&& block) {
      note(block);
      blocks.append(std::move(block));
    };
    RunHooks own = hooks;
    own.checkpoint_interval = std::chrono::milliseconds(
        std::max(1LL, static_cast<long long>(1e3 * spec_.checkpoint_seconds)));
    own.checkpoint = [&](const BlockCounts& block, std::uint64_t next_number) {
      blocks.wait();
      writer->keep();
      checkpoint.write(block, next_number, written);
      summary.frames_kept = in_blocks + block.frames;
    };
    if (lags_ || run_.layout.second) {  // only whole blocks are kept
      own.checkpoint_interval = std::chrono::hours(24 * 365);
      own.checkpoint = [&](const BlockCounts&, std::uint64_t) {
        blocks.wait();
        writer->keep();
        summary.frames_kept = in_blocks;
      };
    }
    if (run_.options.frames > 0) {
      try {
        static_cast<RunResult&>(summary) =
            lags_ ? count_between_frames(
                        runtime, own,
                        [&](LaggedBlock&& block) {
                          note(block.pairs);
                          writer->append(block);
                        },
                        conventions)
            : run_.layout.second ? count_second_axis(runtime, own, append)
            : counter            ? counter(runtime, run_, append, own)
                                 : count_frames(*frames_, runtime, run_, append, own);
      } catch (const InputError& error) {  // a frame damaged by a change
        driver::check_unchanged(input_, spec_.output, error.what());
        throw;
      }
    } else if (point_ && point_->begun) {
      append(BlockCounts(*point_->begun));  // the earlier run was killed near its end
    }
    blocks.wait();
    summary.blocks_kept = written;
    if (!summary.cancelled) {
      summary.frames_kept = in_blocks;
    } else if (summary.frames_kept < in_blocks) {
      summary.frames_kept = in_blocks;  // the run was stopped between two blocks
    }
  }
  // Only this thread writes the file; idle workers would take its core. For few pairs
  // writing ends sooner than a GPU's workers pause and resume.
  constexpr std::size_t few_pairs = 100;
  std::optional<tasks::WorkerRest> rest;
  if (run_.layout.pairs.size() > few_pairs) {
    rest.emplace(std::chrono::seconds(1));
    rest->rest_now();
  }
  summary.skipped_frames =
      input_.left_out(spec_.frames, std::move(summary.skipped_frames));
  summary.empty_selections = empty_selections(run_.layout, empty_frames);
  if (!summary.cancelled) {
    check_unchanged();
    if (spec_.part.count == 1) {
      check_selections(run_.layout, empty_frames, summary.frames_kept,
                       "the counts are in " + spec_.output + ".partial");
    }
    checkpoint.remove();  // all blocks are in the file
    if (!lags_) {
      pass_on(*writer);
    }
    writer->finish(last_provenance(summary));
  }
  summary.species_by = info().species_by;
  summary.species_by_default =
      spec_.species_by == io::SpeciesBy::file && info().species_by != spec_.species_by;
  summary.species = info().species.size();
  summary.species_of_file = info().species_of_file;
  summary.assumptions = assumptions_of(spec_, info());
  summary.assumptions.insert(summary.assumptions.end(), conventions.begin(),
                             conventions.end());
  summary.seconds = seconds_since(start);
  summary.output = spec_.output;
  summary.scheduler = runtime.scheduler();
  summary.bins = run_.layout.bins;
  summary.gpus_left_out = needs_cpus() && tasks::expect_gpus();
  summary.length_unit = run_.layout.length_unit;
  summary.default_options = defaults_;
  summary.exclusion = run_.layout.exclusion;
  summary.cpu_variant = runtime.kernels().cpu_variant;
  summary.cuda_variant = runtime.kernels().cuda_variant;
  summary.threads_per_worker = runtime.threads_per_worker();
  return summary;
}

RunResult TrajectoryRun::count_between_frames(
    tasks::Runtime& runtime, const RunHooks& hooks,
    const std::function<void(LaggedBlock&&)>& sink,
    std::vector<std::string>& conventions) {
  RunSpec run = run_;
  run.layout = sets_of(lags_->layout);
  run.exclusions = {};  // the window subtracts pairs of a particle with itself
  run.expected_pairs = static_cast<std::uint64_t>(
      static_cast<double>(lags_->expected_pairs) *
      static_cast<double>(run.options.frames) /
      static_cast<double>(spec_.all_parts.count(info().frame_count)));
  run.options.memory_bytes -= lags_->origin_bytes;
  // Labels suit particle numbers that are the same in all frames.
  run.options.labels = tasks::Labelling::off;
  LagWindow window(lags_->layout, lags_->options);
  LaggedFrames frames(*frames_, run.layout, window,
                      lags_->options.first_number + run.options.first_number);
  frames.read_lead(hooks.cancel);
  RunResult result = count_frames(
      frames, runtime, run,
      [&](BlockCounts&& block) { sink(window.finish(std::move(block))); }, hooks);
  if (window.boxes_differ()) {
    conventions.emplace_back(
        "boxes change: distances between two frames are measured in the later box");
  }
  if (!lags_->options.unwrapped && lags_->layout.lags.back() > 0) {
    conventions.emplace_back(window.is_periodic()
                                 ? "displacements: positions are followed through the "
                                   "nearest image from frame "
                                   "to frame (--unwrapped takes them as they are)"
                                 : "displacements: positions are taken as they are, "
                                   "because the box is open");
  }
  for (std::size_t lag = 0; lag < window.times().size(); ++lag) {
    const LagTimes& times = window.times()[lag];
    if (times.longest - times.shortest > 1e-3 * std::abs(times.longest)) {
      const std::string unit = unit_suffix(run_.layout.time_unit);
      lag_warnings_.push_back(
          "frames are not at equal intervals of time, so a lag mixes different times: "
          "lag " +
          std::to_string(lags_->layout.lags[lag]) + " lasts from " +
          number_text(times.shortest) + " to " + number_text(times.longest) + unit +
          " (select frames at equal intervals with --every)");
      break;
    }
  }
  const LongSteps& steps = window.long_steps();
  if (steps.count > 0) {
    const std::string which = grouped(steps.count) +
                              (steps.count == 1 ? " displacement" : " displacements") +
                              " between consecutive frames, the first to frame " +
                              std::to_string(steps.first_frame.get());
    lag_warnings_.push_back(
        which +
        (lags_->options.unwrapped
             ? ", exceed half the box, so displacements are wrong if the positions are "
               "wrapped (a particle that crosses a boundary jumps to the other side): "
               "omit --unwrapped, unless the positions are continuous and particles "
               "move that far between frames"
             : ", exceed a quarter of the box, so displacements may be wrong (a "
               "particle that moves by half the box looks as if it moved back): count "
               "more frequent frames, or give --unwrapped if the positions are not "
               "wrapped"));
  }
  return result;
}

RunResult TrajectoryRun::count_second_axis(tasks::Runtime& runtime,
                                           const RunHooks& hooks,
                                           const tasks::PairCounter::BlockSink& sink) {
  SecondAxisCounter counter(run_.layout, run_.exclusions, vectors_.get(),
                            run_.options.memory_bytes);
  SecondAxisFrames frames(*frames_, run_.options, counter);
  RunSpec by_distance = run_;
  by_distance.layout.second.reset();
  return count_frames(
      frames, runtime, by_distance,
      [&](BlockCounts&& block) {
        counter.complete(block);
        sink(std::move(block));
      },
      hooks);
}

void TrajectoryRun::pass_on(io::ResultWriter& writer) {
  if (!input_.reader().passes_on()) {
    return;
  }
  frames_.reset();  // frames_ uses the reader
  const std::vector<io::BlockExtent> blocks = writer.extents();
  for (const io::BlockExtent& block : blocks) {
    writer.pass_on(input_.passed_on(
        spec_.frames, block.first_frame, block.last_frame, block.frames,
        [this](const Frame& frame) { check_digits(run_.layout, frame); }));
  }
}

RunSummary run_trajectory(const TrajectoryRunSpec& spec, const RunHooks& hooks) {
  const auto start = std::chrono::steady_clock::now();
  TrajectoryRun run(spec);
  if (run.resume_point() && run.resume_point()->finished) {
    throw InputError(spec.output + " is finished: all selected frames are counted");
  }
  run.start_reading();
  tasks::Runtime runtime(
      spec.cpu_mode, run.kernels(),
      run.useful_workers(tasks::settings_for_run(spec.cpu_mode, run.expected_pairs())));
  const double start_seconds = seconds_since(start);
  RunSummary summary = run.count(runtime, hooks);
  summary.start_seconds = start_seconds;
  return summary;
}

}  // namespace starhist::driver
