#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "io/reader/trajectory_reader.hh"
#include "io/selection/compound_centres.hh"

namespace starhist::io {

/// A trajectory whose species are selected by rules from individually read particles.
/// Species may share particles. Sets TrajectoryInfo::members.
class SelectedTrajectory : public TrajectoryReader {
 public:
  /// Selects the groups or, if there are no groups, makes a species of each name in the
  /// table's column `species` (fill_species()). Throws InputError naming the group if
  /// it selects by a property that the file lacks, or is empty. `by`: the property that
  /// defined the groups, for TrajectoryInfo::species_by.
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
      centres_;  ///< for each species; set if it consists of centres
  Frame scratch_;
};

}  // namespace starhist::io
