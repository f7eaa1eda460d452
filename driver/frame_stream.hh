#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "driver/option_values.hh"
#include "io/trajectory_reader.hh"

namespace starhist {

enum class BadFrames { fail, skip };

/// Reads the selected frames ahead in a thread of its own.
class FrameStream {
 public:
  /// `reader` must live as long as the stream, and nobody else may use it.
  FrameStream(TrajectoryReader& reader, const FrameSelection& selection,
              BadFrames policy);
  ~FrameStream();
  FrameStream(const FrameStream&) = delete;
  FrameStream& operator=(const FrameStream&) = delete;

  /// The next frame, or nothing at the end. Throws what the reader threw for it; with
  /// BadFrames::skip an InputError is noted instead and the frame left out.
  std::optional<Frame> next();

  /// What was wrong with the frames left out; complete when next() has returned
  /// nothing.
  const std::vector<std::string>& skipped() const { return skipped_; }

 private:
  void read_all(const FrameSelection& selection);
  bool push(Frame&& frame);

  TrajectoryReader& reader_;
  const BadFrames policy_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Frame> queue_;
  std::size_t queued_bytes_ = 0;
  bool ended_ = false;    // no more frames will come
  bool stopped_ = false;  // nobody wants any more
  std::exception_ptr error_;
  std::vector<std::string> skipped_;
  std::thread thread_;
};

}  // namespace starhist
