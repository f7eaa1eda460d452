#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/run/frames/frame_stream.hh"
#include "io/files/file_fingerprints.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Trajectory files that several threads read as one trajectory. Its functions are for
/// one thread.
class TrajectoryInput {
 public:
  /// Opens the files, which follow each other in the order of `paths`. Throws
  /// InputError like io::open_trajectory().
  TrajectoryInput(std::vector<std::string> paths, io::ReadOptions options);
  TrajectoryInput(const TrajectoryInput&) = delete;
  TrajectoryInput& operator=(const TrajectoryInput&) = delete;

  const io::TrajectoryInfo& info() const { return reader_->info(); }

  /// The options of its readers. Further readers with them share the indexes of text
  /// files, which take a scan of the whole file.
  const io::ReadOptions& options() const { return options_; }

  /// The reader, for single frames. Must not be used while there is a stream.
  io::TrajectoryReader& reader() { return *reader_; }

  /// The selected frames; threads start to read them at once. One stream at a time; it
  /// must not outlive the input. Frames read ahead take at most an eighth of
  /// `memory_bytes`; with GPUs several batches of frames are read ahead. Throws
  /// InputError if no frame is selected. `check`: ReadAhead::check.
  std::unique_ptr<FrameStream> stream(const FrameSelection& selection, BadFrames policy,
                                      std::size_t memory_bytes = 1U << 30U,
                                      bool beside_gpus = false,
                                      std::function<void(Frame&)> check = {});

  /// A stream without frames at first: FrameStream::append() adds them.
  std::unique_ptr<FrameStream> growing_stream(const FrameSelection& selection,
                                              BadFrames policy,
                                              std::size_t memory_bytes,
                                              bool beside_gpus,
                                              std::function<void(Frame&)> check);

  /// Data that the files pass on for the frames of a block: the selected frames from
  /// `first` to `last` that a stream with `check` accepts. `frames`: their number. Must
  /// not be used while there is a stream.
  io::PassedOn passed_on(const FrameSelection& selection, FrameIndex first,
                         FrameIndex last, std::uint32_t frames,
                         const std::function<void(const Frame&)>& check);

  /// The first file, including those that name atoms, that has changed since it was
  /// opened; "" if unchanged.
  std::string changed_file() const { return files_.changed(); }

  /// A message for each selected frame that is left out: frames that the stream
  /// skipped, and frames within which a file ends.
  std::vector<std::string> left_out(const FrameSelection& selection,
                                    std::vector<std::string> skipped) const;

 private:
  const std::vector<std::string> paths_;
  const io::ReadOptions options_;
  const io::FileFingerprints files_;  // taken before the files are opened
  const std::unique_ptr<io::TrajectoryReader> reader_;
};

/// Number of readers [>= 1]: half the cores, 2 to 8; with GPUs three quarters, 2 to 96,
/// if each has to decompress; one if TrajectoryInfo::sequential_only.
unsigned most_readers(const io::TrajectoryInfo& info, unsigned cores, bool beside_gpus);

/// Settings for reading ahead the trajectory that was opened with `paths` and
/// `options`, with at most most_readers() readers. `files` are the fingerprints of the
/// files before they were opened; opening another reader throws InputError if they have
/// changed. The references must live as long as the stream. Frames and readers take at
/// most an eighth of `memory_bytes`; with GPUs several batches of frames are read
/// ahead.
ReadAhead read_ahead(const std::vector<std::string>& paths,
                     const io::ReadOptions& options, const io::TrajectoryInfo& info,
                     const io::FileFingerprints& files,
                     std::size_t memory_bytes = 1U << 30U, bool beside_gpus = false);

}  // namespace starhist::driver
