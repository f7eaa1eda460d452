#pragma once

#include "io/formats/lammps/lammps_data.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// Reads a LAMMPS data file as a trajectory of one frame. All axes are periodic,
/// because the file does not specify periodicity.
class LammpsDataReader : public AtomTrajectory {
 public:
  /// Throws InputError if the file is not a data file.
  LammpsDataReader(const std::string& path, const ReadOptions& options,
                   const SharedStructure& structure);

  void read(FrameIndex index, Frame& frame) override;

 private:
  LammpsData data_;
};

/// Reads the atoms of such a file. Throws InputError.
SharedStructure read_lammps_structure(const std::string& path);

}  // namespace starhist::io
