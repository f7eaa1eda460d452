#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/formats/h5md/h5md_row.hh"

namespace starhist::io {

/// Species labels of the particles, one integer per particle, and the names of these
/// integers. Sources, in order of priority:
/// - `species` as an HDF5 enumeration: the names of its members
/// - `species` as numbers: "1", "8", ... (type or atomic numbers without names)
/// - `species` or `species_label` as text, one per particle and constant
/// - otherwise all particles have the species "all"
class H5mdLabels {
 public:
  /// `nan_filled`: the position dataset has the fill value NaN.
  H5mdLabels(hid_t particle_group, const H5mdSampling& frames,
             std::uint64_t particle_count, bool nan_filled);

  /// Whether a particle with this label is absent. Labels of absent particles are NaN;
  /// the fill value of the species, if it is negative or the positions are filled with
  /// NaN; and, without such a value, numbers below 1 in files whose positions are
  /// filled with NaN. Labels with a name in an enumeration are never absent.
  bool absent(std::int64_t label) const {
    return label == H5mdRow::missing ||
           (label > H5mdRow::missing && label <= most_absent_ && is_fill(label));
  }

  /// Whether labels indicate absent particles: they change with time and have a fill
  /// value.
  bool tell_absent() const { return row_ && !row_->constant() && fill_; }

  bool constant() const { return !row_ || row_->constant(); }
  /// TrajectoryInfo::sequential_only
  bool sequential_only() const { return row_ && row_->sequential_only(); }

  /// Reads the labels of a frame; true if they may differ from the previous ones.
  bool read(std::uint64_t frame) { return row_ && row_->read(frame); }

  const std::vector<std::int64_t>& values() const {
    return row_ ? row_->values() : constant_values_;
  }

  /// Throws InputError for a number that is not integral or has no name in the
  /// enumeration.
  std::string name(std::int64_t label) const;

  /// Whether the file has names for its species; otherwise the numbers serve as names.
  bool have_names() const { return !names_.empty(); }

  /// Number of names if it is known in advance.
  std::optional<std::size_t> name_count() const;

 private:
  bool is_fill(std::int64_t label) const { return !fill_ || label == *fill_; }
  void read_text(hid_t particle_group, const std::string& name,
                 std::uint64_t particle_count);

  std::optional<H5mdRow> row_;
  std::vector<std::int64_t> constant_values_;
  std::map<std::int64_t, std::string> names_;  ///< empty if numbers serve as names
  std::optional<std::int64_t> fill_;           ///< fill value of row_
  /// larger labels belong to particles that exist
  std::int64_t most_absent_ = INT64_MIN;
};

}  // namespace starhist::io
