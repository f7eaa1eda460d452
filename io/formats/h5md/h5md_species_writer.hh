#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes `species` of an H5MD particle group: a single row if it is constant,
/// otherwise one row for each change, with step and time. All functions throw RunError.
class H5mdSpeciesWriter {
 public:
  /// `names`: names of the species; `first`: species of the first frame's particles.
  H5mdSpeciesWriter(std::vector<std::string> names, std::vector<std::int32_t> first);

  /// Whether any frame appended differs from the first one.
  bool changed() const { return !frames_.empty(); }
  bool differs(const std::vector<std::int32_t>& species) const {
    return species != last_;
  }

  /// Adds the species of frame `frame` of the file, from 0.
  void append(hid_t particle_group, std::uint64_t frame,
              const std::vector<std::int32_t>& species);

  /// Writes the rest, given step and time of each frame in the file.
  void finish(hid_t particle_group, const std::vector<std::int64_t>& steps,
              const std::vector<double>& times, const std::string& time_unit);

 private:
  void create_rows(hid_t particle_group);
  void write_row(const std::vector<std::int32_t>& species);

  std::vector<std::string> names_;
  std::vector<std::int32_t> last_;  ///< species of the last frame appended
  /// frame of each row of value_; empty while constant
  std::vector<std::uint64_t> frames_;
  Hdf5Object value_;
};

}  // namespace starhist::io
