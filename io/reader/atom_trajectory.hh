#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/particles/alternate_locations.hh"
#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Base of readers for formats with atoms but without species, such as GROMACS'
/// formats. All atoms form one species, in file order; a structure names them. Lengths
/// are in nm and times in ps unless a derived class sets other units.
class AtomTrajectory : public TrajectoryReader {
 public:
  /// `structure` may be null. Throws InputError if the options name a particle group.
  AtomTrajectory(const std::string& path, const std::string& format,
                 const ReadOptions& options, SharedStructure structure);

  const TrajectoryInfo& info() const override { return info_; }

  /// Source of the atom names; null if atoms have no names.
  const SharedStructure& structure() const { return structure_; }

 protected:
  /// Sets the number of atoms of all frames. Throws InputError if the structure has a
  /// different number.
  void set_atoms(std::uint64_t atoms);
  void set_structure(SharedStructure structure);
  /// Reads the atoms of formats with atom names: `read_first_frame` fills the
  /// ParticleTable passed to it, whose names are used unless there is a structure.
  /// Keeps the alternate locations chosen by ReadOptions::altloc. Throws InputError.
  template <class ReadFirstFrame>
  void take_own_atoms(ReadFirstFrame read_first_frame);
  /// Whether ReadOptions::box replaces the boxes of the file.
  bool has_fixed_box() const { return fixed_box_.has_value(); }
  std::uint64_t atoms() const { return info_.particles.count; }
  const std::string& path() const { return info_.paths.front(); }

  /// ReadOptions::tell_order
  bool tells_order() const { return tell_order_; }

  using Axes = std::array<bool, 3>;
  static constexpr Axes all_axes{true, true, true};
  /// Fills `frame` from its step and time [ps], positions (x, y, z of each atom) and
  /// box edges (rows; all zero: no box), lengths in TrajectoryInfo::length_unit.
  /// `periodic`: periodic axes; the third is dropped if the structure has pbc = xy.
  /// Throws InputError without the file name when positions or box are invalid.
  template <class Real>
  void fill(FrameIndex index, const StepAndTime& moment,
            const std::vector<Real>& positions, const double (&edges)[9], Frame& frame,
            const Axes& periodic = all_axes) const;

  /// Returns the box of a frame, as in fill().
  Box box_of(const double (&edges)[9], const Axes& periodic) const;

  TrajectoryInfo info_;

 private:
  void take_own_structure(const std::shared_ptr<Structure>& own);
  ChosenLocations choose_own_locations(Structure& own) const;

  std::optional<Box> fixed_box_;
  std::string altloc_;  ///< ReadOptions::altloc
  bool tell_order_;
  bool has_rules_;  ///< if false, warn that atoms without names form one species
  SharedStructure structure_;
  /// indices, in a frame of the file, of the atoms that are read
  std::vector<std::uint32_t> all_atoms_;
  /// number of atoms in the file, including all alternate locations
  std::uint64_t atoms_in_file_ = 0;
};

template <class ReadFirstFrame>
void AtomTrajectory::take_own_atoms(ReadFirstFrame read_first_frame) {
  auto own = std::make_shared<Structure>();
  try {
    read_first_frame(own->particles);
  } catch (const InputError& error) {
    throw InputError(path() + ": frame 0: " + error.what());
  }
  take_own_structure(own);
}

}  // namespace starhist::io
