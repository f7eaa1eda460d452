#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "io/reader/trajectory_reader.hh"
#include "io/selection/changing_selection.hh"
#include "io/selection/compound_centres.hh"
#include "io/trajectory/open_axes.hh"

namespace starhist::io {

/// A trajectory whose species are selected by rules from individually read particles.
/// Species may share particles. Sets TrajectoryInfo::members, or, if a rule depends on
/// positions, TrajectoryInfo::selections and Frame::shared_particles.
class SelectedTrajectory : public TrajectoryReader {
 public:
  /// Selects the groups or, if there are no groups, makes a species of each name in the
  /// table's column `species` (fill_species()). Throws InputError naming the group if
  /// it selects by a property that the file lacks, or is empty. `by`: the property that
  /// defined the groups, for TrajectoryInfo::species_by. `open`: axes of the box along
  /// which distances in rules have no images.
  SelectedTrajectory(std::unique_ptr<TrajectoryReader> per_particle,
                     const std::vector<SpeciesGroup>& groups,
                     SpeciesBy by = SpeciesBy::file,
                     const std::array<bool, 3>& open = {});

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return reader_->read_moment(index, scratch_);
  }

 private:
  void add_species(const SpeciesGroup& group);
  /// Sets members and centres of a species to these particles.
  void set_members(std::size_t species, const std::vector<std::uint32_t>& particles);
  void number_centres();
  void select_in_frame();
  /// Sets shared_; without `all` only for pairs with a species that changes.
  void count_shared(bool all);
  /// Particles of a species in the current frame.
  const std::vector<std::uint32_t>& particles_of(std::size_t species) const;
  void select_order(std::vector<FileOrder>& selected) const;
  /// Throws InputError with the species and the current frame.
  [[noreturn]] void refuse(std::size_t species, const InputError& error) const;

  std::unique_ptr<TrajectoryReader> reader_;
  TrajectoryInfo info_;
  /// The file's particles; after construction empty unless needed in each frame.
  ParticleTable table_;
  std::optional<ParticleCompounds> compounds_;
  struct Species {
    SpeciesParticles members;  ///< in the current frame; moved to info_ if constant
    Centres centre_kind = Centres::none;
    std::optional<CompoundCentres> centres;     ///< set if it consists of centres
    std::optional<ChangingSelection> changing;  ///< set if it depends on positions
  };
  std::vector<Species> species_;
  bool any_centres_ = false;
  std::vector<std::uint64_t> shared_;  ///< Frame::shared_particles
  OpenedBox box_of_rules_;
  Frame scratch_;
};

}  // namespace starhist::io
