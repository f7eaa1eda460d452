#include "io/hdf5/h5md_root.hh"

#include <algorithm>
#include <array>

#include <pwd.h>
#include <unistd.h>

#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"

namespace starhist::io {
namespace {

using Version = std::vector<std::int32_t>;

/// Returns the account name as the author, which H5MD requires.
std::string author_name() {
  const passwd* account = ::getpwuid(::geteuid());
  return account == nullptr ? "unknown" : account->pw_name;
}

/// Whether the unit is in H5MD's table of SI units: true for "nm" and "0.1 nm", false
/// for "A" and "sigma".
bool is_si_length(const std::string& unit) {
  const std::string symbol = unit.substr(unit.find_last_of(' ') + 1);
  constexpr std::array symbols{"m", "cm", "mm", "um", "nm", "pm", "fm"};
  return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

}  // namespace

void write_h5md_root(hid_t file, const std::string& length_unit) {
  const Hdf5Object h5md = create_hdf5_group(file, "h5md");
  write_hdf5_attribute(h5md.get(), "version", Version{1, 1});
  const Hdf5Object author = create_hdf5_group(file, "h5md/author");
  write_hdf5_attribute(author.get(), "name", author_name());
  const Hdf5Object creator = create_hdf5_group(file, "h5md/creator");
  write_hdf5_attribute(creator.get(), "name", std::string("starhist"));
  if (is_si_length(length_unit)) {
    const Hdf5Object units = create_hdf5_group(file, "h5md/modules/units");
    write_hdf5_attribute(units.get(), "version", Version{1, 0});
    write_hdf5_attribute(units.get(), "system", std::string("SI"));
  }
}

std::string h5md_creator(hid_t object) {
  const std::string path = "/h5md/creator";
  if (!hdf5_is_group(object, path)) {
    return "";
  }
  const Hdf5Object creator = open_hdf5_group(object, path);
  if (!hdf5_has_attribute(creator.get(), "name")) {
    return "";
  }
  const auto names = read_hdf5_strings(creator.get(), "name");
  return names.empty() ? "" : lower_case(names.front());
}

}  // namespace starhist::io
