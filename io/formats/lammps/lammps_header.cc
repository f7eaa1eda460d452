#include "io/formats/lammps/lammps_header.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

using BoxRows = std::array<std::array<double, 4>, 3>;

/// Three lines of two or three numbers; nothing when the file ends.
bool read_bounds(TextFile& file, std::size_t numbers, BoxRows& rows) {
  for (auto& row : rows) {
    std::string_view line;
    if (!file.next(line)) {
      return false;
    }
    const auto fields = fields_of(line);
    if (fields.size() < numbers) {
      throw InputError(std::to_string(fields.size()) + " numbers for the box, not " +
                       std::to_string(numbers));
    }
    for (std::size_t k = 0; k < numbers; ++k) {
      row[k] = real_field(fields[k], "box");
    }
  }
  return true;
}

/// `items`: what follows BOX BOUNDS: names of tilt factors or "abc origin", and a pair
/// of letters for each dimension, p where it is periodic.
bool read_box(TextFile& file, std::vector<std::string_view> items,
              LammpsHeader& header) {
  const bool general = items.size() >= 2 && items[0] == "abc" && items[1] == "origin";
  const bool tilted = items.size() >= 3 && items[0] == "xy";
  const std::size_t names = general ? 2 : tilted ? 3 : 0;
  header.periodic = {true, true, true};  // as LAMMPS had it before it said so
  if (items.size() >= names + 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      header.periodic[k] = items[names + k] == "pp";
    }
  }
  BoxRows row{};
  if (!read_bounds(file, general ? 4 : tilted ? 3 : 2, row)) {
    return false;
  }
  if (general) {
    for (std::size_t k = 0; k < 3; ++k) {
      header.edges[k] = {row[k][0], row[k][1], row[k][2]};
    }
    header.origin = {row[0][3], row[1][3], row[2][3]};
    return true;
  }
  // The bounds are those of the box around the tilted cell (LAMMPS manual, Howto
  // triclinic).
  const double xy = row[0][2];
  const double xz = row[1][2];
  const double yz = row[2][2];
  const double x_low = row[0][0] - std::min({0.0, xy, xz, xy + xz});
  const double x_high = row[0][1] - std::max({0.0, xy, xz, xy + xz});
  const double y_low = row[1][0] - std::min(0.0, yz);
  const double y_high = row[1][1] - std::max(0.0, yz);
  header.origin = {x_low, y_low, row[2][0]};
  header.edges = {Vec3{x_high - x_low, 0.0, 0.0},
                  {xy, y_high - y_low, 0.0},
                  {xz, yz, row[2][1] - row[2][0]}};
  return true;
}

/// True when the item is there, false when the file ends within it.
bool read_item(TextFile& file, std::string_view item, LammpsHeader& header) {
  std::string_view line;
  if (item.starts_with("BOX BOUNDS")) {
    // The words are in the buffer of the line, which goes.
    const std::string words(item.substr(std::string_view("BOX BOUNDS").size()));
    return read_box(file, fields_of(words), header);
  }
  const std::string name(item);
  if (!file.next(line)) {
    return false;
  }
  if (name == "TIMESTEP") {
    header.step = whole_field(take_field(line), "time step");
  } else if (name == "TIME") {
    header.time = real_field(take_field(line), "time");
  } else if (name == "UNITS") {
    const std::string units(take_field(line));
    if (!header.units.empty() && header.units != units) {
      throw InputError("the units are " + units + ", but " + header.units +
                       " in a frame before (files of different simulations?)");
    }
    header.units = units;
  } else if (name == "NUMBER OF ATOMS") {
    const std::int64_t atoms = whole_field(take_field(line), "number of atoms");
    if (atoms < 0) {
      throw InputError(std::to_string(atoms) + " atoms");
    }
    header.atoms = static_cast<std::uint64_t>(atoms);
  } else {
    throw InputError("'ITEM: " + name + "' is none of a LAMMPS dump");
  }
  return true;
}

bool read_items(TextFile& file, LammpsHeader& header) {
  constexpr std::string_view mark = "ITEM: ";
  constexpr std::string_view atoms = "ATOMS";
  std::string_view line;
  while (file.next(line)) {
    if (!line.starts_with(mark)) {
      throw InputError("'" + std::string(line.substr(0, 40)) +
                       "' where an ITEM of a LAMMPS dump is to begin");
    }
    std::string_view item = line.substr(mark.size());
    if (item == atoms || item.starts_with("ATOMS ")) {
      item.remove_prefix(atoms.size());
      header.columns.clear();
      for (const std::string_view column : fields_of(item)) {
        header.columns.emplace_back(column);
      }
      return true;
    }
    if (!read_item(file, item, header)) {
      return false;
    }
  }
  return false;
}

}  // namespace

LammpsColumns::LammpsColumns(const std::vector<std::string>& names) {
  const auto find = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - names.begin()));
  };
  for (const char* name : {"id", "type", "element", "mol", "mass", "x", "y", "z", "xu",
                           "yu", "zu", "xs", "ys", "zs", "xsu", "ysu", "zsu"}) {
    if (std::count(names.begin(), names.end(), name) > 1) {
      throw InputError(std::string("the column '") + name + "' stands twice in [" +
                       join(names, " ") + "]");
    }
  }
  const auto element = find("element");
  species = element ? element : find("type");
  particles.of(ParticleField::id) = find("id");
  particles.of(ParticleField::species) = species;
  particles.of(ParticleField::type) = find("type");
  particles.of(ParticleField::element) = element;
  particles.of(ParticleField::molecule) = find("mol");
  particles.mass = find("mass");
  for (const char* suffix : {"", "u", "s", "su"}) {
    const auto x = find(std::string("x") + suffix);
    const auto y = find(std::string("y") + suffix);
    const auto z = find(std::string("z") + suffix);
    if (x && y && z) {
      position[0] = *x;
      position[1] = *y;
      position[2] = *z;
      scaled = *suffix == 's';
      return;
    }
  }
  throw InputError("no positions among the columns [" + join(names, " ") +
                   "] (x y z, xu yu zu, xs ys zs or xsu ysu zsu)");
}

bool read_lammps_header(TextFile& file, LammpsHeader& header) {
  header.time = no_time;
  try {
    return read_items(file, header);
  } catch (const InputError& error) {
    throw InputError(file.at_last_line(error.what()));
  }
}

}  // namespace starhist::io
