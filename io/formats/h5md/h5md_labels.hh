#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/formats/h5md/h5md_row.hh"

namespace starhist::io {

/// The species of each particle as the file tells it, one integer per particle, and
/// the names of these integers. Sources, in this order:
/// - `species` as an HDF5 enumeration: the names of its members;
/// - `species` as numbers: "1", "8", ... (type or atomic numbers, names are not
/// stored);
/// - `species` or `species_label` as text, one per particle and constant;
/// - none: all particles are of the species "all".
class H5mdLabels {
 public:
  /// `nan_filled`: the dataset of positions has the fill value NaN.
  H5mdLabels(hid_t particle_group, const H5mdSampling& frames,
             std::uint64_t particle_count, bool nan_filled);

  /// Whether a particle with this label is absent: NaN; the fill value of the species,
  /// where it is negative or the positions are filled with NaN; without such a value,
  /// numbers below 1 in files whose positions are filled with NaN. Not for labels with
  /// a name in an enumeration.
  bool absent(std::int64_t label) const {
    return label == H5mdRow::missing ||
           (label > H5mdRow::missing && label <= most_absent_ && is_fill(label));
  }

  /// Whether labels tell which particles are absent: they change with time, and have a
  /// fill value.
  bool tell_absent() const { return row_ && !row_->constant() && fill_; }

  bool constant() const { return !row_ || row_->constant(); }
  /// TrajectoryInfo::sequential_only
  bool sequential_only() const { return row_ && row_->sequential_only(); }

  /// Goes to a frame; true if labels may differ from those before.
  bool read(std::uint64_t frame) { return row_ && row_->read(frame); }

  const std::vector<std::int64_t>& values() const {
    return row_ ? row_->values() : constant_values_;
  }

  /// Throws InputError for a number without a name in the enumeration, or one that is
  /// not whole.
  std::string name(std::int64_t label) const;

  /// Whether the file has names for its species; else numbers name themselves.
  bool have_names() const { return !names_.empty(); }

  /// Number of names if it is known beforehand.
  std::optional<std::size_t> name_count() const;

 private:
  bool is_fill(std::int64_t label) const { return !fill_ || label == *fill_; }
  void read_text(hid_t particle_group, const std::string& name,
                 std::uint64_t particle_count);

  std::optional<H5mdRow> row_;
  std::vector<std::int64_t> constant_values_;
  std::map<std::int64_t, std::string> names_;  ///< empty where numbers name themselves
  std::optional<std::int64_t> fill_;           ///< of row_
  std::int64_t most_absent_ = INT64_MIN;       ///< larger labels are of particles
};

}  // namespace starhist::io
