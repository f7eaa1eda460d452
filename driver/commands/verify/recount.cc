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
#include "driver/run/second_axis_run.hh"
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

BlockCounts count_definition(FrameSource& source, const PairsOfBlock& pairs) {
  BlockCounts recount = empty_block(pairs.layout, BlockIndex(0));
  while (const std::optional<Frame> frame = source.next()) {
    add_frame(pairs.layout.region, facts_of(pairs.layout, pairs.exclusions, *frame),
              recount);
    count_by_definition(pairs.layout, pairs.info, pairs.exclusions, *frame, recount);
    if (!pairs.layout.second) {
      continue;
    }
    if (pairs.vectors != nullptr) {
      pairs.vectors->read(*frame);
    }
    count_second_by_definition(pairs.layout, pairs.info, pairs.exclusions,
                               pairs.vectors, *frame, recount);
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

Recount::Recount(Recounter recounter, const HistogramLayout& layout,
                 const std::vector<CountedRun>& runs) {
  if (recounter == Recounter::definition) {
    method_ =
        "a double loop over particles in double precision, the definition of the "
        "counts";
    return;
  }
  const bool gpu = recounter == Recounter::gpu;
  const bool heights = layout.second && layout.second->along_normal();
  if (gpu && (heights || !layout.bins.uniform())) {
    throw InputError(std::string("--with gpu: GPUs do not count ") +
                     (heights ? "separations along the normal of a plane"
                              : "bins of unequal width") +
                     ": give --with cpu or --with reference");
  }
  const std::string no_gpu =
      "--with gpu: no GPU was found: give --with cpu or --with reference";
  if (gpu && !tasks::expect_gpus()) {
    throw InputError(no_gpu);
  }
  tasks::KernelChoice kernels{layout.bins.count_from_zero()};
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
  // Cores count a share of the pairs by second axis.
  settings.cpu_workers = gpu && !layout.second ? 0 : -1;
  settings.all_cores = layout.second.has_value();
  settings.gpus = gpu ? -1 : 0;
  runtime_.emplace(tasks::CpuMode::core, kernels, settings);
  if (gpu && runtime_->gpus() == 0) {
    throw InputError(no_gpu);
  }
  method_ = gpu ? "the kernels of " + workers_text(*runtime_)
                : "kernel " + runtime_->kernels().cpu_variant + " on CPUs";
}

BlockCounts Recount::count(FrameSource& source, const PairsOfBlock& pairs) {
  return runtime_ ? count_with_kernels(source, pairs) : count_definition(source, pairs);
}

BlockCounts Recount::count_with_kernels(FrameSource& source,
                                        const PairsOfBlock& pairs) {
  RunSpec spec{pairs.layout, pairs.exclusions, {}};
  spec.options.frames = pairs.frames;
  spec.options.frames_per_block = pairs.frames;
  spec.options.memory_bytes = machine_memory() / 2;
  std::optional<BlockCounts> recount;
  const auto keep = [&](BlockCounts&& counted) { recount = std::move(counted); };
  if (pairs.layout.second) {
    count_second_axis(source, *runtime_, spec, pairs.vectors, keep, {});
  } else {
    count_frames(source, *runtime_, spec, keep);
  }
  return recount.value();
}

}  // namespace starhist::driver
