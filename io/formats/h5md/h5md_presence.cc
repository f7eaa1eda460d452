#include "io/formats/h5md/h5md_presence.hh"

#include <algorithm>

#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {

namespace {

/// An id below 0 in the first or the last frame: no program numbers particles so, and
/// some mark absent ones without a fill value of the dataset.
std::optional<std::int64_t> negative_id(H5mdRow& id, std::uint64_t frames) {
  for (const std::uint64_t frame : {std::uint64_t{0}, frames - 1}) {
    if (frame < frames) {
      id.read(frame);
    }
    const auto& values = id.values();
    const auto least = std::min_element(values.begin(), values.end());
    if (least != values.end() && *least < 0) {
      return *least;
    }
  }
  return std::nullopt;
}

}  // namespace

H5mdPresence::H5mdPresence(hid_t particle_group, const H5mdSampling& frames,
                           std::uint64_t particle_count) {
  if (!hdf5_exists(particle_group, "id")) {
    return;
  }
  id_.emplace(particle_group, "id", frames, H5mdMatch::Rule::same_step, particle_count);
  const auto fill = hdf5_fill_value<std::int64_t>(id_->dataset());
  const auto negative = fill ? std::nullopt : negative_id(*id_, frames.count());
  if (fill || negative) {
    absent_ = fill ? *fill : *negative;
  } else {
    id_.reset();
  }
}

}  // namespace starhist::io
