#pragma once

#include <memory>
#include <string>

#include "io/formats/lammps/lammps_header.hh"
#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/text_index.hh"
#include "io/text/unique_ids.hh"

namespace starhist::io {

/// Reads a LAMMPS text dump (`dump atom`, `dump custom`), plain or compressed: atoms in
/// any order, positions wrapped, unwrapped or scaled, boxes of any shape, each
/// dimension periodic or not. Species are elements or, without an element column,
/// types. Messages of read() do not name the frame: JoinedTrajectory does.
class LammpsReader : public TrajectoryReader {
 public:
  /// Scans the whole file, unless options.text_indexes has its index. `structure`:
  /// further properties of the atoms, all of which then form one species; may be null.
  /// Throws InputError when the file has no complete frame or is not a dump.
  LammpsReader(const std::string& path, const ReadOptions& options,
               const SharedStructure& structure = nullptr);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return index_->moment(index.get());
  }

 private:
  /// Reads the particles of the first frame, for ReadOptions::per_particle.
  void read_table(const SharedStructure& structure, SpeciesBy by);
  void remark_unnamed_elements(const ParticleTable& first_frame);

  TextFile file_;
  std::optional<Box> fixed_box_;
  bool tell_order_;
  TrajectoryInfo info_;
  std::shared_ptr<const TextIndex> index_;
  SpeciesNumbers species_;
  UniqueIds ids_;
  std::optional<TextParticles> particles_;  ///< set if particles are read individually
};

}  // namespace starhist::io
