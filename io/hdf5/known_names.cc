#include "io/hdf5/known_names.hh"

#include <algorithm>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

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

}  // namespace starhist::io
