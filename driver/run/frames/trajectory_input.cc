#include "driver/run/frames/trajectory_input.hh"

#include <algorithm>
#include <thread>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/text/text_index_store.hh"

namespace starhist::driver {
namespace {

/// Options that make the readers of one trajectory share the indexes of text files.
io::ReadOptions with_shared_indexes(io::ReadOptions options) {
  if (!options.text_indexes) {
    options.text_indexes = std::make_shared<io::TextIndexStore>();
  }
  return options;
}

/// The trajectory files and the files with their atoms and boxes.
std::vector<std::string> all_files(std::vector<std::string> paths,
                                   const io::ReadOptions& options) {
  for (const std::string& path :
       {options.structure, options.index, options.aliases, options.box_file}) {
    if (!path.empty()) {
      paths.push_back(path);
    }
  }
  return paths;
}

/// True if a stream with this check accepts the frame.
bool is_usable(io::TrajectoryReader& reader, FrameIndex index,
               const std::function<void(const Frame&)>& check, Frame& scratch) {
  try {
    reader.read(index, scratch);
    check(scratch);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

TrajectoryInput::TrajectoryInput(std::vector<std::string> paths,
                                 io::ReadOptions options)
    : paths_(std::move(paths)),
      options_(with_shared_indexes(std::move(options))),
      files_(all_files(paths_, options_)),
      reader_(io::open_trajectory(paths_, options_)) {}

std::unique_ptr<FrameStream> TrajectoryInput::stream(
    const FrameSelection& selection, BadFrames policy, std::size_t memory_bytes,
    bool beside_gpus, std::function<void(Frame&)> check) {
  ReadAhead ahead =
      read_ahead(paths_, options_, info(), files_, memory_bytes, beside_gpus);
  ahead.check = std::move(check);
  return std::make_unique<FrameStream>(*reader_, selection, policy, std::move(ahead));
}

std::unique_ptr<FrameStream> TrajectoryInput::growing_stream(
    const FrameSelection& selection, BadFrames policy, std::size_t memory_bytes,
    bool beside_gpus, std::function<void(Frame&)> check) {
  ReadAhead ahead =
      read_ahead(paths_, options_, info(), files_, memory_bytes, beside_gpus);
  ahead.check = std::move(check);
  return std::make_unique<FrameStream>(*reader_, selection, policy, std::move(ahead),
                                       FrameStream::Growing());
}

io::PassedOn TrajectoryInput::passed_on(
    const FrameSelection& selection, FrameIndex first, FrameIndex last,
    std::uint32_t frames, const std::function<void(const Frame&)>& check) {
  const std::uint64_t end = selection.number_of(last.get()) + 1;
  const std::uint64_t begin = selection.number_of(first.get());
  const bool all = end - begin == frames;
  io::PassedOn block;
  Frame scratch;
  for (std::uint64_t number = begin; number < end; ++number) {
    const FrameIndex index(selection.index(number));
    if (all || is_usable(*reader_, index, check, scratch)) {
      append(block, reader_->passed_on(index));
    }
  }
  return block;
}

std::vector<std::string> TrajectoryInput::left_out(
    const FrameSelection& selection, std::vector<std::string> skipped) const {
  if (selection.last.value_or(info().frame_count) >= info().frame_count) {
    skipped.insert(skipped.end(), info().truncation.begin(), info().truncation.end());
  }
  return skipped;
}

unsigned most_readers(const io::TrajectoryInfo& info, unsigned cores,
                      bool beside_gpus) {
  if (info.sequential_only) {
    return 1;
  }
  // A core decompresses 600 to 900 frames of 20 000 particles per second, and a GPU may
  // count ten times as many. The other cores drive GPUs and copy frames.
  return beside_gpus && info.decompresses ? std::clamp(cores / 4 * 3, 2U, 96U)
                                          : std::clamp(cores / 2, 2U, 8U);
}

ReadAhead read_ahead(const std::vector<std::string>& paths,
                     const io::ReadOptions& options, const io::TrajectoryInfo& info,
                     const io::FileFingerprints& files, std::size_t memory_bytes,
                     bool beside_gpus) {
  ReadAhead ahead;
  ahead.open_another = [&] {
    auto reader = io::open_trajectory(paths, options);
    files.check();
    return reader;
  };
  ahead.most_readers =
      most_readers(info, std::thread::hardware_concurrency(), beside_gpus);
  ahead.most_bytes_of_readers =
      std::min(ahead.most_bytes_of_readers, memory_bytes / 16);
  // Enough that threads need not sleep after each small frame. With GPUs, enough for
  // several GPU batches while one is submitted, and for two batches per reader.
  const std::size_t wanted = beside_gpus ? 1U << 27U : 1U << 19U;
  ahead.most_bytes = std::min(wanted, memory_bytes / 16);
  ahead.all_at_once = beside_gpus;
  if (info.stream) {
    ahead.most_bytes = 0;  // frames are counted on arrival
  }
  return ahead;
}

}  // namespace starhist::driver
