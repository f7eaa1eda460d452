#include "io/formats/h5md/h5md_box.hh"

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

constexpr const char* box_advice =
    " (say --box a,b,c for a box of your own, or --box none for no periodicity)";

/// H5MD wants attributes; ZnH5MD writes datasets.
std::vector<std::string> read_boundary(hid_t box) {
  if (hdf5_has_attribute(box, "boundary")) {
    return read_hdf5_strings(box, "boundary");
  }
  if (hdf5_exists(box, "boundary")) {
    return read_hdf5_strings(open_hdf5_dataset(box, "boundary").get());
  }
  throw InputError(hdf5_location(box) + ": has no boundary" + box_advice);
}

void check_dimension(hid_t box) {
  std::vector<std::int64_t> dimension;
  if (hdf5_has_attribute(box, "dimension")) {
    dimension = read_hdf5_numbers<std::int64_t>(box, "dimension");
  } else if (hdf5_exists(box, "dimension")) {
    dimension =
        read_hdf5_numbers<std::int64_t>(open_hdf5_dataset(box, "dimension").get());
  }
  if (!dimension.empty() && dimension.front() != 3) {
    throw InputError(hdf5_location(box, "dimension") + ": is " +
                     std::to_string(dimension.front()) + ", but only 3 is supported");
  }
}

/// One boundary per axis; a single one holds for all.
std::array<bool, 3> parse_boundary(std::vector<std::string> names, hid_t box) {
  if (names.size() == 1) {
    names.resize(3, names.front());
  }
  if (names.size() != 3) {
    throw InputError(hdf5_location(box, "boundary") + ": has " +
                     std::to_string(names.size()) + " values where 3 are due");
  }
  std::array<bool, 3> periodic{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (names[axis] != "periodic" && names[axis] != "none") {
      throw InputError(hdf5_location(box, "boundary") + ": \"" + names[axis] +
                       "\" is neither \"periodic\" nor \"none\"");
    }
    periodic[axis] = names[axis] == "periodic";
  }
  return periodic;
}

/// Three lengths along the Cartesian axes, or the edge vectors as rows.
std::array<Vec3, 3> to_edges(const std::vector<double>& v,
                             const std::array<bool, 3>& periodic) {
  if (v.size() == 9) {
    return {Vec3{v[0], v[1], v[2]}, Vec3{v[3], v[4], v[5]}, Vec3{v[6], v[7], v[8]}};
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (periodic[axis] && !(v[axis] > 0.0)) {
      throw InputError("box length " + number_text(v[axis]) + " is not positive");
    }
  }
  return {Vec3{v[0], 0.0, 0.0}, Vec3{0.0, v[1], 0.0}, Vec3{0.0, 0.0, v[2]}};
}

}  // namespace

H5mdBox::H5mdBox(hid_t particle_group, const H5mdSampling& frames) {
  if (!hdf5_is_group(particle_group, "box")) {
    throw InputError(hdf5_location(particle_group) + ": has no box" + box_advice);
  }
  const Hdf5Object box = open_hdf5_group(particle_group, "box");
  check_dimension(box.get());
  periodic_ = parse_boundary(read_boundary(box.get()), box.get());
  if (periodic_ == std::array{false, false, false}) {
    return;
  }
  if (!hdf5_exists(box.get(), "edges")) {
    throw InputError(hdf5_location(box.get()) + ": is periodic but has no edges" +
                     box_advice);
  }
  edges_.emplace(box.get(), "edges");
  match_.emplace(*edges_, frames, H5mdMatch::Rule::same_step);
  const std::vector<hsize_t>& shape = edges_->values().row_shape();
  if (shape != std::vector<hsize_t>{3} && shape != std::vector<hsize_t>{3, 3}) {
    std::vector<std::string> extents;
    for (const hsize_t extent : shape) {
      extents.push_back(std::to_string(extent));
    }
    throw InputError(hdf5_location(edges_->values().dataset()) + ": a box of shape [" +
                     join(extents, ", ") + "] is neither [3] nor [3, 3]");
  }
  values_.resize(edges_->values().row_size());
}

const Box& H5mdBox::read(std::uint64_t frame) {
  if (!edges_) {
    return box_;
  }
  const std::uint64_t row = match_->row(frame);
  if (row == row_) {
    return box_;  // without a call of HDF5, which would wait for its lock
  }
  row_.reset();  // until all has gone well
  edges_->values().read(row, hdf5_type<double>(), values_.data());
  if (values_ != last_values_) {
    try {
      box_ = Box(to_edges(values_, periodic_), periodic_);
    } catch (const InputError& error) {
      throw InputError(hdf5_location(edges_->values().dataset()) + ": " + error.what());
    }
    last_values_ = values_;
  }
  row_ = row;
  return box_;
}

}  // namespace starhist::io
