#include "io/formats/h5md/h5md_species_writer.hh"

#include <array>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_write.hh"

namespace starhist::io {
namespace {

template <class Number>
std::vector<Number> at_frames(const std::vector<Number>& values,
                              const std::vector<std::uint64_t>& frames) {
  std::vector<Number> some;
  some.reserve(frames.size());
  for (const std::uint64_t frame : frames) {
    some.push_back(values[frame]);
  }
  return some;
}

/// Creates an enumeration type with the names for 0, 1, ...
Hdf5Object enumeration_of(const std::vector<std::string>& names, hid_t group) {
  Hdf5Object type =
      own_hdf5<RunError>(H5Tenum_create(H5T_NATIVE_INT32), H5Tclose, group, "species");
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(names.size()); ++k) {
    check_hdf5<RunError>(
        H5Tenum_insert(type.get(), names[static_cast<std::size_t>(k)].c_str(), &k),
        group, "species");
  }
  return type;
}

}  // namespace

H5mdSpeciesWriter::H5mdSpeciesWriter(std::vector<std::string> names,
                                     std::vector<std::int32_t> first)
    : names_(std::move(names)), last_(std::move(first)) {}

void H5mdSpeciesWriter::append(hid_t particle_group, std::uint64_t frame,
                               const std::vector<std::int32_t>& species) {
  if (!differs(species)) {
    return;
  }
  if (!changed()) {
    create_rows(particle_group);
    frames_.push_back(0);
    write_row(last_);
  }
  frames_.push_back(frame);
  write_row(species);
  last_ = species;
}

void H5mdSpeciesWriter::create_rows(hid_t particle_group) {
  const Hdf5Object group = create_hdf5_group(particle_group, "species");
  const Hdf5Object type = enumeration_of(names_, group.get());
  value_ = create_hdf5_chunks(group.get(), "value", type.get(), {0, last_.size()},
                              {1, last_.size()});
}

void H5mdSpeciesWriter::write_row(const std::vector<std::int32_t>& species) {
  const hid_t value = value_.get();
  resize_hdf5_rows(value, frames_.size());
  const Hdf5Object type = own_hdf5<RunError>(H5Dget_type(value), H5Tclose, value);
  write_hdf5_part(value, {frames_.size() - 1, 0}, {1, species.size()}, type.get(),
                  species.data());
}

void H5mdSpeciesWriter::finish(hid_t particle_group,
                               const std::vector<std::int64_t>& steps,
                               const std::vector<double>& times,
                               const std::string& time_unit) {
  if (!changed()) {
    const Hdf5Object type = enumeration_of(names_, particle_group);
    write_hdf5_values(particle_group, "species", type.get(), {last_.size()},
                      last_.data(), last_.size());
    return;
  }
  value_ = {};
  const hsize_t rows = frames_.size();
  write_hdf5_numbers(particle_group, "species/step", at_frames(steps, frames_), {rows});
  if (!times.empty()) {
    const Hdf5Object time = write_hdf5_numbers(particle_group, "species/time",
                                               at_frames(times, frames_), {rows});
    write_hdf5_unit(time.get(), time_unit);
  }
}

}  // namespace starhist::io
