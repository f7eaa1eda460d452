#include "codelets/gpu_trial.hh"
#include "codelets/kernels/cuda/launch/count_from_host.hh"
#include "codelets/kernels/cuda/launch/device_array.hh"
#include "codelets/kernels/cuda/launch/devices.hh"

namespace starhist {
namespace {

std::uint64_t count_on_gpu(int gpu, cuda::Variant variant, bool tiled,
                           std::span<const PairBlock> blocks, std::uint64_t* counts) {
  cuda::check(cudaSetDevice(gpu), "use the GPU");
  std::vector<PairBlock> taken(blocks.begin(), blocks.end());
  for (PairBlock& block : taken) {
    block.tiled = tiled;
  }
  cuda::count_from_host(taken, variant, counts);
  return pair_count(blocks);
}

}  // namespace

std::vector<GpuTrial> gpu_trials() {
  struct Way {
    const char* name;
    cuda::Variant variant;
    bool tiled;
  };
  constexpr Way ways[] = {{"auto", cuda::Variant::automatic, false},
                          {"tiles", cuda::Variant::automatic, true},
                          {"fixed-point", cuda::Variant::fixed_point, false},
                          {"definition", cuda::Variant::definition, false}};
  constexpr int all = 1000;
  std::vector<GpuTrial> trials;
  for (const cuda::DeviceState& device : cuda::survey_devices({}, all).devices) {
    for (const Way& way : ways) {
      if (device.problem.empty()) {
        trials.push_back({"GPU " + std::to_string(device.id) + " " + way.name,
                          [=, id = device.id](std::span<const PairBlock> blocks,
                                              std::uint64_t* counts) {
                            return count_on_gpu(id, way.variant, way.tiled, blocks,
                                                counts);
                          }});
      }
    }
  }
  return trials;
}

}  // namespace starhist
