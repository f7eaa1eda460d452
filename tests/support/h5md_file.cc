#include "tests/support/h5md_file.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"

namespace starhist::testing {
namespace {

io::Hdf5Object owned(hid_t id, io::Hdf5Object::Closer closer) {
  return io::own_hdf5<RunError>(id, closer, H5I_INVALID_HID, "", "test file");
}

void check(herr_t status) {
  io::check_hdf5<RunError>(status, H5I_INVALID_HID, "", "test file");
}

hid_t number_type(NumberType type) {
  switch (type) {
    case NumberType::i8:
      return H5T_STD_I8LE;
    case NumberType::i32:
      return H5T_STD_I32LE;
    case NumberType::i64:
      return H5T_STD_I64LE;
    case NumberType::f32:
      return H5T_IEEE_F32LE;
    case NumberType::f64:
      return H5T_IEEE_F64LE;
    case NumberType::f64_big_endian:
      return H5T_IEEE_F64BE;
  }
  throw InternalError("unknown NumberType");
}

enum class Growth { fixed, unlimited };

io::Hdf5Object make_space(const std::vector<hsize_t>& shape,
                          Growth growth = Growth::fixed) {
  const std::vector<hsize_t> limits(shape.size(), H5S_UNLIMITED);
  return owned(shape.empty() ? H5Screate(H5S_SCALAR)
                             : H5Screate_simple(
                                   static_cast<int>(shape.size()), shape.data(),
                                   growth == Growth::fixed ? nullptr : limits.data()),
               H5Sclose);
}

/// Properties that also create the groups above a link.
io::Hdf5Object links_with_groups() {
  io::Hdf5Object links = owned(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  check(H5Pset_create_intermediate_group(links.get(), 1));
  return links;
}

/// Strings in HDF5's memory layout: one block of equal lengths, or pointers.
struct TextBuffer {
  io::Hdf5Object type;
  std::string block;
  std::vector<const char*> pointers;

  TextBuffer(const std::vector<std::string>& values, StringType kind)
      : type(owned(H5Tcopy(H5T_C_S1), H5Tclose)) {
    if (kind == StringType::variable) {
      check(H5Tset_size(type.get(), H5T_VARIABLE));
      check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
      for (const std::string& value : values) {
        pointers.push_back(value.c_str());
      }
      return;
    }
    std::size_t length = 1;
    for (const std::string& value : values) {
      length = std::max(length, value.size());
    }
    const bool blanks = kind == StringType::blank_padded;
    check(H5Tset_size(type.get(), length));
    check(H5Tset_strpad(type.get(), blanks ? H5T_STR_SPACEPAD : H5T_STR_NULLPAD));
    for (const std::string& value : values) {
      block += value + std::string(length - value.size(), blanks ? ' ' : '\0');
    }
  }

  const void* data() const {
    return pointers.empty() ? static_cast<const void*>(block.data()) : pointers.data();
  }
};

}  // namespace

HdfFile::HdfFile(const std::string& path, Mode mode) {
  io::silence_hdf5();
  file_ = owned(mode == Mode::create
                    ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                    : H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                H5Fclose);
}

void HdfFile::group(const std::string& path) {
  const io::Hdf5Object links = links_with_groups();
  owned(H5Gcreate2(file_.get(), path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Gclose);
}

io::Hdf5Object HdfFile::create_dataset(const std::string& path, hid_t type,
                                       const std::vector<hsize_t>& shape,
                                       hid_t properties) {
  // H5Lexists fails if a parent group is missing; then nothing must be replaced.
  if (H5Lexists(file_.get(), path.c_str(), H5P_DEFAULT) > 0) {
    remove(path);
  }
  const bool chunked = H5Pget_layout(properties) == H5D_CHUNKED;
  const io::Hdf5Object space =
      make_space(shape, chunked ? Growth::unlimited : Growth::fixed);
  const io::Hdf5Object links = links_with_groups();
  return owned(H5Dcreate2(file_.get(), path.c_str(), type, space.get(), links.get(),
                          properties, H5P_DEFAULT),
               H5Dclose);
}

void HdfFile::numbers(const std::string& path, const std::vector<hsize_t>& shape,
                      const std::vector<double>& values, const Storage& storage) {
  const io::Hdf5Object properties = owned(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (!storage.chunk.empty()) {
    check(H5Pset_chunk(properties.get(), static_cast<int>(storage.chunk.size()),
                       storage.chunk.data()));
  }
  if (storage.deflate) {
    check(H5Pset_deflate(properties.get(), 1));
  }
  if (storage.fill) {
    check(H5Pset_fill_value(properties.get(), H5T_NATIVE_DOUBLE, &*storage.fill));
  }
  const io::Hdf5Object dataset =
      create_dataset(path, number_type(storage.type), shape, properties.get());
  if (!values.empty()) {
    check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                   values.data()));
  }
}

void HdfFile::enumeration(const std::string& path, const std::vector<hsize_t>& shape,
                          const std::vector<std::uint8_t>& values,
                          const std::vector<std::string>& names) {
  const io::Hdf5Object type = owned(H5Tenum_create(H5T_STD_U8LE), H5Tclose);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto value = static_cast<std::uint8_t>(i);
    check(H5Tenum_insert(type.get(), names[i].c_str(), &value));
  }
  const io::Hdf5Object dataset =
      create_dataset(path, type.get(), shape, H5P_DATASET_CREATE_DEFAULT);
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 values.data()));
}

void HdfFile::text(const std::string& path, const std::vector<hsize_t>& shape,
                   const std::vector<std::string>& values, StringType type) {
  const TextBuffer buffer(values, type);
  const io::Hdf5Object dataset =
      create_dataset(path, buffer.type.get(), shape, H5P_DATASET_CREATE_DEFAULT);
  check(H5Dwrite(dataset.get(), buffer.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 buffer.data()));
}

void HdfFile::number_attribute(const std::string& object, const std::string& name,
                               const std::vector<hsize_t>& shape,
                               const std::vector<double>& values, NumberType type) {
  remove_attribute(object, name);
  const io::Hdf5Object space = make_space(shape);
  const io::Hdf5Object attribute = owned(
      H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), number_type(type),
                        space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  check(H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, values.data()));
}

void HdfFile::text_attribute(const std::string& object, const std::string& name,
                             const std::vector<hsize_t>& shape,
                             const std::vector<std::string>& values, StringType type) {
  remove_attribute(object, name);
  const TextBuffer buffer(values, type);
  const io::Hdf5Object space = make_space(shape);
  const io::Hdf5Object attribute = owned(
      H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), buffer.type.get(),
                        space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  check(H5Awrite(attribute.get(), buffer.type.get(), buffer.data()));
}

void HdfFile::hard_link(const std::string& existing, const std::string& path) {
  const io::Hdf5Object links = links_with_groups();
  check(H5Lcreate_hard(file_.get(), existing.c_str(), file_.get(), path.c_str(),
                       links.get(), H5P_DEFAULT));
}

void HdfFile::remove(const std::string& path) {
  check(H5Ldelete(file_.get(), path.c_str(), H5P_DEFAULT));
}

void HdfFile::remove_attribute(const std::string& object, const std::string& name) {
  if (H5Aexists_by_name(file_.get(), object.c_str(), name.c_str(), H5P_DEFAULT) > 0) {
    check(H5Adelete_by_name(file_.get(), object.c_str(), name.c_str(), H5P_DEFAULT));
  }
}

SmallTrajectory small_trajectory(std::uint64_t frame_count) {
  SmallTrajectory trajectory;
  for (std::uint64_t frame = 0; frame < frame_count; ++frame) {
    std::vector<double> positions;
    for (std::size_t i = 0; i < 3 * trajectory.species.size(); ++i) {
      positions.push_back(static_cast<double>(i + 1) / 8.0 +
                          static_cast<double>(frame) / 64.0);
    }
    trajectory.positions.push_back(positions);
  }
  return trajectory;
}

void write_h5md(const std::string& path, const SmallTrajectory& trajectory) {
  const hsize_t frames = trajectory.positions.size();
  const hsize_t particles = trajectory.species.size();
  std::vector<double> positions;
  std::vector<double> steps;
  std::vector<double> times;
  for (hsize_t frame = 0; frame < frames; ++frame) {
    const auto& of_frame = trajectory.positions[frame];
    positions.insert(positions.end(), of_frame.begin(), of_frame.end());
    steps.push_back(static_cast<double>(trajectory.first_step) +
                    static_cast<double>(frame) *
                        static_cast<double>(trajectory.step_increment));
    times.push_back(static_cast<double>(frame) * trajectory.time_increment);
  }
  std::vector<std::string> names = trajectory.species;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::uint8_t> species;
  for (const std::string& name : trajectory.species) {
    const auto found = std::find(names.begin(), names.end(), name);
    species.push_back(static_cast<std::uint8_t>(found - names.begin()));
  }

  HdfFile file(path);
  const std::string group = "particles/" + trajectory.group;
  file.group("h5md");
  file.number_attribute("h5md", "version", {2}, {1, 1});
  file.group(group + "/box");
  file.number_attribute(group + "/box", "dimension", {}, {3});
  file.text_attribute(group + "/box", "boundary", {3},
                      {"periodic", "periodic", "periodic"});
  const auto& edges = trajectory.edges;
  file.numbers(group + "/box/edges", {3}, {edges[0], edges[1], edges[2]});
  file.numbers(group + "/position/value", {frames, particles, 3}, positions,
               {NumberType::f32, {1, particles, 3}});
  file.numbers(group + "/position/step", {frames}, steps, {NumberType::i64});
  file.numbers(group + "/position/time", {frames}, times);
  file.enumeration(group + "/species", {particles}, species, names);
  if (!trajectory.length_unit.empty()) {
    file.text_attribute(group + "/position/value", "unit", {},
                        {trajectory.length_unit});
  }
  if (!trajectory.time_unit.empty()) {
    file.text_attribute(group + "/position/time", "unit", {}, {trajectory.time_unit});
  }
}

std::vector<double> positions_of(const SmallTrajectory& trajectory, std::uint64_t frame,
                                 const std::string& species) {
  std::vector<double> positions;
  for (std::size_t particle = 0; particle < trajectory.species.size(); ++particle) {
    if (trajectory.species[particle] == species) {
      const double* first = &trajectory.positions[frame][3 * particle];
      positions.insert(positions.end(), first, first + 3);
    }
  }
  return positions;
}

}  // namespace starhist::testing
