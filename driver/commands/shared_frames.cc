#include "driver/commands/shared_frames.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_checksum.hh"
#include "driver/options/option_values.hh"
#include "driver/run/provenance.hh"

namespace starhist::driver {
namespace {

/// A frame of a run.
struct Place {
  const CountedRun* run = nullptr;
  std::uint64_t frame = 0;
};

/// Begins a sentence that ends with "counts twice".
std::string sentence(const Place& a, const Place& b) {
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
         " and";
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

/// Options that select particles of a frame.
constexpr const char* selecting[] = {
    "option --species",   "option --by",      "option --index",
    "option --structure", "option --altloc",  "option --aliases",
    "option --group",     "option --pairs",   "option --guess-elements",
    "species by",         "option --exclude", "file of --index first bytes"};

/// The first of these entries in which two runs differ; "" if they agree.
template <std::size_t Count>
std::string different_entry(const char* const (&names)[Count], const CountedRun& a,
                            const CountedRun& b) {
  const auto* const found = std::find_if(
      std::begin(names), std::end(names),
      [&](const char* name) { return a.recorded(name) != b.recorded(name); });
  return found == std::end(names) ? "" : *found;
}

/// "a.h5 was counted with --box '3 3 3'", or "without --box". Entries that are not
/// options: "a.h5 has '3 3 3'".
std::string shown(const CountedRun& run, const std::string& entry) {
  const std::string value = run.recorded(entry);
  const std::string quoted = value.empty() ? "" : " '" + value + "'";
  const std::string option = "option ";
  return run.result->path +
         (!entry.starts_with(option) ? " has" + (value.empty() ? " none" : quoted)
          : value.empty()
              ? " was counted without " + entry.substr(option.size())
              : " was counted with " + entry.substr(option.size()) + quoted);
}

/// Whether two values of --box mean the same box; "" is a run without the option.
bool same_box(const std::string& a, const std::string& b) {
  if (a == b) {
    return true;
  }
  try {
    const BoxChoice box_of_a = parse_box_choice(a.empty() ? "file" : a);
    const BoxChoice box_of_b = parse_box_choice(b.empty() ? "file" : b);
    return box_of_a.box == box_of_b.box && box_of_a.file == box_of_b.file;
  } catch (const InputError&) {
    return false;  // a file of boxes that is no longer there
  }
}

/// The axes in the value of first_box_entry, such as "x, y"; "": open boundaries.
std::string periodic_axes(const std::string& box) {
  const std::size_t edges = box.find("; ");
  return edges == std::string::npos ? "" : box.substr(edges + 2);
}

void check_same_settings(const CountedRun& a, const CountedRun& b) {
  const auto refuse = [&](const std::string& what, const std::string& entry) {
    throw InputError(
        "results of one trajectory with different " + what + " cannot be merged" +
        (entry.empty()
             ? ": " + a.result->path + " and " + b.result->path
             : " (" + entry + "): " + shown(a, entry) + ", " + shown(b, entry)) +
        "; count both with the same settings");
  };
  // A file of boxes is compared by content, not by path.
  static constexpr const char* box_file = "file of --box first bytes";
  const bool both_files =
      !a.recorded(box_file).empty() && !b.recorded(box_file).empty();
  const std::string box = both_files ? box_file : "option --box";
  const bool differ = both_files ? a.recorded(box) != b.recorded(box)
                                 : !same_box(a.recorded(box), b.recorded(box));
  if (differ && a.trajectory == b.trajectory) {
    refuse("boxes", box);
  }
  static constexpr const char* open = "option --open";
  const auto axes = [](std::string list) {  // "z,x" is "x,z"
    std::sort(list.begin(), list.end());
    return list;
  };
  if (a.trajectory == b.trajectory &&
      axes(a.recorded(open)) != axes(b.recorded(open))) {
    refuse("open axes", open);
  }
  for (const char* option : {"--structure", "--index", "--aliases"}) {
    const std::string entry = file_entry + std::string(option) + all_bytes;
    const std::string name = std::string("option ") + option;
    // Files of two formats may describe the same particles, but rarely the same
    // residues and molecules.
    const bool matters = a.recorded(name) == b.recorded(name) ||
                         !a.recorded("option --exclude-same").empty() ||
                         !a.recorded("option --only-same").empty();
    if (matters && a.trajectory == b.trajectory && !a.recorded(entry).empty() &&
        !b.recorded(entry).empty() && a.recorded(entry) != b.recorded(entry)) {
      refuse(std::string("contents of ") + option, entry);
    }
  }
  const std::string box_of_a = a.recorded(first_box_entry);
  const std::string box_of_b = b.recorded(first_box_entry);
  if (a.trajectory == b.trajectory && !box_of_a.empty() && !box_of_b.empty() &&
      box_of_a != box_of_b) {
    refuse("boxes", first_box_entry);
  }
  if (!box_of_a.empty() && !box_of_b.empty() &&
      periodic_axes(box_of_a) != periodic_axes(box_of_b)) {
    throw InputError("results with different periodic axes cannot be merged: " +
                     shown(a, first_box_entry) + ", " + shown(b, first_box_entry) +
                     "; count both with the same --box and --open");
  }
  const auto unwrapped = [](const CountedRun& run) {  // an entry without a value
    return io::value_of(run.record, "option --unwrapped").has_value();
  };
  if (a.trajectory == b.trajectory && unwrapped(a) != unwrapped(b)) {
    refuse("displacements (one has --unwrapped)", "");
  }
  static constexpr const char* origins = "option --every-origin";
  if (a.trajectory == b.trajectory && a.recorded(origins) != b.recorded(origins)) {
    refuse("origins", origins);
  }
  const bool other_particles = !a.first_frames.empty() && !b.first_frames.empty() &&
                               a.first_frames[0] != 0 && b.first_frames[0] != 0 &&
                               a.first_frames[0] != b.first_frames[0];
  if (other_particles && read_same_file(a, b)) {
    refuse("selections of particles", different_entry(selecting, a, b));
  }
}

/// The counted frames of one trajectory.
struct Coverage {
  std::vector<const CountedRun*> runs;
  /// First and last frame of each run that has frames; of its part, because frames at
  /// the ends may have been left out, unless the run is unfinished.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  /// Last counted frame of each unfinished part, and the last of the part (0: unknown).
  std::vector<std::pair<std::uint64_t, std::uint64_t>> unfinished;
  std::uint64_t step = UINT64_MAX;  ///< smallest distance between frames of a run
};

/// First and last frame of the run's part. The largest number and 0 for a run without
/// --part; the last frame is 0 for a part that extends to the end.
std::pair<std::uint64_t, std::uint64_t> part_range(const CountedRun& run) {
  std::uint64_t first = UINT64_MAX;
  std::uint64_t last = 0;
  const std::string range = run.recorded(part_entry);  // "20 to 39", "40 to the end"
  std::from_chars(range.data(), range.data() + range.size(), first);
  if (const std::size_t at = range.find(" to "); at != std::string::npos) {
    std::from_chars(range.data() + at + 4, range.data() + range.size(), last);
  }
  return {first, last};
}

Coverage coverage_of(const std::vector<CountedRun>& runs, std::size_t trajectory) {
  Coverage coverage;
  for (const CountedRun& run : runs) {
    if (run.trajectory != trajectory) {
      continue;
    }
    coverage.runs.push_back(&run);
    const std::vector<std::uint64_t> numbers = run.frame_numbers();
    if (numbers.empty()) {
      continue;
    }
    const auto [first, last] = std::minmax_element(numbers.begin(), numbers.end());
    const auto [begin, end] = part_range(run);
    const bool whole = run.result->state == io::ResultState::complete;
    coverage.ranges.emplace_back(std::min(*first, begin),
                                 whole ? std::max(*last, end) : *last);
    if (!whole && begin != UINT64_MAX) {
      coverage.unfinished.emplace_back(*last, end);
    }
    if (run.recorded_step() > 1) {  // a part may have one frame
      coverage.step = std::min(coverage.step, run.recorded_step());
    }
    for (std::size_t k = 1; k < numbers.size(); ++k) {
      if (numbers[k] > numbers[k - 1]) {
        coverage.step = std::min(coverage.step, numbers[k] - numbers[k - 1]);
      }
    }
  }
  std::sort(coverage.ranges.begin(), coverage.ranges.end());
  return coverage;
}

/// Gaps between the ranges: "20 to 29, 40 to 49".
std::string holes(const Coverage& coverage) {
  const std::uint64_t step = coverage.step == UINT64_MAX ? 1 : coverage.step;
  std::vector<std::string> all;
  std::uint64_t end = coverage.ranges.empty() ? 0 : coverage.ranges.front().second;
  for (const auto& [first, last] : coverage.ranges) {
    if (first > end && first - end > step) {
      const std::uint64_t missing = end + (first - end - 1) / step * step;
      all.push_back(missing == end + step ? std::to_string(missing)
                                          : std::to_string(end + step) + " to " +
                                                std::to_string(missing));
    }
    end = std::max(end, last);
  }
  for (const auto& [last, part_end] : coverage.unfinished) {
    if (last == end && (part_end == 0 || part_end - last >= step)) {
      all.push_back(part_end == 0 ? "from " + std::to_string(end + step) + " on"
                                  : std::to_string(end + step) + " to " +
                                        std::to_string(part_end));
    }
  }
  return listed(all);
}

/// Missing parts: "2/4, 3/4". "" if all parts are there, or if some runs are not parts,
/// or are parts of other divisions.
std::string missing_parts(const Coverage& coverage) {
  std::set<std::string> found;
  std::string count;
  for (const CountedRun* run : coverage.runs) {
    const std::string part = run->recorded("option --part");
    const std::size_t slash = part.find('/');
    if (slash == std::string::npos ||
        (!count.empty() && count != part.substr(slash + 1))) {
      return "";
    }
    count = part.substr(slash + 1);
    found.insert(part);
  }
  if (count.empty()) {
    return "";
  }
  constexpr std::uint64_t most_said = 1000;
  const std::uint64_t last = std::min(parse_positive("--part", count), most_said);
  std::vector<std::string> absent;
  for (std::uint64_t k = 1; k <= last; ++k) {
    const std::string part = std::to_string(k) + "/" + count;
    if (!found.contains(part)) {
      absent.push_back(part);
    }
  }
  return join(absent, ", ");
}

/// True if all runs have counted parts of `--part I/N`.
bool are_parts(const Coverage& coverage) {
  return std::all_of(
      coverage.runs.begin(), coverage.runs.end(), [](const CountedRun* run) {
        return run->recorded("option --part").find('/') != std::string::npos;
      });
}

}  // namespace

std::string shared_frame(const std::vector<CountedRun>& runs) {
  std::string found = shared_by_checksum(runs);
  for (auto b = runs.begin(); b != runs.end() && found.empty(); ++b) {
    for (auto a = runs.begin(); a != b && found.empty(); ++a) {
      if (a->result != b->result && !(a->has_checksums && b->has_checksums)) {
        found = shared_by_number(*a, *b);
      }
    }
  }
  return found;
}

void check_same_settings(const std::vector<CountedRun>& runs) {
  // Equivalent runs need not be compared with each other.
  std::vector<const CountedRun*> different;
  for (const CountedRun& run : runs) {
    for (const CountedRun* other : different) {
      check_same_settings(*other, run);
    }
    if (std::none_of(different.begin(), different.end(), [&](const CountedRun* other) {
          return other->trajectory == run.trajectory && read_same_file(*other, run);
        })) {
      different.push_back(&run);
    }
  }
}

MissingFrames missing_frames(const std::vector<CountedRun>& runs) {
  MissingFrames missing;
  for (const CountedRun& run : runs) {
    const std::string left_out = run.recorded("frames left out");
    if (!left_out.empty() && left_out != "0") {
      missing.messages.push_back(run.result->path + " lacks " + left_out +
                                 (left_out == "1" ? " frame that" : " frames that") +
                                 " could not be used");
    }
  }
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const Coverage coverage = coverage_of(runs, k);
    if (coverage.runs.empty()) {
      continue;
    }
    const std::string path = coverage.runs.front()->trajectory_path();
    const std::string parts = missing_parts(coverage);
    const std::string frames = parts.empty() ? holes(coverage) : "";
    if (!parts.empty()) {
      missing.parts.push_back(parts + " of " + path);
      missing.messages.push_back("parts of " + path +
                                 " missing from the results: " + parts);
    }
    if (!frames.empty()) {
      if (are_parts(coverage)) {
        missing.parts.push_back("frames " + frames + " of " + path);
      }
      missing.messages.push_back(
          "frames of " + path + " missing from the results: " + frames +
          " (if the trajectory has grown between its parts, count them "
          "with --first and --last)");
    }
  }
  return missing;
}

}  // namespace starhist::driver
