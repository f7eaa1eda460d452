#pragma once

#include <memory>
#include <string>

#include "io/formats/xyz/xyz_header.hh"
#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

/// XYZ and extended XYZ, plain or compressed. Messages of read() do not name
/// the frame: JoinedTrajectory does.
class XyzReader : public TrajectoryReader {
 public:
  /// Goes through the whole file, unless options.text_indexes knows it. `structure`:
  /// names the atoms, all of which are read as one species then; may be null. Throws
  /// InputError when it has no whole frame or is no XYZ file.
  XyzReader(const std::string& path, const ReadOptions& options,
            const SharedStructure& structure = nullptr);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;

 private:
  /// From the first frame, for ReadOptions::per_particle.
  void read_table(const SharedStructure& structure);

  /// Throws InputError for a box and units of the second line that cannot be used.
  void check_statements(const XyzHeader& header) const;

  TextFile file_;
  std::optional<Box> fixed_box_;
  bool unit_is_given_;
  bool time_unit_is_given_;
  bool tell_order_;
  std::shared_ptr<const TextIndex> index_;
  SpeciesNumbers species_;
  std::optional<TextParticles> particles_;  ///< when they are told apart
  TrajectoryInfo info_;
};

/// The atoms of the first frame. Throws InputError.
SharedStructure read_xyz_structure(const std::string& path);

}  // namespace starhist::io
