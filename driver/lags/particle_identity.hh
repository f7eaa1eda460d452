#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/species_pair.hh"

namespace starhist::driver {

/// Follows particles from frame to frame: by their ids if the file has ids, otherwise
/// by their place in the file.
class ParticleIdentity {
 public:
  /// `species`: names for messages.
  explicit ParticleIdentity(std::vector<std::string> species)
      : species_(std::move(species)) {}

  /// Sorts the particles of the frame into the order of the first frame given. Throws
  /// InputError if the frame has other particles.
  void sort(Frame& frame);

  /// Whether particles are followed by their ids; after sort().
  bool has_ids() const { return !order_.empty() && !order_.front().id.empty(); }

  /// Places, within the two species, of the particles that are in both; all particles
  /// of a like pair. Only after sort().
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared(
      const SpeciesPair& pair) const;

 private:
  void take_first(const Frame& frame);
  void sort_by_id(Frame& frame, std::size_t species) const;

  const std::vector<std::string> species_;
  bool has_first_ = false;
  std::vector<std::uint64_t> counts_;  ///< of the first frame, by species
  std::vector<FileOrder> order_;       ///< of the first frame; empty: unknown
  /// Id and place of each particle of the first frame, sorted by id; by species.
  std::vector<std::vector<std::pair<std::int64_t, std::uint32_t>>> places_;
};

}  // namespace starhist::driver
