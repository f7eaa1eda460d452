#include "codelets/gpu_scratch.hh"
#include "codelets/sort_positions_cuda.hh"
#include "tasks/submission/batch_submitter.hh"
#include "tests/support/catch.hh"

namespace starhist {
namespace {

using codelets::gpu_sort_bytes;
using codelets::GpuScratch;

HistogramLayout layout_of_species(std::size_t species) {
  HistogramLayout layout;
  layout.species.resize(species);
  layout.pairs = all_pairs(species);
  layout.bins = make_bins(1.0, 10);
  return layout;
}

Frame frame_of(std::initializer_list<std::size_t> particles) {
  Frame frame;
  for (const std::size_t count : particles) {
    frame.positions.emplace_back(3 * count, 0.0);
  }
  return frame;
}

// All of these numbers are 0 without CUDA.
TEST_CASE("scratch memory: for the frames that share a task, and to sort a batch") {
  tasks::BatchPlan plan;
  plan.frames_per_batch = 10;
  plan.most_pairs_per_gpu_task = 14'999;  // of 4950 pairs: three frames, and one more
  CHECK(tasks::scratch_bytes(layout_of_species(1), frame_of({100}), plan) ==
        std::max(GpuScratch::bytes_for(4, 100, 0), gpu_sort_bytes(1000)));
  plan.frames_per_batch = 2;  // not more than the batch has
  CHECK(tasks::scratch_bytes(layout_of_species(1), frame_of({100}), plan) ==
        std::max(GpuScratch::bytes_for(2, 100, 0), gpu_sort_bytes(200)));
}

TEST_CASE("scratch memory: for the species pair that needs most") {
  tasks::BatchPlan plan;
  plan.frames_per_batch = 1;
  plan.most_pairs_per_gpu_task = 1'000'000'000;
  CHECK(tasks::scratch_bytes(layout_of_species(2), frame_of({1000, 3000}), plan) ==
        std::max({GpuScratch::bytes_for(1, 1000, 0), GpuScratch::bytes_for(1, 3000, 0),
                  GpuScratch::bytes_for(1, 1000, 3000), gpu_sort_bytes(3000)}));
}

TEST_CASE("scratch memory: beyond 1 GiB only for a single frame") {
  tasks::BatchPlan plan;
  plan.frames_per_batch = 64;
  plan.most_pairs_per_gpu_task = UINT64_MAX / 2;
  const Frame frame = frame_of({2'000'000});
  constexpr std::size_t gibibyte = std::size_t{1} << 30U;
  const std::size_t together =
      std::min(GpuScratch::most_frames(), plan.frames_per_batch);
  CHECK(tasks::scratch_bytes(layout_of_species(1), frame, plan) ==
        std::max({GpuScratch::bytes_for(1, 2'000'000, 0),
                  std::min(GpuScratch::bytes_for(together, 2'000'000, 0), gibibyte),
                  gpu_sort_bytes(64 * std::size_t{2'000'000})}));
}

}  // namespace
}  // namespace starhist
