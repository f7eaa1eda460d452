#include "tasks/positions/batch_copies.hh"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "codelets/core/base/contract.hh"
#include "codelets/kernels/clusters/density_sample.hh"
#include "tasks/planning/labelled_plan.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::tasks {
namespace {

kernels::Bounds bounds_of(const GpuPositions::Extent& extent) {
  return {extent.low, extent.high};
}

/// Joins all particles of one species, frame by frame.
std::shared_ptr<double> joined(const std::vector<Frame>& frames,
                               codelets::GpuCopier& copier) {
  std::uint64_t particles = 0;
  for (const Frame& frame : frames) {
    particles += frame.particle_count();
  }
  std::shared_ptr<double> all = copier.allocate(3 * particles);
  double* next = all.get();
  for (std::uint32_t s = 0; s < frames.front().on_gpu->counts.size(); ++s) {
    for (const Frame& frame : frames) {
      const std::size_t numbers = 3 * frame.particle_count(SpeciesId(s));
      if (numbers > 0) {
        copier.copy(frame.on_gpu->of(SpeciesId(s)), next, numbers);
        next += numbers;
      }
    }
  }
  copier.wait();
  return all;
}

/// density_contrast() of the first frame with particles of the species; 1 without any.
double contrast_of(const std::vector<Frame>& frames, SpeciesId species,
                   codelets::GpuCopier& copier) {
  for (const Frame& frame : frames) {
    const std::uint64_t count = frame.particle_count(species);
    if (count > 0) {
      const std::vector<std::uint32_t> particles = kernels::sampled_particles(count);
      GpuArray positions;
      positions.data = frame.on_gpu->of(species);
      positions.particles = count;
      copier.set_order(particles);
      GpuPositions sample;
      const std::uint64_t number = particles.size();
      copier.gather(positions, {&number, 1}, sample);
      const std::vector<double> xyz = copier.fetch(sample.xyz.get(), 3 * number);
      return density_contrast(frame, {xyz.data(), number},
                              bounds_of(frame.on_gpu->extents[species.index()]));
    }
  }
  return 1.0;
}

/// With GPUs some cores are free for copying; without, all cores count.
unsigned copying_threads(const Runtime& runtime) {
  const unsigned most = std::max(10U, 5 * static_cast<unsigned>(runtime.gpus()));
  return runtime.cuda_workers() > 0
             ? std::clamp(std::thread::hardware_concurrency() / 2, 1U, most)
             : 1;
}

PositionFacts facts_for(const BatchPlan& plan) {
  return plan.most_pairs_per_gpu_task == 0 ? PositionFacts::none
         : plan.clustered                  ? PositionFacts::bounds_and_contrasts
                                           : PositionFacts::bounds;
}

/// Runs `take` in another thread if there are GPUs. Without GPUs all cores count,
/// and the time of a simulated copy is added to simulated time only.
template <class Take>
std::future<BatchPositions> run_beside(const Runtime& runtime, const Take& take) {
  if (runtime.cuda_workers() > 0 && !simulated()) {
    try {
      return std::async(std::launch::async, take);
    } catch (const std::system_error&) {
      // The system refuses more threads.
    }
  }
  std::promise<BatchPositions> taken;
  taken.set_value(take());
  return taken.get_future();
}

}  // namespace

codelets::GpuCopier& GpuBatches::copier_of(const std::vector<Frame>& frames) {
  const int gpu = frames.front().on_gpu->gpu;
  std::unique_ptr<codelets::GpuCopier>& copier = copiers_[gpu];
  if (!copier) {
    copier = codelets::make_gpu_copier(gpu);
  }
  return *copier;
}

BatchPositions GpuBatches::take(const std::vector<Frame>& frames, bool with_contrasts) {
  codelets::GpuCopier& copier = copier_of(frames);
  BatchPositions batch;
  batch.gpu_memory =
      frames.size() == 1 ? frames.front().on_gpu->xyz : joined(frames, copier);
  double* next = batch.gpu_memory.get();
  for (std::uint32_t s = 0; s < frames.front().on_gpu->counts.size(); ++s) {
    std::size_t numbers = 0;
    for (const Frame& frame : frames) {
      numbers += 3 * frame.particle_count(SpeciesId(s));
    }
    batch.handles.push_back(
        numbers == 0 ? DataHandle() : make_vector_handle(next, numbers, copier.node()));
    next += numbers;
    if (with_contrasts) {
      batch.density_contrasts.push_back(contrast_of(frames, SpeciesId(s), copier));
    }
  }
  for (const Frame& frame : frames) {
    auto& bounds = batch.bounds.emplace_back();
    for (const GpuPositions::Extent& extent : frame.on_gpu->extents) {
      bounds.push_back(bounds_of(extent));
    }
  }
  return batch;
}

void BegunBatch::wait_for_copy() const {
  if (positions.valid()) {
    positions.wait();
  }
  const double wait = copied_at - seconds_now();
  if (simulated() && wait > 0.0) {
    sleep_for_seconds(wait);
  }
}

bool BegunBatch::is_copied() const {
  return positions.valid() &&
         positions.wait_for(std::chrono::seconds(0)) == std::future_status::ready &&
         (!simulated() || seconds_now() >= copied_at);
}

BatchCopies::BatchCopies(const Runtime& runtime, const HistogramLayout& layout,
                         const PairExclusions& exclusions, const LabelledPairs& labels,
                         PinnedPool& memory)
    : runtime_(runtime),
      layout_(layout),
      exclusions_(exclusions),
      labels_(labels),
      memory_(memory),
      copying_threads_(copying_threads(runtime)) {}

std::unique_ptr<BegunBatch> BatchCopies::begin(std::vector<Frame>&& frames,
                                               RowPart rows, bool same_frame,
                                               const BatchPlan& plan) {
  STARHIST_EXPECT(!frames.empty(), "a batch has a frame");
  STARHIST_EXPECT(std::all_of(frames.begin(), frames.end(),
                              [&frames](const Frame& frame) {
                                return frame.box.kind() == frames.front().box.kind() &&
                                       (frame.on_gpu == nullptr) ==
                                           (frames.front().on_gpu == nullptr);
                              }),
                  "frames of a batch have boxes of one kind and are in one memory");
  STARHIST_EXPECT(rows.number < rows.count, "a part is one of count parts");
  STARHIST_EXPECT(!same_frame || frames.size() == 1, "a divided frame is a batch");
  auto batch = std::make_unique<BegunBatch>();
  batch->frames = std::move(frames);
  batch->rows = rows;
  batch->same_frame = same_frame;
  batch->plan = plan;
  if (same_frame || batch->frames.front().on_gpu != nullptr) {
    return batch;
  }
  if (!labels_.empty() && wanted_species_.empty()) {
    wanted_species_ = species_besides(layout_, exclusions_, labels_);
  }
  const auto take = [this, facts = facts_for(plan), &own = *batch] {
    return take_positions(own.frames, copying_threads_, memory_, facts,
                          own.plan.frames_per_batch, wanted_species_);
  };
  batch->positions = run_beside(runtime_, take);
  batch->copied_at = end_of_simulated_copies();
  return batch;
}

std::shared_ptr<PreparedPositions> BatchCopies::take(BegunBatch& batch) {
  batch.wait_for_copy();
  if (batch.same_frame) {
    STARHIST_EXPECT(divided_ != nullptr, "the previous batch has divided this frame");
    return divided_;
  }
  if (divided_ != nullptr) {
    divided_->release_sorted();
    divided_.reset();
  }
  auto prepared = std::make_shared<PreparedPositions>();
  prepared->positions = batch.frames.front().on_gpu != nullptr
                            ? gpu_batches_.take(batch.frames, batch.plan.clustered)
                            : batch.positions.get();
  if (!batch.rows.all()) {
    divided_ = prepared;
  }
  return prepared;
}

}  // namespace starhist::tasks
