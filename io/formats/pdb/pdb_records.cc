#include "io/formats/pdb/pdb_records.hh"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "codelets/core/base/text.hh"
#include "io/text/fixed_columns.hh"

namespace starhist::io {
namespace {

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
