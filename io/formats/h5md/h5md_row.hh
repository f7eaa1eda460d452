#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/formats/h5md/h5md_element.hh"

namespace starhist::io {

/// The per-particle numbers of an H5MD element (species, id), frame by frame. They
/// rarely change, so they are kept and only looked at again when their bytes differ.
class H5mdRow {
 public:
  /// Refers to `frames`, which must outlive it. Throws InputError unless there is one
  /// number per particle.
  H5mdRow(hid_t particle_group, const std::string& name, const H5mdSampling& frames,
          H5mdMatch::Rule rule, std::uint64_t particle_count);
  H5mdRow(const H5mdRow&) = delete;
  H5mdRow& operator=(const H5mdRow&) = delete;

  bool constant() const { return element_.constant(); }
  /// TrajectoryInfo::sequential_only
  bool sequential_only() const { return element_.values().share_chunks(); }
  hid_t dataset() const { return element_.values().dataset(); }
  hid_t type() const { return element_.values().type(); }

  /// Reads the row that belongs to the frame; true if it differs from the last one.
  bool read(std::uint64_t frame);

  /// The row as integers. Floating-point numbers must be whole: others become
  /// `not_whole`, NaN becomes `missing`.
  const std::vector<std::int64_t>& values() const { return values_; }
  static constexpr std::int64_t not_whole = INT64_MIN;
  static constexpr std::int64_t missing = INT64_MIN + 1;

  /// The fill value that the writer has set, as an entry of values(); none without.
  std::optional<std::int64_t> fill_value() const;

 private:
  void convert();

  H5mdElement element_;
  H5mdMatch match_;
  std::optional<std::uint64_t> row_;
  std::vector<unsigned char> bytes_;       ///< the row as it is in the file
  std::vector<unsigned char> last_bytes_;  ///< the row that `values_` was made of
  std::vector<unsigned char> scratch_;     ///< for conversion in place
  std::vector<std::int64_t> values_;
};

}  // namespace starhist::io
