#include "driver/run/provenance.hh"

#include <algorithm>
#include <map>

#include <sys/stat.h>

#include "driver/run/version.hh"

namespace starhist::driver {
namespace {

void add_inputs(const std::vector<std::string>& paths, io::RunRecord& record) {
  for (std::size_t k = 0; k < paths.size(); ++k) {
    struct stat file {};
    const std::string name = "input " + std::to_string(k + 1);
    record.emplace_back(name, paths[k]);
    if (stat(paths[k].c_str(), &file) == 0) {
      record.emplace_back(name + " bytes", std::to_string(file.st_size));
      record.emplace_back(name + " modified (unix time)",
                          std::to_string(file.st_mtime));
    }
  }
}

/// Adds "option --step" unless it is there or 1. `starhist merge` reads it to find
/// frames that two results share.
void add_step(std::uint64_t step, io::RunRecord& record) {
  const char* const name = "option --step";
  const bool known = std::any_of(record.begin(), record.end(), [&](const auto& entry) {
    return entry.first == name;
  });
  if (step != 1 && !known) {
    record.emplace_back(name, std::to_string(step));
  }
}

void add_gpus(const tasks::Runtime& runtime, io::RunRecord& record) {
  std::map<int, std::string> gpus;  // a GPU may have several workers
  for (const tasks::Worker& worker : runtime.workers()) {
    if (worker.cuda) {
      gpus[worker.gpu] = worker.device;
    }
  }
  for (const auto& [number, device] : gpus) {
    record.emplace_back("GPU " + std::to_string(number), device);
  }
}

}  // namespace

io::RunRecord first_provenance(const TrajectoryRunSpec& spec,
                               const io::TrajectoryInfo& info,
                               const tasks::Runtime& runtime) {
  io::RunRecord record{{"program", "starhist"}, {"version", version()}};
  add_inputs(spec.inputs, record);
  record.emplace_back("format", info.format);
  record.emplace_back("group", info.group);
  record.insert(record.end(), spec.as_written.begin(), spec.as_written.end());
  add_step(spec.frames.step, record);
  record.emplace_back("scheduler", runtime.scheduler());
  record.emplace_back("workers", std::to_string(runtime.workers().size()));
  record.emplace_back("threads per worker",
                      std::to_string(runtime.threads_per_worker()));
  record.emplace_back("cpu variant", runtime.kernels().cpu_variant);
  add_gpus(runtime, record);
  return record;
}

io::RunRecord last_provenance(const RunResult& result) {
  return {{"frames left out", std::to_string(result.skipped_frames.size())},
          {"pairs evaluated", std::to_string(result.pairs - result.skipped_pairs)},
          {"pairs out of range tile by tile", std::to_string(result.skipped_pairs)}};
}

}  // namespace starhist::driver
