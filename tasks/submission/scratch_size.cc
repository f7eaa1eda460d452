#include "tasks/submission/scratch_size.hh"

#include <algorithm>

#include "codelets/gpu_scratch.hh"
#include "codelets/sort_positions_cuda.hh"

namespace starhist::tasks {

std::size_t scratch_bytes(const HistogramLayout& layout, const Frame& frame,
                          const BatchPlan& plan) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30U;
  std::size_t bytes = 0;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair& pair = layout.pairs[p];
    const std::uint64_t pairs =
        std::max<std::uint64_t>(pair_count(layout, frame, PairId(p)), 1);
    const std::uint64_t together =
        std::min({plan.most_pairs_per_gpu_task / pairs + 1,
                  codelets::GpuScratch::most_frames(), plan.frames_per_batch});
    const auto bytes_for = [&](std::uint64_t count) {
      return codelets::GpuScratch::bytes_for(
          count, frame.particle_count(pair.first),
          pair.like() ? 0 : frame.particle_count(pair.second));
    };
    bytes = std::max({bytes, bytes_for(1), std::min(bytes_for(together), most_bytes)});
  }
  for (std::uint32_t s = 0; s < layout.species.size(); ++s) {
    bytes =
        std::max(bytes, codelets::gpu_sort_bytes(plan.frames_per_batch *
                                                 frame.particle_count(SpeciesId(s))));
  }
  return bytes;
}

}  // namespace starhist::tasks
