#include "tasks/submission/batch_positions.hh"

#include <algorithm>

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

}  // namespace

BatchPositions take_positions(const std::vector<Frame>& frames, ThreadPool& pool,
                              PinnedPool& memory, bool with_bounds,
                              const std::vector<bool>& wanted) {
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
  batch.memory = memory.take(begin.back() * sizeof(double));
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
  if (batch.memory->pin()) {
    spend_time_on_new_memory(batch.memory->bytes());
  }
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
  return batch;
}

}  // namespace starhist::tasks
