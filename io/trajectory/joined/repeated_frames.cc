#include "io/trajectory/joined/repeated_frames.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_checksum.hh"

namespace starhist::io {
namespace {

/// Largest number of frames examined to find a readable one.
constexpr std::uint64_t most_unreadable = 100;

/// Whether two frames are compared by time.
bool by_time(const Moment& a, const Moment& b) {
  return !std::isnan(a.time) && !std::isnan(b.time) && (a.timed || b.timed);
}

/// Step and time of a frame, without reading its positions if the file lists moments;
/// empty if it cannot be read.
std::optional<Moment> listed_moment(const PartFrames& frames, std::uint64_t index,
                                    Frame& scratch) {
  try {
    return frames.moment_of(
        frames.reader.read_moment(FrameIndex(frames.begin + index), scratch));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

RepeatedFrames parse_repeated_frames(const std::string& word) {
  if (word == "drop") {
    return RepeatedFrames::drop;
  }
  if (word == "keep") {
    return RepeatedFrames::keep;
  }
  if (word == "fail") {
    return RepeatedFrames::fail;
  }
  throw InputError("--repeated: '" + word + "' is not one of drop, keep, fail");
}

Moment PartFrames::moment_of(const StepAndTime& recorded) const {
  Moment moment;
  moment.step = recorded.step;
  moment.time = clock == Clock::step ? no_time : recorded.time;
  moment.timed =
      !std::isnan(moment.time) && (clock == Clock::time || has_moment(0, moment.time));
  return moment;
}

std::optional<Moment> PartFrames::moment(std::uint64_t index) const {
  try {
    Frame frame;
    reader.read(FrameIndex(begin + index), frame);
    Moment moment = moment_of({frame.step, frame.time});
    moment.checksum = positions_checksum(frame);
    moment.box = frame.box;
    moment.particles = frame.particle_count();
    return moment;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<Moment> first_moment(const PartFrames& frames) {
  std::optional<Moment> moment;
  for (std::uint64_t k = 0; k < std::min(frames.count, most_unreadable) && !moment;
       ++k) {
    moment = frames.moment(k);
  }
  return moment;
}

std::optional<Moment> last_moment(const PartFrames& frames) {
  std::optional<Moment> moment;
  for (std::uint64_t k = 0; k < std::min(frames.count, most_unreadable) && !moment;
       ++k) {
    moment = frames.moment(frames.count - 1 - k);
  }
  return moment;
}

bool has_same_frame(const PartFrames& frames, const Moment& wanted) {
  std::uint64_t low = 0;
  std::uint64_t high = frames.count;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const std::optional<Moment> moment = frames.moment(middle);
    if (!moment) {
      return false;
    }
    if (moment->checksum == wanted.checksum && same_time(*moment, wanted)) {
      return true;
    }
    if (is_later(wanted, *moment)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return false;
}

std::uint64_t count_not_later(const PartFrames& frames, const Moment& before) {
  std::uint64_t low = 1;
  std::uint64_t high = frames.count;
  // Frames from high on that cannot be read lie in front.
  std::uint64_t later = frames.count;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    std::uint64_t known = middle;
    std::optional<Moment> moment = frames.moment(known);
    while (!moment && known + 1 < high) {
      moment = frames.moment(++known);
    }
    if (moment && is_not_later(*moment, before)) {
      low = known + 1;
    } else {
      high = middle;
      later = moment ? known : later;
    }
  }
  return later;
}

std::optional<std::uint64_t> first_absent(const PartFrames& earlier,
                                          const PartFrames& next, std::uint64_t count) {
  Frame scratch;
  std::optional<std::uint64_t> at;  // frames of `earlier` before it are passed
  std::optional<Moment> moment;     // of `at`; empty at the end
  const auto pass_earlier_than = [&](const Moment& wanted) {
    if (!at) {
      std::uint64_t high = earlier.count;
      for (at = 0; *at < high;) {
        const std::uint64_t middle = *at + (high - *at) / 2;
        moment = listed_moment(earlier, middle, scratch);
        if (moment && is_later(wanted, *moment)) {
          at = middle + 1;
        } else {
          high = middle;
        }
      }
      moment.reset();
    }
    while (!moment || is_later(wanted, *moment)) {
      if (*at == earlier.count) {
        moment.reset();
        return;
      }
      moment = listed_moment(earlier, (*at)++, scratch);
    }
  };
  for (std::uint64_t k = 0; k < count; ++k) {
    if (const std::optional<Moment> wanted = listed_moment(next, k, scratch)) {
      pass_earlier_than(*wanted);
      if (!moment || is_later(*moment, *wanted)) {
        return k;
      }
    }
  }
  return std::nullopt;
}

bool is_same_frame(const std::optional<Moment>& a, const std::optional<Moment>& b) {
  return a && b && a->step == b->step && same_time(*a, *b) &&
         a->checksum == b->checksum && a->box == b->box;
}

bool is_repeated(const Moment& before, const Moment& frame) {
  return has_moment(frame.step, frame.time) && before.step == frame.step &&
         same_time(before, frame);
}

bool is_not_later(const Moment& frame, const Moment& before) {
  if (!has_moment(before.step, before.time)) {
    return false;
  }
  return by_time(frame, before) ? frame.time < before.time || same_time(before, frame)
                                : frame.step <= before.step &&
                                      std::isnan(frame.time) == std::isnan(before.time);
}

bool is_later(const Moment& frame, const Moment& before) {
  return by_time(frame, before) ? frame.time > before.time && !same_time(before, frame)
                                : frame.step > before.step;
}

std::string moment_text(const StepAndTime& moment, const std::string& time_unit) {
  std::string text = "step " + std::to_string(moment.step);
  if (!std::isnan(moment.time)) {
    text += ", time " + time_text(moment.time) + unit_suffix(time_unit);
  }
  return text;
}

}  // namespace starhist::io
