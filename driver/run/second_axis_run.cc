#include "driver/run/second_axis_run.hh"

#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/axes/second_axis_counter.hh"

namespace starhist::driver {
namespace {

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

/// Throws InputError unless a second axis in a plane is the separation along its
/// normal.
void check_axis_in_plane(const TrajectoryRunSpec& spec) {
  const SecondAxis& axis = *spec.second;
  const Plane plane = spec.reading.plane;
  const std::string normal(1, "xyz"[normal_axis(plane)]);
  const std::string asked =
      "--axis2 " + to_string(axis) + " --plane " + to_string(plane);
  if (axis.kind == SecondAxis::Kind::cosine) {
    throw InputError(asked + ": cosines need distances in space: give --axis2 d" +
                     normal +
                     ", the separation along the plane's normal, or omit --plane");
  }
  if (axis.axis != static_cast<int>(normal_axis(plane))) {
    throw InputError(asked + ": the axis lies in the plane, whose normal is " + normal +
                     ": give --axis2 d" + normal);
  }
}

}  // namespace

void complete_second_axis(TrajectoryRunSpec& spec, const io::TrajectoryInfo& info) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError("--axis2 " + to_string(*spec.second) + " " + problem);
  };
  if (info.stream) {
    refuse(
        "cannot be counted in a running simulation (only its distances can): write "
        "a trajectory first");
  }
  if (spec.reading.plane != Plane::none) {
    check_axis_in_plane(spec);
  } else if (spec.second->along_normal()) {
    refuse("in space has the range 0 to --r-max: omit --axis2-max, or give --plane");
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

bool needs_second_range(const TrajectoryRunSpec& spec) {
  return spec.second && spec.reading.plane != Plane::none &&
         !spec.second->along_normal();
}

void complete_second_range(TrajectoryRunSpec& spec, const Frame& frame) {
  if (frame.period == 0.0) {
    throw InputError("--axis2 " + to_string(*spec.second) + " --plane " +
                     to_string(spec.reading.plane) + " has no default range (frame " +
                     std::to_string(frame.index.get()) +
                     " is not periodic along the normal): give --axis2-max");
  }
  spec.second->limit = 0.5 * frame.period;
  spec.as_written.emplace_back("default --axis2-max", number_text(spec.second->limit));
}

RunResult count_second_axis(FrameSource& source, tasks::Runtime& runtime,
                            const RunSpec& run, ParticleDirections* vectors,
                            const tasks::PairCounter::BlockSink& sink,
                            const RunHooks& hooks) {
  SecondAxisCounter counter(run.layout, run.exclusions, vectors,
                            run.options.memory_bytes);
  SecondAxisFrames frames(source, run.options, counter);
  RunSpec by_distance = run;
  by_distance.layout.second.reset();
  return count_frames(
      frames, runtime, by_distance,
      [&](BlockCounts&& block) {
        counter.complete(block);
        sink(std::move(block));
      },
      hooks);
}

}  // namespace starhist::driver
