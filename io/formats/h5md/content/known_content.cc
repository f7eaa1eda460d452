#include "io/formats/h5md/content/known_content.hh"

#include <algorithm>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

/// Members of the group of positions or edges. `box`: see H5mdBox.
constexpr std::string_view element_members[] = {"box", "step", "time", "value"};
/// Names in a particle group that would change its boxes; all others describe
/// particles, and are read by name or irrelevant.
constexpr const char* other_boxes[] = {"boundary",    "cell",      "dimensions",
                                       "edges",       "lattice",   "pbc",
                                       "periodicity", "unit_cell", "unitcell"};
/// Attributes by which other formats scale or shift values.
constexpr const char* other_scales[] = {"add_offset", "offset", "scale",
                                        "scale_factor"};

constexpr const char* box_remedy =
    " (replace the file's box with --box a,b,c or --box none)";

/// Attributes of PyTables, NetCDF and ZnH5MD, and users' comments.
constexpr std::string_view of_libraries[] = {"ASE_ENTRY_ORIGIN",
                                             "CLASS",
                                             "DIMENSION_LIST",
                                             "FLAVOR",
                                             "NAME",
                                             "PYTABLES_FORMAT_VERSION",
                                             "REFERENCE_LIST",
                                             "TITLE",
                                             "VERSION",
                                             "_Netcdf4Coordinates",
                                             "_Netcdf4Dimid",
                                             "author",
                                             "comment",
                                             "description"};

bool is_among(const std::string& name, KnownNames names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string text_of(KnownNames names) {
  return join(std::vector<std::string>(names.begin(), names.end()), ", ");
}

}  // namespace

void refuse_unknown_members(hid_t group, KnownNames known, const std::string& remedy) {
  for (const std::string& name : hdf5_names(group)) {
    if (!is_among(name, known)) {
      throw InputError(hdf5_location(group) + ": contains \"" + name +
                       "\", which starhist does not know here (known: " +
                       text_of(known) + ")" + remedy);
    }
  }
}

void refuse_unknown_attributes(hid_t object, KnownNames known,
                               const std::string& remedy) {
  for (const std::string& name : hdf5_attribute_names(object)) {
    if (!is_among(name, known) && !is_among(name, of_libraries)) {
      throw InputError(hdf5_location(object) + ": has the attribute \"" + name +
                       "\", which starhist does not know here (known: " +
                       text_of(known) + ")" + remedy);
    }
  }
}

void check_h5md_lengths(hid_t particle_group, const std::string& path) {
  const bool constant = !hdf5_is_group(particle_group, path);
  if (!constant) {
    refuse_unknown_members(open_hdf5_group(particle_group, path).get(), element_members,
                           " (remove it, or write the file as H5MD defines it)");
  }
  const Hdf5Object dataset =
      open_hdf5_dataset(particle_group, constant ? path : path + "/value");
  const hid_t values = dataset.get();
  for (const char* name : other_scales) {
    if (hdf5_has_attribute(values, name)) {
      throw InputError(hdf5_location(values) + ": has the attribute \"" +
                       std::string(name) +
                       "\", which H5MD does not define and which may change the values "
                       "(remove it, or store the values unchanged)");
    }
  }
}

void check_h5md_boxes(hid_t particle_group) {
  for (const char* name : other_boxes) {
    if (hdf5_exists(particle_group, name) || hdf5_has_attribute(particle_group, name)) {
      throw InputError(hdf5_location(particle_group, name) +
                       ": H5MD does not store a box here" + box_remedy);
    }
  }
  std::string offset = "lees_edwards/offset";
  if (!hdf5_exists(particle_group, offset)) {
    return;
  }
  offset += hdf5_is_group(particle_group, offset) ? "/value" : "";
  const Hdf5Object dataset = open_hdf5_dataset(particle_group, offset);
  for (const double shift : read_hdf5_numbers<double>(dataset.get())) {
    if (shift != 0.0) {
      throw InputError(hdf5_location(dataset.get()) +
                       ": boundaries are sheared (Lees-Edwards, offset " +
                       number_text(shift) + "), which is not supported" + box_remedy);
    }
  }
}

void check_h5md_version(hid_t file) {
  if (!hdf5_is_group(file, "h5md")) {
    return;
  }
  const Hdf5Object root = open_hdf5_group(file, "h5md");
  if (!hdf5_has_attribute(root.get(), "version")) {
    return;
  }
  const auto version = read_hdf5_numbers<std::int64_t>(root.get(), "version");
  if (version.empty() || version.front() != 1) {
    throw InputError(hdf5_location(root.get(), "version") + ": the file is of H5MD " +
                     (version.empty() ? "?" : std::to_string(version.front())) +
                     ", but starhist reads version 1 (convert it)");
  }
}

}  // namespace starhist::io
