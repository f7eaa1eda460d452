#pragma once

#include "io/formats/gromacs/decoder/gromacs_decoder.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// Reads TNG and G96, whose frames only libgromacs finds, in order: seeking backwards
/// restarts the file.
class GromacsStreamReader : public AtomTrajectory {
 public:
  /// `ending`: "tng" or "g96". Reads the whole file to count its frames. Throws
  /// InputError when it has no frame.
  GromacsStreamReader(const std::string& path, const std::string& ending,
                      const ReadOptions& options, const SharedStructure& structure);

  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return moments_[index.index()];
  }

 private:
  void drop_cut_off_frame();
  void rewind();

  std::string ending_;
  gromacs::Decoder decoder_;
  gromacs::DecodedFrame decoded_;
  std::vector<StepAndTime> moments_;  ///< of all frames
  std::uint64_t next_ = 0;            ///< next frame of the decoder
};

}  // namespace starhist::io
