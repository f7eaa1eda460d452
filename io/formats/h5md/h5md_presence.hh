#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "io/formats/h5md/h5md_row.hh"
#include "io/text/unique_ids.hh"

namespace starhist::io {

/// Determines the particles that exist in a frame. H5MD stores a varying number of
/// particles in arrays of constant length. A particle is absent if its `id` is the fill
/// value, if its species is absent (H5mdLabels::absent()), or if it is one of the last
/// rows, whose positions are all NaN in a file with this fill value.
class H5mdPresence {
 public:
  /// Ids that mark no absent particles.
  enum class OtherIds {
    checked,  ///< are read for check_ids()
    unread
  };

  /// `frames` must outlive this object. All particles are present if `id` is missing,
  /// or has neither a fill value set by its writer nor negative values.
  H5mdPresence(hid_t particle_group, const H5mdSampling& frames,
               std::uint64_t particle_count, OtherIds other_ids);

  /// Whether the same particles are present in all frames.
  bool constant() const { return !by_ids() || id_->constant(); }
  /// TrajectoryInfo::sequential_only
  bool sequential_only() const { return id_ && id_->sequential_only(); }

  /// Reads the ids of a frame; true if other particles may be present than before, or
  /// their ids differ.
  bool read(std::uint64_t frame) { return id_ && id_->read(frame); }

  /// Sets the index from which particles are absent; true if it has changed.
  bool end_at(std::uint64_t end) { return std::exchange(end_, end) != end; }

  /// Whether ids indicate absent particles.
  bool by_ids() const { return absent_.has_value(); }

  bool present(std::uint64_t particle) const {
    return (!absent_ || id_->values()[particle] != *absent_) && particle < end_;
  }

  /// The row with the id 0, if that is the fill value, and ids that count from 0 in the
  /// first frame make it the id of a particle.
  std::optional<std::uint32_t> only_absent() const;

  /// Throws InputError if two present particles have the same id.
  void check_ids();

 private:
  std::optional<H5mdRow> id_;
  std::optional<std::int64_t> absent_;  ///< id of absent particles
  bool zero_may_be_an_id_ = false;
  std::uint64_t end_ = UINT64_MAX;
  UniqueIds unique_;
};

}  // namespace starhist::io
