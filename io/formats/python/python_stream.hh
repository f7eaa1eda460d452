#pragma once

#include <string>

#include "io/formats/python/python_periodicity.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// The frames of a simulation that runs, as MDAnalysis' IMDReader receives them
/// (interactive molecular dynamics, version 3). Nothing is sent that changes the
/// simulation.
class PythonStream : public AtomTrajectory {
 public:
  /// Connects to `address`, "imd://HOST:PORT", and waits for the first frame. Throws
  /// InputError, also where there is no structure, which tells the number of atoms.
  PythonStream(const std::string& address, const ReadOptions& options,
               const SharedStructure& structure);

  /// Waits for the frame, and skips those before it. Throws EndOfStream.
  void read(FrameIndex index, Frame& frame) override;

 private:
  PythonDecoder decoder_;
  PythonFrame read_;
  PythonPeriodicity periodicity_;
};

}  // namespace starhist::io
