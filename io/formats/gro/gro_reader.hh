#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/reader/atom_trajectory.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

/// A frame of a GRO file.
struct GroFrame {
  StepAndTime moment;             ///< time [ps]
  std::vector<double> positions;  ///< x, y, z of each atom [nm]
  std::string box;                ///< box line, for read_gro_box()
};

/// Reads GROMACS' text format GRO, plain or compressed, with one or more frames. Names
/// are read from the first frame unless a structure provides them.
class GroReader : public AtomTrajectory {
 public:
  /// Scans the whole file. Throws InputError when it has no complete frame.
  GroReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return index_.moment(index.get());
  }

 private:
  TextFile file_;
  TextIndex index_;
  GroFrame read_;
};

}  // namespace starhist::io
