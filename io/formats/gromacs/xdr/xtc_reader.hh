#pragma once

#include "io/files/byte_file.hh"
#include "io/formats/gromacs/xdr/frame_offsets.hh"
#include "io/formats/gromacs/xdr/xtc_header.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// Reads GROMACS' compressed trajectory. Frames are found by their headers, so they can
/// be read in any order, and a damaged frame does not affect others.
///
/// Coordinates are decimals, not floats: the integers in the file divided by its
/// precision, rounded once. libgromacs returns them as floats.
class XtcReader : public AtomTrajectory {
 public:
  /// Throws InputError when the file has no complete frame, or its atoms differ from
  /// the structure.
  XtcReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return places_.moment(index.get());
  }

 private:
  /// Decodes the frame in bytes_ to positions_ [nm].
  void decode(const XtcHeader& header);

  ByteFile file_;
  FrameOffsets places_;
  std::string bytes_;
  std::vector<std::int32_t> coordinates_;
  std::vector<double> positions_;
};

}  // namespace starhist::io
