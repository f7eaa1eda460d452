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

#include "driver/run/frame_selection.hh"
#include "driver/run/frame_source.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// What to do with a frame that cannot be used: end the run with an error, or leave the
/// frame out.
enum class BadFrames { fail, skip };

/// How many frames are read ahead, and by how many readers.
struct ReadAhead {
  /// Frames that wait may take this memory. Two frames, and one more for each reader,
  /// may wait in any case.
  std::size_t most_bytes = 1U << 18U;
  /// Opens the same trajectory once more, for another reader; called in any thread.
  /// Empty: there is one reader.
  std::function<std::unique_ptr<io::TrajectoryReader>()> open_another = {};
  unsigned most_readers = 1;  ///< [>= 1]
  /// True: all readers start with the first frame. False: readers are added when next()
  /// had to wait several times.
  bool all_at_once = false;
  /// There are at most as many readers as frames fit into this.
  std::size_t most_bytes_of_readers = 1U << 26U;
  /// Looks at each frame that was read, in the thread of its reader, and may complete
  /// it. Throws InputError for one that cannot be used. Empty: all can.
  std::function<void(Frame&)> check = {};
};

/// Reads the selected frames ahead, each reader in a thread of its own. The number of
/// readers doubles when next() had to wait several times. next(), recycle() and
/// skipped() are for one thread.
class FrameStream : public FrameSource {
 public:
  /// Begins to read. `reader` must live as long as the stream, and nothing else may use
  /// it meanwhile. Throws InputError when no frame is selected.
  FrameStream(io::TrajectoryReader& reader, const FrameSelection& selection,
              BadFrames policy, ReadAhead ahead = {});
  /// The same without frames at first: append() says which are read.
  struct Growing {};
  FrameStream(io::TrajectoryReader& reader, const FrameSelection& selection,
              BadFrames policy, ReadAhead ahead, Growing);
  ~FrameStream() override;

  /// The next frame, in the order of the selection, or nothing after the last one. At
  /// io::EndOfStream there is none, and its message is kept for skipped().
  /// Throws what the reader threw for it. With BadFrames::skip a frame with an
  /// InputError is left out and its message kept for skipped().
  std::optional<Frame> next() override;

  /// Has the frames with the numbers [begin, end) of the selection read next. Only of a
  /// stream that grows; after close() no more.
  void append(std::uint64_t begin, std::uint64_t end);
  /// Says that these were all.
  void close();
  /// Goes on behind the frame for which next() has thrown an InputError.
  void leave_out();

  bool is_ready_within(std::chrono::milliseconds time) override;

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
  /// Function of a reader's thread. Where it fails, with no memory, next() throws that.
  void read_frames(io::TrajectoryReader& reader) noexcept;
  void read_batches(io::TrajectoryReader& reader);
  void help();  ///< opens another reader and reads: the function of its thread
  bool has_next() const;  ///< next() need not wait; called with the lock held
  void end_stream(const std::string& message);
  void start_help_if_needed();
  void start_help(unsigned more);
  std::uint64_t batch_size() const;
  bool has_room() const;
  bool has_ended();  ///< ended(), for callers that do not hold the lock
  bool all_read() const { return closed_ && next_to_read_ == count_; }
  bool ended() const { return stopped_ || all_read(); }

  /// Frames of the selection, from `number` on, as far as the next piece.
  struct Piece {
    std::uint64_t position;  ///< of the first one in the stream
    std::uint64_t number;
  };
  std::uint64_t number_at(std::uint64_t position) const;

  const FrameSelection selection_;
  std::uint64_t count_ = 0;  ///< number of frames in the stream, so far
  bool closed_ = false;      ///< there will be no more
  std::vector<Piece> pieces_;
  const BadFrames policy_;
  const ReadAhead ahead_;

  /// Held while a reader opens the trajectory: readers that open it at the same time
  /// would wait for HDF5's lock at every call.
  std::mutex opening_;
  std::mutex mutex_;
  std::condition_variable room_;           ///< for readers: there is room, or the end
  std::condition_variable ready_to_take_;  ///< for next()
  std::map<std::uint64_t, Batch> ready_;   ///< by number of the first frame
  // Frames of the stream are numbered from 0.
  std::uint64_t next_to_read_ = 0;
  std::uint64_t next_to_take_ = 0;
  std::size_t frame_bytes_ = 0;  ///< size of the largest frame so far; 0: not known
  unsigned readers_ = 1;         ///< number of readers
  unsigned to_be_opened_ = 0;    ///< number of these that are not open yet
  std::uint64_t waited_for_ = UINT64_MAX;  ///< is_ready_within() found it missing
  unsigned waits_ = 0;       ///< times that next() had to wait since readers were added
  std::vector<Frame> used_;  ///< frames whose memory is reused
  /// The stream is being destroyed, or a reader has failed.
  std::atomic<bool> stopped_ = false;
  std::exception_ptr failure_;  ///< of a reader, beside errors on reading a frame
  std::uint64_t passed_ = 0;
  bool stream_ended_ = false;
  Batch taken_;  ///< frames that next() returns next
  std::vector<std::string> skipped_;
  std::vector<std::thread> threads_;
};

}  // namespace starhist::driver
