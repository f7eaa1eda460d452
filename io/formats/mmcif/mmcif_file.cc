#include "io/formats/mmcif/mmcif_file.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <stdexcept>

#include <gemmi/cif.hpp>

#include "codelets/core/base/error.hh"
#include "io/compression/byte_source.hh"
#include "io/reader/unit_cell.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

namespace cif = gemmi::cif;

/// Returns the bytes of a file, decompressed.
std::string content_of(const std::string& path) {
  const auto source = open_byte_source(path);
  std::string content;
  std::array<char, 1U << 16U> piece{};
  while (const std::size_t size = source->read(piece.data(), piece.size())) {
    content.append(piece.data(), size);
    if (*source->compression() != '\0' && content.size() > expansion_looked_at &&
        content.size() > most_expansion * source->taken()) {
      throw InputError("expands to more than " + std::to_string(most_expansion) +
                       " times its size");
    }
  }
  if (source->damaged()) {
    throw InputError("cannot be decompressed as a whole (copy it again)");
  }
  return content;
}

/// Returns a number such as "12.345(6)" without its uncertainty; empty for other text.
std::optional<double> real_of(const std::string& value) {
  const char* begin = value.data();
  const char* const end = begin + std::min(value.find('('), value.size());
  begin += begin != end && *begin == '+' ? 1 : 0;
  double number = 0.0;
  const auto read = std::from_chars(begin, end, number);
  return begin != end && read.ec == std::errc() && read.ptr == end
             ? std::optional(number)
             : std::nullopt;
}

std::string text_of(const std::string& value) {
  return cif::as_string(value);  // "" for '?' and '.'
}

/// Returns the spelled element: "C", "Cl" for "CL"
std::string element_of(const std::string& value) {
  std::string element;
  for (const char c : text_of(value)) {
    const bool lower = c >= 'a' && c <= 'z';
    const bool upper = c >= 'A' && c <= 'Z';
    if (!lower && !upper) {
      break;  // the charge in "Na1+"
    }
    element += static_cast<char>(element.empty() ? c & ~0x20 : c | 0x20);
  }
  return element;
}

/// Returns the block that contains the atoms.
cif::Block& block_of(cif::Document& document) {
  cif::Block* found = nullptr;
  bool fractional = false;
  for (cif::Block& block : document.blocks) {
    fractional = fractional || block.has_tag("_atom_site_fract_x") ||
                 block.has_tag("_atom_site.fract_x");
    if (block.has_tag("_atom_site.Cartn_x")) {
      if (found != nullptr) {
        throw InputError("the data blocks " + found->name + " and " + block.name +
                         " both have atoms: split the file");
      }
      found = &block;
    }
  }
  if (found == nullptr) {
    throw InputError(
        fractional
            ? "has fractional coordinates of a crystal's asymmetric unit, not atoms of "
              "mmCIF: write the whole cell with `ase convert IN.cif OUT.extxyz`"
            : "has no atoms (_atom_site.Cartn_x)");
  }
  return *found;
}

/// Columns of the atoms, by position in the requested table.
enum Column : int {
  x,
  y,
  z,
  label_atom,
  label_comp,
  label_asym,
  label_seq,
  auth_atom,
  auth_comp,
  auth_asym,
  auth_seq,
  insertion,
  alternate,
  element,
  model
};

/// Reads the atoms of a block in order.
class Atoms {
 public:
  Atoms(cif::Block& block, MmcifFile& file)
      : table_(block.find(
            "_atom_site.",
            {"Cartn_x", "Cartn_y", "Cartn_z", "?label_atom_id", "?label_comp_id",
             "?label_asym_id", "?label_seq_id", "?auth_atom_id", "?auth_comp_id",
             "?auth_asym_id", "?auth_seq_id", "?pdbx_PDB_ins_code", "?label_alt_id",
             "?type_symbol", "?pdbx_PDB_model_num"})),
        file_(file) {}

  void read() {
    if (!table_.ok() || table_.length() == 0) {
      throw InputError("its atoms have no Cartn_x, Cartn_y and Cartn_z");
    }
    for (const auto row : table_) {
      begin_model(row);
      add_position(row);
      add_names(row);
    }
    file_.first.push_back(file_.names.count);
    finish_model();
  }

 private:
  template <class AnyRow>
  static std::string text(const AnyRow& row, int preferred, int other) {
    if (row.has2(preferred)) {
      return text_of(row[preferred]);
    }
    return row.has(other) ? text_of(row[other]) : std::string();
  }

  template <class AnyRow>
  void begin_model(const AnyRow& row) {
    const std::string number = row.has(model) ? text_of(row[model]) : std::string();
    if (!file_.first.empty() && number == number_) {
      return;
    }
    if (!numbers_.insert(number).second) {
      throw InputError("the atoms of model " + number +
                       " are not one after the other (other models are between)");
    }
    if (!file_.first.empty()) {
      finish_model();
    }
    number_ = number;
    file_.first.push_back(file_.names.count);
    file_.models.emplace_back();
  }

  template <class AnyRow>
  void add_position(const AnyRow& row) {
    for (const int axis : {x, y, z}) {
      const auto value = real_of(row[axis]);
      if (!value) {
        throw InputError("atom " + std::to_string(file_.names.count + 1) +
                         " has no position ('" + row[axis] + "')");
      }
      file_.positions.push_back(*value);
    }
  }

  template <class AnyRow>
  void add_names(const AnyRow& row) {
    ParticleTable& names = file_.names;
    names.name.push_back(text(row, auth_atom, label_atom));
    names.residue_name.push_back(text(row, auth_comp, label_comp));
    names.chain.push_back(text(row, auth_asym, label_asym));
    names.segment.push_back(row.has(label_asym) ? text_of(row[label_asym]) : "");
    names.residue.push_back(residue_number(text(row, auth_seq, label_seq)));
    names.insertion_code.push_back(row.has(insertion) ? text_of(row[insertion]) : "");
    names.alternate_location.push_back(row.has(alternate) ? text_of(row[alternate])
                                                          : "");
    names.element.push_back(row.has(element) ? element_of(row[element]) : "");
    ++names.count;
  }

  std::int64_t residue_number(const std::string& text) const {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (!text.empty() && (read.ec != std::errc() || read.ptr != end)) {
      throw InputError("atom " + std::to_string(file_.names.count + 1) +
                       " has the residue number '" + text +
                       "', which is not a whole number: correct it");
    }
    return number;
  }

  /// Completes a model after its last atom.
  void finish_model() {
    AtomModel& last = file_.models.back();
    const ParticleTable& names = file_.names;
    const std::hash<std::string> hash;
    for (std::size_t k = file_.first[file_.models.size() - 1]; k < names.count; ++k) {
      ++last.atoms;
      last.has_alternates = last.has_alternates || !names.alternate_location[k].empty();
      const auto number = static_cast<std::uint64_t>(names.residue[k]);
      for (const std::uint64_t value :
           {std::uint64_t{hash(names.name[k])},
            std::uint64_t{hash(names.residue_name[k])},
            std::uint64_t{hash(names.chain[k])}, std::uint64_t{hash(names.segment[k])},
            std::uint64_t{hash(names.insertion_code[k])},
            std::uint64_t{hash(names.alternate_location[k])},
            std::uint64_t{hash(names.element[k])}, number}) {
        last.names = (last.names ^ value) * 0x9E3779B97F4A7C15;
        last.names ^= last.names >> 29U;
      }
    }
  }

  cif::Table table_;
  MmcifFile& file_;
  std::string number_;             ///< number of the current model
  std::set<std::string> numbers_;  ///< numbers of all models so far
};

std::string value_of(const cif::Block& block, const std::string& tag) {
  const std::string* value = block.find_value(tag);
  return value == nullptr ? "" : text_of(*value);
}

/// Returns the numbers of these items; empty if all are missing. Throws InputError if
/// only some are missing, or one is not a number.
template <std::size_t count>
std::optional<std::array<double, count>> numbers_of(
    const cif::Block& block, const std::array<std::string, count>& tags) {
  std::array<double, count> numbers{};
  std::size_t found = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string value = value_of(block, tags[k]);
    if (value.empty()) {
      continue;
    }
    const auto number = real_of(value);
    if (!number) {
      throw InputError(tags[k] + " is '" + value +
                       "', which is not a number (give another box with --box)");
    }
    numbers[k] = *number;
    ++found;
  }
  if (found != 0 && found != count) {
    throw InputError("it has some of " + tags.front() + " to " + tags.back() +
                     ", not all (give another box with --box)");
  }
  return found == 0 ? std::nullopt : std::optional(numbers);
}

void read_cell(const cif::Block& block, MmcifFile& file) {
  const auto cell = numbers_of<6>(
      block, {"_cell.length_a", "_cell.length_b", "_cell.length_c", "_cell.angle_alpha",
              "_cell.angle_beta", "_cell.angle_gamma"});
  if (!cell || is_placeholder(*cell)) {
    return;
  }
  set_edges(*cell, "_cell", file.edges);
  std::array<std::string, 9> tags;
  for (std::size_t k = 0; k < tags.size(); ++k) {
    tags[k] = "_atom_sites.fract_transf_matrix[" + std::to_string(k / 3 + 1) + "][" +
              std::to_string(k % 3 + 1) + "]";
  }
  if (const auto fractional = numbers_of<9>(block, tags)) {
    check_fractional(file.edges, *fractional, "_atom_sites.fract_transf_matrix");
  }
  for (const char* tag : {"_symmetry.space_group_name_H-M", "_space_group.name_H-M_alt",
                          "_space_group.name_H-M_full"}) {
    const std::string group = value_of(block, tag);
    if (has_symmetry(group)) {
      file.remarks.push_back(symmetry_remark(group));
      return;
    }
  }
}

}  // namespace

MmcifFile read_mmcif(const std::string& path) {
  const std::string content = content_of(path);
  cif::Document document;
  try {
    document = cif::read_memory(content.data(), content.size(), path.c_str());
  } catch (const std::exception& error) {
    throw InputError(std::string("is not a CIF file (") + error.what() + ")");
  }
  cif::Block& block = block_of(document);
  MmcifFile file;
  Atoms(block, file).read();
  try {
    read_cell(block, file);
  } catch (const InputError& error) {
    file.cell_problem = error.what();
  }
  return file;
}

}  // namespace starhist::io
