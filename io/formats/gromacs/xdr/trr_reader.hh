#pragma once

#include "io/files/byte_file.hh"
#include "io/formats/gromacs/xdr/frame_offsets.hh"
#include "io/formats/gromacs/xdr/trr_header.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// GROMACS' trajectory in full precision, float or double; frames without positions
/// are passed over. Read without libgromacs, which would round double to float.
class TrrReader : public AtomTrajectory {
 public:
  /// Throws InputError when it has no whole frame, or other atoms than the structure.
  TrrReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

  void read(FrameIndex index, Frame& frame) override;
  double read_time(FrameIndex index, Frame& scratch) override;

 private:
  double time_of(const TrrHeader& header) const;

  ByteFile file_;
  FrameOffsets places_;
  std::string bytes_;
  std::vector<double> positions_;
};

}  // namespace starhist::io
