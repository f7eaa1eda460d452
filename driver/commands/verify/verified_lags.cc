#include <algorithm>
#include <utility>

#include "codelets/core/base/text.hh"
#include "codelets/core/counting/pair_bin.hh"
#include "driver/commands/verify/compare_blocks.hh"
#include "driver/commands/verify/followed_frames.hh"
#include "driver/commands/verify/verified_result.hh"
#include "driver/options/vanhove_options.hh"
#include "driver/run/frames/frame_source.hh"
#include "driver/run/run_checks.hh"

namespace starhist::driver {
namespace {

/// Counts of a block in addition to the pairs of particle sets.
struct BlockSums {
  std::vector<DisplacementCounts> displacements;
  /// Per channel: pairs of a particle with itself by bins from distance 0 on, and out
  /// of range.
  std::vector<std::vector<std::uint64_t>> same;
  std::vector<double> pairs_over_volume;       ///< per channel, without these pairs
  std::vector<std::uint64_t> particle_number;  ///< per species
};

/// The frames of a block with their origins, as frames of particle sets (sets_of()).
class LaggedBlockFrames : public FrameSource {
 public:
  /// The arguments must outlive this object.
  LaggedBlockFrames(const BlockCounts& block, const LagLayout& layout,
                    const HistogramLayout& sets, FollowedFrames& frames)
      : block_(block),
        layout_(layout),
        sets_(sets),
        bins_(layout.pairs.bins.from_zero()),
        frames_(frames) {
    const std::size_t channels = layout.channel_count();
    sums_.displacements = empty_displacements(layout);
    sums_.same.assign(channels, std::vector<std::uint64_t>(bins_.count + 1ULL));
    sums_.pairs_over_volume.resize(channels);
    sums_.particle_number.resize(layout.pairs.species.size());
  }

  std::optional<Frame> next() override {
    if (next_ == block_.counted.size()) {
      return std::nullopt;
    }
    const FollowedFrame& now = frames_.go_to(block_.counted[next_++].index);
    const std::size_t species = layout_.pairs.species.size();
    Frame frame;
    frame.index = now.frame.index;
    frame.step = now.frame.step;
    frame.time = now.frame.time;
    frame.box = now.frame.box;
    frame.checksum = now.frame.checksum;
    frame.positions.resize((layout_.lags.size() + 1) * species);
    for (std::size_t s = 0; s < species; ++s) {
      sums_.particle_number[s] += now.frame.positions[s].size() / 3;
    }
    for (std::size_t lag = 0; lag < layout_.lags.size(); ++lag) {
      const FollowedFrame* const origin = frames_.origin(layout_.lags[lag]);
      if (origin == nullptr) {
        continue;
      }
      for (std::uint32_t s = 0; s < species; ++s) {
        frame.positions[layout_.origin_set(lag, SpeciesId(s)).index()] =
            origin->frame.positions[s];
        if (layout_.lags[lag] > 0) {
          frame.positions[layout_.later_set(SpeciesId(s)).index()] =
              now.frame.positions[s];
        }
      }
      count_displacements(now, *origin, lag);
      count_same(now, *origin, lag);
    }
    check_digits(sets_, frame);
    return frame;
  }
  std::uint64_t passed() const override { return next_; }

  const BlockSums& sums() const { return sums_; }

 private:
  void count_displacements(const FollowedFrame& now, const FollowedFrame& origin,
                           std::size_t lag) {
    for (std::uint32_t s = 0; s < now.continuous.size(); ++s) {
      DisplacementCounts& own =
          sums_.displacements[layout_.displacement(lag, SpeciesId(s))];
      const std::size_t particles = now.continuous[s].size() / 3;
      ++own.frames;
      own.time += now.frame.time - origin.frame.time;
      own.particles += particles;
      for (std::size_t i = 0; i < particles; ++i) {
        const Vec3 d =
            position(now.continuous[s], i) - position(origin.continuous[s], i);
        const double r2 = dot(d, d);
        own.squares += r2;
        const std::uint32_t bin = bin_at(bins_, bin_position(bins_, square_root(r2)));
        const std::uint32_t below = layout_.pairs.bins.below;
        ++(bin == bins_.count ? own.out_of_range
           : bin < below      ? own.underflow
                              : own.counts[bin - below]);
      }
    }
  }

  /// Counts the pairs of a particle with itself, which are among the pairs of two sets.
  void count_same(const FollowedFrame& now, const FollowedFrame& origin,
                  std::size_t lag) {
    const Box& box = now.frame.box;
    const double inverse_volume = box.has_volume() ? 1.0 / box.volume() : 0.0;
    for (std::uint32_t p = 0; p < layout_.pairs.pairs.size(); ++p) {
      const SpeciesPair& pair = layout_.pairs.pairs[p];
      const std::vector<double>& first = origin.frame.positions[pair.first.index()];
      const std::vector<double>& second = now.frame.positions[pair.second.index()];
      const std::size_t channel = layout_.channel(lag, PairId(p));
      std::uint64_t pairs = first.size() / 3 * (second.size() / 3);
      if (pair.like() && layout_.lags[lag] == 0) {
        pairs = pair_count(pair, first.size() / 3, second.size() / 3);
      } else {
        for (const auto& [i, j] : frames_.identity().shared(pair)) {
          ++sums_.same[channel][pair_bin(box.minimum_image(), bins_, position(first, i),
                                         position(second, j))];
          --pairs;
        }
      }
      sums_.pairs_over_volume[channel] += static_cast<double>(pairs) * inverse_volume;
    }
  }

  const BlockCounts& block_;
  const LagLayout& layout_;
  const HistogramLayout& sets_;
  const UniformBins bins_;
  FollowedFrames& frames_;
  std::size_t next_ = 0;
  BlockSums sums_;
};

/// Turns counts of pairs of particle sets into counts per channel.
void subtract_same(const LagLayout& layout, const BlockSums& sums,
                   BlockCounts& counts) {
  const std::uint32_t below = layout.pairs.bins.below;
  for (std::size_t c = 0; c < layout.channel_count(); ++c) {
    const std::vector<std::uint64_t>& same = sums.same[c];
    for (std::size_t k = 0; k < same.size(); ++k) {
      (k + 1 == same.size() ? counts.out_of_range[c]
       : k < below          ? counts.underflow[c]
                            : counts.counts[c][k - below]) -= same[k];
      counts.pairs[c] -= same[k];
      counts.excluded[c] += same[k];
    }
  }
  counts.pairs_over_volume = sums.pairs_over_volume;
  counts.particle_number = sums.particle_number;
}

/// The layout of the trajectory's species. `channels`: channels_of() them.
LagLayout layout_of(const HistogramLayout& channels, const LagLayout& of_result) {
  LagLayout layout{channels, of_result.lags};
  layout.pairs.pairs.resize(of_result.pairs.pairs.size());
  return layout;
}

/// Recorded checksums of the frames of all runs of the same trajectory.
std::map<std::uint64_t, std::uint64_t> checksums_of(const std::vector<CountedRun>& runs,
                                                    std::size_t number) {
  std::map<std::uint64_t, std::uint64_t> checksums;
  for (const CountedRun& run : runs) {
    if (run.trajectory != runs[number].trajectory) {
      continue;
    }
    for (std::uint64_t b = run.begin; b < run.end; ++b) {
      for (const CountedFrame& frame : run.result->blocks[b].counted) {
        checksums.emplace(frame.index.get(), frame.checksum);
      }
    }
  }
  return checksums;
}

class LagBlocks : public RunBlocks {
 public:
  LagBlocks(const io::LagResult& result, const std::vector<CountedRun>& runs,
            std::size_t number, const RecordedRun& recorded)
      : result_(result),
        run_(runs[number], recorded),
        layout_(layout_of(run_.layout(), result.layout)),
        sets_(sets_of(layout_)),
        frames_(run_, recorded.spec, layout_.lags.back(), checksums_of(runs, number),
                result.channels.blocks[runs[number].begin].first_frame) {
    const LagLayout& names = result.layout;
    for (const std::uint64_t lag : names.lags) {
      lag_names_.push_back("lag " + std::to_string(lag) + ", ");
      for (const SpeciesPair& pair : names.pairs.pairs) {
        pair_names_.push_back(lag_names_.back() + "pair " +
                              pair_name(pair, names.pairs.species));
      }
    }
  }

  ReopenedRun& run() override { return run_; }

  std::uint64_t compare(std::uint64_t number, Recount& recount,
                        Differences& differences) override {
    const BlockCounts& block = result_.channels.blocks[number];
    LaggedBlockFrames frames(block, layout_, sets_, frames_);
    BlockCounts counts =
        recount.count(frames, {sets_, run_.info(), no_exclusions_, block.frames});
    subtract_same(layout_, frames.sums(), counts);
    Comparison comparison(number, differences);
    for (const std::uint64_t frame : frames_.take_changed()) {
      comparison.add("earlier frame " + std::to_string(frame),
                     "the checksum of other positions, step or time",
                     "another checksum");
    }
    compare_blocks(result_.channels.layout, block, counts, run_.species(), pair_names_,
                   comparison);
    compare_displacements(result_.displacements[number], frames.sums().displacements,
                          comparison);
    return comparison.numbers();
  }

 private:
  void compare_displacements(const std::vector<DisplacementCounts>& recorded,
                             const std::vector<DisplacementCounts>& recounted,
                             Comparison& comparison) const {
    const HistogramLayout& layout = result_.layout.pairs;
    for (std::size_t lag = 0; lag < layout_.lags.size(); ++lag) {
      for (std::uint32_t s = 0; s < layout.species.size(); ++s) {
        const auto own = SpeciesId(static_cast<std::uint32_t>(run_.species()[s]));
        const DisplacementCounts& a =
            recorded[result_.layout.displacement(lag, SpeciesId(s))];
        const DisplacementCounts& b = recounted[layout_.displacement(lag, own)];
        if (s == 0) {  // equal for all species
          comparison.integer(lag_names_[lag] + "number of origins", a.frames, b.frames);
          comparison.real(lag_names_[lag] + "sum of times", a.time, b.time);
        }
        const std::string name =
            lag_names_[lag] + "displacements of " + layout.species[s] + ", ";
        comparison.integer(name + "number", a.particles, b.particles);
        comparison.real(name + "sum of squares", a.squares, b.squares);
        comparison.integer(name + "underflow", a.underflow, b.underflow);
        comparison.integer(name + "out of range", a.out_of_range, b.out_of_range);
        for (std::uint32_t k = 0; k < layout.bins.count; ++k) {
          if (!comparison.is_equal(a.counts[k], b.counts[k])) {
            comparison.add(name + bin_text(layout, k), std::to_string(a.counts[k]),
                           std::to_string(b.counts[k]));
          }
        }
      }
    }
  }

  const io::LagResult& result_;
  ReopenedRun run_;
  const LagLayout layout_;  ///< of the trajectory's species
  const HistogramLayout sets_;
  const PairExclusions no_exclusions_;
  FollowedFrames frames_;
  std::vector<std::string> lag_names_;   ///< "lag 5, "
  std::vector<std::string> pair_names_;  ///< by channel
};

class VerifiedLags : public VerifiedResult {
 public:
  explicit VerifiedLags(io::LagResult result) : result_(std::move(result)) {}

  const io::ResultFile& file() const override { return result_.channels; }
  CountingCommand command() const override {
    return {{"--r-max=1", "--bins=1"},
            {"every-origin", "unwrapped", "first", "last", "step", "begin", "end",
             "every", "skip-bad-frames"},
            [](const std::vector<std::string>& words) {
              return parse_vanhove_options(words, false);
            }};
  }
  std::string contents() const override {
    return counted(result_.layout.pairs.pairs.size(), "species pair") + " at " +
           counted(result_.layout.lags.size(), "lag");
  }
  std::string sum_rule() const override {
    return "pairs or displacements below r_min, in bins and beyond r_max add up to the "
           "number of all, in " +
           counted(result_.channels.blocks.size(), "block");
  }
  std::unique_ptr<RunBlocks> open(const std::vector<CountedRun>& runs, std::size_t run,
                                  const RecordedRun& recorded) override {
    return std::make_unique<LagBlocks>(result_, runs, run, recorded);
  }

 private:
  const io::LagResult result_;
};

}  // namespace

std::unique_ptr<VerifiedResult> verified_lags(io::LagResult result) {
  return std::make_unique<VerifiedLags>(std::move(result));
}

}  // namespace starhist::driver
