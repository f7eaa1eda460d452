#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/formats/h5md/h5md_element.hh"

namespace starhist::io {

/// Per-particle numbers of an H5MD element (species, id), frame by frame. They rarely
/// change, so they are converted only when their bytes differ from the previous frame.
class H5mdRow {
 public:
  /// `frames` must outlive this object. Throws InputError unless there is one number
  /// per particle.
  H5mdRow(hid_t particle_group, const std::string& name, const H5mdSampling& frames,
          H5mdMatch::Rule rule, std::uint64_t particle_count);
  H5mdRow(const H5mdRow&) = delete;
  H5mdRow& operator=(const H5mdRow&) = delete;

  bool constant() const { return element_.constant(); }
  /// TrajectoryInfo::sequential_only
  bool sequential_only() const { return element_.values().share_chunks(); }
  hid_t dataset() const { return element_.values().dataset(); }
  hid_t type() const { return element_.values().type(); }

  /// Reads the frame's row; true if it differs from the previous one.
  bool read(std::uint64_t frame);

  /// The row as integers. Floating-point numbers that are not integral become
  /// `not_whole`, NaN becomes `missing`.
  const std::vector<std::int64_t>& values() const { return values_; }
  static constexpr std::int64_t not_whole = INT64_MIN;
  static constexpr std::int64_t missing = INT64_MIN + 1;

  /// Returns the fill value set by the writer, converted like values(); empty if it is
  /// not set.
  std::optional<std::int64_t> fill_value() const;

 private:
  void convert();

  H5mdElement element_;
  H5mdMatch match_;
  std::optional<std::uint64_t> row_;
  std::vector<unsigned char> bytes_;       ///< the row as stored
  std::vector<unsigned char> last_bytes_;  ///< the row converted to `values_`
  std::vector<unsigned char> scratch_;     ///< for conversion in place
  std::vector<std::int64_t> values_;
};

}  // namespace starhist::io
