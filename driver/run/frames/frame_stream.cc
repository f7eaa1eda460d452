#include "driver/run/frames/frame_stream.hh"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"

namespace starhist::driver {
namespace {

/// Number of waits of next() after which readers are added. A few are usual at the
/// start.
constexpr unsigned waits_for_help = 4;

/// Memory of a frame; 0 for one without particles, whose size is not representative.
std::size_t bytes_of(const Frame& frame) {
  std::size_t bytes = 0;
  for (const auto& positions : frame.positions) {
    bytes += positions.size() * sizeof(double);
  }
  for (const auto& heights : frame.heights) {
    bytes += heights.size() * sizeof(double);
  }
  for (const FileOrder& order : frame.order) {
    bytes += order.row.size() * sizeof(std::uint32_t) +
             order.id.size() * sizeof(std::int64_t);
  }
  return bytes == 0 ? 0 : sizeof(Frame) + bytes;
}

}  // namespace

FrameStream::FrameStream(io::TrajectoryReader& reader, const FrameSelection& selection,
                         BadFrames policy, ReadAhead ahead)
    : FrameStream(reader, selection, policy, std::move(ahead), Growing{}) {
  append(0, selection.count(reader.info().frame_count));
  close();
}

FrameStream::FrameStream(io::TrajectoryReader& reader, const FrameSelection& selection,
                         BadFrames policy, ReadAhead ahead, Growing)
    : selection_(selection), policy_(policy), ahead_(std::move(ahead)) {
  STARHIST_EXPECT(ahead_.most_readers >= 1, "a stream has at least one reader");
  const std::lock_guard lock(mutex_);  // the reader may add threads at once
  threads_.emplace_back([this, &reader] { read_frames(reader); });
}

void FrameStream::append(std::uint64_t begin, std::uint64_t end) {
  const std::lock_guard lock(mutex_);
  STARHIST_EXPECT(!closed_, "frames are appended before close()");
  STARHIST_EXPECT(begin <= end, "a range of frames begins before its end");
  pieces_.push_back({count_, begin});
  count_ += end - begin;
  room_.notify_all();
}

void FrameStream::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  room_.notify_all();
  ready_to_take_.notify_one();
}

/// Number in the selection.
std::uint64_t FrameStream::number_at(std::uint64_t position) const {
  STARHIST_EXPECT(position < count_, "the stream has this frame");
  const auto next = std::upper_bound(
      pieces_.begin(), pieces_.end(), position,
      [](std::uint64_t a, const Piece& piece) { return a < piece.position; });
  const Piece& piece = *std::prev(next);
  return piece.number + (position - piece.position);
}

FrameStream::~FrameStream() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  room_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

/// Number of frames that a reader reads next. Many small frames share one lock; fewer
/// at the start, when next() may wait for them. Each reader has room for another batch
/// while next() empties its last one.
std::uint64_t FrameStream::batch_size() const {
  const std::size_t batch_bytes =
      ahead_.most_bytes / std::max<std::size_t>(16, 2 * std::size_t{readers_});
  const std::uint64_t fits = frame_bytes_ > 0 ? batch_bytes / frame_bytes_ : 1;
  const std::uint64_t grown = 1 + next_to_read_ / 8;
  return std::clamp<std::uint64_t>(std::min(fits, grown), 1, count_ - next_to_read_);
}

bool FrameStream::has_room() const {
  if (next_to_read_ == count_) {
    return false;
  }
  const std::uint64_t frames = next_to_read_ - next_to_take_;
  return frames < 2 + readers_ ||
         (frame_bytes_ > 0 &&
          (frames + batch_size()) * frame_bytes_ < ahead_.most_bytes);
}

void FrameStream::read_frames(io::TrajectoryReader& reader) noexcept {
  try {
    read_batches(reader);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    stopped_ = true;
    room_.notify_all();
    ready_to_take_.notify_one();
  }
}

void FrameStream::read_batches(io::TrajectoryReader& reader) {
  std::unique_lock lock(mutex_);
  while (true) {
    room_.wait(lock, [&] { return ended() || has_room(); });
    if (ended()) {
      return;
    }
    const std::uint64_t first = next_to_read_;
    next_to_read_ += batch_size();
    if (all_read()) {
      room_.notify_all();
    } else if (has_room()) {
      room_.notify_one();
    }
    Batch batch(next_to_read_ - first);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t position = first; position < next_to_read_; ++position) {
      numbers.push_back(number_at(position));
    }
    for (Reading& reading : batch) {
      if (!used_.empty()) {
        reading.frame = std::move(used_.back());
        used_.pop_back();
      }
    }
    lock.unlock();
    auto number = numbers.begin();
    for (Reading& reading : batch) {
      if (stopped_) {
        return;
      }
      try {
        reading.frame.coordinate_bound = std::numeric_limits<double>::infinity();
        reader.read(FrameIndex(selection_.index(*number)), reading.frame);
        if (ahead_.check) {
          ahead_.check(reading.frame);
        }
      } catch (...) {
        reading.error = std::current_exception();
      }
      ++number;
    }
    // The size of a frame that could not be read is not representative.
    const std::size_t bytes = batch.back().error ? 0 : bytes_of(batch.back().frame);
    lock.lock();
    const bool first_known = frame_bytes_ == 0 && bytes > 0;
    frame_bytes_ = std::max(frame_bytes_, bytes);
    if (first_known && ahead_.all_at_once) {
      start_help(ahead_.most_readers);  // as many as the size of frames allows
    }
    ready_.emplace(first, std::move(batch));
    if (first == next_to_take_) {
      ready_to_take_.notify_one();
    }
  }
}

/// Doubles the number of readers after some waits. Adding them one by one would take
/// too long alongside GPUs. Called with the lock held.
void FrameStream::start_help_if_needed() {
  if (to_be_opened_ > 0 || ++waits_ < waits_for_help) {
    return;
  }
  waits_ = 0;
  start_help(readers_);
}

/// Adds up to `more` readers. Called with the lock held.
void FrameStream::start_help(unsigned more) {
  if (!ahead_.open_another || ended()) {
    return;
  }
  try {
    for (; more > 0 && readers_ < ahead_.most_readers &&
           (readers_ + 1) * frame_bytes_ <= ahead_.most_bytes_of_readers;
         --more) {
      threads_.emplace_back([this] { help(); });
      ++readers_;
      ++to_be_opened_;
    }
  } catch (const std::exception&) {
    // Out of threads or memory: the existing readers continue.
  }
}

void FrameStream::help() {
  std::unique_ptr<io::TrajectoryReader> reader;
  try {
    const std::lock_guard one_at_a_time(opening_);
    if (!has_ended()) {
      reader = ahead_.open_another();
    }
  } catch (const std::exception&) {
    // The first reader reports the file's error, if it still needs the file.
  }
  {
    const std::lock_guard lock(mutex_);
    --to_be_opened_;
  }
  if (reader != nullptr) {
    read_frames(*reader);
  }
}

bool FrameStream::has_ended() {
  const std::lock_guard lock(mutex_);
  return ended();
}

void FrameStream::recycle(Frame&& frame) {
  const std::lock_guard lock(mutex_);
  if (!ended()) {
    used_.push_back(std::move(frame));
  }
}

bool FrameStream::has_next() const {
  return (closed_ && next_to_take_ == count_) || ready_.count(next_to_take_) > 0 ||
         failure_;
}

bool FrameStream::is_ready_within(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  if (!taken_.empty()) {
    return true;
  }
  if (!closed_ && next_to_take_ < count_ && waited_for_ != next_to_take_ &&
      !has_next()) {
    waited_for_ = next_to_take_;
    start_help_if_needed();
  }
  return ready_to_take_.wait_for(lock, time, [this] { return has_next(); });
}

bool FrameStream::look_at_first(std::chrono::milliseconds time,
                                const std::function<void(const Frame&)>& look) {
  STARHIST_EXPECT(next_to_take_ == 0, "the first frame is looked at before next()");
  std::unique_lock lock(mutex_);
  if (!ready_to_take_.wait_for(lock, time, [this] { return has_next(); })) {
    return false;
  }
  const auto first = ready_.find(next_to_take_);
  if (first == ready_.end() || first->second.front().error) {
    return false;
  }
  look(first->second.front().frame);
  return true;
}

void FrameStream::end_stream(const std::string& message) {
  skipped_.push_back(message);
  taken_.clear();
  stream_ended_ = true;
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  room_.notify_all();
}

std::optional<Frame> FrameStream::next() {
  while (!stream_ended_) {
    if (taken_.empty()) {
      std::unique_lock lock(mutex_);
      if (!has_next()) {
        start_help_if_needed();
        ready_to_take_.wait(lock, [this] { return has_next(); });
      }
      if (closed_ && next_to_take_ == count_) {
        return std::nullopt;
      }
      if (ready_.count(next_to_take_) == 0) {
        std::rethrow_exception(failure_);
      }
      taken_ = std::move(ready_.extract(next_to_take_).mapped());
      next_to_take_ += taken_.size();
      room_.notify_one();  // that reader wakes the next one if there is more room
    }
    if (!taken_.front().error) {
      std::optional<Frame> frame(std::move(taken_.front().frame));
      taken_.pop_front();
      ++passed_;
      return frame;
    }
    try {
      std::rethrow_exception(taken_.front().error);
    } catch (const io::EndOfStream& end) {
      end_stream(end.what());
    } catch (const InputError& error) {
      if (policy_ == BadFrames::fail) {
        throw;
      }
      skipped_.emplace_back(error.what());
      leave_out();
    }
  }
  return std::nullopt;
}

void FrameStream::leave_out() {
  STARHIST_EXPECT(!taken_.empty() && taken_.front().error != nullptr,
                  "next() has thrown for this frame");
  taken_.pop_front();
  ++passed_;
}

}  // namespace starhist::driver
