#include "io/formats/xyz/xyz_header.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/units.hh"
#include "codelets/core/geometry/box.hh"
#include "io/formats/xyz/xyz_box.hh"
#include "io/formats/xyz/xyz_comment.hh"
#include "io/reader/unit_cell.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_index.hh"

namespace starhist::io {
namespace {

/// Cell and units in a comment of i-PI, "# CELL(abcABC): 35.2 35.2 35.2 90 90 90  Step:
/// 0  Bead: 0 positions{angstrom}  cell{angstrom}".
struct IpiComment {
  UnitCell cell{};        ///< lengths [cell_unit] and angles [degrees]
  std::string unit;       ///< of positions: "A", "bohr", ...
  std::string cell_unit;  ///< of `cell`

  /// The cell in the unit of the positions. Throws InputError for an invalid cell.
  Box box() const {
    const LengthConversion convert("CELL", cell_unit, unit);
    return Box::from_lengths_and_angles(
        {convert(cell[0]), convert(cell[1]), convert(cell[2])},
        {cell[3], cell[4], cell[5]});
  }
};

std::string unit_of(std::string_view word) {
  std::string unit = word == "atomic_unit" ? "bohr" : unit_spelling(std::string(word));
  if (!angstroms_per(unit)) {
    throw InputError("'" + std::string(word.substr(0, 40)) +
                     "' is not a known unit of length (known: atomic_unit, " +
                     length_unit_names() +
                     "): correct the line, or let i-PI write angstrom");
  }
  return unit;
}

/// Empty for other comments, and for those without units, of earlier versions of i-PI.
/// Throws InputError if the cell does not have six numbers, for an unknown unit, and if
/// the file has other quantities than positions, such as velocities.
std::optional<IpiComment> parse_ipi_comment(std::string_view line) {
  constexpr std::string_view cell_mark = "CELL(abcABC):";
  const std::size_t begin = line.find(cell_mark);
  if (begin == std::string_view::npos || line.find("cell{") == std::string_view::npos) {
    return std::nullopt;
  }
  IpiComment comment;
  std::size_t count = 0;
  for (const std::string_view field :
       fields_of(line.substr(begin + cell_mark.size()))) {
    const std::size_t brace = field.find('{');
    if (count < comment.cell.size()) {
      comment.cell[count++] = real_field(field, "CELL");
    } else if (brace != std::string_view::npos && field.ends_with('}')) {
      const std::string_view name = field.substr(0, brace);
      const std::string_view unit = field.substr(brace + 1, field.size() - brace - 2);
      if (name != "cell" && name != "positions" && !name.starts_with("x_centroid")) {
        throw InputError("the file has '" + std::string(field.substr(0, 40)) +
                         "', not positions: give i-PI's file of positions");
      }
      (name == "cell" ? comment.cell_unit : comment.unit) = unit_of(unit);
    }
  }
  return comment.unit.empty() ? std::nullopt : std::optional(comment);
}

template <std::size_t count>
bool is_one_of(const std::string& key,
               const std::array<std::string_view, count>& keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool is_length_unit(const std::string& key) {
  constexpr std::array<std::string_view, 13> keys{
      "unit",           "units",         "length_unit",    "length_units",
      "lengthunit",     "distance_unit", "distance_units", "position_unit",
      "position_units", "pos_unit",      "pos_units",      "unit_length",
      "units_length"};
  return is_one_of(key, keys);
}

bool is_time_unit(const std::string& key) {
  constexpr std::array<std::string_view, 5> keys{"time_unit", "time_units", "timeunit",
                                                 "unit_time", "units_time"};
  return is_one_of(key, keys);
}

/// Throws InputError for a repeated key; xyz_box() checks its own keys.
void refuse_repeated(const XyzComment& comment) {
  for (auto entry = comment.entries.begin(); entry != comment.entries.end(); ++entry) {
    const bool of_box = entry->lower_key == "lattice" || entry->lower_key == "pbc";
    const bool twice = !of_box && std::any_of(comment.entries.begin(), entry,
                                              [entry](const XyzEntry& other) {
                                                return other.key == entry->key;
                                              });
    if (twice) {
      throw InputError("'" + entry->key.substr(0, 40) + "' stands twice");
    }
  }
}

/// Sets time and step. `strict`: refuse values that are not numbers, instead of
/// ignoring them.
void set_moment(const XyzEntry& entry, bool strict, XyzHeader& header) {
  try {
    if (entry.lower_key == "time") {
      header.time = real_field(entry.value, "Time");
    } else {
      header.step = whole_field(entry.value, "Step");
    }
  } catch (const InputError&) {
    if (strict) {
      throw;
    }
  }
}

/// Sets step and time of a second line of LAMMPS' `dump xyz`, ORCA, DFTB+ or i-PI.
/// Throws InputError for velocities and forces of ORCA, which are not positions.
void set_moment_of_program(std::string_view line, XyzHeader& header) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const auto take = [&](std::string_view key) {
    if (const auto step = whole_number_after(line, key)) {
      header.step = *step;
    }
  };
  constexpr std::string_view orca = "# ORCA AIMD ";
  if (line.starts_with("Atoms. Timestep:")) {
    take("Timestep:");
    header.time = real_after(line, " Time:").value_or(header.time);
  } else if (line.starts_with("# CELL")) {
    take("Step:");
  } else if (line.starts_with("MD iter:")) {
    take("MD iter:");
  } else if (line.starts_with(orca)) {
    if (!line.substr(orca.size()).starts_with("Position")) {
      throw InputError("'" + std::string(line.substr(0, 60)) +
                       "' announces no positions: give ORCA's file of positions");
    }
    take(" Step ");
  }
}

void set_from_entries(const XyzComment& comment, bool extended, XyzHeader& header) {
  const bool has_step = has_entry(comment, "step");
  const bool cp2k = !comment.entries.empty() && comment.entries.front().key == "i" &&
                    has_entry(comment, "e");  // " i = 5, time = 2.5, E = -17.1"
  for (const XyzEntry& entry : comment.entries) {
    const std::string statement = entry.key + "=" + entry.value.substr(0, 40);
    if (entry.lower_key == "properties") {
      header.columns = XyzColumns(entry.value);
    } else if (entry.lower_key == "time" || entry.lower_key == "step") {
      set_moment(entry, extended, header);
    } else if (!has_step &&
               (entry.lower_key == "timestep" || (cp2k && entry.key == "i"))) {
      set_moment(entry, false, header);
    } else if (!has_step && entry.lower_key == "ipi_comment") {
      header.step = whole_number_after(entry.value, "Step:").value_or(header.step);
    } else if (is_length_unit(entry.lower_key)) {
      header.length_unit = statement;
    } else if (is_time_unit(entry.lower_key)) {
      header.time_unit = statement;
    }
  }
}

void set_from_second_line(const TextFile& file, std::string_view line,
                          XyzHeader& header) {
  const XyzComment comment = parse_xyz_comment(line);
  const bool extended = is_extended(comment);
  set_moment_of_program(line, header);
  if (comment.problem.empty()) {
    if (extended) {
      refuse_repeated(comment);
    }
    set_from_entries(comment, extended, header);
  } else if (is_meant_as_extended(line)) {
    throw InputError(
        comment.problem +
        " (key=value of extended XYZ: quote values with blanks or special characters)");
  }
  const std::optional<IpiComment> of_ipi = parse_ipi_comment(line);
  header.unit = of_ipi ? of_ipi->unit : "";
  try {
    header.box = of_ipi ? of_ipi->box() : xyz_box(line, comment);
  } catch (const InputError& error) {
    const std::string problem = error.what();
    header.box_problem = file.at_last_line(
        problem +
        (problem.find("--box") == std::string::npos ? " (--box replaces it)" : ""));
  }
}

/// Whether the line is skipped between frames: blank, or ">", as written by ORCA.
bool is_between_frames(std::string_view line) {
  const std::string_view field = take_field(line);
  return field.empty() || (field == ">" && take_field(line).empty());
}

std::uint64_t atom_count(std::string_view line) {
  try {
    const std::string_view count = take_field(line);
    refuse_lattice_vector(count);
    const std::int64_t atoms = whole_field(count, "number of atoms");
    if (atoms < 0) {
      throw InputError(std::to_string(atoms) + " atoms");
    }
    if (const std::string_view more = take_field(line); !more.empty()) {
      throw InputError("'" + std::string(more.substr(0, 40)) +
                       "' behind the number of atoms");
    }
    return static_cast<std::uint64_t>(atoms);
  } catch (const InputError& error) {
    throw NoFrameBegins(error.what());
  }
}

bool read_two_lines(TextFile& file, XyzHeader& header) {
  std::string_view line;
  do {
    if (!file.next(line)) {
      return false;
    }
  } while (is_between_frames(line));
  header.atoms = atom_count(line);
  if (!file.next(line)) {
    return false;
  }
  set_from_second_line(file, line, header);
  return true;
}

/// Whether the line can describe an atom: a name and three numbers.
bool is_like_atom(std::string_view line) {
  constexpr std::size_t least = 4;
  const auto fields = fields_of(line);
  const auto is_real = [](std::string_view field) {
    double value = 0.0;
    return std::from_chars(field.data(), field.data() + field.size(), value).ec ==
           std::errc();
  };
  return fields.size() >= least && is_real(fields[1]) && is_real(fields[2]) &&
         is_real(fields[3]);
}

}  // namespace

bool read_xyz_header(TextFile& file, XyzHeader& header) {
  header = XyzHeader();
  try {
    return read_two_lines(file, header);
  } catch (const NoFrameBegins& error) {
    throw NoFrameBegins(file.at_last_line(error.what()));
  } catch (const InputError& error) {
    throw InputError(file.at_last_line(error.what()));
  }
}

bool find_xyz_frame(TextFile& file, const TextFile::Position& begin) {
  file.go_to(begin);
  std::string_view line;
  do {
    if (!file.next(line)) {
      return false;
    }
  } while (is_between_frames(line));
  const std::string count(take_field(line));  // of the damaged frame
  bool second_line = true;
  TextFile::Position glued;  // where a count may begin at the end of the previous line
  for (TextFile::Position place = file.position(); file.next(line);
       place = file.position()) {
    std::string_view rest = line;
    // A remark can also be a number.
    if (is_count(line) && (!second_line || take_field(rest) == count)) {
      file.go_to(place);
      return true;
    }
    if (glued.offset != 0 && !is_like_atom(line)) {
      file.go_to(glued);
      return true;
    }
    const bool ends_in_count = !second_line && is_count(count) && line.ends_with(count);
    glued = {ends_in_count ? place.offset + line.size() - count.size() : 0, place.line};
    second_line = false;
  }
  return false;
}

}  // namespace starhist::io
