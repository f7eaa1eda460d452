#include "driver/run/provenance.hh"

#include <algorithm>
#include <map>
#include <utility>

#include <sys/stat.h>

#include "driver/run/version.hh"
#include "io/files/file_identity.hh"
#include "io/files/local_time.hh"
#include "io/result/external_record.hh"

namespace starhist::driver {
namespace {

/// Adds the properties by which another run recognizes a file.
void add_file(const std::string& name, const std::string& path, io::RunRecord& record) {
  struct stat file {};
  record.emplace_back(name + " first bytes", io::first_bytes_text(path));
  if (stat(path.c_str(), &file) == 0) {
    record.emplace_back(name + " bytes", std::to_string(file.st_size));
    record.emplace_back(name + " modified (unix time)", std::to_string(file.st_mtime));
  }
}

void add_inputs(const TrajectoryRunSpec& spec, io::RunRecord& record) {
  for (std::size_t k = 0; k < spec.inputs.size(); ++k) {
    const std::string name = "input " + std::to_string(k + 1);
    record.emplace_back(name, spec.inputs[k]);
    add_file(name, spec.inputs[k], record);
    record.emplace_back(name + sampled_bytes, io::sampled_bytes_text(spec.inputs[k]));
  }
  for (const auto& [option, path] : {std::pair{"--structure", spec.reading.structure},
                                     {"--index", spec.reading.index},
                                     {"--aliases", spec.reading.aliases},
                                     {"--box", spec.reading.box_file}}) {
    if (!path.empty()) {
      const std::string name = file_entry + std::string(option);
      add_file(name, path, record);
      record.emplace_back(name + all_bytes, io::all_bytes_text(path));
    }
  }
}

/// Adds "frame step" if times select the frames: the distance between their numbers, 1
/// if it varies. `starhist merge` reads it before "option --step".
void add_stride(const FrameSelection& frames, io::RunRecord& record) {
  if (frames.among) {
    record.emplace_back("frame step", std::to_string(stride(frames).value_or(1)));
  }
}

/// Adds "option --step" unless it exists or is 1. `starhist merge` reads it to find
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

/// "run 2": "from frame 37 on, 2026-11-23 18:40:12 +0100"
void add_runs(const TrajectoryRunSpec& spec, const std::optional<ResumePoint>& point,
              io::RunRecord& record) {
  std::size_t runs = 0;
  if (point) {
    for (const auto& [name, value] : point->record) {
      if (name.starts_with("run ")) {
        record.emplace_back(name, value);
        ++runs;
      }
    }
  }
  const std::uint64_t frame = spec.frames.index(point ? point->next_number : 0);
  record.emplace_back(
      "run " + std::to_string(runs + 1),
      "from frame " + std::to_string(frame) + " on, " + io::local_time());
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

io::RunRecord identity_record(const TrajectoryRunSpec& spec,
                              const io::TrajectoryInfo& info) {
  io::RunRecord record{{"program", "starhist"}, {"version", version()}};
  add_inputs(spec, record);
  io::add_external_files(info.external_files, "", record);
  record.emplace_back("format", info.format);
  record.emplace_back("group", info.group);
  if (info.species_by != io::SpeciesBy::file) {
    record.emplace_back("species by", io::to_string(info.species_by));
  }
  record.emplace_back("frames selected",
                      info.stream && !spec.frames.last
                          ? "all that come"
                          : std::to_string(spec.frames.count(info.frame_count)));
  record.insert(record.end(), spec.as_written.begin(), spec.as_written.end());
  add_step(spec.frames.step, record);
  add_stride(spec.frames, record);
  return record;
}

io::RunRecord first_provenance(const TrajectoryRunSpec& spec,
                               const io::TrajectoryInfo& info,
                               const tasks::Runtime& runtime,
                               const std::optional<ResumePoint>& point) {
  io::RunRecord record = identity_record(spec, info);
  record.emplace_back(io::result_id,
                      point ? io::value_of(point->record, io::result_id).value_or("")
                            : io::new_result_id());
  record.emplace_back("scheduler", runtime.scheduler());
  record.emplace_back("workers", std::to_string(runtime.workers().size()));
  record.emplace_back("threads per worker",
                      std::to_string(runtime.threads_per_worker()));
  record.emplace_back("cpu variant", runtime.kernels().cpu_variant);
  for (std::size_t k = 0; k < info.remarks.size(); ++k) {
    record.emplace_back("remark " + std::to_string(k + 1), info.remarks[k]);
  }
  add_gpus(runtime, record);
  add_runs(spec, point, record);
  return record;
}

void add_warnings(const std::vector<std::string>& warnings, io::RunRecord& record) {
  std::size_t number = 1;
  while (io::value_of(record, io::warning_entry + std::to_string(number))) {
    ++number;
  }
  for (const std::string& warning : warnings) {
    record.emplace_back(io::warning_entry + std::to_string(number++), warning);
  }
}

io::RunRecord last_provenance(const RunSummary& result) {
  io::RunRecord record{
      {"frames left out",
       std::to_string(result.skipped_before + result.skipped_frames.size())},
      {"pairs evaluated", std::to_string(result.pairs - result.skipped_pairs)},
      {"pairs skipped between groups of particles beyond r_max",
       std::to_string(result.skipped_pairs)}};
  if (result.flat != Plane::none) {
    record.emplace_back(io::particles_in_plane, to_string(result.flat));
  }
  add_warnings(result.start_warnings, record);
  add_warnings(result.warnings, record);
  return record;
}

}  // namespace starhist::driver
