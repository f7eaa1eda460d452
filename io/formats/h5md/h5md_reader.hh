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

/// One H5MD 1.x file, in the dialects of LAMMPS, ESPResSo, GROMACS, MDAnalysis, ZnH5MD,
/// pyh5md and NOMAD. Messages of read() do not name the frame: JoinedTrajectory does.
class H5mdReader : public TrajectoryReader {
 public:
  /// True if the file has the groups of H5MD.
  static bool recognises(const Hdf5Object& file);

  /// `structure`: names the particles, all of which are read as one species then; may
  /// be null. Throws InputError when there is no usable particle group or no frame.
  H5mdReader(Hdf5Object file, const std::string& path, const ReadOptions& options,
             const SharedStructure& structure = nullptr);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  double read_time(FrameIndex index, Frame& /*scratch*/) override {
    return position_.sampling().time(index.get());
  }

 private:
  // Parts of the constructor, which fill info_.
  void tell_particles(std::uint64_t particle_count, const SharedStructure& names);
  void tell_species(std::uint64_t particle_count);
  void tell_box();
  bool has_atomic_numbers() const;
  bool nan_filled() const;  ///< positions have NaN as fill value
  /// Elements of the species by the column `element` of the first frame's particles.
  std::vector<SpeciesElement> elements_by_column(std::uint64_t particle_count);
  template <class Real>
  void read_positions(std::uint64_t index, std::vector<Real>& raw, hid_t memory_type,
                      Frame& frame);
  void read_order(std::uint64_t index, Frame& frame);
  /// First of the rows at the end that hold no particle, as all their positions are
  /// NaN; UINT64_MAX unless padded_. Throws InputError when these are all rows.
  template <class Real>
  std::uint64_t end_of(const std::vector<Real>& raw) const;
  std::uint64_t end_of_first_frame();
  /// Throws InputError when a particle that is absent by its species has a position, or
  /// when all are.
  template <class Real>
  void check_absent(const std::vector<Real>& raw,
                    const std::vector<std::uint32_t>& absent) const;
  /// Looks closer when the summary is ambiguous.
  template <class Real>
  void check(const PositionSummary& summary, const std::vector<Real>& raw,
             const std::vector<std::uint32_t>& present) const;

  Hdf5Object file_;
  std::string group_name_;
  Hdf5Object group_;
  H5mdElement position_;
  std::optional<Box> fixed_box_;
  std::optional<H5mdBox> box_;              ///< none when the user gave a fixed one
  std::optional<H5mdSpecies> species_;      ///< or
  std::optional<H5mdParticles> particles_;  ///< when they are told apart
  bool tell_order_;
  std::optional<H5mdRow> id_;  ///< to tell it by species, where there is one
  FillValue fill_;
  /// Particles are absent where the last positions of a frame are NaN, the fill value,
  /// because neither ids nor species tell it.
  bool padded_ = false;
  std::uint64_t end_ = UINT64_MAX;  ///< end_of() the frame read last
  bool single_precision_;
  TrajectoryInfo info_;
  std::vector<float> raw_float_;  ///< one frame as in the file; one of the two is used
  std::vector<double> raw_double_;
};

}  // namespace starhist::io
