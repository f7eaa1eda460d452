#pragma once

#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"
#include "io/reader/positions.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// A trajectory as CADISHI and CAPRIQORN write it, in Angstrom: one group per frame,
/// named by its number, with coordinates/<species> [n][3] and dimensions (a, b, c,
/// alpha, beta, gamma, or a 3x3 matrix; empty or missing: no box). A frame out of which
/// CAPRIQORN has cut a volume has no box, as in CADISHI. A species that is missing in a
/// frame has no particles there. Messages of read() do not name the frame:
/// JoinedTrajectory does.
///
/// Passed on: the log as the text "log", the sums "len_histograms/NAME" and the
/// constant "len_histograms/radii", the series "particle_numbers/SPECIES" and
/// "volumes/box".
class CadishiReader : public TrajectoryReader {
 public:
  /// True if a group of the file is named by a number.
  static bool recognises(const Hdf5Object& file);

  /// Throws InputError when a frame has no group of coordinates.
  CadishiReader(Hdf5Object file, const std::string& path, const ReadOptions& options);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  bool passes_on() const override { return counts_.empty(); }
  PassedOn passed_on(FrameIndex index) override;

 private:
  /// The particles of the first frame, for ReadOptions::per_particle.
  void read_table();
  void read_per_particle(hid_t coordinates, std::vector<double>& positions);
  void read_species(hid_t coordinates, const std::string& name,
                    std::vector<double>& positions);

  /// The box of a frame, given its group.
  Box box_of(hid_t frame);

  Hdf5Object file_;
  std::optional<Box> fixed_box_;
  std::string last_log_;      ///< of the frame whose box was read last
  bool last_is_cut_ = false;  ///< what that log says

  bool tell_order_;
  std::vector<std::string> frame_names_;
  TrajectoryInfo info_;
  std::vector<std::string> species_;   ///< in the file
  std::vector<std::uint64_t> counts_;  ///< one by one: of each species; else empty
  std::vector<double> scratch_;
  std::vector<double> raw_;               ///< positions of the species being read
  std::vector<std::uint32_t> particles_;  ///< 0, 1, ... as many as it has
};

}  // namespace starhist::io
