#include "io/formats/lammps/lammps_header.hh"

#include <algorithm>
#include <array>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_index.hh"

namespace starhist::io {
namespace {

enum class Kind { orthogonal, tilted, general };

using Rows = std::array<std::array<double, 4>, 3>;

bool is_flag(std::string_view word) {
  constexpr std::string_view letters = "pfsm";
  return word.size() == 2 && letters.find(word[0]) != std::string_view::npos &&
         letters.find(word[1]) != std::string_view::npos &&
         (word[0] == 'p') == (word[1] == 'p');
}

[[noreturn]] void refuse_heading(std::string_view heading) {
  std::string known;
  for (const std::string_view word : fields_of(heading)) {
    known += (known.empty() ? "" : " ") + std::string(word);
  }
  throw InputError(
      "the heading 'BOX BOUNDS " + known.substr(0, 60) +
      "' is not one of LAMMPS' (BOX BOUNDS, optionally xy xz yz or abc origin, then pp "
      "pp pp or other pairs of p, f, s, m, in this order): correct it if you know the "
      "meaning of the numbers, or give the box with --box");
}

Kind take_heading(std::string_view heading, std::array<bool, 3>& periodic) {
  std::vector<std::string_view> words = fields_of(heading);
  const auto take = [&words](std::initializer_list<std::string_view> names) {
    const bool found = words.size() >= names.size() &&
                       std::equal(names.begin(), names.end(), words.begin());
    if (found) {
      words.erase(words.begin(),
                  words.begin() + static_cast<std::ptrdiff_t>(names.size()));
    }
    return found;
  };
  const Kind kind = take({"xy", "xz", "yz"})  ? Kind::tilted
                    : take({"abc", "origin"}) ? Kind::general
                                              : Kind::orthogonal;
  periodic = {true, true, true};
  if (words.empty() && kind != Kind::general) {
    return kind;
  }
  if (words.size() != 3 || !std::all_of(words.begin(), words.end(), is_flag)) {
    refuse_heading(heading);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    periodic[axis] = words[axis] == "pp";
  }
  return kind;
}

Rows numbers_of(const std::vector<std::string>& rows, std::size_t count) {
  Rows numbers{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto fields = fields_of(rows[axis]);
    if (fields.size() != count) {
      throw InputError("the box has " + std::to_string(fields.size()) +
                       " numbers per line ('" + rows[axis].substr(0, 60) +
                       "'), but its heading requires " + std::to_string(count) +
                       ": correct the file, or give the box with --box");
    }
    for (std::size_t k = 0; k < count; ++k) {
      numbers[axis][k] = real_field(fields[k], "box");
    }
  }
  return numbers;
}

void check_bounds(double low, double high) {
  if (high < low) {
    throw InputError("the box ends before it begins (from " + std::to_string(low) +
                     " to " + std::to_string(high) +
                     "): correct the file, or pass the box with --box");
  }
}

constexpr std::string_view mark = "ITEM: ";
constexpr std::string_view atoms_item = "ATOMS";
constexpr std::string_view bounds_item = "BOX BOUNDS";

/// Whether the text begins with these words, followed by a blank or its end.
bool begins_with(std::string_view text, std::string_view words) {
  return text.starts_with(words) &&
         (text.size() == words.size() || text[words.size()] == ' ');
}

/// Reads the next line, unless a truncated frame ends before it. False at the end of
/// the file.
bool next_value(TextFile& file, std::string_view& line) {
  if (!file.next(line)) {
    return false;
  }
  if (line.find(mark) != std::string_view::npos) {
    throw InputError("'" + std::string(line.substr(0, 40)) +
                     "' in place of a value of the ITEM above");
  }
  return true;
}

/// Returns the only field of a line.
std::string_view only_field(std::string_view line, const char* what) {
  const std::string_view field = take_field(line);
  if (!take_field(line).empty()) {
    throw InputError(std::string("the line must contain one value (") + what + ")");
  }
  return field;
}

/// Reads the three lines of a box; a problem is stored in the header. False when the
/// file ends.
bool read_box(TextFile& file, const std::string& heading, LammpsHeader& header) {
  std::vector<std::string> rows;
  const std::string place = file.last_line_position();
  for (int axis = 0; axis < 3; ++axis) {
    std::string_view line;
    if (!next_value(file, line)) {
      return false;
    }
    rows.emplace_back(line);
  }
  try {
    header.cell = lammps_box(heading, rows);
  } catch (const InputError& error) {
    const std::string problem = error.what();
    header.box_problem =
        place + ": " + problem +
        (problem.find("--box") == std::string::npos ? " (--box replaces it)" : "");
  }
  return true;
}

void set_units(const TextFile& file, const std::string& units, LammpsHeader& header) {
  if (!header.units.empty() && header.units != units && header.units_problem.empty()) {
    header.units_problem = file.last_line_position() + ": the units are " + units +
                           ", but " + header.units +
                           " in a frame before (files of different simulations?)";
  }
  header.units = units;
}

/// Reads an item; false when the file ends within it.
bool read_item(TextFile& file, const std::string& item, LammpsHeader& header) {
  if (begins_with(item, bounds_item)) {
    return read_box(file, item.substr(bounds_item.size()), header);
  }
  std::string_view line;
  if (item != "TIMESTEP" && item != "TIME" && item != "UNITS" &&
      item != "NUMBER OF ATOMS") {
    throw InputError("'ITEM: " + item.substr(0, 60) +
                     "' does not belong in a LAMMPS dump of atoms (UNITS, TIME, "
                     "TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS, ATOMS)");
  }
  if (!next_value(file, line)) {
    return false;
  }
  if (item == "TIMESTEP") {
    header.step = whole_field(only_field(line, "time step"), "time step");
  } else if (item == "TIME") {
    header.time = real_field(only_field(line, "time"), "time");
  } else if (item == "UNITS") {
    set_units(file, std::string(only_field(line, "units")), header);
  } else {
    const std::int64_t atoms =
        whole_field(only_field(line, "number of atoms"), "number of atoms");
    if (atoms < 0) {
      throw InputError(std::to_string(atoms) + " atoms");
    }
    header.atoms = static_cast<std::uint64_t>(atoms);
  }
  return true;
}

/// Whether the text is a truncated first item of a frame.
bool begins_item(std::string_view text) {
  constexpr std::array<std::string_view, 3> items{"ITEM: UNITS", "ITEM: TIME",
                                                  "ITEM: TIMESTEP"};
  return std::any_of(items.begin(), items.end(), [text](std::string_view item) {
    return !text.empty() && item.starts_with(text);
  });
}

/// Throws InputError for an item that the frame already has.
void note_item(const std::string& item, std::vector<std::string>& seen) {
  const std::string name(begins_with(item, bounds_item) ? bounds_item : item);
  if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
    throw InputError("'ITEM: " + name.substr(0, 60) + "' stands twice in a frame");
  }
  seen.push_back(name);
}

void finish_items(const TextFile& file, const std::vector<std::string>& seen,
                  std::string_view columns, LammpsHeader& header) {
  const auto has = [&seen](const char* item) {
    return std::find(seen.begin(), seen.end(), item) != seen.end();
  };
  for (const char* item : {"TIMESTEP", "NUMBER OF ATOMS"}) {
    if (!has(item)) {
      throw InputError(std::string("the frame has no 'ITEM: ") + item + "'");
    }
  }
  if (!has("BOX BOUNDS")) {
    header.box_problem = file.last_line_position() +
                         ": the frame has no 'ITEM: BOX BOUNDS' (give the box with "
                         "--box a,b,c, or --box none for open boundaries)";
  }
  header.columns.clear();
  for (const std::string_view column : fields_of(columns)) {
    header.columns.emplace_back(column);
  }
}

bool read_items(TextFile& file, LammpsHeader& header) {
  std::vector<std::string> seen;
  std::string_view line;
  header.only_blank = false;
  while (file.next(line)) {
    if (seen.empty() && line.find_first_not_of(" \t") == std::string_view::npos) {
      header.only_blank = true;
      continue;
    }
    header.only_blank = false;
    if (!line.starts_with(mark)) {
      const std::string problem = "'" + std::string(line.substr(0, 40)) +
                                  "' in place of an ITEM of a LAMMPS dump";
      if (seen.empty() && !begins_item(line.substr(0, line.find(mark)))) {
        throw NoFrameBegins(problem);
      }
      throw InputError(problem);
    }
    const std::string_view item = line.substr(mark.size());
    if (begins_with(item, atoms_item)) {
      finish_items(file, seen, item.substr(atoms_item.size()), header);
      return true;
    }
    const std::string name(item.substr(0, item.find_last_not_of(" \t") + 1));
    note_item(name, seen);
    if (!read_item(file, name, header)) {
      return false;
    }
  }
  return false;
}

/// Returns the rank, 1 to 3, of an item with which a frame can begin, in LAMMPS' order;
/// 0 for other items.
int rank_of(std::string_view item) {
  return begins_with(item, "UNITS")      ? 1
         : begins_with(item, "TIME")     ? 2
         : begins_with(item, "TIMESTEP") ? 3
                                         : 0;
}

}  // namespace

LammpsBox lammps_box(std::string_view heading, const std::vector<std::string>& rows) {
  LammpsBox box;
  const Kind kind = take_heading(heading, box.periodic);
  if (kind == Kind::general) {
    const Rows row = numbers_of(rows, 4);
    for (std::size_t k = 0; k < 3; ++k) {
      box.edges[k] = {row[k][0], row[k][1], row[k][2]};
    }
    box.origin = {row[0][3], row[1][3], row[2][3]};
    return box;
  }
  const Rows row = numbers_of(rows, kind == Kind::tilted ? 3 : 2);
  // The bounds belong to the box around the tilted cell (LAMMPS manual, Howto
  // triclinic).
  const double xy = row[0][2];
  const double xz = row[1][2];
  const double yz = row[2][2];
  const double x_low = row[0][0] - std::min({0.0, xy, xz, xy + xz});
  const double x_high = row[0][1] - std::max({0.0, xy, xz, xy + xz});
  const double y_low = row[1][0] - std::min(0.0, yz);
  const double y_high = row[1][1] - std::max(0.0, yz);
  check_bounds(x_low, x_high);
  check_bounds(y_low, y_high);
  check_bounds(row[2][0], row[2][1]);
  box.origin = {x_low, y_low, row[2][0]};
  box.edges = {Vec3{x_high - x_low, 0.0, 0.0},
               {xy, y_high - y_low, 0.0},
               {xz, yz, row[2][1] - row[2][0]}};
  return box;
}

LammpsColumns::LammpsColumns(const std::vector<std::string>& names) {
  const auto find = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - names.begin()));
  };
  for (const char* name :
       {"id", "type", "typelabel", "element", "mol", "mass", "x", "y", "z", "xu", "yu",
        "zu", "xs", "ys", "zs", "xsu", "ysu", "zsu"}) {
    if (std::count(names.begin(), names.end(), name) > 1) {
      throw InputError(std::string("the column '") + name + "' stands twice in [" +
                       join(names, " ") + "]");
    }
  }
  const auto element = find("element");
  const auto label = find("typelabel");
  species = element ? element : label ? label : find("type");
  particles.of(ParticleField::id) = find("id");
  particles.of(ParticleField::species) = species;
  particles.of(ParticleField::type) = find("type");
  particles.of(ParticleField::name) = label;
  particles.of(ParticleField::element) = element;
  particles.of(ParticleField::molecule) = find("mol");
  particles.mass = find("mass");
  particles.charge = find("q");
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

Box LammpsHeader::box() const {
  if (!box_problem.empty()) {
    throw InputError(box_problem);
  }
  return Box(cell.edges, cell.periodic);
}

bool read_lammps_header(TextFile& file, LammpsHeader& header) {
  header.time = no_time;
  header.cell = LammpsBox();
  header.box_problem.clear();
  try {
    return read_items(file, header);
  } catch (const NoFrameBegins& error) {
    throw NoFrameBegins(file.at_last_line(error.what()));
  } catch (const InputError& error) {
    throw InputError(file.at_last_line(error.what()));
  }
}

bool find_lammps_frame(TextFile& file, const TextFile::Position& begin) {
  file.go_to(begin);
  int last_rank = 3;  // rank of the last item of the frame at `begin`
  bool first = true;
  bool after_item = false;  // the previous line is an item that lacks its value
  TextFile::Position place = begin;
  std::string_view line;
  while (file.next(line)) {
    const std::size_t at = line.rfind(mark);
    const bool is_item = at != std::string_view::npos;
    const int rank = is_item ? rank_of(line.substr(at + mark.size())) : 0;
    const bool own = at == 0 && (first || (rank > last_rank && !after_item));
    if (own) {
      last_rank = rank > 0 ? rank : last_rank;
    } else if (rank > 0) {
      place.offset += at;
      file.go_to(place);
      return true;
    }
    first = false;
    after_item = is_item;
    place = file.position();
  }
  return false;
}

}  // namespace starhist::io
