#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "driver/option_values.hh"
#include "io/trajectory_reader.hh"

namespace starhist {

enum class BadFrames { fail, skip };

/// Reads the selected frames ahead, each reader in a thread of its own.
class FrameStream {
 public:
  /// `readers`, one or more of the same trajectory, must live as long as the stream,
  /// and nobody else may use them. Besides a frame for each of them, two frames wait,
  /// or as many as fit into `most_bytes`.
  FrameStream(const std::vector<TrajectoryReader*>& readers,
              const FrameSelection& selection, BadFrames policy,
              std::size_t most_bytes = 1U << 18U);
  ~FrameStream();
  FrameStream(const FrameStream&) = delete;
  FrameStream& operator=(const FrameStream&) = delete;

  /// The next frame, in the order of the selection, or nothing at the end. Throws what
  /// the reader threw for it; with BadFrames::skip an InputError is noted instead and
  /// the frame left out.
  std::optional<Frame> next();

  /// What was wrong with the frames left out so far.
  const std::vector<std::string>& skipped() const { return skipped_; }

 private:
  /// A frame, or why there is none.
  struct Reading {
    Frame frame;
    std::exception_ptr error;
  };
  /// Frames that follow each other.
  using Batch = std::deque<Reading>;
  /// A reader that helps leaves small frames to the first.
  void read_frames(TrajectoryReader& reader, bool helps);
  std::uint64_t batch_size() const;
  bool has_room() const;

  const FrameSelection selection_;
  const std::uint64_t count_;
  const BadFrames policy_;
  const std::size_t most_bytes_;
  const std::size_t least_frames_;  ///< that may be read and not taken

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Batch> ready_;  ///< by place in the selection
  std::uint64_t next_to_read_ = 0;
  std::uint64_t next_to_take_ = 0;
  std::size_t frame_bytes_ = 0;  ///< of the largest one so far
  bool stopped_ = false;         ///< nobody wants any more
  Batch taken_;                  ///< what next() has taken and not given yet
  std::vector<std::string> skipped_;
  std::vector<std::thread> threads_;
};

}  // namespace starhist
