#include "tasks/positions/gpu_frames.hh"

#include <algorithm>
#include <utility>

namespace starhist::tasks {

void GpuFrames::set_order(std::vector<std::uint32_t> particles) {
  order_ = std::move(particles);
  for (auto& [number, gpu] : gpus_) {
    gpu.ordered = false;
  }
}

GpuFrames::Gpu& GpuFrames::gpu_with(const GpuArray& array) {
  const std::optional<int> number = codelets::gpu_with(array);
  if (!number) {
    throw NoGpuError(
        "positions are on a GPU, but this build of starhist counts on CPUs (give a "
        "copy in main memory, or build with CUDA)");
  }
  const std::vector<Worker>& workers = runtime_.workers();
  if (std::none_of(workers.begin(), workers.end(), [&](const Worker& worker) {
        return worker.cuda && worker.gpu == *number;
      })) {
    throw NoGpuError("positions are on GPU " + std::to_string(*number) +
                     ", which StarPU does not use (let StarPU use that GPU, or give a "
                     "copy in main memory)");
  }
  Gpu& gpu = gpus_[*number];
  if (!gpu.copier) {
    gpu.copier = codelets::make_gpu_copier(*number);
  }
  return gpu;
}

bool GpuFrames::take(const GpuArray& array, std::span<const std::uint64_t> counts,
                     Frame& frame) {
  Gpu& gpu = gpu_with(array);
  if (!gpu.ordered) {
    gpu.copier->set_order(order_);
    gpu.ordered = true;
  }
  auto positions = std::make_shared<GpuPositions>();
  const bool finite = gpu.copier->gather(array, counts, *positions);
  frame.positions.clear();
  frame.on_gpu = std::move(positions);
  return finite;
}

std::vector<std::vector<double>> GpuFrames::fetch(const Frame& frame) {
  std::vector<std::vector<double>> positions;
  for (std::uint32_t s = 0; s < frame.on_gpu->counts.size(); ++s) {
    positions.push_back(gpus_.at(frame.on_gpu->gpu)
                            .copier->fetch(frame.on_gpu->of(SpeciesId(s)),
                                           3 * frame.particle_count(SpeciesId(s))));
  }
  return positions;
}

}  // namespace starhist::tasks
