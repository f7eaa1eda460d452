#include "tasks/planning/unit_jobs.hh"

#include <algorithm>

namespace starhist::tasks {
namespace {

/// Where the frames lie in the position handles, which hold them one after the other.
std::vector<codelets::UnitFrame> places_of(const std::vector<Frame>& frames,
                                           const SpeciesPair& pair) {
  std::vector<codelets::UnitFrame> places;
  codelets::UnitFrame place;
  for (const Frame& frame : frames) {
    place.first_offset += place.first_count;  // of the frame before
    place.second_offset += place.second_count;
    place.image = frame.box.minimum_image();
    place.first_count = frame.particle_count(pair.first);
    place.second_count = frame.particle_count(pair.second);
    places.push_back(place);
  }
  return places;
}

}  // namespace

std::vector<UnitJob> cut_units(const HistogramLayout& layout,
                               const PairExclusions& exclusions,
                               const std::vector<Frame>& frames,
                               std::uint64_t most_pairs) {
  std::vector<UnitJob> jobs;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const UnitPairs& units = exclusions.units(PairId(p));
    if (units.pair_count() == 0) {
      continue;
    }
    const std::vector<codelets::UnitFrame> places = places_of(frames, layout.pairs[p]);
    const std::size_t together =
        std::clamp<std::uint64_t>(most_pairs / units.pair_count(), 1, places.size());
    for (const UnitPairs::Rows& rows : units.split(most_pairs)) {
      for (std::size_t f = 0; f < places.size(); f += together) {
        const std::size_t end = std::min(f + together, places.size());
        jobs.push_back({PairId(p),
                        rows,
                        {places.begin() + static_cast<std::ptrdiff_t>(f),
                         places.begin() + static_cast<std::ptrdiff_t>(end)}});
      }
    }
  }
  return jobs;
}

}  // namespace starhist::tasks
