#include "io/formats/gromacs/xdr/frame_offsets.hh"

#include "codelets/core/base/error.hh"

namespace starhist::io {

StepAndTime FrameOffsets::moment(std::uint64_t frame) const {
  const Place& place = frames[frame];
  const auto [step, time] = place.moment;
  return {step, place.has_double ? time : times.time(step, time)};
}

std::vector<std::string> FrameOffsets::truncation_sentences(
    const std::string& path) const {
  return damage.empty()
             ? std::vector<std::string>()
             : std::vector{path + ": " + frames_before(damage, frames.size())};
}

void FrameOffsets::check_not_empty(const std::string& path) const {
  if (frames.empty()) {
    throw InputError(path + (damage.empty()
                                 ? ": its frames have velocities or forces, but "
                                   "not positions (give the XTC, or the TRR that "
                                   "has them: nstxout of the run)"
                                 : ": has no whole frame (" + damage + ")"));
  }
}

std::string frames_before(const std::string& damage, std::uint64_t frames) {
  return damage + "; " +
         (frames == 1 ? "only frame 0 is read"
                      : "frames 0 to " + std::to_string(frames - 1) + " are read") +
         " (copy the file again if it should have more)";
}

std::string truncation_damage(std::uint64_t frame, std::uint64_t file_size) {
  return "frame " + std::to_string(frame) + " is cut off at byte " +
         std::to_string(file_size) + ", where the file ends";
}

std::string broken_damage(std::uint64_t frame, std::uint64_t offset,
                          const std::string& reason) {
  return "frame " + std::to_string(frame) + " is damaged at byte " +
         std::to_string(offset) + " (" + reason + ")";
}

}  // namespace starhist::io
