#include "driver/run/frames/read_ahead.hh"

#include <algorithm>
#include <thread>

namespace starhist::driver {

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
