#include "driver/commands/merge/shared_frames.hh"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_checksum.hh"

namespace starhist::driver {
namespace {

/// A frame of a run.
struct Place {
  const CountedRun* run = nullptr;
  std::uint64_t frame = 0;
};

/// In a sentence about a frame that is recognized by its positions.
constexpr const char* other_moment =
    ", with the same positions at another step or time,";

/// Begins a sentence that ends with "counts twice".
std::string sentence(const Place& a, const Place& b,
                     const std::string& difference = "") {
  const std::string frame =
      "frame " + std::to_string(a.frame) + " of " + a.run->trajectory_path();
  const std::string& path = a.run->result->path;
  if (path == b.run->result->path) {
    return path + " is given twice, so " + frame;
  }
  return frame + " is in both " + path + " and " + b.run->result->path +
         (a.frame == b.frame ? ""
                             : " (there as frame " + std::to_string(b.frame) + " of " +
                                   b.run->trajectory_path() + ")") +
         difference + " and";
}

/// The frames of results, by checksum.
class FrameIndexes {
 public:
  /// The added frame that equals this one; its run is null if there is none.
  Place find(const CountedRun& run, const CountedFrame& frame) const {
    const auto found = by_checksum_.find(frame.checksum);
    if (found == by_checksum_.end()) {
      return {};
    }
    for (const Place& place : found->second) {
      const bool other = place.run->trajectory != run.trajectory;
      // Trajectories that differ from their second frame on may share a starting
      // structure. A second frame that was unreadable does not show a difference.
      const bool both_begin = place.frame == 0 && frame.index == FrameIndex(0) &&
                              begin_differently(*place.run, run);
      if (other ? !both_begin : checksum_has_moment(frame.checksum)) {
        return place;
      }
    }
    const auto resting = resting_.find(key(run, frame));
    return resting == resting_.end() ? Place() : resting->second;
  }

  void add(const CountedRun& run, const CountedFrame& frame) {
    const Place place{&run, frame.index.get()};
    std::vector<Place>& places = by_checksum_[frame.checksum];
    if (std::none_of(places.begin(), places.end(), [&](const Place& other) {
          return other.run->trajectory == run.trajectory;
        })) {
      places.push_back(place);
    }
    if (!checksum_has_moment(frame.checksum)) {
      resting_.emplace(key(run, frame), place);
    }
  }

 private:
  using Key = std::tuple<std::uint64_t, std::size_t, std::uint64_t>;
  static Key key(const CountedRun& run, const CountedFrame& frame) {
    return {frame.checksum, run.trajectory, frame.index.get()};
  }

  /// One entry for each trajectory.
  std::unordered_map<std::uint64_t, std::vector<Place>> by_checksum_;
  std::map<Key, Place> resting_;  ///< frames without step and time
};

template <class Function>
void each_frame(const CountedRun& run, Function function) {
  for (std::uint64_t b = run.begin; b < run.end; ++b) {
    for (const CountedFrame& frame : run.result->blocks[b].counted) {
      if (frame.checksum != 0 && frame.checksum != checksum_of_nothing) {
        function(frame);
      }
    }
  }
}

std::string shared_by_checksum(const std::vector<CountedRun>& runs) {
  FrameIndexes frames;
  for (auto first = runs.begin(); first != runs.end();) {
    const auto end = std::find_if(first, runs.end(), [&](const CountedRun& run) {
      return run.result != first->result;
    });
    std::string found;
    std::for_each(first, end, [&](const CountedRun& run) {
      each_frame(run, [&](const CountedFrame& frame) {
        const Place same = found.empty() ? frames.find(run, frame) : Place();
        found = same.run != nullptr ? sentence(same, {&run, frame.index.get()}) : found;
      });
    });
    if (!found.empty()) {
      return found;
    }
    std::for_each(first, end, [&](const CountedRun& run) {
      each_frame(run, [&](const CountedFrame& frame) { frames.add(run, frame); });
    });
    first = end;
  }
  return "";
}

/// Frames of runs that have the same positions at another step or time.
struct SamePositions {
  Place single;              ///< a frame of an earlier trajectory, or null
  Place second;              ///< the later frame with its positions
  bool consecutive = false;  ///< so have the frames counted after each of them
};

/// The first pair of consecutive frames with the same positions in two trajectories
/// or, without one, the first single frame.
SamePositions same_positions(const std::vector<CountedRun>& runs) {
  std::unordered_map<std::uint64_t, Place> singles;
  std::unordered_map<std::uint64_t, Place> pairs;
  SamePositions first;
  for (const CountedRun& run : runs) {
    std::vector<CountedFrame> frames;
    each_frame(run, [&](const CountedFrame& frame) { frames.push_back(frame); });
    const auto positions = [&](std::size_t k) {
      return checksum_of_positions(frames[k].checksum);
    };
    const auto is_other = [&](const Place& place) {
      return place.run->trajectory != run.trajectory && place.run->result != run.result;
    };
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const Place place{&run, frames[k].index.get()};
      if (k + 1 < frames.size() && positions(k) != positions(k + 1)) {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
        const auto known = pairs.emplace(positions(k) * odd + positions(k + 1), place);
        if (!known.second && is_other(known.first->second)) {
          return {known.first->second, place, true};
        }
      }
      const auto known = singles.emplace(positions(k), place);
      const Place& other = known.first->second;
      if (first.single.run == nullptr && !known.second && is_other(other) &&
          other.frame + place.frame > 0) {
        first = {other, place, false};
      }
    }
  }
  return first;
}

/// True if the counts of different frames would hardly ever be equal: independent
/// counts around n are equal with a probability of about 1 / sqrt(n).
bool identify_frames(const std::vector<std::vector<std::uint64_t>>& counts) {
  constexpr double least = 20.0;  // a probability below e^-20
  double sum = 0.0;
  for (const std::vector<std::uint64_t>& pair : counts) {
    for (const std::uint64_t pairs : pair) {
      sum += 0.5 * std::log1p(static_cast<double>(pairs));
    }
  }
  return sum >= least;
}

/// True if two blocks hold the same frames, judging by counts and, if they are few, by
/// numbers; callers of the C library number frames from 0 in each process. Steps are
/// not compared, because these callers choose theirs; sums of volumes may be rounded
/// differently.
bool same_block(const BlockCounts& a, const BlockCounts& b) {
  const bool has_pairs = std::any_of(a.pairs.begin(), a.pairs.end(),
                                     [](std::uint64_t pairs) { return pairs > 0; });
  constexpr double rounding = 1e-6;
  const bool same_numbers =
      a.first_frame == b.first_frame && a.last_frame == b.last_frame;
  return has_pairs && a.frames == b.frames &&
         (same_numbers || identify_frames(a.counts)) &&
         std::abs(a.volume - b.volume) <= rounding * a.volume &&
         a.particle_number == b.particle_number && a.counts == b.counts &&
         a.out_of_range == b.out_of_range;
}

/// Compares runs of different results, one of which lacks checksums.
std::string shared_by_number(const CountedRun& a, const CountedRun& b) {
  if (read_same_file(a, b)) {
    const std::vector<std::uint64_t> of_a = a.frame_numbers();
    const std::unordered_set<std::uint64_t> numbers(of_a.begin(), of_a.end());
    for (const std::uint64_t frame : b.frame_numbers()) {
      if (numbers.contains(frame)) {
        return sentence({&a, frame}, {&b, frame});
      }
    }
    return "";
  }
  const auto key = [](const BlockCounts& block) {
    return std::accumulate(block.out_of_range.begin(), block.out_of_range.end(),
                           std::uint64_t{0});
  };
  std::multimap<std::uint64_t, const BlockCounts*> blocks;
  for (std::uint64_t k = a.begin; k < a.end; ++k) {
    blocks.emplace(key(a.result->blocks[k]), &a.result->blocks[k]);
  }
  for (std::uint64_t k = b.begin; k < b.end; ++k) {
    const BlockCounts& block = b.result->blocks[k];
    const auto [first, last] = blocks.equal_range(key(block));
    for (auto other = first; other != last; ++other) {
      if (same_block(*other->second, block)) {
        return sentence({&a, other->second->first_frame.get()},
                        {&b, block.first_frame.get()});
      }
    }
  }
  return "";
}

}  // namespace

std::string similar_frame(const std::vector<CountedRun>& runs) {
  const SamePositions same = same_positions(runs);
  const auto shown = [](const Place& place) {
    return "frame " + std::to_string(place.frame) + " of " +
           place.run->trajectory_path() + " (in " + place.run->result->path + ")";
  };
  return same.single.run == nullptr
             ? ""
             : shown(same.single) + " and " + shown(same.second) +
                   " have the same positions, at different steps or times: if they are "
                   "the same frame, and not where one run started, it counts twice";
}

std::string shared_frame(const std::vector<CountedRun>& runs) {
  std::string found = shared_by_checksum(runs);
  if (found.empty()) {
    const SamePositions same = same_positions(runs);
    found = same.consecutive ? sentence(same.single, same.second, other_moment) : "";
  }
  for (auto b = runs.begin(); b != runs.end() && found.empty(); ++b) {
    for (auto a = runs.begin(); a != b && found.empty(); ++a) {
      if (a->result != b->result && !(a->has_checksums && b->has_checksums)) {
        found = shared_by_number(*a, *b);
      }
    }
  }
  return found;
}

}  // namespace starhist::driver
