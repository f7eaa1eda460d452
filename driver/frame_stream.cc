#include "driver/frame_stream.hh"

#include "codelets/core/error.hh"

namespace starhist {
namespace {

/// Two frames wait, or as many as fit into this: enough that neither side sleeps after
/// each small frame.
constexpr std::size_t queue_bytes = 1U << 18U;
constexpr std::size_t queue_frames = 2;

std::size_t bytes_of(const Frame& frame) {
  std::size_t bytes = sizeof(Frame);
  for (const auto& positions : frame.positions) {
    bytes += positions.size() * sizeof(double);
  }
  return bytes;
}

}  // namespace

FrameStream::FrameStream(TrajectoryReader& reader, const FrameSelection& selection,
                         BadFrames policy)
    : reader_(reader),
      policy_(policy),
      thread_([this, selection] { read_all(selection); }) {}

FrameStream::~FrameStream() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FrameStream::read_all(const FrameSelection& selection) {
  try {
    const std::uint64_t count = selection.count(reader_.info().frame_count);
    for (std::uint64_t k = 0; k < count; ++k) {
      Frame frame;
      try {
        reader_.read(FrameIndex(selection.first + k * selection.step), frame);
      } catch (const InputError& error) {
        if (policy_ == BadFrames::fail) {
          throw;
        }
        skipped_.emplace_back(error.what());
        continue;
      }
      if (!push(std::move(frame))) {
        break;
      }
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

bool FrameStream::push(Frame&& frame) {
  const std::size_t bytes = bytes_of(frame);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return stopped_ || queue_.size() < queue_frames ||
           queued_bytes_ + bytes < queue_bytes;
  });
  queued_bytes_ += bytes;
  queue_.push_back(std::move(frame));
  changed_.notify_all();
  return !stopped_;
}

std::optional<Frame> FrameStream::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !queue_.empty() || ended_; });
  if (!queue_.empty()) {
    Frame frame = std::move(queue_.front());
    queue_.pop_front();
    queued_bytes_ -= bytes_of(frame);
    changed_.notify_all();
    return frame;
  }
  if (error_) {
    std::rethrow_exception(error_);
  }
  return std::nullopt;
}

}  // namespace starhist
