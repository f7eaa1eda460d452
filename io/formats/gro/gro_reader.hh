#pragma once

#include <string>

#include "io/formats/gro/gro_frames.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// GROMACS' text format GRO, plain or compressed, with one frame or many. Names
/// are those of the first frame, where no structure gives others.
class GroReader : public AtomTrajectory {
 public:
  /// Goes through the whole file. Throws InputError when it has no whole frame.
  GroReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

  void read(FrameIndex index, Frame& frame) override;

 private:
  TextFile file_;
  TextIndex index_;
  GroFrame read_;
};

}  // namespace starhist::io
