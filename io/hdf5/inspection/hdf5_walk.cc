#include "io/hdf5/inspection/hdf5_walk.hh"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <new>
#include <set>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_filters.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/inspection/inspection_report.hh"
#include "io/hdf5/inspection/stored_sizes.hh"

namespace starhist::io {
namespace {

namespace fs = std::filesystem;

constexpr int deepest_group = 16;
constexpr std::size_t most_external_files = 10000;

herr_t note_lack_of_memory(unsigned, const H5E_error2_t* entry, void* lacking) {
  if (entry->min_num == H5E_NOSPACE || entry->min_num == H5E_CANTALLOC) {
    *static_cast<bool*>(lacking) = true;
  }
  return 0;
}

/// Ignores the error of a failed HDF5 call. Throws std::bad_alloc if memory ran out.
void pass_over_error() {
  bool lacking = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_lack_of_memory, &lacking);
  if (lacking) {
    throw std::bad_alloc();
  }
}

/// Takes ownership of an identifier; empty if it is negative.
Hdf5Object owned(hid_t id, Hdf5Object::Closer closer) {
  if (id < 0) {
    pass_over_error();
    return {};
  }
  return {id, closer};
}

/// Throws if a listing failed: a link that cannot be listed could still be opened by
/// name without having been inspected.
void check_listed(herr_t status) {
  if (status < 0) {
    pass_over_error();
    throw InputError("links or attributes that cannot be listed");
  }
}

bool succeeds(herr_t status) {
  if (status < 0) {
    pass_over_error();
  }
  return status >= 0;
}

herr_t add_link(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// File and address of an object, equal for all links to it.
using ObjectKey = std::array<unsigned char, 24>;

struct ObjectInfo {
  H5O_type_t type = H5O_TYPE_UNKNOWN;
  unsigned links = 0;  ///< number of hard links to the object
  hsize_t attributes = 0;
  ObjectKey key{};
};

bool look_at(hid_t object, ObjectInfo& seen) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  if (!succeeds(H5Oget_info3(object, &info, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS))) {
    return false;
  }
  std::memcpy(seen.key.data() + 8, &info.token, 16);
#else
  H5O_info_t info;
#if H5_VERSION_GE(1, 10, 3)
  const bool known =
      succeeds(H5Oget_info2(object, &info, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS));
#else
  const bool known = succeeds(H5Oget_info(object, &info));
#endif
  if (!known) {
    return false;
  }
  std::memcpy(seen.key.data() + 8, &info.addr, sizeof info.addr);
#endif
  std::memcpy(seen.key.data(), &info.fileno, std::min(sizeof info.fileno, 8UL));
  seen.type = info.type;
  seen.links = info.rc;
  seen.attributes = info.num_attrs;
  return true;
}

/// Whether readers use this name in the root of a file.
bool is_read_from_root(const std::string& name) {
  static constexpr const char* names[] = {"particles",   "h5md",     "parameters",
                                          "observables", "topology", "coordinates"};
  const bool number = name.find_first_not_of("0123456789") == std::string::npos;
  return number ||
         std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Whether readers use this name below the root.
bool is_read(const std::string& name) {
  return name != "velocity" && name != "velocities" && name != "force" &&
         name != "forces" && name != "image";
}

/// Whether readers use values of this class.
bool is_read(H5T_class_t kind) {
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM ||
         kind == H5T_STRING;
}

/// Returns the path under which HDF5 has opened an object's file.
std::string file_of(hid_t object) {
  const ssize_t length = H5Fget_name(object, nullptr, 0);
  std::vector<char> name(static_cast<std::size_t>(std::max<ssize_t>(length, 0)) + 1);
  return H5Fget_name(object, name.data(), name.size()) < 0 ? "" : name.data();
}

/// Returns the name of a virtual dataset's source: "%b" is replaced by the block
/// number, "%%" by "%".
std::string of_block(const std::string& name, std::size_t block) {
  std::string text;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const char next = name[k] == '%' && k + 1 < name.size() ? name[k + 1] : '\0';
    text += next == 'b' ? std::to_string(block) : std::string(1, name[k]);
    k += next == 'b' || next == '%' ? 1 : 0;
  }
  return text;
}

class Walk {
 public:
  explicit Walk(ExternalFiles external)
      : external_(external), access_(H5Pcreate(H5P_LINK_ACCESS), H5Pclose) {
    H5Pset_elink_cb(access_.get(), on_external_link, this);
  }

  ExternalFileList found() { return std::move(found_); }

  void root(hid_t file) {
    const Hdf5Object group = owned(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
    if (group) {
      attributes(group.get());
      links(group.get(), "", 0);
    }
  }

 private:
  bool ended() const { return external_ == ExternalFiles::refused && !found_.empty(); }

  void add(const ExternalFile& file) {
    const bool known =
        std::any_of(found_.begin(), found_.end(), [&](const auto& other) {
          return other.kind == file.kind && other.file == file.file &&
                 other.path == file.path;
        });
    if (!known && found_.size() < most_external_files) {
      found_.push_back(file);
    }
  }

  /// HDF5 calls this before it opens the target file of an external link; a negative
  /// value prevents that. `parent`: path under which HDF5 has opened the file that
  /// holds the link, reached through the previous link on the same path.
  static herr_t on_external_link(const char* parent, const char* group,
                                 const char* file, const char*, unsigned*, hid_t,
                                 void* walk) {
    auto* const self = static_cast<Walk*>(walk);
    if (!self->links_passed_.empty()) {
      self->links_passed_.back().path = parent;
    }
    self->links_passed_.push_back(
        {"external link", group == nullptr ? "" : group, file, ""});
    return self->external_ == ExternalFiles::refused ? -1 : 0;
  }

  /// Opens an object, and adds the files of all external links on the way to it.
  Hdf5Object opened(hid_t group, const std::string& name) {
    links_passed_.clear();
    Hdf5Object object = owned(H5Oopen(group, name.c_str(), access_.get()), H5Oclose);
    if (object && !links_passed_.empty()) {
      links_passed_.back().path = file_of(object.get());
    }
    for (const ExternalFile& file : links_passed_) {
      add(file);
    }
    return object;
  }

  void links(hid_t group, const std::string& path, int depth) {
    std::vector<std::string> names;
    hsize_t index = 0;
    check_listed(
        H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &index, add_link, &names));
    for (const std::string& name : names) {
      if (ended()) {
        return;
      }
      if (depth == 0 ? is_read_from_root(name) : is_read(name)) {
        link(group, name, path + "/" + name, depth);
      }
    }
  }

  void link(hid_t group, const std::string& name, const std::string& path, int depth) {
    const Hdf5Object object = opened(group, name);
    ObjectInfo info;
    if (!object || !look_at(object.get(), info)) {
      return;
    }
    const bool again = info.type == H5O_TYPE_GROUP || info.links > 1;
    if (again && !visited_.insert(info.key).second) {
      return;
    }
    if (info.attributes > 0) {
      attributes(object.get());
    }
    if (info.type == H5O_TYPE_DATASET) {
      dataset(object.get(), path);
    } else if (info.type == H5O_TYPE_GROUP && depth < deepest_group) {
      links(object.get(), path, depth + 1);
    }
  }

  void attributes(hid_t object) {
    std::vector<std::string> names;
    hsize_t index = 0;
    check_listed(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &index,
                             add_attribute, &names));
    for (const std::string& name : names) {
      attribute(object, name);
    }
  }

  void attribute(hid_t object, const std::string& name) {
    const Hdf5Object attribute =
        owned(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (!attribute) {
      return;
    }
    const Hdf5Object type = owned(H5Aget_type(attribute.get()), H5Tclose);
    const Hdf5Object space = owned(H5Aget_space(attribute.get()), H5Sclose);
    if (!type || !space || !is_read(H5Tget_class(type.get()))) {
      return;
    }
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    try {
      check_hdf5_attribute(object, name, static_cast<double>(count),
                           H5Tget_size(type.get()));
    } catch (const InputError&) {
      return;  // readers report the same message
    }
    read(type.get(), space.get(), static_cast<std::size_t>(count),
         [&](void* values) { return H5Aread(attribute.get(), type.get(), values); });
  }

  /// Reads `count` values of the memory type and frees the memory that HDF5 allocated.
  template <class Read>
  void read(hid_t type, hid_t space, std::size_t count, Read read_to) {
    std::vector<char> values(count * H5Tget_size(type));
    if (values.empty() || !succeeds(read_to(values.data()))) {
      return;
    }
    if (H5Tis_variable_str(type) > 0) {
      succeeds(H5Dvlen_reclaim(type, space, H5P_DEFAULT, values.data()));
    }
  }

  void dataset(hid_t dataset, const std::string& path) {
    const Hdf5Object properties = owned(H5Dget_create_plist(dataset), H5Pclose);
    if (!properties) {
      return;
    }
    external_storage(properties.get(), path);
    const H5D_layout_t layout = H5Pget_layout(properties.get());
    if (layout == H5D_VIRTUAL) {
      sources(dataset, properties.get(), path);
    }
    if (ended()) {
      return;
    }
    const Hdf5Object type = owned(H5Dget_type(dataset), H5Tclose);
    const Hdf5Object space = owned(H5Dget_space(dataset), H5Sclose);
    if (!type || !space) {
      return;
    }
    double fill = 0.0;
    succeeds(H5Pget_fill_value(properties.get(), H5T_NATIVE_DOUBLE, &fill));
#if H5_VERSION_GE(1, 10, 5)
    hsize_t chunks = 0;
    if (layout == H5D_CHUNKED) {
      succeeds(H5Dget_num_chunks(dataset, space.get(), &chunks));
    }
#endif
    if (!stored_sizes_.fit(dataset)) {
      throw ShortData(data_do_not_fit);
    }
    values(dataset, type.get());
  }

  void external_storage(hid_t properties, const std::string& path) {
    const int count = H5Pget_external_count(properties);
    for (int k = 0; k < count; ++k) {
      std::array<char, 4096> name{};
      off_t offset = 0;
      hsize_t size = 0;
      if (succeeds(H5Pget_external(properties, static_cast<unsigned>(k),
                                   name.size() - 1, name.data(), &offset, &size))) {
        add({"external storage", path, name.data(), name.data()});
      }
    }
  }

  /// Visits the source datasets of a virtual dataset.
  void sources(hid_t dataset, hid_t properties, const std::string& path) {
    std::size_t count = 0;
    succeeds(H5Pget_virtual_count(properties, &count));
    for (std::size_t k = 0; k < count && !ended(); ++k) {
      ExternalFile source{"virtual dataset", path,
                          text(H5Pget_virtual_filename, properties, k), ""};
      if (source.file == ".") {
        source.file = "(itself)";
        add(source);
      } else if (external_ == ExternalFiles::refused) {
        add(source);
      } else {
        follow(dataset, source, text(H5Pget_virtual_dsetname, properties, k));
      }
    }
  }

  /// Adds a source of a virtual dataset and visits its dataset `name`. A name with "%b"
  /// stands for one file per block, as long as they exist.
  void follow(hid_t dataset, ExternalFile source, const std::string& name) {
    const std::string pattern = source.file;
    const bool one = of_block(pattern, 0) == of_block(pattern, 1);
    for (std::size_t block = 0; block < most_external_files; ++block) {
      std::string path;
      const Hdf5Object file = opened_source(dataset, of_block(pattern, block), path);
      if (!file && block > 0) {
        return;
      }
      source.path = path;
      add(source);
      if (file) {
        link(file.get(), of_block(name, block), source.place, deepest_group);
      }
      if (!file || one) {
        return;
      }
    }
  }

  static std::string text(ssize_t (*ask)(hid_t, size_t, char*, size_t),
                          hid_t properties, std::size_t k) {
    const ssize_t length = ask(properties, k, nullptr, 0);
    std::vector<char> name(static_cast<std::size_t>(std::max<ssize_t>(length, 0)) + 1);
    return ask(properties, k, name.data(), name.size()) < 0 ? "" : name.data();
  }

  /// Opens a source file of a virtual dataset. HDF5 searches the folder of the
  /// dataset's file, the current folder, and the folder of the file without symbolic
  /// links, also for the last component of an absolute name. Sets `path` to the file
  /// found.
  static Hdf5Object opened_source(hid_t dataset, const std::string& name,
                                  std::string& path) {
    const fs::path holder = file_of(dataset);
    std::error_code ignored;
    const fs::path without_links = fs::canonical(holder, ignored);
    std::vector<fs::path> names{name};
    if (names.front().is_absolute()) {
      names.push_back(names.front().filename());
    }
    for (const fs::path& file : names) {
      for (const fs::path& place :
           {holder.parent_path() / file, file, without_links.parent_path() / file}) {
        if (!fs::is_regular_file(place, ignored)) {
          continue;
        }
        Hdf5Object opened =
            owned(H5Fopen(place.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
        if (opened) {
          path = place.string();
          return opened;
        }
      }
    }
    return {};
  }

  /// Reads values, because reading also depends on metadata: all variable-length
  /// strings, which lie in heaps, and otherwise the first rows, unless they have a
  /// usual compression, which takes time and can only fail cleanly.
  void values(hid_t dataset, hid_t type) {
    const bool in_heap = H5Tis_variable_str(type) > 0;
    if (!is_read(H5Tget_class(type)) || (!in_heap && has_usual_filter(dataset))) {
      return;
    }
    try {
      check_hdf5_filters(dataset);
      const std::vector<hsize_t> shape = hdf5_shape(dataset);
      const hsize_t rows = shape.empty() ? 1 : shape.front();
      double row = 1.0;
      for (std::size_t axis = 1; axis < shape.size(); ++axis) {
        row *= static_cast<double>(shape[axis]);
      }
      check_hdf5_extent(dataset, in_heap ? static_cast<double>(rows) * row : row);
      constexpr double longest_row = 4e6;
      if (row > longest_row) {
        return;
      }
      constexpr double at_once = 8192.0;
      const hsize_t step =
          row >= at_once ? 1 : static_cast<hsize_t>(at_once / std::max(row, 1.0));
      for (hsize_t first = 0; first < rows; first += step) {
        read_rows(dataset, type, shape, first, std::min(step, rows - first));
        if (!in_heap) {
          return;
        }
      }
    } catch (const InputError&) {
      return;  // readers report the same message
    }
  }

  static bool has_usual_filter(hid_t dataset) {
    const Hdf5Object properties = owned(H5Dget_create_plist(dataset), H5Pclose);
    const int count = H5Pget_nfilters(properties.get());
    for (int k = 0; k < count; ++k) {
      std::size_t parameters = 0;
      const H5Z_filter_t id =
          H5Pget_filter2(properties.get(), static_cast<unsigned>(k), nullptr,
                         &parameters, nullptr, 0, nullptr, nullptr);
      constexpr H5Z_filter_t lzf = 32000;
      if (id != H5Z_FILTER_DEFLATE && id != H5Z_FILTER_SHUFFLE &&
          id != H5Z_FILTER_FLETCHER32 && id != lzf) {
        return false;
      }
    }
    return count > 0;
  }

  void read_rows(hid_t dataset, hid_t type, std::vector<hsize_t> shape, hsize_t first,
                 hsize_t count) {
    const Hdf5Object space = owned(H5Dget_space(dataset), H5Sclose);
    std::vector<hsize_t> start(shape.size(), 0);
    if (!shape.empty()) {
      start.front() = first;
      shape.front() = count;
      if (!succeeds(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(),
                                        nullptr, shape.data(), nullptr))) {
        return;
      }
    }
    std::size_t size = 1;
    for (const hsize_t extent : shape) {
      size *= extent;
    }
    const Hdf5Object memory = owned(
        shape.empty()
            ? H5Screate(H5S_SCALAR)
            : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
        H5Sclose);
    read(type, memory.get(), size, [&](void* to) {
      return H5Dread(dataset, type, memory.get(), space.get(), H5P_DEFAULT, to);
    });
  }

  ExternalFiles external_;
  Hdf5Object access_;  ///< link access properties with on_external_link()
  ExternalFileList found_;
  /// external links followed to the object opened last
  ExternalFileList links_passed_;
  StoredSizes stored_sizes_;
  std::set<ObjectKey> visited_;  ///< groups, and datasets with several links
};

}  // namespace

ExternalFileList walk_hdf5_file(const std::string& path, ExternalFiles external) {
  Hdf5Object file;
  try {
    file = try_open_hdf5_file(path, Hdf5Reading::deferred);
  } catch (const InputError& error) {
    // HDF5's error stack is cleared by now; the message contains its innermost entry.
    if (std::strstr(error.what(), "allocation failed") != nullptr) {
      throw std::bad_alloc();
    }
  }
  Walk walk(external);
  if (file) {
    walk.root(file.get());
  }
  return walk.found();
}

}  // namespace starhist::io
