#pragma once

#include <cstdint>
#include <optional>

#include "io/formats/h5md/h5md_row.hh"

namespace starhist::io {

/// Which particles exist in a frame. H5MD stores a varying number of particles in
/// arrays of constant length; a particle whose `id` is the fill value is absent.
class H5mdPresence {
 public:
  /// Refers to `frames`, which must outlive it. Without an `id`, or one without a fill
  /// value that its writer chose, all particles are present.
  H5mdPresence(hid_t particle_group, const H5mdSampling& frames,
               std::uint64_t particle_count);

  bool constant() const { return !id_ || id_->constant(); }
  /// TrajectoryInfo::sequential_only
  bool sequential_only() const { return id_ && id_->sequential_only(); }

  /// Goes to a frame; true if other particles may be present than before.
  bool read(std::uint64_t frame) { return id_ && id_->read(frame); }

  bool present(std::uint64_t particle) const {
    return !id_ || id_->values()[particle] != absent_;
  }

 private:
  std::optional<H5mdRow> id_;
  std::int64_t absent_ = 0;
};

}  // namespace starhist::io
