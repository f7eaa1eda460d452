#include "io/trajectory/repeated_frames.hh"

#include <cmath>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::io {

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

bool is_repeated(const Frame& last, const Frame& first) {
  const bool known = first.step != 0 || (!std::isnan(first.time) && first.time != 0.0);
  const bool same_time =
      last.time == first.time || (std::isnan(last.time) && std::isnan(first.time));
  return known && last.step == first.step && same_time;
}

std::string repeated_frame_sentence(const std::string& path, const std::string& before,
                                    const Frame& frame, const std::string& time_unit) {
  std::string moment = "step " + std::to_string(frame.step);
  if (!std::isnan(frame.time)) {
    moment += ", time " + number_text(frame.time) +
              (time_unit.empty() ? "" : " " + time_unit);
  }
  return path + ": its first frame repeats the last one of " + before + " (" + moment +
         ")";
}

}  // namespace starhist::io
