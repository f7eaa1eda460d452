#pragma once

#include "io/formats/gromacs/atoms/atom_trajectory.hh"
#include "io/formats/gromacs/decoder/gromacs_decoder.hh"
#include "io/formats/gromacs/text/gromacs_text_index.hh"

namespace starhist::io {

/// GRO or PDB, plain or compressed by gzip, with one frame or many. Names are those of
/// the first frame, where no structure gives others; lengths become nm.
class GromacsTextReader : public AtomTrajectory {
 public:
  /// `ending`: "gro" or "pdb". Goes through the whole file. Throws InputError when it
  /// has no whole frame.
  GromacsTextReader(const std::string& path, const std::string& ending,
                    const ReadOptions& options,
                    const std::shared_ptr<const Structure>& structure);

  void read(FrameIndex index, Frame& frame) override;

 private:
  const std::string& text_of(std::size_t index);

  TextFile file_;
  std::string ending_;
  GromacsTextIndex index_;
  gromacs::Decoder decoder_;
  gromacs::DecodedFrame decoded_;
  std::string text_;
};

}  // namespace starhist::io
