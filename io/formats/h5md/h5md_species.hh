#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/formats/h5md/h5md_labels.hh"
#include "io/formats/h5md/h5md_presence.hh"

namespace starhist::io {

/// Rows of each species' particles in the position array, ascending.
using SpeciesMembers = std::vector<std::vector<std::uint32_t>>;

/// Assigns the particles of a frame to the species of the trajectory.
class H5mdSpecies {
 public:
  /// Collects the species of all frames. `frames` must outlive this object.
  /// `nan_filled`: see H5mdLabels. Throws InputError when a species has no name, or
  /// when there are too many for labels to be species.
  H5mdSpecies(hid_t particle_group, const H5mdSampling& frames,
              std::uint64_t particle_count, bool nan_filled);

  /// Sorted names of the species that occur in any frame.
  const std::vector<std::string>& names() const { return names_; }

  /// TrajectoryInfo::sequential_only
  bool sequential_only() const {
    return labels_.sequential_only() || presence_.sequential_only();
  }

  /// Returns the members of each species in a frame. Particles from index `end` on are
  /// absent.
  const SpeciesMembers& members(std::uint64_t frame, std::uint64_t end = UINT64_MAX);

  /// Particles of the last members() that are absent according to their species,
  /// ascending.
  const std::vector<std::uint32_t>& without_species() const { return without_species_; }
  std::optional<std::uint32_t> only_absent() const { return presence_.only_absent(); }

  /// Whether ids or species indicate absent particles.
  bool tell_absent() const { return labels_.tell_absent() || presence_.by_ids(); }

 private:
  /// Reads a frame; clears members_valid_ if anything changed.
  void go_to(std::uint64_t frame);
  /// Adds the species of the present particles of the current frame.
  void collect(std::uint64_t frame);
  std::string name_of(std::uint64_t particle, std::uint64_t frame) const;

  H5mdLabels labels_;
  H5mdPresence presence_;
  std::uint64_t particle_count_;
  std::string place_;  ///< for messages
  std::vector<std::string> names_;
  std::map<std::int64_t, std::size_t> species_of_label_;
  SpeciesMembers members_;
  std::vector<std::uint32_t> without_species_;
  bool members_valid_ = false;
};

}  // namespace starhist::io
