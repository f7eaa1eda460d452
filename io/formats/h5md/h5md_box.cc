#include "io/formats/h5md/h5md_box.hh"

#include <algorithm>
#include <iterator>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/formats/h5md/content/known_content.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

constexpr const char* box_advice =
    " (give --box a,b,c for another box, or --box none for no periodicity)";

/// Allowed names in a box group. `offset`, the origin of the box in drafts of H5MD,
/// does not change distances.
constexpr std::string_view box_members[] = {"boundary", "dimension", "edges", "offset",
                                            "pbc"};
constexpr std::string_view box_attributes[] = {"boundary", "dimension", "pbc"};

/// Locations of boxes: the particle group or, in early H5MD, the positions.
constexpr const char* box_places[] = {"box", "position/box"};

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

/// Converts three lengths along the Cartesian axes, or edge vectors as rows.
std::array<Vec3, 3> to_edges(const std::vector<double>& v, const H5mdAxes& periodic) {
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

bool has_h5md_edges(hid_t particle_group) {
  return std::any_of(std::begin(box_places), std::end(box_places),
                     [particle_group](const char* place) {
                       return hdf5_exists(particle_group,
                                          std::string(place) + "/edges");
                     });
}

H5mdBox::H5mdBox(hid_t particle_group, const H5mdSampling& frames) {
  std::vector<std::string> found;
  for (const char* place : box_places) {
    if (hdf5_is_group(particle_group, place)) {
      found.emplace_back(place);
    }
  }
  if (found.empty()) {
    throw InputError(hdf5_location(particle_group) + ": has no box" + box_advice);
  }
  open(particle_group, found.front(), frames);
  if (found.size() > 1) {
    other_ = std::make_unique<H5mdBox>();
    other_->open(particle_group, found.back(), frames);
  }
}

void H5mdBox::open(hid_t particle_group, const std::string& path,
                   const H5mdSampling& frames) {
  const Hdf5Object box = open_hdf5_group(particle_group, path);
  place_ = hdf5_location(box.get());
  path_ = path;
  refuse_unknown_members(box.get(), box_members, box_advice);
  refuse_unknown_attributes(box.get(), box_attributes, box_advice);
  check_dimension(box.get());
  periodicity_.emplace(box.get(), frames);
  if (!periodicity_->any()) {
    return;
  }
  if (!hdf5_exists(box.get(), "edges")) {
    throw InputError(place_ + ": is periodic but has no edges" + box_advice);
  }
  check_h5md_lengths(box.get(), "edges");
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
  const Box& box = read_own(frame);
  if (other_ && !(other_->read_own(frame) == box)) {
    throw InputError(place_ + ": is not the box of " + other_->place_ + box_advice);
  }
  return box;
}

const Box& H5mdBox::read_own(std::uint64_t frame) {
  const H5mdAxes periodic = periodicity_->axes(frame);
  if (!edges_ || periodic == H5mdAxes{}) {
    return open_box_;
  }
  const std::uint64_t row = match_->row(frame);
  if (row == row_ && periodic == last_periodic_) {
    return box_;  // avoid calls of HDF5, which wait for its lock
  }
  row_.reset();  // until the read has succeeded
  edges_->values().read(row, hdf5_type<double>(), values_.data());
  if (values_ != last_values_ || periodic != last_periodic_) {
    try {
      box_ = Box(to_edges(values_, periodic), periodic);
    } catch (const InputError& error) {
      throw InputError(hdf5_location(edges_->values().dataset()) + ": " + error.what());
    }
    last_values_ = values_;
    last_periodic_ = periodic;
  }
  row_ = row;
  return box_;
}

}  // namespace starhist::io
