#include "driver/run/repeated_positions.hh"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_checksum.hh"

namespace starhist::driver {
namespace {

/// A checksum, and the place of a frame among the counted frames.
using Entry = std::pair<std::uint64_t, std::size_t>;

/// The places of entries with the checksum of an earlier entry, each with the place of
/// the first one.
std::vector<std::pair<std::size_t, std::size_t>> repeated(std::vector<Entry> entries) {
  std::sort(entries.begin(), entries.end());
  std::vector<std::pair<std::size_t, std::size_t>> places;
  std::size_t first = 0;
  for (std::size_t k = 1; k < entries.size(); ++k) {
    if (entries[k].first == entries[first].first) {
      places.emplace_back(entries[k].second, entries[first].second);
    } else {
      first = k;
    }
  }
  return places;
}

}  // namespace

void RepeatedPositions::add(const std::vector<CountedFrame>& frames) {
  frames_.insert(frames_.end(), frames.begin(), frames.end());
}

std::string RepeatedPositions::warning() const {
  std::vector<Entry> single;
  std::vector<Entry> pairs;
  std::uint64_t before = 0;  // positions of the frame before; 0: no particles
  for (std::size_t k = 0; k < frames_.size(); ++k) {
    const std::uint64_t checksum = frames_[k].checksum;
    const std::uint64_t positions = checksum_of_positions(checksum);
    if (checksum_has_moment(checksum) && positions != 0) {
      single.emplace_back(checksum, k);
    }
    if (before != 0 && positions != 0 && positions != before) {
      constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
      pairs.emplace_back(before * odd + positions, k);
    }
    before = positions;
  }
  auto places = repeated(std::move(single));
  for (const auto& [later, earlier] : repeated(std::move(pairs))) {
    places.emplace_back(later, earlier);
    places.emplace_back(later - 1, earlier - 1);
  }
  if (places.empty()) {
    return "";
  }
  std::sort(places.begin(), places.end());
  const auto& [later, earlier] = places.front();
  places.erase(
      std::unique(places.begin(), places.end(),
                  [](const auto& a, const auto& b) { return a.first == b.first; }),
      places.end());
  return counted(places.size(), "frame") + (places.size() == 1 ? " has" : " have") +
         " the positions of earlier frames (the first: frame " +
         std::to_string(frames_[later].index.get()) + ", as frame " +
         std::to_string(frames_[earlier].index.get()) +
         "): if these are the same frames, they count twice (write each frame once; "
         "--repeated keep confirms them)";
}

}  // namespace starhist::driver
