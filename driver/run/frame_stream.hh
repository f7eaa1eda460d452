#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "driver/run/frame_selection.hh"
#include "driver/run/frame_source.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

enum class BadFrames { fail, skip };

/// How far and by how many is read ahead.
struct ReadAhead {
  /// Two frames wait besides one for each reader, or as many as fit into this.
  std::size_t most_bytes = 1U << 18U;
  /// Opens the same trajectory once more; empty: one reader does it all.
  std::function<std::unique_ptr<io::TrajectoryReader>()> open_another = {};
  unsigned most_readers = 1;
  /// All readers from the first frame on, not only when frames were waited for.
  bool all_at_once = false;
  /// There are no more readers than frames that fit into this.
  std::size_t most_bytes_of_readers = 1U << 26U;
};

/// Reads the selected frames ahead, each reader in a thread of its own. There are twice
/// as many when frames had to be waited for several times.
class FrameStream : public FrameSource {
 public:
  /// `reader` must live as long as the stream, and nobody else may use it.
  FrameStream(io::TrajectoryReader& reader, const FrameSelection& selection,
              BadFrames policy, ReadAhead ahead = {});
  ~FrameStream() override;

  /// The next frame, in the order of the selection, or nothing at the end. Throws what
  /// the reader threw for it; with BadFrames::skip an InputError is noted instead and
  /// the frame left out.
  std::optional<Frame> next() override;

  /// Gives a frame back whose memory may be used for the next ones.
  void recycle(Frame&& frame) override;

  /// What was wrong with the frames left out so far.
  std::vector<std::string> skipped() const override { return skipped_; }

 private:
  /// A frame, or why there is none.
  struct Reading {
    Frame frame;
    std::exception_ptr error;
  };
  /// Frames that follow each other.
  using Batch = std::deque<Reading>;
  void read_frames(io::TrajectoryReader& reader);
  void help();  ///< the thread of another reader
  void start_help_if_needed();
  void start_help(unsigned more);
  std::uint64_t batch_size() const;
  bool has_room() const;
  bool has_ended();  ///< as ended(), for who has no lock
  bool ended() const { return stopped_ || next_to_read_ == count_; }

  const FrameSelection selection_;
  const std::uint64_t count_;
  const BadFrames policy_;
  const ReadAhead ahead_;

  std::mutex opening_;  ///< several at once would wait for HDF5's lock at every call
  std::mutex mutex_;
  std::condition_variable room_;           ///< for readers: there is some, or the end
  std::condition_variable ready_to_take_;  ///< for next()
  std::map<std::uint64_t, Batch> ready_;   ///< by place in the selection
  std::uint64_t next_to_read_ = 0;
  std::uint64_t next_to_take_ = 0;
  std::size_t frame_bytes_ = 0;  ///< of the largest one so far
  unsigned readers_ = 1;
  unsigned to_be_opened_ = 0;  ///< of them
  unsigned waits_ = 0;         ///< of next(), since readers were added
  std::vector<Frame> used_;
  std::atomic<bool> stopped_ = false;  ///< nobody wants any more
  Batch taken_;                        ///< what next() has taken and not given yet
  std::vector<std::string> skipped_;
  std::vector<std::thread> threads_;
};

}  // namespace starhist::driver
