#include "tasks/bundle_positions.hh"

#include <algorithm>
#include <atomic>
#include <optional>
#include <system_error>
#include <thread>

namespace starhist {
namespace {

/// work(0), ..., work(count - 1), in any order, in several threads.
template <class Work>
void share_out(std::size_t count, unsigned threads, Work work) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t k = next++; k < count; k = next++) {
      work(k);
    }
  };
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < std::min<std::size_t>(threads, count)) {
      others.emplace_back(take);
    }
  } catch (const std::system_error&) {
    // With fewer threads it takes longer, that is all.
  }
  take();
}

/// Where each frame's positions of a species begin, and their number.
struct Places {
  std::vector<std::size_t> begin;
  std::size_t size = 0;
};

Places places_of(const std::vector<Frame>& frames, std::size_t species) {
  Places places;
  for (const Frame& frame : frames) {
    places.begin.push_back(places.size);
    places.size += frame.positions[species].size();
  }
  return places;
}

}  // namespace

BundlePositions take_positions(const std::vector<Frame>& frames, unsigned threads,
                               bool with_bounds) {
  const std::size_t species_count = frames.front().positions.size();
  BundlePositions bundle;
  if (with_bounds) {
    bundle.bounds.assign(frames.size(), std::vector<Bounds>(species_count));
  }
  std::vector<Places> places;
  std::vector<std::optional<AcquiredVector<double>>> targets(species_count);
  std::size_t all = 0;
  for (std::size_t s = 0; s < species_count; ++s) {
    places.push_back(places_of(frames, s));
    const std::size_t size = places.back().size;
    all += size;
    bundle.handles.push_back(size > 0 ? make_vector_handle<double>(size)
                                      : DataHandle());
    if (size > 0) {
      targets[s].emplace(bundle.handles.back(), STARPU_W, "allocate a frame");
    }
  }
  constexpr std::size_t worth_a_thread = 1U << 16U;
  const auto useful =
      static_cast<unsigned>(std::min<std::size_t>(threads, 1 + all / worth_a_thread));
  share_out(frames.size(), useful, [&](std::size_t f) {
    for (std::size_t s = 0; s < species_count; ++s) {
      const std::vector<double>& positions = frames[f].positions[s];
      if (with_bounds) {
        const std::size_t count = positions.size() / 3;
        bundle.bounds[f][s].add({positions.data(), count}, 0, count);
      }
      if (targets[s]) {
        std::copy(positions.begin(), positions.end(),
                  targets[s]->data() + places[s].begin[f]);
      }
    }
  });
  return bundle;
}

}  // namespace starhist
