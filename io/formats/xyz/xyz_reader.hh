#pragma once

#include <memory>
#include <string>

#include "io/formats/xyz/xyz_header.hh"
#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

/// Reads XYZ and extended XYZ, plain or compressed. Messages of read() do not name the
/// frame: JoinedTrajectory does.
class XyzReader : public TrajectoryReader {
 public:
  /// Scans the whole file, unless options.text_indexes has its index. `structure`:
  /// names the atoms, all of which then form one species; may be null. Throws
  /// InputError when the file has no complete frame or is not XYZ.
  XyzReader(const std::string& path, const ReadOptions& options,
            const SharedStructure& structure = nullptr);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return index_->moment(index.get());
  }

 private:
  /// Reads the particles of the first frame, for ReadOptions::per_particle.
  void read_table(const SharedStructure& structure);

  /// Throws InputError if the second line has an unusable box or units.
  void check_statements(const XyzHeader& header) const;

  TextFile file_;
  std::optional<Box> fixed_box_;
  bool unit_is_given_;
  bool time_unit_is_given_;
  bool tell_order_;
  std::shared_ptr<const TextIndex> index_;
  SpeciesNumbers species_;
  std::optional<TextParticles> particles_;  ///< set if particles are read individually
  TrajectoryInfo info_;
};

/// Reads the atoms of the first frame. Throws InputError.
SharedStructure read_xyz_structure(const std::string& path);

}  // namespace starhist::io
