#include "io/formats/h5md/h5md_presence.hh"

#include <algorithm>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {

namespace {

/// Returns a negative id in the first or the last frame. Programs do not number
/// particles like that, but some mark absent ones, without a fill value in the dataset.
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

/// Whether the ids of the first frame are 0, 1, ..., N - 1 in any order.
bool count_from_zero(H5mdRow& id, std::uint64_t frames) {
  if (frames > 0) {
    id.read(0);
  }
  std::vector<std::int64_t> ids = id.values();
  std::sort(ids.begin(), ids.end());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (ids[k] != static_cast<std::int64_t>(k)) {
      return false;
    }
  }
  return !ids.empty();
}

}  // namespace

H5mdPresence::H5mdPresence(hid_t particle_group, const H5mdSampling& frames,
                           std::uint64_t particle_count, OtherIds other_ids) {
  if (!hdf5_exists(particle_group, "id")) {
    return;
  }
  id_.emplace(particle_group, "id", frames, H5mdMatch::Rule::same_step, particle_count);
  const auto fill = hdf5_fill_value<std::int64_t>(id_->dataset());
  const auto negative = fill ? std::nullopt : negative_id(*id_, frames.count());
  absent_ = fill ? fill : negative;
  zero_may_be_an_id_ = fill == 0 && count_from_zero(*id_, frames.count());
  if (!absent_ && other_ids == OtherIds::unread) {
    id_.reset();
  }
}

std::optional<std::uint32_t> H5mdPresence::only_absent() const {
  if (!zero_may_be_an_id_) {
    return std::nullopt;
  }
  const std::vector<std::int64_t>& ids = id_->values();
  const auto found = std::find(ids.begin(), ids.end(), 0);
  return found == ids.end()
             ? std::nullopt
             : std::optional(static_cast<std::uint32_t>(found - ids.begin()));
}

void H5mdPresence::check_ids() {
  if (!id_) {
    return;
  }
  const std::vector<std::int64_t>& ids = id_->values();
  unique_.start_frame(ids.size());
  for (std::uint64_t particle = 0; particle < ids.size(); ++particle) {
    if (present(particle) && !unique_.insert(ids[particle])) {
      throw InputError(hdf5_location(id_->dataset()) + ": two particles have the id " +
                       std::to_string(ids[particle]) +
                       " (correct the ids, or remove the dataset)");
    }
  }
}

}  // namespace starhist::io
