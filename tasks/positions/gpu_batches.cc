#include "tasks/positions/gpu_batches.hh"

#include <utility>

#include "codelets/kernels/clusters/density_sample.hh"

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

}  // namespace starhist::tasks
