#include "tasks/bundle_positions.hh"

#include <algorithm>
#include <optional>

namespace starhist {
namespace {

/// Positions of one species in one frame, or some of them.
struct Slice {
  std::size_t frame;
  std::size_t species;
  std::size_t begin;  ///< particle
  std::size_t end;
  std::size_t place;  ///< of the first in the bundle's positions of the species
  Bounds bounds;
};

/// So small that several threads share even one frame, and that what was looked at is
/// still in the cache when it is copied.
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

BundlePositions take_positions(const std::vector<Frame>& frames, ThreadTeam& team,
                               bool with_bounds) {
  const std::size_t species_count = frames.front().positions.size();
  BundlePositions bundle;
  std::vector<Slice> slices;
  std::vector<std::optional<AcquiredVector<double>>> targets(species_count);
  for (std::size_t s = 0; s < species_count; ++s) {
    const std::vector<Slice> own = slices_of(frames, s);
    bundle.handles.emplace_back();
    if (!own.empty()) {
      const std::size_t particles =
          own.back().place + own.back().end - own.back().begin;
      bundle.handles.back() = make_vector_handle<double>(3 * particles);
      targets[s].emplace(bundle.handles.back(), STARPU_W, "allocate a frame");
    }
    slices.insert(slices.end(), own.begin(), own.end());
  }
  team.share_out(slices.size(), [&](std::size_t k) {
    Slice& slice = slices[k];
    const double* positions = frames[slice.frame].positions[slice.species].data();
    if (with_bounds) {
      slice.bounds.add({positions, slice.end}, slice.begin, slice.end);
    }
    std::copy(positions + 3 * slice.begin, positions + 3 * slice.end,
              targets[slice.species]->data() + 3 * slice.place);
  });
  if (with_bounds) {
    bundle.bounds.assign(frames.size(), std::vector<Bounds>(species_count));
    for (const Slice& slice : slices) {
      bundle.bounds[slice.frame][slice.species].add(slice.bounds);
    }
  }
  return bundle;
}

}  // namespace starhist
