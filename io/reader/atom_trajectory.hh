#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/particles/alternate_locations.hh"
#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// What readers have in common whose formats know atoms, but no species, as those of
/// GROMACS: all atoms are one species, in the order of the file; a structure names the
/// atoms. Lengths are in nm and times in ps, where a derived class says no other units.
class AtomTrajectory : public TrajectoryReader {
 public:
  /// `structure` may be empty. Throws InputError for a particle group.
  AtomTrajectory(const std::string& path, const std::string& format,
                 const ReadOptions& options, SharedStructure structure);

  const TrajectoryInfo& info() const override { return info_; }

  /// What names the atoms; null where nothing does.
  const SharedStructure& structure() const { return structure_; }

 protected:
  /// Sets the number of atoms of all frames. Throws InputError if the structure has
  /// another number.
  void set_atoms(std::uint64_t atoms);
  void set_structure(SharedStructure structure);
  /// Of a format that names its atoms: `read_first_frame` fills the ParticleTable that
  /// it is given. It names the atoms where there is no structure. Of atoms with
  /// alternate locations those of ReadOptions::altloc are read. Throws InputError.
  template <class ReadFirstFrame>
  void take_own_atoms(ReadFirstFrame read_first_frame);
  /// Whether ReadOptions::box replaces the boxes of the file.
  bool has_fixed_box() const { return fixed_box_.has_value(); }
  std::uint64_t atoms() const { return info_.particles.count; }
  const std::string& path() const { return info_.paths.front(); }

  /// Which frame it is, and its step and time [ps].
  struct FrameLabel {
    FrameIndex index;
    std::int64_t step = 0;
    double time = 0.0;
  };
  /// ReadOptions::tell_order
  bool tells_order() const { return tell_order_; }

  using Axes = std::array<bool, 3>;
  static constexpr Axes all_axes{true, true, true};
  /// Fills `frame` with its label, positions (x, y, z of each atom) and box (rows are
  /// the edges; all zero: none), lengths in TrajectoryInfo::length_unit. `periodic`:
  /// axes of edges that repeat, fewer where the structure has pbc = xy. Throws
  /// InputError, which does not name the file, when positions or box cannot be right.
  template <class Real>
  void fill(const FrameLabel& label, const std::vector<Real>& positions,
            const double (&edges)[9], Frame& frame,
            const Axes& periodic = all_axes) const;

  /// The box of a frame, as in fill().
  Box box_of(const double (&edges)[9], const Axes& periodic) const;

  TrajectoryInfo info_;

 private:
  void take_own_structure(std::shared_ptr<Structure> own);
  ChosenLocations choose_own_locations(Structure& own) const;

  std::optional<Box> fixed_box_;
  std::string altloc_;  ///< ReadOptions::altloc
  bool tell_order_;
  bool has_rules_;  ///< for species, so that atoms without names are not one species
  SharedStructure structure_;
  std::vector<std::uint32_t> all_atoms_;  ///< of those in a frame of the file
  std::uint64_t atoms_in_file_ = 0;       ///< all_atoms_ and alternate locations
};

template <class ReadFirstFrame>
void AtomTrajectory::take_own_atoms(ReadFirstFrame read_first_frame) {
  auto own = std::make_shared<Structure>();
  try {
    read_first_frame(own->particles);
  } catch (const InputError& error) {
    throw InputError(path() + ": frame 0: " + error.what());
  }
  take_own_structure(std::move(own));
}

}  // namespace starhist::io
