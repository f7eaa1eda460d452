#pragma once

#include <cstdint>
#include <vector>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// The particles of all species in one row: in the order of the file where it is known
/// which particles the species are made of, else one species after the other.
class ParticleOrder {
 public:
  /// Of a trajectory whose frames have as many particles as `frame`. Throws InputError
  /// when a particle is of two species.
  ParticleOrder(const TrajectoryInfo& info, const Frame& frame);

  std::size_t count() const { return species_.size(); }
  /// Of each particle of the row.
  const std::vector<std::int32_t>& species() const { return species_; }

  /// x, y, z of each particle of the row. Throws InputError when the frame has other
  /// numbers of particles.
  void gather(const Frame& frame, std::vector<double>& row) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::int32_t> species_;
  std::vector<std::vector<std::uint32_t>> places_;  ///< of the particles of a species
};

}  // namespace starhist::io
