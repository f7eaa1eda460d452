#include "io/formats/h5md/h5md_presence.hh"

#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {

H5mdPresence::H5mdPresence(hid_t particle_group, const H5mdSampling& frames,
                           std::uint64_t particle_count) {
  if (!hdf5_exists(particle_group, "id")) {
    return;
  }
  const H5mdElement id(particle_group, "id");
  const auto fill = hdf5_fill_value<std::int64_t>(id.values().dataset());
  if (fill) {
    absent_ = *fill;
    id_.emplace(particle_group, "id", frames, H5mdMatch::Rule::same_step,
                particle_count);
  }
}

}  // namespace starhist::io
