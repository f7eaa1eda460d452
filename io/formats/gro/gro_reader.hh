#pragma once

#include <string>

#include "io/formats/gro/gro_frames.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// Reads GROMACS' text format GRO, plain or compressed, with one or more frames. Names
/// are read from the first frame unless a structure provides them.
class GroReader : public AtomTrajectory {
 public:
  /// Scans the whole file. Throws InputError when it has no complete frame.
  GroReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

  void read(FrameIndex index, Frame& frame) override;

 private:
  TextFile file_;
  TextIndex index_;
  GroFrame read_;
};

}  // namespace starhist::io
