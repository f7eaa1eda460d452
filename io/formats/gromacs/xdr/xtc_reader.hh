#pragma once

#include "io/files/byte_file.hh"
#include "io/formats/gromacs/xdr/frame_offsets.hh"
#include "io/formats/gromacs/xdr/xtc_header.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// GROMACS' compressed trajectory. Frames are found by their headers, so they can be
/// read in any order, and a damaged one harms no other.
///
/// Coordinates are decimals, not floats: the whole numbers of the file divided by its
/// precision, rounded once. libgromacs returns them as floats.
class XtcReader : public AtomTrajectory {
 public:
  /// Throws InputError when it has no whole frame, or other atoms than the structure.
  XtcReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

  void read(FrameIndex index, Frame& frame) override;
  double read_time(FrameIndex index, Frame& scratch) override;

 private:
  /// Sets positions_ to those of the frame in bytes_ [nm].
  void decode(const XtcHeader& header);

  ByteFile file_;
  FrameOffsets places_;
  std::string bytes_;
  std::vector<std::int32_t> coordinates_;
  std::vector<double> positions_;
};

}  // namespace starhist::io
