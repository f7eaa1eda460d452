#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes `species` of an H5MD particle group: one row where all frames have the same,
/// else a row for each frame whose species differ from those before, with its step and
/// time. Everything throws RunError.
class H5mdSpeciesWriter {
 public:
  /// `names` of the species, of which `first` are those of the first frame's particles.
  H5mdSpeciesWriter(std::vector<std::string> names, std::vector<std::int32_t> first);

  /// Whether some frame so far has other species than the first.
  bool changed() const { return !frames_.empty(); }
  bool differs(const std::vector<std::int32_t>& species) const {
    return species != last_;
  }

  /// The species of the `frame`-th frame in the file, from 0 on.
  void append(hid_t particle_group, std::uint64_t frame,
              const std::vector<std::int32_t>& species);

  /// The rest, with step and time of each frame in the file.
  void finish(hid_t particle_group, const std::vector<std::int64_t>& steps,
              const std::vector<double>& times, const std::string& time_unit);

 private:
  void create_rows(hid_t particle_group);
  void write_row(const std::vector<std::int32_t>& species);

  std::vector<std::string> names_;
  std::vector<std::int32_t> last_;     ///< of the last frame appended
  std::vector<std::uint64_t> frames_;  ///< of the rows of value_; none where constant
  Hdf5Object value_;
};

}  // namespace starhist::io
