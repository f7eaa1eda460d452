#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/formats/h5md/h5md_box.hh"
#include "io/formats/h5md/h5md_element.hh"
#include "io/formats/h5md/h5md_particles.hh"
#include "io/formats/h5md/h5md_row.hh"
#include "io/formats/h5md/h5md_species.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/particles/structure.hh"
#include "io/reader/positions.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Reads one H5MD 1.x file, in the dialects of LAMMPS, ESPResSo, GROMACS, MDAnalysis,
/// ZnH5MD, pyh5md and NOMAD. Messages of read() do not name the frame: JoinedTrajectory
/// does.
class H5mdReader : public TrajectoryReader {
 public:
  /// True if the file has the groups of H5MD.
  static bool recognises(const Hdf5Object& file);

  /// `structure`: names the particles, all of which then form one species; may be null.
  /// Throws InputError when there is no usable particle group or no frame.
  H5mdReader(Hdf5Object file, const std::string& path, const ReadOptions& options,
             const SharedStructure& structure = nullptr);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    const H5mdSampling& sampling = position_.sampling();
    return {sampling.step(index.get()), sampling.time(index.get())};
  }

 private:
  // Parts of the constructor, which fill info_.
  void tell_particles(std::uint64_t particle_count, const SharedStructure& names);
  void tell_species(std::uint64_t particle_count);
  void tell_box();
  bool has_atomic_numbers() const;
  bool nan_filled() const;  ///< the fill value of the positions is NaN
  /// Returns the elements of the species according to the column `element` of the first
  /// frame's particles.
  std::vector<SpeciesElement> elements_by_column(std::uint64_t particle_count);
  template <class Real>
  void read_positions(std::uint64_t index, std::vector<Real>& raw, hid_t memory_type,
                      Frame& frame);
  void read_order(std::uint64_t index, Frame& frame);
  /// Returns the index of the first trailing row without a particle, from which on all
  /// positions are NaN; UINT64_MAX unless padded_. Throws InputError when all rows are
  /// like that.
  template <class Real>
  std::uint64_t end_of(const std::vector<Real>& raw) const;
  std::uint64_t end_of_first_frame();
  /// Throws InputError when a particle that is absent according to its species has a
  /// position, or when all particles are absent.
  template <class Real>
  void check_absent(const std::vector<Real>& raw,
                    const std::vector<std::uint32_t>& absent) const;
  /// Throws InputError if the particle, absent according to an id that it could have,
  /// has a position.
  template <class Real>
  void check_only_absent(const std::vector<Real>& raw,
                         std::optional<std::uint32_t> particle) const;
  /// Whether a position is neither the fill value nor NaN.
  template <class Real>
  bool has_position(const Real* position) const;
  /// Checks the positions if the summary is ambiguous.
  template <class Real>
  void check(const PositionSummary& summary, const std::vector<Real>& raw,
             const std::vector<std::uint32_t>& present) const;

  Hdf5Object file_;
  std::string group_name_;
  Hdf5Object group_;
  H5mdElement position_;
  std::optional<Box> fixed_box_;
  std::optional<H5mdBox> box_;              ///< empty if the user gave a fixed box
  std::optional<H5mdSpecies> species_;      ///< either this or particles_ is set
  std::optional<H5mdParticles> particles_;  ///< set if particles are read individually
  bool tell_order_;
  /// set to report ids with the order, if the file has them
  std::optional<H5mdRow> id_;
  FillValue fill_;
  /// Trailing NaN positions, the fill value, mark absent particles, because neither ids
  /// nor species do.
  bool padded_ = false;
  std::uint64_t end_ = UINT64_MAX;  ///< end_of() the last frame
  bool single_precision_;
  TrajectoryInfo info_;
  std::vector<float> raw_float_;  ///< one frame as stored; only one of the two is used
  std::vector<double> raw_double_;
};

}  // namespace starhist::io
