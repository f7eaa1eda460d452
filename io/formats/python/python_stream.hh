#pragma once

#include <string>

#include "io/formats/python/python_decoder.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// Receives the frames of a running simulation with MDAnalysis' IMDReader (interactive
/// molecular dynamics, version 3). Never sends anything that changes the simulation.
class PythonStream : public AtomTrajectory {
 public:
  /// Connects to `address`, "imd://HOST:PORT", and waits for the first frame. Throws
  /// InputError, also without a structure, which is needed for the number of atoms.
  PythonStream(const std::string& address, const ReadOptions& options,
               const SharedStructure& structure);

  /// Waits for the frame, skipping earlier ones. Throws EndOfStream.
  void read(FrameIndex index, Frame& frame) override;

 private:
  PythonDecoder decoder_;
  PythonFrame read_;
  PythonPeriodicity periodicity_;
};

}  // namespace starhist::io
