#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/formats/gromacs/atoms/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// What readers of GROMACS' formats have in common: all atoms are one species, in the
/// order of the file; lengths are in nm, times in ps; the structure names the atoms.
class AtomTrajectory : public TrajectoryReader {
 public:
  /// `structure` may be empty. Throws InputError for a particle group.
  AtomTrajectory(const std::string& path, const std::string& format,
                 const ReadOptions& options,
                 std::shared_ptr<const Structure> structure);

  const TrajectoryInfo& info() const override { return info_; }

 protected:
  /// Every frame has so many atoms. Throws InputError where the structure has others.
  void set_atoms(std::uint64_t atoms);
  void set_structure(std::shared_ptr<const Structure> structure);
  std::uint64_t atoms() const { return info_.particles.count; }
  const std::string& path() const { return info_.paths.front(); }

  /// Positions, x, y, z of each atom, and box, rows the edges, all zero for none.
  /// Throws InputError, which does not name the file, when they cannot be right.
  template <class Real>
  void fill(const std::vector<Real>& positions, const double (&edges)[9],
            Frame& frame) const;

  TrajectoryInfo info_;

 private:
  Box box_of(const double (&edges)[9]) const;

  std::optional<Box> fixed_box_;
  bool tell_order_;
  std::shared_ptr<const Structure> structure_;
  std::vector<std::uint32_t> all_atoms_;
};

}  // namespace starhist::io
