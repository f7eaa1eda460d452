#pragma once

#include "io/files/byte_file.hh"
#include "io/formats/gromacs/xdr/frame_offsets.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// Reads GROMACS' full-precision trajectory, in float or double; frames without
/// positions are skipped. Does not use libgromacs, which would round double to float.
class TrrReader : public AtomTrajectory {
 public:
  /// Throws InputError when the file has no complete frame, or its atoms differ from
  /// the structure.
  TrrReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return places_.moment(index.get());
  }

 private:
  ByteFile file_;
  FrameOffsets places_;
  std::string bytes_;
  std::vector<double> positions_;
};

}  // namespace starhist::io
