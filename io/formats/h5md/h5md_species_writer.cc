#include "io/formats/h5md/h5md_species_writer.hh"

#include <array>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/h5md/h5md_datasets.hh"
#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_text.hh"
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
  const char* path = "species/value";
  const Hdf5Object group = create_hdf5_group(particle_group, "species");
  const Hdf5Object type = create_h5md_enumeration(group.get(), names_);
  const std::array<hsize_t, 2> shape{0, last_.size()};
  const std::array<hsize_t, 2> limit{H5S_UNLIMITED, last_.size()};
  const std::array<hsize_t, 2> chunk{1, last_.size()};
  const Hdf5Object space =
      own_hdf5<RunError>(H5Screate_simple(2, shape.data(), limit.data()), H5Sclose,
                         particle_group, path, unwritable);
  const Hdf5Object creation = own_hdf5<RunError>(
      H5Pcreate(H5P_DATASET_CREATE), H5Pclose, particle_group, path, unwritable);
  check_hdf5<RunError>(H5Pset_chunk(creation.get(), 2, chunk.data()), particle_group,
                       path, unwritable);
  value_ = own_hdf5<RunError>(H5Dcreate2(group.get(), "value", type.get(), space.get(),
                                         H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                              H5Dclose, particle_group, path, unwritable);
}

void H5mdSpeciesWriter::write_row(const std::vector<std::int32_t>& species) {
  const hid_t value = value_.get();
  resize_hdf5_rows(value, frames_.size());
  const Hdf5Object type =
      own_hdf5<RunError>(H5Dget_type(value), H5Tclose, value, "", unwritable);
  const Hdf5Object target =
      own_hdf5<RunError>(H5Dget_space(value), H5Sclose, value, "", unwritable);
  const std::array<hsize_t, 2> start{frames_.size() - 1, 0};
  const std::array<hsize_t, 2> shape{1, species.size()};
  check_hdf5<RunError>(H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start.data(),
                                           nullptr, shape.data(), nullptr),
                       value, "", unwritable);
  const Hdf5Object source = own_hdf5<RunError>(
      H5Screate_simple(2, shape.data(), nullptr), H5Sclose, value, "", unwritable);
  check_hdf5<RunError>(H5Dwrite(value, type.get(), source.get(), target.get(),
                                H5P_DEFAULT, species.data()),
                       value, "", unwritable);
}

void H5mdSpeciesWriter::finish(hid_t particle_group,
                               const std::vector<std::int64_t>& steps,
                               const std::vector<double>& times,
                               const std::string& time_unit) {
  if (!changed()) {
    write_h5md_species(particle_group, names_, last_);
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
