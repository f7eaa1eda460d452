#include "driver/commands/common_frames.hh"

#include <charconv>
#include <iostream>
#include <vector>

#include "codelets/core/base/error.hh"
#include "driver/options/option_values.hh"

namespace starhist::driver {
namespace {

/// A file of a trajectory, as it was when it was counted.
struct InputRecord {
  std::string path;
  std::string first_bytes;  ///< "": not recorded
  std::string bytes;
  std::string modified;

  friend bool operator==(const InputRecord&, const InputRecord&) = default;
};

/// The files of the trajectory; none if they are not recorded.
std::vector<InputRecord> inputs_of(const io::ResultFile& result) {
  std::vector<InputRecord> all;
  for (std::size_t k = 1;; ++k) {
    const std::string name = "input " + std::to_string(k);
    const std::string path = recorded(result, name, "");
    if (path.empty()) {
      return all;
    }
    all.push_back({path, recorded(result, name + " first bytes", ""),
                   recorded(result, name + " bytes", ""),
                   recorded(result, name + " modified (unix time)", "")});
  }
}

std::uint64_t number_in(const std::string& digits) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// Whether `after` may be the file `before` with more frames at its end.
bool may_have_grown(const InputRecord& before, const InputRecord& after) {
  return before.path == after.path && !before.first_bytes.empty() &&
         before.first_bytes == after.first_bytes &&
         number_in(before.bytes) < number_in(after.bytes) &&
         number_in(before.modified) <= number_in(after.modified);
}

enum class SameFrames { no, perhaps, yes };

/// Whether a frame has the same number in the trajectories of both results: perhaps
/// where the last file of one has grown, or further files follow it, in the other.
SameFrames same_frames(const io::ResultFile& a, const io::ResultFile& b) {
  std::vector<InputRecord> fewer = inputs_of(a);
  std::vector<InputRecord> more = inputs_of(b);
  if (fewer.empty() || more.empty()) {
    return SameFrames::no;
  }
  if (fewer == more) {
    return SameFrames::yes;
  }
  if (fewer.size() > more.size()) {
    fewer.swap(more);
  }
  const std::size_t last = fewer.size() - 1;
  for (std::size_t k = 0; k < last; ++k) {
    if (fewer[k] != more[k]) {
      return SameFrames::no;
    }
  }
  return fewer[last] == more[last] || may_have_grown(fewer[last], more[last]) ||
                 (fewer.size() == more.size() &&
                  may_have_grown(more[last], fewer[last]))
             ? SameFrames::perhaps
             : SameFrames::no;
}

}  // namespace

std::string recorded(const io::ResultFile& result, const std::string& name,
                     const std::string& otherwise) {
  for (const auto& [key, value] : result.record) {
    if (key == name) {
      return value;
    }
  }
  return otherwise;
}

void check_no_common_frame(const io::ResultFile& a, const io::ResultFile& b) {
  const SameFrames same = same_frames(a, b);
  if (a.blocks.empty() || b.blocks.empty() || same == SameFrames::no) {
    return;
  }
  const auto step = [](const io::ResultFile& result) {
    const bool by_time = !recorded(result, "frame step", "").empty();
    const std::string name = by_time ? "frame step" : "option --step";
    return parse_positive(result.path + ": " + name, recorded(result, name, "1"));
  };
  const std::uint64_t a_step = step(a);
  const std::uint64_t b_step = step(b);
  const std::uint64_t b_first = b.blocks.front().first_frame.get();
  const std::uint64_t b_last = b.blocks.back().last_frame.get();
  for (std::uint64_t frame = a.blocks.front().first_frame.get();
       frame <= a.blocks.back().last_frame.get(); frame += a_step) {
    if (frame < b_first || frame > b_last || (frame - b_first) % b_step != 0) {
      continue;
    }
    const std::string both = "frame " + std::to_string(frame) + " of " +
                             recorded(a, "input 1", "the trajectory") + " is in both " +
                             a.path + " and " + b.path;
    if (same == SameFrames::yes) {
      throw InputError(both +
                       " and would count twice (give each result once; count other "
                       "frames with --first)");
    }
    std::cerr << "starhist: " << both
              << " and counts twice, if the trajectory has only grown between the two "
                 "(then count the new frames with --first)\n";
    return;
  }
}

}  // namespace starhist::driver
