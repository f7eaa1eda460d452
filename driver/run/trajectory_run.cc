#include "driver/run/trajectory_run.hh"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_checksum.hh"
#include "driver/run/exclusions.hh"
#include "driver/run/frames/box_checks.hh"
#include "driver/run/provenance.hh"
#include "driver/run/run_checks.hh"
#include "driver/run/run_output.hh"
#include "driver/run/second_axis_run.hh"
#include "io/text/text_index.hh"
#include "tasks/runtime/gpus.hh"
#include "tasks/runtime/needed_workers.hh"
#include "tasks/runtime/worker_rest.hh"

namespace starhist::driver {
namespace {

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
      spec.output, layout, spec.frames, spec.counting.frames_per_block,
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
  if (spec.reading.species.empty() && info.from.names == "none" &&
      info.species == std::vector<std::string>{all}) {
    assumptions.push_back("species: all particles are one species, `" + all +
                          "` (--structure or --species defines others)");
  }
  if (const auto extent = io::value_of(spec.as_written, measured_extent_entry)) {
    assumptions.push_back("geometry: " + region_text(spec.region) +
                          unit_suffix(info.length_unit) +
                          ", measured in the first frame (--extent sets it)");
  }
  return assumptions;
}

RunSpec make_run(const TrajectoryRunSpec& spec, const io::TrajectoryInfo& info,
                 const std::optional<ResumePoint>& point) {
  RunSpec run;
  run.layout = make_layout(spec, info);
  run.exclusions = make_exclusions(run.layout, info);
  run.stream = info.stream;
  run.options = spec.counting;
  run.options.frames = spec.frames.count(info.frame_count);
  if (point) {
    run.options.first_number = point->next_number;
    run.options.begun_block = point->begun;
    run.options.frames -= std::min(run.options.frames, point->next_number);
  }
  // Pairs of small species are counted one species pair at a time between explicit
  // edges, because the loop with labels sorts each distance.
  if (!spec.bins.uniform() && spec.counting.labels != tasks::Labelling::on) {
    run.options.labels = tasks::Labelling::off;
  }
  return run;
}

}  // namespace

TrajectoryRun::TrajectoryRun(TrajectoryRunSpec spec)
    : input_(checked(spec).inputs, reading_options(spec)),
      spec_(completed(std::move(spec), input_, defaults_)),
      lags_(lags_of(spec_, input_, make_layout(spec_, input_.info()))),
      point_(resume_point_of(spec_, input_, lags_)),
      run_(make_run(spec_, input_.info(), point_)),
      vectors_(run_.layout.second && run_.layout.second->molecular()
                   ? std::make_unique<MolecularVectors>(spec_.inputs, input_.options(),
                                                        run_.layout, input_.info())
                   : nullptr) {}

bool TrajectoryRun::needs_cpus() const {
  return !run_.layout.bins.uniform() ||
         (run_.layout.second && run_.layout.second->along_normal());
}

tasks::StarpuSettings TrajectoryRun::useful_workers(
    tasks::StarpuSettings settings) const {
  if (needs_cpus()) {
    settings.gpus = 0;
  }
  // GPUs decide every pair in double precision then, which not all can do fast.
  settings.all_cores = run_.layout.second.has_value();
  // CPU workers count excluded pairs and small species.
  constexpr std::size_t few_species = 4;
  if (settings.all_cores || run_.layout.exclusion != Exclusion::none ||
      run_.layout.species.size() > few_species) {
    settings.cpu_workers_beside_gpus = -1;
  }
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
    refuse_no_frames({problem});
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
      return *std::move(frame);
    }
  }
  refuse_no_frames({problem});
}

std::unique_ptr<FrameStream> TrajectoryRun::growing_stream() {
  FrameSelection frames = spec_.frames;
  frames.first = lags_ ? spec_.all_parts.first : frames.first;
  return input_.growing_stream(frames, BadFrames::fail, spec_.counting.memory_bytes,
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

void TrajectoryRun::check_outputs() const {
  driver::check_outputs(spec_, info());
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
        input_.stream(frames, spec_.bad_frames, spec_.counting.memory_bytes,
                      tasks::expect_gpus(), [this](Frame& frame) { complete(frame); });
  }
}

FrameSource& TrajectoryRun::read_frames() {
  check_outputs();
  start_reading();
  return *frames_;
}

RunSpec TrajectoryRun::counted() const {
  return lags_ ? sets_run(run_, *lags_, spec_.all_parts.count(info().frame_count))
               : run_;
}

std::vector<std::string> TrajectoryRun::left_out() {
  return left_out(frames_->skipped());
}

std::vector<std::string> TrajectoryRun::left_out(
    std::vector<std::string> skipped) const {
  return input_.left_out(spec_.frames, std::move(skipped));
}

std::vector<std::string> TrajectoryRun::assumptions() const {
  return assumptions_of(spec_, info());
}

const std::vector<std::string>& TrajectoryRun::start_warnings() {
  if (!start_warnings_) {
    start_warnings_ = spec_.warnings;
    std::string broken = opened_molecules(spec_.inputs, input_.options(),
                                          FrameIndex(spec_.frames.index(0)));
    if (!broken.empty()) {
      start_warnings_->push_back(std::move(broken));
    }
  }
  return *start_warnings_;
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
  check_outputs();
  if (!counter) {
    start_reading();
  }
  // before the file is created
  check_memory(lags_ ? sets_of(lags_->layout) : run_.layout, run_.options, runtime);
  RunSummary summary;
  RunOutput output(spec_, run_, lags_, point_,
                   first_provenance(spec_, info(), runtime, point_), summary);
  count_blocks(runtime, hooks, counter, output, summary);
  output.end_blocks();
  summary.start_warnings = start_warnings();
  summary.warnings =
      end_warnings(run_.layout, summary,
                   io::value_of(spec_.as_written, measured_extent_entry).has_value());
  summary.warnings.insert(summary.warnings.end(), lag_messages_.warnings.begin(),
                          lag_messages_.warnings.end());
  std::string repeated = spec_.reading.repeated == io::RepeatedFrames::keep
                             ? ""
                             : output.repeated_warning();
  if (!repeated.empty()) {
    summary.warnings.push_back(std::move(repeated));
  }
  finish(output, summary);
  describe(runtime, summary);
  summary.seconds = seconds_since(start);
  return summary;
}

void TrajectoryRun::count_blocks(tasks::Runtime& runtime, const RunHooks& hooks,
                                 const FrameCounter& counter, RunOutput& output,
                                 RunSummary& summary) {
  if (run_.options.frames == 0) {
    if (point_ && point_->begun) {  // the earlier run was killed near its end
      output.append(BlockCounts(*point_->begun));
    }
    return;
  }
  const RunHooks own = output.with_checkpoints(hooks);
  const auto append = [&](BlockCounts&& block) { output.append(std::move(block)); };
  const auto append_lagged = [&](LaggedBlock&& block) { output.append(block); };
  RunResult& result = summary;
  try {
    if (counter && lags_) {
      result = counter(runtime, counted(), append_lagged, own);
    } else if (counter) {
      result = counter(
          runtime, counted(),
          [&](LaggedBlock&& block) { append(std::move(block.pairs)); }, own);
    } else if (lags_) {
      result = count_between_frames(*frames_, runtime, counted(), *lags_, append_lagged,
                                    own);
    } else if (run_.layout.second) {
      result = count_second_axis(*frames_, runtime, run_, vectors_.get(), append, own);
    } else {
      result = count_frames(*frames_, runtime, run_, append, own);
    }
  } catch (const InputError& error) {  // a frame damaged by a change
    driver::check_unchanged(input_, spec_.output, error.what());
    throw;
  }
  if (lags_) {
    lag_messages_ = messages_of(summary.lags, *lags_, run_.layout.time_unit);
  }
}

void TrajectoryRun::finish(RunOutput& output, RunSummary& summary) {
  // Only this thread writes the file; idle workers would take its core. For few pairs
  // writing ends sooner than a GPU's workers pause and resume.
  constexpr std::size_t few_pairs = 100;
  std::optional<tasks::WorkerRest> rest;
  if (run_.layout.pairs.size() > few_pairs) {
    rest.emplace(std::chrono::seconds(1));
    rest->rest_now();
  }
  summary.skipped_frames = left_out(std::move(summary.skipped_frames));
  summary.empty_selections = empty_selections(run_.layout, output.empty_frames());
  if (summary.cancelled) {
    return;
  }
  check_unchanged();
  if (spec_.part.count == 1) {
    check_selections(run_.layout, output.empty_frames(), summary.frames_kept,
                     "the counts are in " + spec_.output + ".partial");
  }
  if (!lags_) {
    pass_on(output.writer());
  }
  output.writer().finish(last_provenance(summary));
}

void TrajectoryRun::describe(const tasks::Runtime& runtime, RunSummary& summary) const {
  summary.species_by = info().species_by;
  summary.species_by_default =
      spec_.reading.by == io::SpeciesBy::file && info().species_by != spec_.reading.by;
  summary.species = info().species.size();
  summary.species_of_file = info().species_of_file;
  summary.assumptions = assumptions();
  summary.assumptions.insert(summary.assumptions.end(),
                             lag_messages_.conventions.begin(),
                             lag_messages_.conventions.end());
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

}  // namespace starhist::driver
