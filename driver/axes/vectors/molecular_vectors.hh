#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "driver/axes/particle_directions.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Unit vectors between two atoms of particles' residues (SecondAxis::from, to), which
/// it reads from the trajectory with a separate reader.
class MolecularVectors : public ParticleDirections {
 public:
  /// `layout` has a molecular second axis; `info` was opened with the same files and
  /// options, with ReadOptions::with_membership. Throws InputError if residues are
  /// unknown, or unless the residue of each particle that may be first in a pair has
  /// each of the atoms once.
  MolecularVectors(const std::vector<std::string>& inputs, io::ReadOptions reading,
                   const HistogramLayout& layout, const io::TrajectoryInfo& info);

  /// Computes the vectors in a frame, along nearest images. Throws InputError if the
  /// atoms cannot be read or coincide.
  void read(const Frame& frame) override;

  const Vec3* of(SpeciesId species) const override {
    return vectors_[species.index()].data();
  }

 private:
  /// Indices of the atoms of a particle's residue among the atoms of these names.
  struct Atoms {
    std::uint32_t from;
    std::uint32_t to;
  };

  const SecondAxis axis_;
  std::unique_ptr<io::TrajectoryReader> reader_;
  std::vector<std::vector<Atoms>> atoms_;   ///< by species and particle
  std::vector<std::vector<Vec3>> vectors_;  ///< likewise
  Frame frame_;                             ///< the atoms `from` and `to`
};

}  // namespace starhist::driver
