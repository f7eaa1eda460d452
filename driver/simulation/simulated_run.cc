#include "driver/simulation/simulated_run.hh"

#include <istream>
#include <iterator>
#include <ostream>

#include "codelets/core/base/error.hh"
#include "driver/ranks/packing.hh"

namespace starhist::driver {
namespace {

/// Raise it whenever the fields of a run or a result change.
constexpr std::uint32_t version_of_fields = 3;

[[noreturn]] void refuse_version() {
  throw InputError(
      "starhist and starhist-simulate are of different versions (build both from the "
      "same source: scripts/setup/build.sh simgrid)");
}

}  // namespace

STARHIST_FIELDS(SpeciesPair, first, second)
STARHIST_FIELDS(perfmodels::GpuProperties, capability, multiprocessors, clock,
                shared_bytes, single_to_double)
STARHIST_FIELDS(tasks::SubmissionSeconds, task, sample, new_block, new_byte,
                copied_byte)

template <class Archive>
void fields(Archive& archive, SimulatedRun& run) {
  auto& [layout, frame, options, ranks, cpu_workers, cpu_variant,
         seconds_to_read_a_frame, seconds_to_accept_a_frame, seconds_to_start,
         submission, gpus, trace] = run;
  archive(layout.species, layout.pairs, layout.bins.r_max, layout.bins.inverse_width,
          layout.bins.count, layout.bins.below);
  archive(options.frames, options.frames_per_block, options.memory_bytes,
          options.most_pairs_per_task, options.clusters, options.labels,
          options.record_tasks);
  archive(ranks, cpu_workers, cpu_variant, seconds_to_read_a_frame,
          seconds_to_accept_a_frame, seconds_to_start, submission, gpus, trace);
  archive(frame.box, frame.positions);
}

STARHIST_FIELDS(SimulatedResult, seconds, pairs, bytes_moved, scheduler, clustered,
                frames_per_batch, most_pairs_per_task, most_pairs_per_gpu_task,
                cpu_share, measured, estimated_pairs, workers)

namespace {

template <class Value>
void write(std::ostream& out, Value value) {  // a copy, because archives may change it
  Packer packer;
  std::uint32_t version = version_of_fields;
  packer(version);
  packer(value);
  out.write(packer.bytes.data(), static_cast<std::streamsize>(packer.bytes.size()));
}

template <class Value>
Value read(std::istream& in) {
  const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
  Unpacker unpacker(bytes);
  try {
    std::uint32_t version = 0;
    unpacker(version);
    Value value;
    if (version == version_of_fields) {
      unpacker(value);
      return value;
    }
  } catch (const InternalError&) {  // bytes are missing
  }
  refuse_version();
}

}  // namespace

void write_run(std::ostream& out, const SimulatedRun& run) {
  write(out, run);
}

SimulatedRun read_run(std::istream& in) {
  return read<SimulatedRun>(in);
}

void write_result(std::ostream& out, const SimulatedResult& result) {
  write(out, result);
}

SimulatedResult read_result(std::istream& in) {
  return read<SimulatedResult>(in);
}

}  // namespace starhist::driver
