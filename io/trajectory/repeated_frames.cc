#include "io/trajectory/repeated_frames.hh"

#include <cmath>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_checksum.hh"

namespace starhist::io {
namespace {

bool same_time(const Moment& a, const Moment& b) {
  return a.time == b.time || (std::isnan(a.time) && std::isnan(b.time));
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
  throw InputError("--repeated: '" + word + "' is none of drop, keep, fail");
}

std::optional<Moment> moment_of(TrajectoryReader& reader, std::uint64_t index) {
  try {
    Frame frame;
    reader.read(FrameIndex(index), frame);
    return Moment{frame.step, frame.time, positions_checksum(frame), frame.box};
  } catch (const InputError&) {
    return std::nullopt;
  }
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
  const bool by_time = has_moment(0, before.time) && !std::isnan(frame.time);
  return by_time ? frame.time < before.time || is_repeated(before, frame)
                 : frame.step <= before.step &&
                       std::isnan(frame.time) == std::isnan(before.time);
}

bool is_later(const Moment& frame, const Moment& before) {
  const bool by_time = has_moment(0, frame.time) && !std::isnan(before.time);
  return by_time ? frame.time > before.time : frame.step > before.step;
}

std::string moment_text(const Moment& moment, const std::string& time_unit) {
  std::string text = "step " + std::to_string(moment.step);
  if (!std::isnan(moment.time)) {
    text += ", time " + number_text(moment.time) +
            (time_unit.empty() ? "" : " " + time_unit);
  }
  return text;
}

}  // namespace starhist::io
