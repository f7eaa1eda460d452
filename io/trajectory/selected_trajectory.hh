#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "io/reader/trajectory_reader.hh"
#include "io/selection/compound_centres.hh"

namespace starhist::io {

/// A trajectory whose species are made, by rules, of the particles of one that is read
/// one by one. Species may share particles. Tells TrajectoryInfo::members.
class SelectedTrajectory : public TrajectoryReader {
 public:
  /// Without groups, each name in the table's column `species` (fill_species) is one.
  /// Throws InputError that names the group when it asks for what the file does not
  /// tell, or has no particle.
  /// `by`: what the groups were made by, for TrajectoryInfo::species_by.
  SelectedTrajectory(std::unique_ptr<TrajectoryReader> per_particle,
                     const std::vector<SpeciesGroup>& groups,
                     SpeciesBy by = SpeciesBy::file);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  double read_time(FrameIndex index, Frame& /*scratch*/) override {
    return reader_->read_time(index, scratch_);
  }

 private:
  void add_species(const ParticleTable& table, const ParticleCompounds& compounds,
                   const SpeciesGroup& group);
  void number_centres_from(std::size_t first);
  void select_order(std::vector<FileOrder>& selected) const;

  std::unique_ptr<TrajectoryReader> reader_;
  TrajectoryInfo info_;
  std::vector<std::optional<CompoundCentres>>
      centres_;  ///< of each species that is some
  Frame scratch_;
};

}  // namespace starhist::io
