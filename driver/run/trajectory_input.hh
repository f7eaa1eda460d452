#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/run/frame_stream.hh"
#include "io/files/file_fingerprints.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Trajectory files that are read as one, by several threads. Its functions are for one
/// thread.
class TrajectoryInput {
 public:
  /// Opens the files, whose frames follow each other in the order of `paths`. Throws
  /// InputError as io::open_trajectory().
  TrajectoryInput(std::vector<std::string> paths, io::ReadOptions options);
  TrajectoryInput(const TrajectoryInput&) = delete;
  TrajectoryInput& operator=(const TrajectoryInput&) = delete;

  const io::TrajectoryInfo& info() const { return reader_->info(); }

  /// The reader, for single frames. Not to be used while there is a stream.
  io::TrajectoryReader& reader() { return *reader_; }

  /// The selected frames, which threads begin to read at once. One stream at a time; it
  /// must not outlive the input. Frames read ahead take at most an eighth of
  /// `memory_bytes`; beside GPUs several batches of frames are read ahead. Throws
  /// InputError when no frame is selected. `check`: ReadAhead::check.
  std::unique_ptr<FrameStream> stream(const FrameSelection& selection, BadFrames policy,
                                      std::size_t memory_bytes = 1U << 30U,
                                      bool beside_gpus = false,
                                      std::function<void(Frame&)> check = {});

  /// The same without frames at first: FrameStream::append() says which are read.
  std::unique_ptr<FrameStream> growing_stream(const FrameSelection& selection,
                                              BadFrames policy,
                                              std::size_t memory_bytes,
                                              bool beside_gpus,
                                              std::function<void(Frame&)> check);

  /// What the files want passed on of the frames of a block: of the selection, from
  /// `first` to `last`, those that a stream with `check` takes. `frames`: how many
  /// these are. Not to be used while there is a stream.
  io::PassedOn passed_on(const FrameSelection& selection, FrameIndex first,
                         FrameIndex last, std::uint32_t frames,
                         const std::function<void(const Frame&)>& check);

  /// The first file, also of those that name atoms, that has changed since it was
  /// opened; "" if none has.
  std::string changed_file() const { return files_.changed(); }

  /// One sentence for each selected frame that is left out: those that the stream
  /// skipped, and those within which a file ends.
  std::vector<std::string> left_out(const FrameSelection& selection,
                                    std::vector<std::string> skipped) const;

 private:
  const std::vector<std::string> paths_;
  const io::ReadOptions options_;
  const io::FileFingerprints files_;  // taken before the files are opened
  const std::unique_ptr<io::TrajectoryReader> reader_;
};

}  // namespace starhist::driver
