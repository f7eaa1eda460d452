#include "tasks/cutting/compound_jobs.hh"

#include <algorithm>

namespace starhist::tasks {
namespace {

/// Locations of the frames in the position handles, which hold them one after the
/// other.
std::vector<codelets::CompoundFrame> places_of(const std::vector<Frame>& frames,
                                               const SpeciesPair& pair) {
  std::vector<codelets::CompoundFrame> places;
  codelets::CompoundFrame place;
  for (const Frame& frame : frames) {
    place.first_offset += place.first_count;  // of the previous frame
    place.second_offset += place.second_count;
    place.image = frame.box.minimum_image();
    place.first_count = frame.particle_count(pair.first);
    place.second_count = frame.particle_count(pair.second);
    places.push_back(place);
  }
  return places;
}

}  // namespace

std::vector<CompoundJob> cut_compounds(const HistogramLayout& layout,
                                       const PairExclusions& exclusions,
                                       const std::vector<Frame>& frames,
                                       std::uint64_t most_pairs) {
  std::vector<CompoundJob> jobs;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const CompoundPairs& compounds = exclusions.compounds(PairId(p));
    if (compounds.pair_count() == 0) {
      continue;
    }
    const std::vector<codelets::CompoundFrame> places =
        places_of(frames, layout.pairs[p]);
    const std::size_t together = std::clamp<std::uint64_t>(
        most_pairs / compounds.pair_count(), 1, places.size());
    for (const CompoundPairs::Rows& rows : compounds.split(most_pairs)) {
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
