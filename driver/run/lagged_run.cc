#include "driver/run/lagged_run.hh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/histogram.hh"
#include "driver/lags/lag_window.hh"
#include "driver/run/frames/frame_source.hh"
#include "driver/run/run_checks.hh"
#include "io/result/lag_result.hh"
#include "io/trajectory/joined/repeated_frames.hh"

namespace starhist::driver {
namespace {

/// The frames of another source, paired with earlier ones by a LagWindow. The first
/// frames, such as frames of earlier parts, are not counted but are origins of later
/// frames.
class LaggedFrames : public FrameSource {
 public:
  /// `sets`: layout of the counted frames (sets_of()). `lead`: number of frames that
  /// are not counted. References must outlive this object.
  LaggedFrames(FrameSource& frames, const HistogramLayout& sets, LagWindow& window,
               std::uint64_t lead)
      : frames_(frames), sets_(sets), window_(window), lead_(lead) {}

  /// Reads the frames that are not counted. Before next(). Stops early if `stop` is
  /// requested.
  void read_lead(const std::stop_token& stop) {
    while (frames_.passed() < lead_ && !stop.stop_requested()) {
      const std::uint64_t before = frames_.passed();
      std::optional<Frame> frame = frames_.next();
      const std::uint64_t left_out = frames_.passed() - before - (frame ? 1 : 0);
      skipped_of_lead_ += std::min(left_out, lead_ - before);
      if (!frame) {
        return;
      }
      if (frames_.passed() > lead_) {
        first_ = std::move(frame);
      } else {
        window_.lead_in(*std::move(frame), frames_.passed() - 1);
      }
    }
  }

  std::optional<Frame> next() override {
    std::optional<Frame> frame = first_ ? std::exchange(first_, {}) : frames_.next();
    if (frame) {
      frame = window_.add(*std::move(frame), frames_.passed() - 1);
      check_digits(sets_, *frame);  // earlier positions in this frame's box
    }
    return frame;
  }
  /// passed() and skipped() leave out the frames that are not counted.
  std::uint64_t passed() const override {
    return frames_.passed() - std::min(frames_.passed(), lead_);
  }
  std::vector<std::string> skipped() const override {
    std::vector<std::string> all = frames_.skipped();
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(
                                             std::min(skipped_of_lead_, all.size())));
    return all;
  }

 private:
  FrameSource& frames_;
  const HistogramLayout& sets_;
  LagWindow& window_;
  std::uint64_t lead_;
  /// First counted frame, if frames before it were left out.
  std::optional<Frame> first_;
  std::size_t skipped_of_lead_ = 0;
};

std::string lags_text(const LagLayout& layout) {
  std::vector<std::string> lags;
  for (const std::uint64_t lag : layout.lags) {
    lags.push_back(std::to_string(lag));
  }
  return "the lags " + listed(lags);
}

/// Time between the selected frames. Throws InputError unless it is constant.
double frame_interval(const TrajectoryRunSpec& spec, TrajectoryInput& input) {
  const std::uint64_t count = spec.all_parts.count(input.info().frame_count);
  Frame scratch;
  const auto time = [&](std::uint64_t number) {
    const FrameIndex index(spec.all_parts.index(number));
    return decimal_time(input.reader().read_moment(index, scratch).time);
  };
  const double first = time(0);
  const double interval = count > 1 ? time(1) - first : 0.0;
  const double mean =
      count > 1 ? (time(count - 1) - first) / static_cast<double>(count - 1) : 0.0;
  if (!(interval > 0.0) || !(std::abs(mean - interval) <= 1e-3 * interval)) {
    throw InputError("--lag-unit time needs frames at equal intervals of time (" +
                     (std::isnan(interval) || interval == 0.0
                          ? std::string("the selected frames have no times")
                          : "the first interval is " + time_text(interval) +
                                ", the mean interval " + time_text(mean)) +
                     "): give --lags in frames");
  }
  return interval;
}

/// Throws InputError if a selected frame is earlier than the one before it. Skips
/// frames that cannot be read.
void check_time_order(const TrajectoryRunSpec& spec, TrajectoryInput& input) {
  const io::TrajectoryInfo& info = input.info();
  if (!info.lists_moments) {
    return;
  }
  const std::uint64_t count = spec.all_parts.count(info.frame_count);
  Frame scratch;
  io::Moment before;
  std::uint64_t index_before = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t index = spec.all_parts.index(k);
    io::Moment now;
    try {
      static_cast<StepAndTime&>(now) =
          input.reader().read_moment(FrameIndex(index), scratch);
    } catch (const InputError&) {
      continue;
    }
    if (k > 0 && io::is_later(before, now)) {
      throw InputError("frame " + std::to_string(index) + " (" +
                       io::moment_text(now, info.time_unit) +
                       ") is earlier than frame " + std::to_string(index_before) +
                       " (" + io::moment_text(before, info.time_unit) +
                       "), but counts between frames need the order of time (give "
                       "the files in this order; count separate runs one by one, and "
                       "join the results with starhist merge)");
    }
    before = now;
    index_before = index;
  }
}

/// Adds how boxes and positions are interpreted.
void note_conventions(const LagNotes& notes, const LagPlan& lags,
                      LagMessages& messages) {
  if (notes.boxes_differ) {
    messages.conventions.emplace_back(
        "boxes change: distances between two frames are measured in the later box");
  }
  std::vector<std::string> unlike;
  for (const SpeciesPair& pair : lags.layout.pairs.pairs) {
    if (!pair.like()) {
      unlike.push_back(pair_name(pair, lags.layout.pairs.species));
    }
  }
  if (!unlike.empty() && lags.layout.lags.back() > 0) {
    messages.conventions.push_back(
        "pairs " + listed(unlike) +
        ": the first species is taken from the earlier frame, the second from the "
        "later one; the reverse is not counted (in equilibrium both have the same "
        "mean counts)");
  }
  if (!lags.options.unwrapped && lags.layout.lags.back() > 0) {
    messages.conventions.emplace_back(
        notes.periodic
            ? "displacements: sums of the steps from frame to frame; each step is the "
              "shortest over all periodic images (give --unwrapped if "
              "the positions in the file are unwrapped already)"
            : "displacements: positions are taken as they are, "
              "because the box is open");
  }
}

/// Adds a warning if a lag mixes different times or, without times, steps.
void note_unequal_times(const LagNotes& notes, const LagPlan& lags,
                        const std::string& time_unit, LagMessages& messages) {
  const bool by_time = std::any_of(notes.times.begin(), notes.times.end(),
                                   [](const LagTimes& times) { return times.any(); });
  const std::vector<LagTimes>& intervals = by_time ? notes.times : notes.steps;
  const auto mixed =
      std::find_if(intervals.begin(), intervals.end(),
                   [](const LagTimes& interval) { return interval.differ(); });
  if (mixed == intervals.end()) {
    return;
  }
  const auto lag = static_cast<std::size_t>(mixed - intervals.begin());
  const std::string what = by_time ? "time" : "steps";
  messages.warnings.push_back(
      "frames are not at equal intervals of " + what +
      ", so a lag mixes different times: lag " + std::to_string(lags.layout.lags[lag]) +
      " lasts from " + time_text(mixed->shortest) + " to " + time_text(mixed->longest) +
      (by_time ? unit_suffix(time_unit) + " (select frames at equal intervals with "
                                          "--every)"
               : " steps (select frames at equal intervals with --first, --last and "
                 "--step)"));
}

/// Adds a warning if displacements between consecutive frames are long.
void note_long_steps(const LagNotes& notes, const LagPlan& lags,
                     LagMessages& messages) {
  const LongSteps& steps = notes.long_steps;
  const bool unwrapped = lags.options.unwrapped;
  if (notes.jumps.axis() >= 0 && !(unwrapped && steps.count > 0)) {
    messages.warnings.push_back(
        to_sentence(notes.jumps) +
        ": count with the box of the simulation (the file's, or --box)");
    return;
  }
  if (steps.count > 0) {
    messages.warnings.push_back(
        to_sentence(steps, unwrapped) +
        (unwrapped
             ? ": omit --unwrapped, unless the positions are continuous and particles "
               "move that far between frames"
             : ": count more frequent frames, or give --unwrapped if the positions are "
               "not wrapped") +
        (notes.has_ids || 4 * steps.count < notes.jumps.steps
             ? ""
             : "; or the order of the particles changes between frames, and the file "
               "has no ids: write them (LAMMPS: id in the dump, or dump_modify sort "
               "id)"));
  }
}

}  // namespace

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
  check_time_order(spec, input);
  const std::uint64_t count = spec.all_parts.count(info.frame_count);
  std::optional<double> interval;
  if (spec.lags->in_time) {
    interval = frame_interval(spec, input);
  }
  LagOptions options{spec.lags->every_origin, spec.lags->unwrapped,
                     spec.counting.frames_per_block,
                     spec.all_parts.number_of(spec.frames.index(0))};
  return plan_lags({layout, spec.lags->list.in_frames(count, interval)}, options,
                   first_frame(spec, input), count, spec.counting.memory_bytes);
}

RunSpec sets_run(const RunSpec& run, const LagPlan& lags, std::uint64_t all_frames) {
  RunSpec sets = run;
  sets.layout = sets_of(lags.layout);
  sets.exclusions = {};  // the window subtracts pairs of a particle with itself
  sets.expected_pairs = static_cast<std::uint64_t>(
      static_cast<double>(lags.expected_pairs) *
      static_cast<double>(sets.options.frames) / static_cast<double>(all_frames));
  sets.options.memory_bytes -= lags.origin_bytes;
  // Labels suit particle numbers that are the same in all frames.
  sets.options.labels = tasks::Labelling::off;
  return sets;
}

RunResult count_between_frames(FrameSource& source, tasks::Runtime& runtime,
                               const RunSpec& run, const LagPlan& lags,
                               const std::function<void(LaggedBlock&&)>& sink,
                               const RunHooks& hooks) {
  LagWindow window(lags.layout, lags.options);
  LaggedFrames frames(source, run.layout, window,
                      lags.options.first_number + run.options.first_number);
  frames.read_lead(hooks.cancel);
  RunResult result = count_frames(
      frames, runtime, run,
      [&](BlockCounts&& block) { sink(window.finish(std::move(block))); }, hooks);
  result.lags = window.notes();
  return result;
}

LagMessages messages_of(const LagNotes& notes, const LagPlan& lags,
                        const std::string& time_unit) {
  LagMessages messages;
  note_conventions(notes, lags, messages);
  note_unequal_times(notes, lags, time_unit, messages);
  note_long_steps(notes, lags, messages);
  return messages;
}

}  // namespace starhist::driver
