#pragma once

#include "io/files/byte_file.hh"
#include "io/formats/gromacs/decoder/gromacs_decoder.hh"
#include "io/formats/gromacs/xdr/frame_offsets.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// GROMACS' compressed trajectory. Frames are found by their headers and handed to
/// libgromacs one by one, so they can be read in any order, and a damaged one harms no
/// other.
class XtcReader : public AtomTrajectory {
 public:
  /// Throws InputError when it has no whole frame, or other atoms than the structure.
  XtcReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

  void read(FrameIndex index, Frame& frame) override;
  double read_time(FrameIndex index, Frame& scratch) override;

 private:
  ByteFile file_;
  FrameOffsets places_;
  gromacs::Decoder decoder_;
  gromacs::DecodedFrame decoded_;
  std::string bytes_;
};

}  // namespace starhist::io
