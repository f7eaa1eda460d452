#pragma once

#include <atomic>
#include <chrono>
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

#include "driver/run/frames/frame_selection.hh"
#include "driver/run/frames/frame_source.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Handling of unusable frames: end the run with an error, or leave them out.
enum class BadFrames { fail, skip };

/// How many frames are read ahead, and by how many readers.
struct ReadAhead {
  /// Memory limit for waiting frames. Two frames, and one more for each reader, may
  /// always wait.
  std::size_t most_bytes = 1U << 18U;
  /// Opens the same trajectory again, for another reader; called in any thread. Empty:
  /// only one reader.
  std::function<std::unique_ptr<io::TrajectoryReader>()> open_another = {};
  unsigned most_readers = 1;  ///< [>= 1]
  /// True: all readers start with the first frame. False: readers are added after
  /// next() had to wait several times.
  bool all_at_once = false;
  /// Limits the number of readers to the number of frames that fit into this memory.
  std::size_t most_bytes_of_readers = 1U << 26U;
  /// Checks each frame that was read, in its reader's thread, and may complete it.
  /// Throws InputError for an unusable frame. Empty: no check.
  std::function<void(Frame&)> check = {};
};

/// Reads the selected frames ahead, each reader in a separate thread. The number of
/// readers doubles after next() had to wait several times. next(), recycle() and
/// skipped() are for one thread.
class FrameStream : public FrameSource {
 public:
  /// Starts to read. `reader` must live as long as the stream, and only the stream may
  /// use it meanwhile. Throws InputError if no frame is selected.
  FrameStream(io::TrajectoryReader& reader, const FrameSelection& selection,
              BadFrames policy, ReadAhead ahead = {});
  /// Tag of a stream that starts without frames: append() adds them.
  struct Growing {};
  FrameStream(io::TrajectoryReader& reader, const FrameSelection& selection,
              BadFrames policy, ReadAhead ahead, Growing);
  ~FrameStream() override;

  /// The next frame, in the order of the selection; empty after the last one. At
  /// io::EndOfStream it returns empty and keeps the message for skipped(). Rethrows the
  /// reader's exception for the frame. With BadFrames::skip a frame with an InputError
  /// is left out and its message kept for skipped().
  std::optional<Frame> next() override;

  /// Adds the frames with the numbers [begin, end) of the selection. Only for a growing
  /// stream, before close().
  void append(std::uint64_t begin, std::uint64_t end);
  /// Marks the end of a growing stream.
  void close();
  /// Continues after the frame for which next() has thrown an InputError.
  void leave_out();

  bool is_ready_within(std::chrono::milliseconds time) override;

  /// Calls look() with the frame that next() will return, if it is read within `time`.
  /// Returns false if it is not, or cannot be read. Only before the first call of
  /// next().
  bool look_at_first(std::chrono::milliseconds time,
                     const std::function<void(const Frame&)>& look);

  /// Takes back a frame, so that readers can reuse its memory.
  void recycle(Frame&& frame) override;

  std::uint64_t passed() const override { return passed_; }

  /// Messages about the frames left out so far.
  std::vector<std::string> skipped() const override { return skipped_; }

 private:
  /// A frame, or the error on reading it.
  struct Reading {
    Frame frame;
    std::exception_ptr error;
  };
  /// Consecutive frames of the selection.
  using Batch = std::deque<Reading>;
  /// Main function of a reader's thread. If it fails, for lack of memory, next()
  /// rethrows the exception.
  void read_frames(io::TrajectoryReader& reader) noexcept;
  void read_batches(io::TrajectoryReader& reader);
  void help();  ///< main function of a thread that opens another reader and reads
  bool has_next() const;  ///< next() would not wait; called with the lock held
  void end_stream(const std::string& message);
  void start_help_if_needed();
  void start_help(unsigned more);
  std::uint64_t batch_size() const;
  bool has_room() const;
  bool has_ended();  ///< ended(), for callers without the lock
  bool all_read() const { return closed_ && next_to_read_ == count_; }
  bool ended() const { return stopped_ || all_read(); }

  /// Frames of the selection from `number` up to the next piece.
  struct Piece {
    std::uint64_t position;  ///< position of its first frame in the stream
    std::uint64_t number;
  };
  std::uint64_t number_at(std::uint64_t position) const;

  const FrameSelection selection_;
  std::uint64_t count_ = 0;  ///< number of frames in the stream so far
  bool closed_ = false;      ///< append() is not allowed any more
  std::vector<Piece> pieces_;
  const BadFrames policy_;
  const ReadAhead ahead_;

  /// Held while a reader opens the trajectory: readers that open it at the same time
  /// would wait for HDF5's lock at every call.
  std::mutex opening_;
  std::mutex mutex_;
  std::condition_variable room_;           ///< wakes readers: there is room, or the end
  std::condition_variable ready_to_take_;  ///< wakes next()
  std::map<std::uint64_t, Batch> ready_;   ///< by number of the first frame
  // Frames of the stream are numbered from 0.
  std::uint64_t next_to_read_ = 0;
  std::uint64_t next_to_take_ = 0;
  std::size_t frame_bytes_ = 0;  ///< size of the largest frame so far; 0: unknown
  unsigned readers_ = 1;         ///< number of readers
  unsigned to_be_opened_ = 0;    ///< number of readers that are not open yet
  std::uint64_t waited_for_ = UINT64_MAX;  ///< missed by is_ready_within()
  unsigned waits_ = 0;                     ///< waits of next() since readers were added
  std::vector<Frame> used_;                ///< frames whose memory is reused
  /// The stream is being destroyed, or a reader has failed.
  std::atomic<bool> stopped_ = false;
  std::exception_ptr failure_;  ///< failure of a reader other than for a single frame
  std::uint64_t passed_ = 0;
  bool stream_ended_ = false;
  Batch taken_;  ///< frames that next() returns next
  std::vector<std::string> skipped_;
  std::vector<std::thread> threads_;
};

}  // namespace starhist::driver
