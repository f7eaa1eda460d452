#include "io/trajectory/joined/part_comparison.hh"

#include <algorithm>
#include <filesystem>

#include "io/files/file_identity.hh"

namespace starhist::io {
namespace {

/// Returns a fingerprint of the file's content: its size and sampled bytes; "" if it
/// cannot be read.
std::string bytes_of(const std::string& path) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  return failure ? "" : std::to_string(size) + " " + sampled_bytes_text(path);
}

/// Whether `next` begins after the last step of `before`. Both must have moments.
bool is_later_by_steps(const TrajectoryPart& next, const TrajectoryPart& before) {
  return before.last->step > 0 && next.first->step > before.last->step;
}

}  // namespace

bool PartComparison::is_same_part(const TrajectoryPart& earlier,
                                  const TrajectoryPart& next) {
  if (earlier.frames != next.frames || earlier.species != next.species ||
      !is_same_frame(earlier.first, next.first) ||
      !is_same_frame(earlier.last, next.last)) {
    return false;
  }
  if (!has_moment(next.last->step, next.last->time)) {
    // Frames at an unknown time may agree by chance; the bytes of files do not.
    const std::string bytes = bytes_of(next.path);
    return !bytes.empty() && bytes == bytes_of(earlier.path);
  }
  const std::uint64_t middle = next.frames / 2;
  const Opened other = open_(earlier.path);
  return is_same_frame(earlier.range_in(*other).moment(middle),
                       next.range_in(current_).moment(middle));
}

bool PartComparison::join_at_one_frame(const TrajectoryPart& before,
                                       const TrajectoryPart& next) {
  if (before.frames < 2 || has_moment(before.last->step, before.last->time) ||
      has_moment(next.first->step, next.first->time) ||
      !is_same_frame(before.last, next.first)) {
    return false;
  }
  // Particles at rest have the same positions in all frames.
  const Opened other = open_(before.path);
  const auto earlier = before.range_in(*other).moment(before.frames - 2);
  return earlier && earlier->checksum != before.last->checksum;
}

Repeats PartComparison::compare_begin(const TrajectoryPart& before,
                                      const TrajectoryPart& next) {
  using Kind = Repeats::Kind;
  if (!is_not_later(*next.first, *before.last)) {
    return join_at_one_frame(before, next) ? Repeats{&before, Kind::same_run, 1}
                                           : Repeats{&before, Kind::none, 0};
  }
  // The part belongs to another run if it starts later by its step number, which many
  // programs continue, or with a different first frame at the same time.
  const bool begins_later = is_later(*next.first, *before.first);
  if (is_later_by_steps(next, before) ||
      (!begins_later && !is_same_frame(before.first, next.first))) {
    return {&before, Kind::other_run, 0};
  }
  const PartFrames frames = next.range_in(current_);
  const std::uint64_t count = count_not_later(frames, *before.last);
  const Opened other = open_(before.path);
  const PartFrames earlier = before.range_in(*other);
  Repeats repeats{&before, Kind::same_run, count};
  if (begins_later) {
    repeats.kind =
        has_same_frame(earlier, *next.first) ? Kind::same_run : Kind::same_times;
  } else {  // two runs may have the same first frame
    const std::uint64_t last = std::min(count, before.frames) - 1;
    if (!is_same_frame(earlier.moment(last), frames.moment(last))) {
      return {&before, Kind::other_run, 0};
    }
  }
  if (const auto absent = first_absent(earlier, frames, count)) {
    repeats.kind = Kind::gaps;
    repeats.absent = *absent;
  }
  return repeats;
}

Repeats PartComparison::repeats_of(const TrajectoryPart& next) {
  for (const TrajectoryPart& part : parts_) {
    if (is_same_part(part, next)) {
      return {&part, Repeats::Kind::same_run, next.frames};
    }
  }
  // Skip parts whose frames were all left out: they end before the previous part does.
  const TrajectoryPart& before = *std::find_if(
      parts_.rbegin(), parts_.rend(),
      [](const TrajectoryPart& part) { return part.left_out < part.frames; });
  using Kind = Repeats::Kind;
  if (!next.first || !before.last) {
    return {&before, Kind::unknown, 0};
  }
  const Repeats by_times = compare_begin(before, next);
  const auto before_by_steps = before.by_steps();
  const auto next_by_steps = next.by_steps();
  if (by_times.kind == Kind::other_run && before_by_steps && next_by_steps) {
    Repeats repeats = compare_begin(*before_by_steps, *next_by_steps);
    if (repeats.kind == Kind::same_run) {
      repeats.of = &before;
      return repeats;
    }
  }
  return by_times;
}

bool PartComparison::share_a_frame(const TrajectoryPart& earlier,
                                   const TrajectoryPart& next) {
  const bool overlap = earlier.first && earlier.last && next.first && next.last &&
                       !is_later(*next.first, *earlier.last) &&
                       !is_later(*earlier.first, *next.last);
  if (!overlap) {
    return false;
  }
  const auto earlier_by_steps = earlier.by_steps();
  const auto next_by_steps = next.by_steps();
  return share_a_frame_by_clock(earlier, next) ||
         (earlier_by_steps && next_by_steps &&
          share_a_frame_by_clock(*earlier_by_steps, *next_by_steps));
}

bool PartComparison::share_a_frame_by_clock(const TrajectoryPart& earlier,
                                            const TrajectoryPart& next) {
  if (!has_moment(earlier.last->step, earlier.last->time) ||
      !has_moment(next.last->step, next.last->time) ||
      is_later(*next.first, *earlier.last) || is_later(*earlier.first, *next.last) ||
      is_later_by_steps(next, earlier)) {
    return false;
  }
  const auto next_has = [&](const Moment& wanted) {
    return has_same_frame(next.range_in(current_), wanted);
  };
  const auto earlier_has = [&](const Moment& wanted) {
    const Opened other = open_(earlier.path);
    return has_same_frame(earlier.range_in(*other), wanted);
  };
  if (is_later(*earlier.first, *next.first)) {
    return next_has(*earlier.first);
  }
  if (is_later(*next.first, *earlier.first)) {
    return earlier_has(*next.first);
  }
  // Runs that begin with different frames at the same time have no frame in common.
  if (!is_same_frame(earlier.first, next.first)) {
    return false;
  }
  if (is_later(*next.last, *earlier.last)) {
    return next_has(*earlier.last);
  }
  return is_later(*earlier.last, *next.last) ? earlier_has(*next.last)
                                             : is_same_frame(earlier.last, next.last);
}

}  // namespace starhist::io
