#include "driver/commands/verify/recount.hh"

#include <algorithm>
#include <set>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/machine_memory.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_facts.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/commands/verify/definition.hh"
#include "driver/report/abort_message.hh"
#include "driver/run/counting_run.hh"
#include "tasks/runtime/gpus.hh"

namespace starhist::driver {
namespace {

/// The fastest variant of this processor that has not counted any of the runs; ""
/// without one.
std::string other_variant(const std::vector<CountedRun>& runs) {
  std::set<std::string> used;
  for (const CountedRun& run : runs) {
    used.insert(run.recorded("cpu variant"));
  }
  for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
    if (variant.supported && !used.contains(variant.name)) {
      return variant.name;
    }
  }
  return "";
}

/// The frames of a block, read again in their order.
class BlockFrames : public FrameSource {
 public:
  BlockFrames(const BlockCounts& block, ReopenedRun& run) : block_(block), run_(run) {}

  std::optional<Frame> next() override {
    if (next_ == block_.counted.size()) {
      return std::nullopt;
    }
    return run_.read(block_.counted[next_++].index);
  }
  std::uint64_t passed() const override { return next_; }

 private:
  const BlockCounts& block_;
  ReopenedRun& run_;
  std::size_t next_ = 0;
};

BlockCounts count_definition(const BlockCounts& block, ReopenedRun& run) {
  BlockCounts recount = empty_block(run.layout(), block.index);
  BlockFrames frames(block, run);
  while (const std::optional<Frame> frame = frames.next()) {
    add_frame(run.layout().region, facts_of(run.layout(), run.exclusions(), *frame),
              recount);
    count_by_definition(run.layout(), run.info(), run.exclusions(), *frame, recount);
  }
  check_conservation(recount);
  return recount;
}

/// Names of the GPUs, and the number of cores that work alongside them.
std::string workers_text(const tasks::Runtime& runtime) {
  std::set<std::string> devices;
  for (const tasks::Worker& worker : runtime.workers()) {
    if (worker.cuda) {
      devices.insert(worker.device);
    }
  }
  const std::size_t cores = runtime.cpu_workers();
  return join({devices.begin(), devices.end()}, ", ") +
         (cores > 0 ? " and " + std::to_string(cores) + " cores (STARPU_NCPU)" : "");
}

}  // namespace

Recounter parse_recounter(const std::string& name) {
  if (name.empty()) {
    return Recounter::automatic;
  }
  if (name == "reference") {
    return Recounter::definition;
  }
  if (name == "cpu" || name == "gpu") {
    return name == "cpu" ? Recounter::cpu : Recounter::gpu;
  }
  throw InputError("--with '" + name + "' is not one of reference, cpu, gpu");
}

bool has_other_variant(const std::vector<CountedRun>& runs) {
  return !other_variant(runs).empty();
}

Recount::Recount(Recounter recounter, const UniformBins& bins,
                 const std::vector<CountedRun>& runs) {
  if (recounter == Recounter::definition) {
    method_ = "the definition (a double loop over particles in double precision)";
    return;
  }
  const bool gpu = recounter == Recounter::gpu;
  if (gpu && !bins.uniform()) {
    throw InputError(
        "--with gpu: GPUs do not count bins of unequal width: give --with "
        "cpu or --with reference");
  }
  const std::string no_gpu =
      "--with gpu: no GPU was found: give --with cpu or --with reference";
  if (gpu && !tasks::expect_gpus()) {
    throw InputError(no_gpu);
  }
  tasks::KernelChoice kernels{bins.count_from_zero()};
  if (!gpu) {
    kernels.cpu_variant = other_variant(runs);
    if (kernels.cpu_variant.empty()) {
      throw InputError("--with cpu: " + runs.front().result->path +
                       " was counted with every kernel variant that this processor "
                       "has: give --with reference");
    }
  }
  set_starpu_defaults(tasks::CpuMode::core);
  const AbortMessage last_words(
      "StarPU could not start (memory may have run out, or a folder may not be "
      "writable: see the lines above)");
  tasks::StarpuSettings settings;
  settings.cpu_workers = gpu ? 0 : -1;
  settings.gpus = gpu ? -1 : 0;
  runtime_.emplace(tasks::CpuMode::core, kernels, settings);
  if (gpu && runtime_->gpus() == 0) {
    throw InputError(no_gpu);
  }
  method_ = gpu ? "the kernels of " + workers_text(*runtime_)
                : "kernel " + runtime_->kernels().cpu_variant + " on CPUs";
}

BlockCounts Recount::count(const BlockCounts& block, ReopenedRun& run) {
  return runtime_ ? count_with_kernels(block, run) : count_definition(block, run);
}

BlockCounts Recount::count_with_kernels(const BlockCounts& block, ReopenedRun& run) {
  RunSpec spec{run.layout(), run.exclusions(), {}};
  spec.options.frames = block.frames;
  spec.options.frames_per_block = block.frames;
  spec.options.memory_bytes = machine_memory() / 2;
  BlockFrames frames(block, run);
  std::optional<BlockCounts> recount;
  count_frames(frames, *runtime_, spec,
               [&](BlockCounts&& counted) { recount = std::move(counted); });
  return recount.value();
}

}  // namespace starhist::driver
