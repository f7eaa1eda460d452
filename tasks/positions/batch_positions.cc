#include "tasks/positions/batch_positions.hh"

#include <algorithm>

#include "codelets/core/base/divide_up.hh"
#include "codelets/kernels/clusters/spatial_grid.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::tasks {
namespace {

/// Positions of one species in one frame, or a range of them.
struct Slice {
  std::size_t frame;
  std::size_t species;
  std::size_t begin;  ///< index of its first particle in the frame
  std::size_t end;
  std::size_t place;  ///< index of its first particle in the batch's positions of the
                      ///< species
  kernels::Bounds bounds;
};

/// Slices are small, so that several threads share even one frame, and positions read
/// for the bounds are still in the cache when they are copied.
std::vector<Slice> slices_of(const std::vector<Frame>& frames, std::size_t species) {
  constexpr std::size_t most = 1U << 10U;
  std::vector<Slice> slices;
  std::size_t place = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::size_t count = frames[f].positions[species].size() / 3;
    for (std::size_t begin = 0; begin < count; begin += most) {
      const std::size_t end = std::min(begin + most, count);
      slices.push_back({f, species, begin, end, place, {}});
      place += end - begin;
    }
  }
  return slices;
}

/// BatchPositions::density_contrasts of frames in main memory. The sample's particles
/// are scattered in memory, so the species share the threads.
std::vector<double> contrasts_of(const std::vector<Frame>& frames,
                                 const BatchBounds& bounds, ThreadPool& pool) {
  std::vector<double> contrasts(frames.front().positions.size(), 1.0);
  pool.share_out(contrasts.size(), [&](std::size_t s) {
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const std::vector<double>& own = frames[f].positions[s];
      if (!own.empty()) {
        contrasts[s] =
            density_contrast(frames[f], {own.data(), own.size() / 3}, bounds[f][s]);
        return;
      }
    }
  });
  return contrasts;
}

}  // namespace

double density_contrast(const Frame& frame, kernels::PositionSpan positions,
                        const kernels::Bounds& bounds) {
  return std::max(kernels::density_contrast_of(positions, frame.box.minimum_image(),
                                               bounds, kernels::ClusterAxes::cartesian),
                  1.0);
}

BatchPositions take_positions(const std::vector<Frame>& frames, ThreadPool& pool,
                              PinnedPool& memory, PositionFacts facts,
                              std::uint64_t full_batch,
                              const std::vector<bool>& wanted) {
  const bool with_bounds = facts != PositionFacts::none;
  constexpr std::size_t alignment = 16;  // doubles: 128 bytes
  const std::size_t species_count = frames.front().positions.size();
  std::vector<Slice> slices;
  std::vector<std::size_t> numbers(species_count, 0);
  std::vector<std::size_t> begin(species_count + 1, 0);
  for (std::size_t s = 0; s < species_count; ++s) {
    const std::vector<Slice> own =
        wanted.empty() || wanted[s] ? slices_of(frames, s) : std::vector<Slice>();
    if (!own.empty()) {
      numbers[s] = 3 * (own.back().place + own.back().end - own.back().begin);
    }
    begin[s + 1] = begin[s] + (numbers[s] + alignment - 1) / alignment * alignment;
    slices.insert(slices.end(), own.begin(), own.end());
  }
  BatchPositions batch;
  const std::size_t bytes = begin.back() * sizeof(double);
  const bool nearly_full =
      frames.size() < full_batch && 4 * frames.size() >= 3 * full_batch;
  batch.memory =
      memory.take(nearly_full ? divide_up(bytes, frames.size()) * full_batch : bytes);
  auto* const copies = batch.memory->data<double>();
  pool.share_out(slices.size(), [&](std::size_t k) {
    Slice& slice = slices[k];
    const double* positions = frames[slice.frame].positions[slice.species].data();
    if (with_bounds) {
      slice.bounds.add({positions, slice.end}, slice.begin, slice.end);
    }
    std::copy(positions + 3 * slice.begin, positions + 3 * slice.end,
              copies + begin[slice.species] + 3 * slice.place);
  });
  const bool is_new = batch.memory->pin();
  simulate_copy(bytes, is_new ? batch.memory->bytes() : 0,
                facts == PositionFacts::bounds_and_contrasts);
  for (std::size_t s = 0; s < species_count; ++s) {
    batch.handles.push_back(numbers[s] == 0
                                ? DataHandle()
                                : make_vector_handle(copies + begin[s], numbers[s]));
  }
  if (with_bounds) {
    batch.bounds.assign(frames.size(), std::vector<kernels::Bounds>(species_count));
    for (const Slice& slice : slices) {
      batch.bounds[slice.frame][slice.species].add(slice.bounds);
    }
  }
  if (facts == PositionFacts::bounds_and_contrasts) {
    batch.density_contrasts = contrasts_of(frames, batch.bounds, pool);
  }
  return batch;
}

}  // namespace starhist::tasks
