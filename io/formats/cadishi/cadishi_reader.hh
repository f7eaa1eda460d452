#pragma once

#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"
#include "io/reader/positions.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Reads trajectories of CADISHI and CAPRIQORN, in Angstrom: one group per frame, named
/// by its number, with coordinates/<species> [n][3] and dimensions (a, b, c, alpha,
/// beta, gamma, or a 3x3 matrix; empty or missing: no box). As in CADISHI, a frame from
/// which CAPRIQORN has cut a volume has no box. A species that is missing in a frame
/// has no particles there. Messages of read() do not name the frame: JoinedTrajectory
/// does.
///
/// Data passed on: the log as the text "log", the sums "len_histograms/NAME" and the
/// constant "len_histograms/radii", the series "particle_numbers/SPECIES" and
/// "volumes/box".
class CadishiReader : public TrajectoryReader {
 public:
  /// True if the name of a group in the file is a number.
  static bool recognises(const Hdf5Object& file);

  /// Throws InputError when a frame has no coordinates group.
  CadishiReader(Hdf5Object file, const std::string& path, const ReadOptions& options);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  bool passes_on() const override { return counts_.empty(); }
  PassedOn passed_on(FrameIndex index) override;

 private:
  /// Reads the particles of the first frame, for ReadOptions::per_particle.
  void read_table();
  void read_per_particle(hid_t coordinates, std::vector<double>& positions);
  void read_species(hid_t coordinates, const std::string& name,
                    std::vector<double>& positions);

  /// Returns the box of the frame with this group.
  Box box_of(hid_t frame);

  Hdf5Object file_;
  std::optional<Box> fixed_box_;
  std::string last_log_;      ///< log of the frame whose box was read last
  bool last_is_cut_ = false;  ///< that log contains a cut

  bool tell_order_;
  std::vector<std::string> frame_names_;
  TrajectoryInfo info_;
  std::vector<std::string> species_;  ///< species of the file
  /// number of particles by species, if they are read individually; otherwise empty
  std::vector<std::uint64_t> counts_;
  std::vector<double> scratch_;
  std::vector<double> raw_;               ///< positions of the species being read
  std::vector<std::uint32_t> particles_;  ///< 0, 1, ... up to its number of particles
};

}  // namespace starhist::io
