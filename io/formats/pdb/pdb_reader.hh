#pragma once

#include <string>

#include "io/formats/pdb/pdb_frames.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// PDB, plain or compressed, with one frame or many. Names are those of the
/// first frame, where no structure gives others. Lengths are in Angstrom, times in ps.
class PdbReader : public AtomTrajectory {
 public:
  /// Goes through the whole file. Throws InputError when it has no whole frame.
  PdbReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

  void read(FrameIndex index, Frame& frame) override;

 private:
  void read_frame(std::size_t index, ParticleTable* names);

  TextFile file_;
  PdbIndex index_;
  PdbFrame read_;
};

}  // namespace starhist::io
