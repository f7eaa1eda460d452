#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "io/formats/h5md/h5md_row.hh"

namespace starhist::io {

/// Which particles exist in a frame. H5MD stores a varying number of particles in
/// arrays of constant length. A particle is absent if its `id` is the fill value, if
/// its species is (H5mdLabels::absent()), or if it is one of the last rows, all of
/// which have NaN for positions in a file with this fill value.
class H5mdPresence {
 public:
  /// Refers to `frames`, which must outlive it. Without an `id`, or one without a fill
  /// value that its writer chose and without a negative id, all particles are present;
  /// ids are then kept only if they hold for all frames.
  H5mdPresence(hid_t particle_group, const H5mdSampling& frames,
               std::uint64_t particle_count);

  bool constant() const { return !id_ || id_->constant(); }
  /// TrajectoryInfo::sequential_only
  bool sequential_only() const { return by_ids() && id_->sequential_only(); }

  /// Goes to a frame; true if other particles may be present than before.
  bool read(std::uint64_t frame) { return id_ && id_->read(frame); }

  /// The particles from `end` on are absent in this frame; true if that is new.
  bool end_at(std::uint64_t end) { return std::exchange(end_, end) != end; }

  /// Whether ids tell which particles are absent.
  bool by_ids() const { return absent_.has_value(); }

  bool present(std::uint64_t particle) const {
    return (!absent_ || id_->values()[particle] != *absent_) && particle < end_;
  }

  /// Throws InputError if two of the particles that are present have the same id.
  void check_ids() const;

 private:
  std::optional<H5mdRow> id_;
  std::optional<std::int64_t> absent_;  ///< id of particles that are absent
  std::uint64_t end_ = UINT64_MAX;
};

}  // namespace starhist::io
