#include "tasks/planning/plan_memory.hh"

#include <algorithm>
#include <sstream>
#include <string>

#include "codelets/core/base/error.hh"

namespace starhist::tasks {
namespace {

std::string gibibytes(double bytes) {
  std::ostringstream text;
  text.precision(3);
  text << bytes / (1ULL << 30U) << " GiB";
  return text.str();
}

std::uint64_t at_least_one(double number) {
  return static_cast<std::uint64_t>(std::clamp(number, 1.0, 1e18));
}

/// StarPU allocates memory in chunks of 32 MiB, needs some slack, and waits forever for
/// memory that it cannot get.
double usable_gpu_memory(std::uint64_t bytes) {
  constexpr double chunks = 64.0 * (1U << 20U);
  return 0.8 * static_cast<double>(bytes) - chunks;
}

void limit_batches(std::uint64_t most, BatchPlan& plan) {
  plan.batches_in_flight = std::min(plan.batches_in_flight, most);
  plan.batches_of_cpus = std::min(plan.batches_of_cpus, most - plan.batches_in_flight);
}

/// Copies of the positions: as read, in spatial order, and on GPUs for sorting and
/// clusters.
double copies_of_positions(const CountingSpeeds& speeds, double streams_per_gpu) {
  constexpr double scratch = 2.5;  // per stream
  if (!speeds.clustered()) {
    return 1.0;
  }
  return speeds.gpus == 0 ? 2.0 : 2.0 + scratch * streams_per_gpu;
}

}  // namespace

PlanMemory::PlanMemory(const MachineSpeeds& machine, const Workload& work,
                       const CountingSpeeds& speeds, std::uint64_t memory_bytes)
    : gpus_(speeds.gpus > 0),
      least_gpu_batches_(work.on_gpu ? 4.0 : 2.0),
      particles_(work.particles),
      gpu_memory_(machine.gpu_memory),
      memory_(memory_bytes) {
  const auto streams = static_cast<double>(machine.streams_per_gpu);
  const double counts_bytes = 8.0 * static_cast<double>(work.bins + 1) *
                              static_cast<double>(work.species_pairs);
  // One replica for each stream of a GPU, and one more while replicas are added up.
  gpu_block_bytes_ = (streams + 1.0) * counts_bytes;
  const auto pairs = static_cast<double>(work.species_pairs);
  // One replica for each worker, the sum, and the copy to be written; also StarPU's
  // records of a species pair.
  constexpr double pair_block_bytes = 22'000.0;
  block_bytes_ =
      static_cast<double>(speeds.workers + speeds.gpus * machine.streams_per_gpu + 2) *
          counts_bytes +
      pair_block_bytes * pairs;
  // Pairs with a label per particle: the sum, which has no replicas, and the copy to be
  // written.
  const auto labelled_pairs = static_cast<double>(work.labelled_species_pairs);
  const double labelled_bytes =
      8.0 * static_cast<double>(work.bins + 1) * labelled_pairs;
  block_bytes_ += 2.0 * labelled_bytes;
  // For the whole run: names, running tasks, groups of the result. Measured with 7260
  // and 20 100 species pairs: 26 to 29 kB each with one open block, 49 to 50 with two,
  // StarPU 1.4.10 (1.3.10 takes a third).
  constexpr double pair_bytes = 6000.0;
  constexpr double labelled_pair_bytes = 600.0;  // names, vectors, numbers of a block
  // Blocks besides the open ones: the sum of the run, the counts of a block before its
  // last checkpoint, and one that waits to be written, or a checkpoint's bytes. Edges
  // and centres of bins, volumes of shells and g(r) of a pair.
  constexpr double closed_blocks = 3.0;
  constexpr double bin_bytes = 32.0;
  run_bytes_ = pair_bytes * pairs + labelled_pair_bytes * labelled_pairs +
               closed_blocks * (counts_bytes + labelled_bytes) +
               bin_bytes * static_cast<double>(work.bins);
  private_bytes_ = 4.0 * static_cast<double>(work.bins + 33) *
                   static_cast<double>(speeds.workers * machine.threads_per_worker);
  constexpr double slice_bytes = 600.0;  // of a frame and species pair in a task
  position_bytes_ = 24.0 * static_cast<double>(particles_);
  frame_bytes_ =
      copies_of_positions(speeds, streams) * position_bytes_ + slice_bytes * pairs;
  if (work.labelled_groups > 0) {
    constexpr double prepared_bytes = 16.0;  // of a particle in a task
    prepared_frame_bytes_ =
        prepared_bytes * static_cast<double>(particles_) *
        static_cast<double>(std::min(speeds.workers, work.labelled_groups));
  }
}

std::uint64_t PlanMemory::most_frames_per_batch() const {
  constexpr double most_coordinates = 4294967295.0;  // StarPU counts in 32 bits
  const auto memory = static_cast<double>(memory_);
  const double most_batch_bytes =
      std::min((memory - run_bytes_ - private_bytes_ - block_bytes_) /
                   (16.0 + prepared_frame_bytes_ / std::max(frame_bytes_, 1.0)),
               gpus_ ? usable_gpu_memory(gpu_memory_) / 8.0 : memory);
  const double coordinates =
      3.0 * static_cast<double>(std::max<std::uint64_t>(particles_, 1));
  return std::min(at_least_one(most_batch_bytes / frame_bytes_),
                  at_least_one(most_coordinates / coordinates));
}

void PlanMemory::fit(BatchPlan& plan) {
  const double batch_bytes = frame_bytes_ * static_cast<double>(plan.frames_per_batch);
  private_bytes_ += prepared_frame_bytes_ * static_cast<double>(plan.frames_per_batch);
  fit_into_main_memory(batch_bytes, plan);
  if (gpus_) {
    fit_into_gpu(batch_bytes, plan);
  }
  plan.bytes = static_cast<std::uint64_t>(
      run_bytes_ + private_bytes_ +
      static_cast<double>(plan.open_blocks) * block_bytes_ +
      static_cast<double>(plan.batches_in_flight + plan.batches_of_cpus) * batch_bytes +
      waiting_bytes(plan));
}

/// A batch is held twice during submission, with GPUs also the next one while it is
/// copied, and two frames wait in the reader.
double PlanMemory::waiting_bytes(const BatchPlan& plan) const {
  const auto batch = static_cast<double>(plan.frames_per_batch);
  const double frames = (gpus_ ? 2.0 : 1.0) * batch + 2.0;
  return std::max(3.0 * batch * frame_bytes_, frames * position_bytes_);
}

/// Half of the spare memory goes to batches, half to open blocks.
void PlanMemory::fit_into_main_memory(double batch_bytes, BatchPlan& plan) const {
  const auto memory = static_cast<double>(memory_);
  const double least =
      run_bytes_ + private_bytes_ + block_bytes_ + batch_bytes + waiting_bytes(plan);
  if (least > memory) {
    throw InputError("this run needs at least " + gibibytes(least) +
                     " of memory, --memory allows " + gibibytes(memory) +
                     " (raise it, or use fewer bins, pairs or workers)");
  }
  const auto affordable = [&](double bytes_each, double budget) {
    return static_cast<std::uint64_t>(
        std::clamp(budget / std::max(bytes_each, 1.0), 0.0, 1e6));
  };
  const double spare = memory - least;
  limit_batches(1 + affordable(batch_bytes, 0.5 * spare), plan);
  plan.open_blocks = std::min(1 + plan.batches_in_flight + plan.batches_of_cpus,
                              1 + affordable(block_bytes_, 0.5 * spare));
}

/// A GPU holds the counts of open blocks and the positions of batches in flight. If
/// frames are on the GPU, it also holds frames that wait for their batch to fill, and
/// their copy.
void PlanMemory::fit_into_gpu(double batch_bytes, BatchPlan& plan) const {
  const double usable = usable_gpu_memory(gpu_memory_);
  const double least = gpu_block_bytes_ + least_gpu_batches_ * batch_bytes;
  const auto memory = static_cast<double>(gpu_memory_);
  if (least > usable) {
    throw InputError("a GPU with " + gibibytes(memory) +
                     " of free memory cannot take part in this run, which needs " +
                     gibibytes(memory + (least - usable) / 0.8) +
                     " there (STARPU_NCUDA=0 leaves the GPUs out; or use fewer bins or "
                     "pairs)");
  }
  const double spare = usable - least;
  plan.open_blocks = std::min<std::uint64_t>(
      plan.open_blocks, 1 + static_cast<std::uint64_t>(0.5 * spare / gpu_block_bytes_));
  limit_batches(
      2 + static_cast<std::uint64_t>(0.5 * spare / std::max(batch_bytes, 1.0)), plan);
}

}  // namespace starhist::tasks
