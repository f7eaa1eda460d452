#include "io/formats/pdb/pdb_records.hh"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/reader/unit_cell.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

/// Parses the cell by words, which may be outside of their columns.
std::optional<UnitCell> cell_in_words(std::string_view line) {
  const std::vector<std::string_view> words = fields_of(line);
  UnitCell cell{};
  if (words.size() <= cell.size() || words[0] != "CRYST1") {
    return std::nullopt;
  }
  try {
    for (std::size_t k = 0; k < cell.size(); ++k) {
      cell[k] = real_field(words[k + 1], "CRYST1");
    }
  } catch (const InputError&) {
    return std::nullopt;
  }
  return cell;
}

/// Parses the cell by columns, because large numbers have no blanks between them.
std::optional<UnitCell> cell_in_columns(std::string_view line) {
  UnitCell cell{};
  std::size_t column = 6;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    const std::size_t width = k < 3 ? 9 : 7;
    const auto value = decimal_in(line, column, width);
    if (!value) {
      return std::nullopt;
    }
    cell[k] = *value;
    column += width;
  }
  return cell;
}

std::optional<UnitCell> cell_of(std::string_view line) {
  const std::optional<UnitCell> cell = cell_in_words(line);
  return cell ? cell : cell_in_columns(line);
}

std::string group_in(std::string_view record) {
  return std::string(text_in(record, 55, 11));
}

/// Returns the three numbers of a SCALEn record in their columns; empty if they are
/// invalid.
std::optional<std::array<double, 3>> scale_row(std::string_view record) {
  std::array<double, 3> row{};
  for (std::size_t k = 0; k < row.size(); ++k) {
    const auto value = decimal_in(record, 10 + 10 * k, 10);
    if (!value) {
      return std::nullopt;
    }
    row[k] = *value;
  }
  return row;
}

void check_scale(const PdbCell& cell, const double (&edges)[9]) {
  std::array<double, 9> fractional{};
  for (std::size_t k = 0; k < cell.scale.size(); ++k) {
    if (cell.scale[k].empty()) {
      return;
    }
    const auto row = scale_row(cell.scale[k]);
    if (!row) {
      throw InputError("the record '" + cell.scale[k].substr(0, 60) +
                       "' does not have three numbers in their columns (give another "
                       "box with --box)");
    }
    std::copy(row->begin(), row->end(), &fractional[3 * k]);
  }
  check_fractional(edges, fractional, "SCALE1 to SCALE3");
}

constexpr char case_bit = 'a' ^ 'A';

char upper_case(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c & ~case_bit) : c;
}

std::string element_in(std::string_view line) {
  std::string element;
  for (const char c : text_in(line, 76, 2)) {
    if (is_letter(c)) {
      element += static_cast<char>(element.empty() ? c & ~case_bit : c | case_bit);
    }
  }
  return element;
}

/// Records of PDB 3.3 and earlier versions that do not define positions, boxes or
/// frames.
constexpr std::array<std::string_view, 46> without_positions{
    "ANISOU", "AUTHOR", "CAVEAT", "CISPEP", "COMPND", "CONECT", "DBREF",  "DBREF1",
    "DBREF2", "EXPDTA", "FORMUL", "FTNOTE", "HEADER", "HELIX",  "HET",    "HETNAM",
    "HETSYN", "HYDBND", "JRNL",   "KEYWDS", "LINK",   "LINKR",  "MASTER", "MDLTYP",
    "MODRES", "NUMMDL", "OBSLTE", "ORIGX1", "ORIGX2", "ORIGX3", "REMARK", "REVDAT",
    "SEQADV", "SEQRES", "SHEET",  "SIGATM", "SIGUIJ", "SITE",   "SLTBRG", "SOURCE",
    "SPLIT",  "SPRSDE", "SSBOND", "TITLE",  "TURN",   "USER"};

/// Records of PDBQT, which has charges and AutoDock's types in the columns of segments
/// and elements.
constexpr std::array<std::string_view, 7> of_pdbqt{
    "BEGIN_", "BRANCH", "ENDBRA", "ENDROO", "END_RE", "ROOT", "TORSDO"};

/// Unknown names with these prefixes, in either case, are treated as misspelled
/// important records.
constexpr std::array<std::string_view, 10> like_ones_that_matter{
    "ATOM", "HETAT", "CRYS", "MODEL", "ENDM", "SCALE", "TVECT", "BOX", "CELL", "LATT"};

PdbRecord record_without_positions(std::string_view line) {
  const std::string_view name = record_name(line);
  if (name.starts_with("MTRIX")) {
    return PdbRecord::copies;
  }
  if (std::find(without_positions.begin(), without_positions.end(), name) !=
      without_positions.end()) {
    return PdbRecord::known;
  }
  if (line.find_first_not_of(" \t") == std::string_view::npos) {
    return PdbRecord::known;
  }
  if (std::find(of_pdbqt.begin(), of_pdbqt.end(), name) != of_pdbqt.end()) {
    return PdbRecord::pdbqt;
  }
  std::string upper(text_in(line, 0, 6));
  std::transform(upper.begin(), upper.end(), upper.begin(), upper_case);
  return std::any_of(
             like_ones_that_matter.begin(), like_ones_that_matter.end(),
             [&upper](std::string_view begin) { return upper.starts_with(begin); })
             ? PdbRecord::misread
             : PdbRecord::unknown;
}

constexpr std::size_t named_columns = 80;  ///< later columns do not identify an atom

/// Hashes eight columns each from columns 13, 21 and 73 of a line of full width.
std::uint64_t hash_of_names(const char* line) {
  constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;
  std::uint64_t hash = 0;
  for (const std::size_t first : {12, 20, 72}) {
    std::uint64_t columns = 0;
    std::memcpy(&columns, line + first, sizeof columns);
    hash = (hash ^ columns) * multiplier;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace

bool is_same_cell(std::string_view a, std::string_view b) {
  const auto first = cell_of(a);
  return first && first == cell_of(b) && group_in(a) == group_in(b);
}

void read_pdb_cell(const PdbCell& cell, double (&edges)[9]) {
  std::fill(std::begin(edges), std::end(edges), 0.0);
  if (cell.record.empty()) {
    return;
  }
  const std::optional<UnitCell> numbers = cell_of(cell.record);
  if (!numbers) {
    throw InputError("the record '" + cell.record.substr(0, 60) +
                     "' does not have three lengths and three angles");
  }
  if (group_in(cell.record) == "P 21 1 1") {
    throw InputError(
        "its CRYST1 has the group P 21 1 1, GROMACS' pbc = screw, which starhist does "
        "not know (give another box with --box)");
  }
  set_edges(*numbers, "CRYST1", edges);
  if (!is_placeholder(*numbers)) {
    check_scale(cell, edges);
  }
}

std::string space_group_of(std::string_view record) {
  const std::optional<UnitCell> cell = cell_of(record);
  const std::string group = group_in(record);
  return cell && !is_placeholder(*cell) && has_symmetry(group) ? group : "";
}

std::string_view record_name(std::string_view line) {
  const std::string_view name = line.substr(0, 6);
  return name.substr(0, name.find_last_not_of(" \t") + 1);  // npos + 1 is 0
}

PdbRecord record_of(std::string_view line) {
  const std::string_view name = record_name(line);
  if (name == "TER") {
    return PdbRecord::chain_end;
  }
  if (name == "CRYST1") {
    return PdbRecord::cell;
  }
  if (name == "SCALE1" || name == "SCALE2" || name == "SCALE3") {
    return PdbRecord::scale;
  }
  if (name == "MODEL") {
    return PdbRecord::model;
  }
  if (name == "ENDMDL" || name == "END") {
    return PdbRecord::end;
  }
  return record_without_positions(line);
}

bool is_pdb_record(std::string_view line, std::string_view name) {
  return line.starts_with(name) &&
         line.substr(name.size(), 6 - name.size()).find_first_not_of(' ') ==
             std::string_view::npos;
}

bool is_pdb_atom(std::string_view line) {
  // Serial numbers of more than five digits begin before column 7.
  const auto is_part_of_number = [](char c) {
    return c == ' ' || (c >= '0' && c <= '9');
  };
  if (line.starts_with("ATOM")) {
    const std::string_view behind = line.substr(4, 2);
    return std::all_of(behind.begin(), behind.end(), is_part_of_number);
  }
  return line.starts_with("HETATM");
}

bool add_pdb_position(std::string_view line, std::vector<double>& positions) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto value = decimal_in(line, 30 + 8 * axis, 8);
    if (!value) {
      return false;
    }
    positions.push_back(*value);
  }
  return true;
}

void add_pdb_names(std::string_view line, PdbResidueNumbers& numbers,
                   ParticleTable& table) {
  const PdbResidueNumbers::Number number = numbers.next(line);
  table.name.emplace_back(text_in(line, 12, 4));
  table.alternate_location.emplace_back(text_in(line, 16, 1));
  table.residue_name.emplace_back(text_in(line, 17, 4));
  table.chain.emplace_back(number.over_chain ? std::string_view()
                                             : text_in(line, 21, 1));
  table.residue.push_back(number.value);
  table.insertion_code.emplace_back(number.insertion == ' ' ? 0 : 1, number.insertion);
  table.segment.emplace_back(text_in(line, 72, 4));
  table.element.push_back(element_in(line));
  ++table.count;
}

std::uint64_t pdb_names_hash(std::string_view line) {
  if (line.size() >= named_columns) {
    return hash_of_names(line.data());
  }
  std::array<char, named_columns> padded;
  std::copy(line.begin(), line.end(), padded.begin());
  std::fill(padded.begin() + static_cast<std::ptrdiff_t>(line.size()), padded.end(),
            ' ');
  return hash_of_names(padded.data());
}

}  // namespace starhist::io
