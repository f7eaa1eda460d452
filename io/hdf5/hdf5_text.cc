#include "io/hdf5/hdf5_text.hh"

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

Hdf5Object string_of(std::size_t length, hid_t place, const std::string& name) {
  silence_hdf5();
  Hdf5Object type =
      own_hdf5<RunError>(H5Tcopy(H5T_C_S1), H5Tclose, place, name, unwritable);
  check_hdf5<RunError>(H5Tset_size(type.get(), length), place, name, unwritable);
  check_hdf5<RunError>(H5Tset_cset(type.get(), H5T_CSET_UTF8), place, name, unwritable);
  return type;
}

Hdf5Object scalar(hid_t place, const std::string& name) {
  return own_hdf5<RunError>(H5Screate(H5S_SCALAR), H5Sclose, place, name, unwritable);
}

}  // namespace

void write_hdf5_unit(hid_t dataset, const std::string& unit) {
  if (unit.empty()) {
    return;
  }
  const Hdf5Object type = string_of(H5T_VARIABLE, dataset, "unit");
  const Hdf5Object space = scalar(dataset, "unit");
  const Hdf5Object attribute = own_hdf5<RunError>(
      H5Acreate2(dataset, "unit", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, dataset, "unit", unwritable);
  const char* text = unit.c_str();
  check_hdf5<RunError>(H5Awrite(attribute.get(), type.get(), &text), dataset, "unit",
                       unwritable);
}

void write_hdf5_text(hid_t parent, const std::string& name, const std::string& text) {
  const Hdf5Object type = string_of(text.size() + 1, parent, name);
  const Hdf5Object space = scalar(parent, name);
  const Hdf5Object dataset =
      own_hdf5<RunError>(H5Dcreate2(parent, name.c_str(), type.get(), space.get(),
                                    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose, parent, name, unwritable);
  check_hdf5<RunError>(
      H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()),
      parent, name, unwritable);
}

std::string scale_power(const std::string& unit, int power) {
  for (const char c : unit) {
    if (!is_letter(c)) {
      return "";
    }
  }
  return unit.empty() ? "" : unit + (power > 0 ? "+" : "") + std::to_string(power);
}

}  // namespace starhist::io
