#pragma once

#include "io/formats/lammps/lammps_data.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// A LAMMPS data file as a trajectory of one frame. The box is periodic along all axes:
/// the file does not say otherwise.
class LammpsDataReader : public AtomTrajectory {
 public:
  /// Throws InputError for what is no data file.
  LammpsDataReader(const std::string& path, const ReadOptions& options,
                   const SharedStructure& structure);

  void read(FrameIndex index, Frame& frame) override;

 private:
  LammpsData data_;
};

/// The atoms of such a file. Throws InputError.
SharedStructure read_lammps_structure(const std::string& path);

}  // namespace starhist::io
