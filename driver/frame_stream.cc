#include "driver/frame_stream.hh"

#include <algorithm>

#include "codelets/core/error.hh"

namespace starhist {
namespace {

/// Of frames below, one reader reads more than several, who wait for HDF5's lock.
constexpr std::size_t large_frame = 1U << 17U;

std::size_t bytes_of(const Frame& frame) {
  std::size_t bytes = sizeof(Frame);
  for (const auto& positions : frame.positions) {
    bytes += positions.size() * sizeof(double);
  }
  return bytes;
}

}  // namespace

FrameStream::FrameStream(const std::vector<TrajectoryReader*>& readers,
                         const FrameSelection& selection, BadFrames policy,
                         std::size_t most_bytes)
    : selection_(selection),
      count_(selection.count(readers.front()->info().frame_count)),
      policy_(policy),
      most_bytes_(most_bytes),
      least_frames_(2 + readers.size()) {
  for (TrajectoryReader* reader : readers) {
    const bool helps = reader != readers.front();
    threads_.emplace_back([this, reader, helps] { read_frames(*reader, helps); });
  }
}

FrameStream::~FrameStream() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

/// Small frames are handed over many at a time, as that takes a lock.
std::uint64_t FrameStream::batch_size() const {
  const std::size_t batch_bytes = most_bytes_ / 8;
  const std::uint64_t fits = frame_bytes_ > 0 ? batch_bytes / frame_bytes_ : 1;
  return std::clamp<std::uint64_t>(fits, 1, count_ - next_to_read_);
}

bool FrameStream::has_room() const {
  const std::uint64_t frames = next_to_read_ - next_to_take_;
  return frames < least_frames_ ||
         (frame_bytes_ > 0 && (frames + batch_size()) * frame_bytes_ < most_bytes_);
}

void FrameStream::read_frames(TrajectoryReader& reader, bool helps) {
  const auto has_work = [this, helps] {
    return has_room() && (!helps || frame_bytes_ >= large_frame);
  };
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock,
                  [&] { return stopped_ || next_to_read_ == count_ || has_work(); });
    if (stopped_ || next_to_read_ == count_) {
      return;
    }
    const std::uint64_t first = next_to_read_;
    next_to_read_ += batch_size();
    const std::uint64_t end = next_to_read_;
    lock.unlock();
    Batch batch;
    for (std::uint64_t k = first; k < end; ++k) {
      Reading& reading = batch.emplace_back();
      try {
        reader.read(FrameIndex(selection_.first + k * selection_.step), reading.frame);
      } catch (...) {
        reading.error = std::current_exception();
      }
    }
    lock.lock();
    frame_bytes_ = std::max(frame_bytes_, bytes_of(batch.back().frame));
    ready_.emplace(first, std::move(batch));
    changed_.notify_all();
  }
}

std::optional<Frame> FrameStream::next() {
  while (true) {
    if (taken_.empty()) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] {
        return next_to_take_ == count_ || ready_.count(next_to_take_) > 0;
      });
      if (next_to_take_ == count_) {
        return std::nullopt;
      }
      taken_ = std::move(ready_.extract(next_to_take_).mapped());
      next_to_take_ += taken_.size();
      changed_.notify_all();
    }
    if (!taken_.front().error) {
      std::optional<Frame> frame(std::move(taken_.front().frame));
      taken_.pop_front();
      return frame;
    }
    try {
      std::rethrow_exception(taken_.front().error);
    } catch (const InputError& error) {
      if (policy_ == BadFrames::fail) {
        throw;
      }
      skipped_.emplace_back(error.what());
      taken_.pop_front();
    }
  }
}

}  // namespace starhist
