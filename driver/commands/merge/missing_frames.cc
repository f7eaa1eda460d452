#include "driver/commands/merge/missing_frames.hh"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "driver/options/option_values.hh"
#include "driver/run/provenance.hh"

namespace starhist::driver {
namespace {

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
