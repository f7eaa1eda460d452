#pragma once

#include <memory>
#include <string>

#include "io/formats/lammps/lammps_header.hh"
#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/text_index.hh"
#include "io/text/unique_ids.hh"

namespace starhist::io {

/// A LAMMPS text dump (`dump atom`, `dump custom`), plain or compressed: atoms
/// in any order, positions as they are, unwrapped or scaled, boxes of any shape, each
/// dimension periodic or not. Species are elements, or types where there is no column
/// of elements. Messages of read() do not name the frame: JoinedTrajectory does.
class LammpsReader : public TrajectoryReader {
 public:
  /// Goes through the whole file, unless options.text_indexes knows it. `structure`:
  /// tells more of the atoms, all of which are read as one species then; may be null.
  /// Throws InputError when it has no whole frame or is no dump.
  LammpsReader(const std::string& path, const ReadOptions& options,
               const SharedStructure& structure = nullptr);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;

 private:
  /// From the first frame, for ReadOptions::per_particle.
  void read_table(const SharedStructure& structure);

  TextFile file_;
  std::optional<Box> fixed_box_;
  bool tell_order_;
  TrajectoryInfo info_;
  std::shared_ptr<const TextIndex> index_;
  SpeciesNumbers species_;
  UniqueIds ids_;
  std::optional<TextParticles> particles_;  ///< when they are told apart
};

}  // namespace starhist::io
