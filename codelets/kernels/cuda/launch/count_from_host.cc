#include "codelets/kernels/cuda/launch/count_from_host.hh"

#include <vector>

#include "codelets/kernels/cuda/cluster_records.hh"
#include "codelets/kernels/cuda/launch/device_array.hh"

namespace starhist::kernels::cuda {

void count_from_host(std::span<const PairBlock> blocks, Variant variant,
                     std::uint64_t* counts) {
  const DeviceArray<std::uint64_t> sums(counts, blocks.front().bins->count + 1ULL);
  std::vector<DeviceArray<double>> positions;
  std::vector<PairBlock> on_device(blocks.begin(), blocks.end());
  std::vector<Bounds> bounds(blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    for (PositionSpan* span : {&on_device[k].first, &on_device[k].second}) {
      bounds[k].add(*span, 0, span->count);
      positions.emplace_back(span->xyz, 3 * span->count);
      span->xyz = positions.back().get();
    }
  }
  std::size_t bytes = 0;
  for (const PairBlock& block : blocks) {
    bytes += scratch_bytes(1, block.first.count, block.second.count);
  }
  const std::vector<char> nothing(bytes);
  const DeviceArray<char> scratch(nothing.data(), bytes);
  check(count_pairs(on_device, bounds, variant, sums.get(), {scratch.get(), bytes},
                    nullptr)
            .error,
        "count pairs");
  sums.copy_to(counts);
}

}  // namespace starhist::kernels::cuda
