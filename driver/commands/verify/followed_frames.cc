#include "driver/commands/verify/followed_frames.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/geometry/shortest_displacement.hh"

namespace starhist::driver {
FollowedFrames::FollowedFrames(ReopenedRun& run, const TrajectoryRunSpec& spec,
                               std::uint64_t longest_lag,
                               std::map<std::uint64_t, std::uint64_t> checksums,
                               FrameIndex first)
    : run_(run),
      selection_(select_by_time(spec.frames, spec.times, run.input().reader())),
      choice_(spec.lags.value()),
      skips_(spec.bad_frames == BadFrames::skip),
      longest_lag_(longest_lag),
      checksums_(std::move(checksums)),
      first_(first) {
  restart();
}

void FollowedFrames::restart() {
  identity_.emplace(run_.layout().species);
  next_ = 0;
  current_.reset();
  origins_.clear();
}

const FollowedFrame& FollowedFrames::go_to(FrameIndex index) {
  const std::uint64_t number = selection_.number_of(index.get());
  if (number < next_) {
    restart();
  }
  for (; next_ < number; ++next_) {
    // Frames between the first one, which orders the particles, and the first origin.
    if (choice_.unwrapped && current_ && next_ + longest_lag_ < number) {
      next_ = number - longest_lag_;
    }
    if (next_ < number) {
      if (std::optional<Frame> frame =
              read_between(FrameIndex(selection_.index(next_)))) {
        follow(*std::move(frame), next_);
      }
    }
  }
  follow(run_.read(index), number);
  next_ = number + 1;
  return *current_;
}

/// Reads a frame before the frames of the block; empty if the run has left it out.
std::optional<Frame> FollowedFrames::read_between(FrameIndex index) {
  const auto recorded = checksums_.find(index.get());
  const bool counted = recorded != checksums_.end();
  if (skips_ && !counted && index.get() >= first_.get()) {
    return std::nullopt;
  }
  try {
    Frame frame = run_.read(index);
    if (counted && recorded->second != 0 && recorded->second != frame.checksum &&
        known_changed_.insert(index.get()).second) {
      changed_.push_back(index.get());
    }
    return frame;
  } catch (const InputError&) {
    if (skips_ && !counted) {
      return std::nullopt;
    }
    throw;
  }
}

void FollowedFrames::follow(Frame&& frame, std::uint64_t number) {
  identity_->sort(frame);
  auto followed = std::make_shared<FollowedFrame>();
  followed->number = number;
  followed->frame = std::move(frame);
  const std::vector<std::vector<double>>& stored = followed->frame.positions;
  followed->continuous = stored;
  if (current_ && !choice_.unwrapped) {
    const MinimumImage& image = followed->frame.box.minimum_image();
    for (std::size_t s = 0; s < stored.size(); ++s) {
      for (std::size_t i = 0; i < stored[s].size() / 3; ++i) {
        const Vec3 before = position(current_->continuous[s], i);
        const Vec3 step = shortest_displacement(
            image, position(stored[s], i), position(current_->frame.positions[s], i));
        followed->continuous[s][3 * i] = before.x + step.x;
        followed->continuous[s][3 * i + 1] = before.y + step.y;
        followed->continuous[s][3 * i + 2] = before.z + step.z;
      }
    }
  }
  current_ = std::move(followed);
  if (number % choice_.every_origin == 0) {
    origins_.push_back(current_);
  }
  while (!origins_.empty() && origins_.front()->number + longest_lag_ < number) {
    origins_.pop_front();
  }
}

const FollowedFrame* FollowedFrames::origin(std::uint64_t lag) const {
  for (const std::shared_ptr<const FollowedFrame>& origin : origins_) {
    if (origin->number + lag == current_->number) {
      return origin.get();
    }
  }
  return nullptr;
}

}  // namespace starhist::driver
