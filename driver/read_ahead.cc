#include "driver/read_ahead.hh"

#include <algorithm>
#include <thread>

namespace starhist {

ReadAhead read_ahead(const std::vector<std::string>& paths, const ReadOptions& options,
                     const TrajectoryInfo& info, const FileStates& files,
                     std::size_t memory_bytes) {
  ReadAhead ahead;
  ahead.open_another = [&] {
    auto reader = open_trajectory(paths, options);
    files.check();
    return reader;
  };
  const unsigned cores = std::thread::hardware_concurrency();
  ahead.most_readers = info.in_order ? 1 : std::clamp(cores / 2, 2U, 8U);
  ahead.most_bytes_of_readers =
      std::min(ahead.most_bytes_of_readers, memory_bytes / 16);
  // Enough that nobody sleeps after each small frame.
  ahead.most_bytes = std::min<std::size_t>(1U << 19U, memory_bytes / 16);
  return ahead;
}

}  // namespace starhist
